"""Bringing a store of schema 6 to these tables, in the transaction of the connection.

There each distinct text was stored once, in pieces that rows list by their numbers, and the lists of a call went on from those of an
earlier one of its debate. This is all that is known of it, and goes when no such store is left.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa

from agentdebate.codec import read
from agentdebate.log import get_log
from agentdebate.models.base import Completion
from agentdebate.store._debates import SORTED, cost_rows
from agentdebate.store._in_flight import CALL, IN_FLIGHT, line_row, plain_json
from agentdebate.store._runs import ITEMS, RUNS, item_row
from agentdebate.store.damage import DamageLog, loaded, reading
from agentdebate.store.debate_writer import Ending, enter_ended
from agentdebate.store.place import MIGRATED
from agentdebate.store.schema import BEFORE, HEAD, METADATA, REVISION, batches, insert_rows

_log = get_log(__name__)

_SAME_NAMES = ("items", "debates", "scores", "queues", "leases")
"""Tables that are laid out anew under their names."""
_OF_WORKERS = ("workers", "accounts", "blocks", "searches")
"""Tables of no use where no worker is there."""
_GONE = (*(f"old_{name}" for name in _SAME_NAMES), "talks", "messages", "calls", "run_pieces", "pieces")
_INDEXES = (*(f"debates_{name}" for name in SORTED), "scores_score", "scores_human", "leases_worker")
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
_FLAGS = ("settled", "changed")
_ENDED = ("item", "item_group", "system", "outcome", "ended", "rounds", "calls", "tokens", "money", "seconds", "row")  # fmt: skip

Row = dict[str, Any]


def bring_over(connection: sa.Connection, place: str, version: str) -> None:
    """Bring a store from the tables of schema 6 or 7 to these. A record that is damaged is left out, and named in the log."""
    _log.warning(
        "the store %s was written by an older agentdebate and is brought to schema %s, which older ones cannot read",
        place,
        HEAD,
        kind=MIGRATED,
        store=place,
    )
    for name in _OF_WORKERS:
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS {name}")
    if version == BEFORE:
        _bring_over_6(connection, place)
    METADATA.create_all(connection)
    connection.execute(REVISION.update().values(version_num=HEAD))


def _bring_over_6(connection: sa.Connection, place: str) -> None:
    damage = DamageLog(place)
    for name in _INDEXES:
        connection.exec_driver_sql(f"DROP INDEX IF EXISTS {name}")
    for name in _SAME_NAMES:
        connection.exec_driver_sql(f"ALTER TABLE {name} RENAME TO old_{name}")
    METADATA.create_all(connection)
    for statement in (_QUEUES, _LEASES):
        connection.exec_driver_sql(statement)
    for run, name in connection.execute(sa.select(RUNS.c.number, RUNS.c.id)).all():
        _OldRun(connection, run, name, damage).bring_over()
    for name in _GONE:
        connection.exec_driver_sql(f"DROP TABLE {name}")
    damage.close()


class _OldRun:
    """A run by the old tables."""

    def __init__(self, connection: sa.Connection, number: int, name: str, damage: DamageLog) -> None:
        self._connection, self._number, self._name, self._damage = connection, number, name, damage
        of_run = "SELECT number, text FROM pieces JOIN run_pieces ON piece = number WHERE run = :key"
        self._pieces = {row["number"]: row["text"] for row in self._rows(of_run, number)}

    def bring_over(self) -> None:
        """Enter its items and debates in these tables."""
        for rows in batches(self._rows("SELECT * FROM old_items WHERE run = :key", self._number)):
            items = [item for row in rows for item in self._damage.kept(partial(self._item, row))]
            insert_rows(self._connection, ITEMS, items)
        for talk in self._rows("SELECT * FROM talks WHERE run = :key ORDER BY number", self._number):
            for one in self._damage.kept(partial(self._debate, talk["number"], talk["debate"])):
                if one.row:
                    enter_ended(self._connection, self._number, [one])
                else:
                    insert_rows(self._connection, IN_FLIGHT, [*self._lines(one)])

    def _item(self, row: Row) -> Row:
        with reading(self._name, f"the item {row['id']!r}"):
            return {**item_row(self._whole(row, "data"), row["number"]), "run": self._number}

    def _lines(self, one: Ending) -> Iterator[Row]:
        for call, lines in ((False, one.talk), (True, one.calls)):
            for place, line in lines.items():
                yield {**line_row(one.debate, place, line, call=call), "run": self._number}

    def _debate(self, talk_number: int, debate: str) -> Ending:
        """A debate; its row is empty where it has not ended."""
        with reading(self._name, f"the debate {debate!r}"):
            said = self._rows("SELECT * FROM messages WHERE talk = :key ORDER BY seq", talk_number)
            messages = [(row["kind"], self._message(row)) for row in said]
            calls = self._calls(
                self._rows("SELECT * FROM calls WHERE talk = :key ORDER BY number", talk_number)
            )
            scores = self._rows("SELECT name, score, human FROM old_scores WHERE talk = :key", talk_number)
            models = {str(body["sender"]).partition("#")[0]: body["model"] for _, body in messages if "answers" in body and body.get("model")}  # fmt: skip
            made = ((body["agent"], body["round"], read(Completion, body["completion"])) for body in calls)
            talk = {body["seq"]: plain_json({"kind": kind, "body": body}) for kind, body in messages}
            asked = {body["number"]: plain_json({"kind": CALL, "body": body}) for body in calls}
            ended = dict[str, Any]()
            for row in self._rows("SELECT * FROM old_debates WHERE talk = :key", talk_number):
                flags = {name: None if row[name] is None else bool(row[name]) for name in _FLAGS}
                ended = {name: row[name] for name in _ENDED} | flags
            return Ending(debate, ended, scores, cost_rows(made, models), talk, asked)

    def _message(self, row: Row) -> Row:
        return {**self._whole(row, "data"), **{name: row[name] for name in _HEAD if row[name] is not None}}

    def _calls(self, rows: Sequence[Row]) -> list[Row]:
        """The calls of a debate, whose lists went on from those of earlier ones."""
        shown, prompts, calls = dict[int, list[int]](), dict[int, list[tuple[str, Any]]](), list[Row]()
        for row in rows:
            seen, sent = loaded(row["shown"]), loaded(row["prompt"])
            if isinstance(seen, dict):
                seen = [*shown[seen["as"]][: seen["keep"]], *seen["then"]]
            roles = row["roles"].split(",") if row["roles"] else []
            prompt = list(zip(roles, _listed(row["prompt"]), strict=True))
            if isinstance(sent, dict):
                messages, parts = sent["keep"]
                earlier = prompts[sent["as"]]
                if parts:
                    prompt[0] = prompt[0][0], [*earlier[messages][1][:parts], *prompt[0][1]]
                prompt = [*earlier[:messages], *prompt]
            shown[row["number"]], prompts[row["number"]] = seen, prompt
            calls.append(
                {
                    **{name: row[name] for name in _NUMBERS},
                    "shown": seen,
                    "sampling": loaded("".join(map(self._joined, _listed(row["sampling"])))),
                    "schema": bool(row["schema"]),
                    "prompt": [{"role": role, "content": self._joined(text)} for role, text in prompt],
                    "completion": self._whole(row, "completion"),
                }
            )
        return calls

    def _whole(self, row: Row, column: str) -> Row:
        """The JSON object in a column, with its texts. Raises ValueError where they are not as many as it has places for."""
        left = iter([self._joined(text) for text in _listed(row["texts"] or "[]")])
        whole: Row = _put_back(loaded(row[column]), left)
        if next(left, None) is not None:
            raise ValueError("it lists more texts than it has places for")
        return whole

    def _joined(self, text: Sequence[int | str]) -> str:
        """A text: the numbers of its pieces, and words that stand for themselves."""
        return "".join([part if isinstance(part, str) else self._pieces[part] for part in text])

    def _rows(self, query: str, key: int) -> list[Row]:
        return [dict(row) for row in self._connection.execute(sa.text(query), {"key": key}).mappings()]


def _listed(column: str) -> list[Sequence[int | str]]:
    """The texts that a column lists."""
    data = loaded(column)
    texts = data["then"] if isinstance(data, dict) else data
    return [one if isinstance(one, list) else [one] for one in texts]


def _put_back(data: Any, left: Iterator[str]) -> Any:
    """The data with its texts."""
    if data == _PLACE:
        if (found := next(left, None)) is None:
            raise ValueError("it has more places for texts than it lists")
        return found
    if isinstance(data, dict):
        return {name: _put_back(value, left) for name, value in data.items()}
    return [_put_back(value, left) for value in data] if isinstance(data, list) else data
