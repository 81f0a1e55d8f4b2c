"""Bringing a store of schema 6 to these tables, in the transaction of the connection: nothing of it is lost.

There each distinct text was stored once, in pieces that rows list by their numbers, and the lists of a call went on from those of an
earlier one of its debate. This is all that is known of it, and goes when no such store is left.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from agentdebate.codec import read
from agentdebate.errors import UsageError
from agentdebate.log import get_log
from agentdebate.models.base import Completion
from agentdebate.store._debates import SORTED
from agentdebate.store._in_flight import CALL, IN_FLIGHT, checksum, line_row, plain_json
from agentdebate.store._runs import ITEMS, RUNS, item_row
from agentdebate.store.damage import loaded, naming, reading
from agentdebate.store.debate_writer import Ending, enter_ended
from agentdebate.store.lock import is_held
from agentdebate.store.place import MIGRATED
from agentdebate.store.schema import HEAD, METADATA, REVISION, batches, insert_rows

_log = get_log(__name__)

_SAME_NAMES = ("items", "debates", "scores", "queues", "leases")
"""Tables that are laid out anew under their names."""
_OF_WORKERS = ("workers", "accounts", "blocks")
"""Tables of no use where no worker is there."""
_GONE = (*(f"old_{name}" for name in _SAME_NAMES), "talks", "messages", "calls", "run_pieces", "pieces")
_QUEUES = "INSERT INTO queues (run, entered, code) SELECT run, entered, code FROM old_queues"
_LEASES = """
INSERT INTO leases (run, debate, place, item, item_number, aspects, taken, token)
SELECT run, debate, place & 4194303, item, item_number, aspects, taken, 0 FROM old_leases
"""
"""Brings a queue over. Above its lowest 22 bits the place of a debate said how often it was taken."""
_PLACE = "§"
"""Stood in a record for a text that was taken out."""
_HEAD = ("seq", "sender", "round", "time")
_NUMBERS = ("number", "agent", "round", "ask", "attempt", "key", "sample")
_ENDED = ("item", "item_group", "system", "outcome", "ended", "rounds", "calls", "tokens", "money", "seconds", "row")  # fmt: skip

Row = dict[str, Any]
_Text = Sequence[int | str]
"""A text: the numbers of its pieces, and words that stand for themselves."""


def bring_over(connection: sa.Connection, place: str) -> None:
    """Bring a store from the tables of schema 6 to these.

    Raises UsageError where a run is being written in it, and StoreError for a record that is damaged; then the store stays as it is.
    """
    _check_idle(connection, place)
    _log.warning(
        "the store %s was written by an older agentdebate and is brought to schema %s, which older ones cannot read",
        place,
        HEAD,
        kind=MIGRATED,
        store=place,
    )
    for name in (*(f"debates_{one}" for one in SORTED), "scores_score", "scores_human", "leases_worker"):
        connection.exec_driver_sql(f"DROP INDEX IF EXISTS {name}")
    for name in _OF_WORKERS:
        connection.exec_driver_sql(f"DROP TABLE {name}")
    for name in _SAME_NAMES:
        connection.exec_driver_sql(f"ALTER TABLE {name} RENAME TO old_{name}")
    METADATA.create_all(connection)
    for statement in (_QUEUES, _LEASES):
        connection.exec_driver_sql(statement)
    for run, name in connection.execute(sa.select(RUNS.c.number, RUNS.c.id)).all():
        with naming(place):
            _OldRun(connection, run, name).bring_over()
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

    def __init__(self, connection: sa.Connection, number: int, name: str) -> None:
        self._connection, self._number, self._name = connection, number, name
        of_run = "SELECT number, text FROM pieces JOIN run_pieces ON piece = number WHERE run = :key"
        self._pieces = {row["number"]: row["text"] for row in self._rows(of_run, number)}

    def bring_over(self) -> None:
        """Enter its items and debates in these tables."""
        for items in batches(self._rows("SELECT * FROM old_items WHERE run = :key", self._number)):
            insert_rows(self._connection, ITEMS, [self._item(item) for item in items])
        for talk in self._rows(
            "SELECT number, debate FROM talks WHERE run = :key ORDER BY number", self._number
        ):
            with reading(self._name, f"the debate {talk['debate']!r}"):
                self._debate(talk["number"], talk["debate"])

    def _item(self, row: Row) -> Row:
        with reading(self._name, f"the item {row['id']!r}"):
            return {**item_row(self._whole(row, "data"), row["number"]), "run": self._number}

    def _debate(self, talk: int, debate: str) -> None:
        """Enter a debate, which has ended or has not."""
        one = Ending(
            debate, {}, self._rows("SELECT name, score, human FROM old_scores WHERE talk = :key", talk)
        )
        said = [
            (row["kind"], self._message(row))
            for row in self._rows("SELECT * FROM messages WHERE talk = :key ORDER BY seq", talk)
        ]
        calls = _calls(self._rows("SELECT * FROM calls WHERE talk = :key ORDER BY number", talk), self)
        one.talk = {body["seq"]: plain_json({"kind": kind, "body": body}) for kind, body in said}
        one.calls = {body["number"]: plain_json({"kind": CALL, "body": body}) for body in calls}
        ended = self._rows("SELECT * FROM old_debates WHERE talk = :key", talk)
        if not ended:
            rows = [
                {**line_row(debate, place, line, call=call), "run": self._number}
                for call, lines in ((False, one.talk), (True, one.calls))
                for place, line in lines.items()
            ]
            insert_rows(self._connection, IN_FLIGHT, rows)
            return
        flags = {
            name: None if ended[0][name] is None else bool(ended[0][name]) for name in ("settled", "changed")
        }
        one.row = {name: ended[0][name] for name in _ENDED} | flags | {"row_sum": checksum(ended[0]["row"])}
        one.models = {str(body["sender"]).partition("#")[0]: body["model"] for _, body in said if "answers" in body and body.get("model")}  # fmt: skip
        for body in calls:
            one.spent.add(body["agent"], body["round"], read(Completion, body["completion"]))
        enter_ended(self._connection, self._number, [one])

    def _message(self, row: Row) -> Row:
        return {**self._whole(row, "data"), **{name: row[name] for name in _HEAD if row[name] is not None}}

    def call(self, row: Row, shown: list[int], prompt: list[tuple[str, _Text]]) -> Row:
        """The fields of a call, which was shown messages of these numbers and sent these texts."""
        return {
            **{name: row[name] for name in _NUMBERS},
            "shown": shown,
            "sampling": loaded("".join(map(self._joined, _listed(row["sampling"])))),
            "schema": bool(row["schema"]),
            "prompt": [{"role": role, "content": self._joined(text)} for role, text in prompt],
            "completion": self._whole(row, "completion"),
        }

    def _whole(self, row: Row, column: str) -> Row:
        """The JSON object in a column, with its texts."""
        left = iter([self._joined(text) for text in _listed(row["texts"] or "[]")])
        whole: Row = _put_back(loaded(row[column]), left)
        if next(left, None) is not None:
            raise ValueError("it lists more texts than it has places for")
        return whole

    def _joined(self, text: _Text) -> str:
        return "".join([part if isinstance(part, str) else self._pieces[part] for part in text])

    def _rows(self, query: str, key: int) -> list[Row]:
        return [dict(row) for row in self._connection.execute(sa.text(query), {"key": key}).mappings()]


def _calls(rows: Sequence[Row], run: _OldRun) -> list[Row]:
    """The calls of a debate, whose lists went on from those of earlier ones."""
    shown, prompts, calls = dict[int, list[int]](), dict[int, list[tuple[str, _Text]]](), list[Row]()
    for row in rows:
        seen, sent = loaded(row["shown"]), loaded(row["prompt"])
        if isinstance(seen, dict):
            seen = [*shown[seen["as"]][: seen["keep"]], *seen["then"]]
        roles = row["roles"].split(",") if row["roles"] else []
        whole = list(zip(roles, _listed(row["prompt"]), strict=True))
        if isinstance(sent, dict):
            whole = _gone_on(prompts[sent["as"]], sent["keep"], whole)
        shown[row["number"]], prompts[row["number"]] = seen, whole
        calls.append(run.call(row, seen, whole))
    return calls


def _gone_on(
    earlier: list[tuple[str, _Text]], keep: Sequence[int], own: list[tuple[str, _Text]]
) -> list[tuple[str, _Text]]:
    """A prompt that has so many messages of an earlier one, so many parts of its next, and then what is its own."""
    messages, parts = keep
    if parts:
        if messages >= len(earlier):
            raise ValueError("a prompt goes on from an earlier one behind its end")
        (role, text), *rest = own
        own = [(role, [*earlier[messages][1][:parts], *text]), *rest]
    return [*earlier[:messages], *own]


def _listed(column: str) -> list[_Text]:
    """The texts that a column lists."""
    data = loaded(column)
    texts = data["then"] if isinstance(data, dict) else data
    return [one if isinstance(one, list) else [one] for one in texts]


def _put_back(data: Any, left: Iterator[str]) -> Any:
    """The data with its texts."""
    if data == _PLACE:
        found = next(left, None)
        if found is None:
            raise ValueError("it has more places for texts than it lists")
        return found
    if isinstance(data, dict):
        return {name: _put_back(value, left) for name, value in data.items()}
    return [_put_back(value, left) for value in data] if isinstance(data, list) else data
