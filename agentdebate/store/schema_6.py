"""Bringing a store of schema 6 to these tables, in the transaction of the connection: nothing of it is lost.

There each distinct text was stored once, in pieces that rows list by their numbers, and the lists of a call went on from those of an
earlier one of its debate. This is all that is known of it, and goes when no such store is left.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import UsageError
from agentdebate.log import get_log
from agentdebate.models.base import Completion
from agentdebate.store._debates import SORTED
from agentdebate.store._in_flight import CALL, IN_FLIGHT, checksum, line_row, plain_json
from agentdebate.store._runs import ITEMS, RUNS, item_row
from agentdebate.store.damage import UNREADABLE, loaded, mapping
from agentdebate.store.debate_writer import Ending, enter_ended
from agentdebate.store.lock import is_held
from agentdebate.store.place import DAMAGED, MIGRATED
from agentdebate.store.schema import HEAD, METADATA, REVISION, batches, insert_rows

_log = get_log(__name__)

_ASIDE = ("items", "debates", "scores")
"""Tables that have the same names now."""
_GONE = ("old_items", "old_debates", "old_scores", "talks", "messages", "calls", "run_pieces", "pieces")
_SEVERAL = 50
"""Debates, or items, that are brought over at a time."""
_PLACE = "§"
"""Stood in a record for a text that was taken out."""
_HEAD = ("seq", "sender", "round", "time")

Row = dict[str, Any]


def bring_over(connection: sa.Connection, place: str) -> None:
    """Bring a store from the tables of schema 6 to these. Raises UsageError where a run is being written in it."""
    _check_idle(connection, place)
    _log.warning(
        "the store %s was written by an older agentdebate and is brought to schema %s, which older ones cannot read",
        place,
        HEAD,
        kind=MIGRATED,
        store=place,
    )
    for name in (*(f"debates_{one}" for one in SORTED), "scores_score", "scores_human"):
        connection.exec_driver_sql(f"DROP INDEX IF EXISTS {name}")
    for name in _ASIDE:
        connection.exec_driver_sql(f"ALTER TABLE {name} RENAME TO old_{name}")
    METADATA.create_all(connection)
    for run, name in connection.execute(sa.select(RUNS.c.number, RUNS.c.id)).all():
        _OldRun(connection, run, name, place).bring_over()
    for name in _GONE:
        connection.exec_driver_sql(f"DROP TABLE {name}")
    connection.execute(REVISION.update().values(version_num=HEAD))


def _check_idle(connection: sa.Connection, place: str) -> None:
    """Raise UsageError where a process writes a run by the old tables."""
    url = connection.engine.url
    store = url.database if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=False)
    for run in connection.execute(sa.select(RUNS.c.id).where(RUNS.c.ended.is_(None))).scalars().all():
        if is_held(store or "", str(run)):
            raise UsageError(
                f"the store {place} was written by an older agentdebate, which is at work on run {run}: wait until it has "
                "ended; then the store can be brought to this version's tables"
            )


class _OldRun:
    """A run by the old tables."""

    def __init__(self, connection: sa.Connection, number: int, name: str, place: str) -> None:
        self._connection, self._number, self._name, self._place = connection, number, name, place
        self._pieces: dict[int, str] = {}

    def __repr__(self) -> str:
        return f"<old run {self._name!r}>"

    def bring_over(self) -> None:
        """Enter its items and debates in these tables."""
        for items in self._in_parts("SELECT * FROM old_items WHERE run = :run ORDER BY number, id"):
            self._fetch(items, "texts")
            rows = [one for item in items for one in self._kept("an item", self._item, item)]
            if rows:
                insert_rows(self._connection, ITEMS, rows)
        for talks in self._in_parts("SELECT number, debate FROM talks WHERE run = :run ORDER BY number"):
            self._debates({talk["number"]: talk["debate"] for talk in talks})

    def _item(self, row: Row) -> Row:
        return {**item_row(self._whole(row, "data"), row["number"]), "run": self._number}

    def _debates(self, names: dict[int, str]) -> None:
        """Enter some debates, which have ended or have not."""
        self._pieces = {}
        messages, calls = self._of_talks("messages", "seq", names), self._of_talks("calls", "number", names)
        self._fetch((one for of_one in messages.values() for one in of_one), "texts")
        self._fetch((one for of_one in calls.values() for one in of_one), "texts", "sampling", "prompt")
        ended = {row["talk"]: row for row in self._select("old_debates", names)}
        scores = self._of_talks("old_scores", "name", names)
        endings, flying = list[Ending](), list[Any]()
        for talk, debate in names.items():
            one = Ending(debate, {}, scores.get(talk, ()), first=1)
            self._lines(one, messages.get(talk, ()), calls.get(talk, ()))
            if talk in ended:
                one.row = _ended_row(ended[talk])
                one.scores = [{name: row[name] for name in ("name", "score", "human")} for row in one.scores]
                endings.append(one)
            else:
                flying += [line_row(debate, place, line, call=False) for place, line in one.talk.items()]
                flying += [line_row(debate, place, line, call=True) for place, line in one.calls.items()]
        if flying:
            insert_rows(self._connection, IN_FLIGHT, [{**row, "run": self._number} for row in flying])
        if endings:
            enter_ended(self._connection, self._number, endings)

    def _lines(self, ending: Ending, messages: Iterable[Row], calls: Iterable[Row]) -> None:
        """Put the lines of a debate into its ending, with what its calls took."""
        models = dict[str, str]()
        for row in messages:
            for body in self._kept(f"message {row['seq']} of {ending.debate!r}", self._message, row):
                ending.talk[row["seq"]] = plain_json({"kind": row["kind"], "body": body})
                if "answers" in body and body.get("model"):
                    models[str(body["sender"]).partition("#")[0]] = body["model"]
        ending.models = models
        chain = _Chain()
        for row in calls:
            for body in self._kept(f"call {row['number']} of {ending.debate!r}", self._call, row, chain):
                ending.calls[row["number"]] = plain_json({"kind": CALL, "body": body})
                completion = Completion.model_validate(body["completion"])
                ending.spent.add(row["agent"], row["round"], completion)

    def _message(self, row: Row) -> Row:
        head = {name: row[name] for name in _HEAD if row[name] is not None}
        return {**self._whole(row, "data"), **head}

    def _call(self, row: Row, chain: "_Chain") -> Row:
        shown, prompt = chain.shown(row), chain.prompt(row)
        completion = self._whole(row, "completion")
        Completion.model_validate(completion)
        return {
            **{name: row[name] for name in ("number", "agent", "round", "ask", "attempt")},
            "shown": shown,
            "key": row["key"],
            "sampling": mapping("".join(self._texts(row["sampling"]))),
            "schema": bool(row["schema"]),
            "sample": row["sample"],
            "prompt": [{"role": role, "content": self._joined(parts)} for role, parts in prompt],
            "completion": completion,
        }

    def _kept(self, what: str, read: Any, row: Row, *more: Any) -> Iterator[Any]:
        """What `read` gives; nothing of a record that was damaged, which is logged."""
        try:
            yield read(row, *more)
        except UNREADABLE as error:
            _log.warning("the store %s: run %s: %s is damaged and is left out: %s", self._place, self._name, what, error, kind=DAMAGED, store=self._place)  # fmt: skip

    def _in_parts(self, query: str) -> Iterator[list[Row]]:
        place = 0
        while some := self._rows(f"{query} LIMIT {_SEVERAL} OFFSET {place}", run=self._number):
            yield some
            place += len(some)

    def _of_talks(self, table: str, order: str, talks: Iterable[int]) -> dict[int, list[Row]]:
        found: dict[int, list[Row]] = {}
        for row in self._select(table, talks, f" ORDER BY talk, {order}"):
            found.setdefault(row["talk"], []).append(row)
        return found

    def _select(self, table: str, talks: Iterable[int], order: str = "") -> list[Row]:
        return self._rows(f"SELECT * FROM {table} WHERE talk IN ({', '.join(map(str, talks))}){order}")  # noqa: S608 - numbers

    def _rows(self, query: str, **values: int) -> list[Row]:
        return [dict(row) for row in self._connection.execute(sa.text(query), values).mappings()]

    def _whole(self, row: Row, column: str) -> Row:
        """The JSON object in a column, with its texts."""
        left = iter(self._texts(row["texts"]))
        whole: Row = _put_back(mapping(row[column]), left)
        if next(left, None) is not None:
            raise ValueError("it lists more texts than it has places for")
        return whole

    def _texts(self, column: str | None) -> list[str]:
        return [self._joined(parts) for parts in _listed(column)]

    def _joined(self, parts: Sequence[int | str]) -> str:
        return "".join([part if isinstance(part, str) else self._pieces[part] for part in parts])

    def _fetch(self, rows: Iterable[Row], *columns: str) -> None:
        """Read the pieces that rows list."""
        wanted = {number for row in rows for column in columns for number in _numbers_in(row[column])}
        for some in batches(sorted(wanted - self._pieces.keys())):
            query = f"SELECT number, text FROM pieces WHERE number IN ({', '.join(map(str, some))})"  # noqa: S608 - numbers
            self._pieces.update((row["number"], row["text"]) for row in self._rows(query))


class _Chain:
    """The lists of a debate's calls, which went on from those of earlier ones."""

    def __init__(self) -> None:
        self._shown: dict[int, list[int]] = {}
        self._prompts: dict[int, list[tuple[str, list[int | str]]]] = {}

    def shown(self, row: Row) -> list[int]:
        """The numbers of the messages that a call was shown."""
        said = loaded(row["shown"])
        whole = [*self._shown[said["as"]][: said["keep"]], *said["then"]] if isinstance(said, dict) else said
        self._shown[row["number"]] = whole
        return whole

    def prompt(self, row: Row) -> list[tuple[str, list[int | str]]]:
        """The messages that a call was sent after the brief: the role, and what the text is put together of."""
        said = loaded(row["prompt"])
        roles = row["roles"].split(",") if row["roles"] else []
        own = list(zip(roles, _listed(row["prompt"]), strict=True))
        if isinstance(said, dict):
            earlier, (whole, parts) = self._prompts[said["as"]], said["keep"]
            if parts:
                (role, text), *rest = own
                own = [(role, [*earlier[whole][1][:parts], *text]), *rest]
            own = [*earlier[:whole], *own]
        self._prompts[row["number"]] = own
        return own


