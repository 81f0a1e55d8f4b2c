"""Bringing a store of schema 6 to these tables, in the transaction of the connection.

There each distinct text was stored once, in pieces that rows list by their numbers, and the lists of a call went on from those of an
earlier one of its debate. This is all that is known of it, and goes when no such store is left.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa

from agentdebate.codec import plain_json, read
from agentdebate.models.base import Completion
from agentdebate.store.damage import DamageLog, loaded, reading
from agentdebate.store.debate_writer import Ending, Line, Part, cost_rows, enter, item_entry
from agentdebate.store.documents import CALL
from agentdebate.store.schema import COMPLETIONS, FOUND, METADATA, REVISION, RUNS
from agentdebate.tasks import Item

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
_ENDED = ("item", "item_group", "system", "outcome", "ended", "settled", "changed", "rounds", "calls", "tokens", "money", "seconds", "row")  # fmt: skip

Row = dict[str, Any]


def bring_over(connection: sa.Connection, place: str) -> None:
    """Bring the tables of schema 6 to these. A record that is damaged is left out, and named in the log."""
    there, same = sa.inspect(connection), {table.name for table in (RUNS, FOUND, COMPLETIONS, REVISION)}
    old = [name for name in there.get_table_names() if name not in same]
    for name in old:
        for index in there.get_indexes(name):
            if not index.get("duplicates_constraint"):
                connection.exec_driver_sql(f"DROP INDEX {index['name']}")
    for name in old:
        connection.exec_driver_sql(f"ALTER TABLE {name} RENAME TO old_{name}")
    METADATA.create_all(connection)
    for statement in (_QUEUES, _LEASES):
        connection.exec_driver_sql(statement)
    damage = DamageLog(place)
    for number, run in connection.execute(sa.select(RUNS.c.number, RUNS.c.id)).all():
        _OldRun(connection, number, run, damage).bring_over()
    for name in old:
        connection.exec_driver_sql(f"DROP TABLE old_{name}")


class _OldRun:
    """A run by the old tables."""

    def __init__(self, connection: sa.Connection, number: int, name: str, damage: DamageLog) -> None:
        self._connection, self._number, self._name, self._damage = connection, number, name, damage
        of_run = "old_pieces JOIN old_run_pieces ON piece = number WHERE run"
        self._pieces = {row["number"]: row["text"] for row in self._rows(of_run, number)}

    def bring_over(self) -> None:
        """Enter its items and debates in these tables."""
        for of_run, parts_of in (("old_items WHERE run", self._item), ("old_talks WHERE run", self._debate)):
            for row in self._rows(of_run, self._number):
                for parts in self._damage.kept(partial(parts_of, row)):
                    enter(self._connection, self._number, parts)

    def _item(self, row: Row) -> list[Part]:
        with reading(self._name, f"the item {row['id']!r}"):
            return [item_entry(Item.model_validate(self._whole(row, "data")), row["number"])]

    def _debate(self, talk: Row) -> list[Part]:
        """The lines of a debate, and its end where it has one."""
        number, debate = talk["number"], talk["debate"]
        with reading(self._name, f"the debate {debate!r}"):
            models, parts = dict[str, str](), list[Part]()
            for row in self._rows("old_messages WHERE talk", number, "seq"):
                body = self._whole(row, "data") | {name: row[name] for name in _HEAD if row[name] is not None}
                parts.append(_line(debate, body["seq"], row["kind"], body))
                if "answers" in body and body.get("model"):
                    models[str(body["sender"]).partition("#")[0]] = body["model"]
            asked = self._calls(self._rows("old_calls WHERE talk", number, "number"))
            parts += [_line(debate, body["number"], CALL, body) for body in asked]
            made = [(body["agent"], body["round"], read(Completion, body["completion"])) for body in asked]
            scores = [
                {name: row[name] for name in ("name", "score", "human")}
                for row in self._rows("old_scores WHERE talk", number)
            ]
            for row in self._rows("old_debates WHERE talk", number):
                kept = {name: row[name] for name in _ENDED}
                parts.append(Ending(debate, kept, scores, cost_rows(made, models)))
            return parts

    def _calls(self, rows: Sequence[Row]) -> list[Row]:
        """The calls of a debate, whose lists went on from those of earlier ones."""
        shown, prompts, calls = dict[int, list[int]](), dict[int, list[tuple[str, Any]]](), list[Row]()
        for row in rows:
            seen, sent = loaded(row["shown"]), loaded(row["prompt"])
            if isinstance(seen, dict):
                seen = [*shown[seen["as"]][: seen["keep"]], *seen["then"]]
            roles = row["roles"].split(",") if row["roles"] else []
            prompt = list(zip(roles, _listed(sent), strict=True))
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
                    "sampling": loaded("".join(map(self._joined, _listed(loaded(row["sampling"]))))),
                    "schema": bool(row["schema"]),
                    "prompt": [{"role": role, "content": self._joined(text)} for role, text in prompt],
                    "completion": self._whole(row, "completion"),
                }
            )
        return calls

    def _whole(self, row: Row, column: str) -> Row:
        """The JSON object in a column, with its texts. Raises ValueError where they are not as many as it has places for."""
        left = list(map(self._joined, _listed(loaded(row["texts"] or "[]"))))[::-1]
        whole: Row = _put_back(loaded(row[column]), left)
        if left:
            raise ValueError("it lists more texts than it has places for")
        return whole

    def _joined(self, text: Sequence[int | str]) -> str:
        """A text: the numbers of its pieces, and words that stand for themselves."""
        return "".join([part if isinstance(part, str) else self._pieces[part] for part in text])

    def _rows(self, of: str, key: int, order: str = "1") -> list[Row]:
        query = sa.text(f"SELECT * FROM {of} = :key ORDER BY {order}")  # noqa: S608 - words of this file
        return list(map(dict, self._connection.execute(query, {"key": key}).mappings()))


def _line(debate: str, place: int, kind: str, body: Row) -> Line:
    line = plain_json({"kind": kind, "body": body}).decode()
    return Line(debate, place, line, call=kind == CALL)


def _listed(data: Any) -> list[Sequence[int | str]]:
    """The texts that a column lists."""
    texts = data["then"] if isinstance(data, dict) else data
    return [one if isinstance(one, list) else [one] for one in texts]


def _put_back(data: Any, left: list[str]) -> Any:
    """The data with its texts, of which the next is the last."""
    if data == _PLACE:
        return left.pop()
    if isinstance(data, dict):
        return {name: _put_back(value, left) for name, value in data.items()}
    return [_put_back(value, left) for value in data] if isinstance(data, list) else data