def _listed(column: str | None) -> list[list[int | str]]:
    """What a column lists: of each text the numbers of its pieces, and words that stood for themselves."""
    data = [] if column is None else json.loads(column)
    texts = data["then"] if isinstance(data, dict) else data
    return [one if isinstance(one, list) else [one] for one in texts]


def _numbers_in(column: str | None) -> Iterator[int]:
    try:
        yield from (part for parts in _listed(column) for part in parts if isinstance(part, int))
    except UNREADABLE:  # said where the record is read
        return


def _put_back(data: Any, left: Iterator[str]) -> Any:
    """The data with its texts."""
    if data == _PLACE:
        return next(left)
    if isinstance(data, dict):
        return {name: _put_back(value, left) for name, value in data.items()}
    return [_put_back(value, left) for value in data] if isinstance(data, list) else data


def _ended_row(row: Row) -> Row:
    names = (
        "item",
        "item_group",
        "system",
        "outcome",
        "ended",
        "settled",
        "changed",
        "rounds",
        "calls",
        "tokens",
    )
    try:
        text = plain_json(mapping(row["row"]))
    except UNREADABLE:  # its reader says so
        text = row["row"]
    flags = {name: None if row[name] is None else bool(row[name]) for name in ("settled", "changed")}
    return {
        **{name: row[name] for name in (*names, "money", "seconds")},
        **flags,
        "row_sum": checksum(text),
        "row": text,
    }
