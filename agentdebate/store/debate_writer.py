"""Writes debates: their lines as they are said, and how they ended with their documents, scores and costs."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any, NamedTuple

import sqlalchemy as sa

from agentdebate.codec import plain_json
from agentdebate.debates.outcome import outcome_of
from agentdebate.debates.record import Record
from agentdebate.models.base import Call, Completion
from agentdebate.store.documents import (
    call_line,
    count_lines,
    document_row,
    line_in,
    line_row,
    packed,
)
from agentdebate.store.run_tables import RunCall, models_of
from agentdebate.store.schema import (
    COSTS,
    DEBATES,
    DOCUMENTS,
    FOUND,
    IN_FLIGHT,
    ITEMS,
    SAME_ITEM,
    SCORES,
    Condition,
    batches,
    insert_rows,
)
from agentdebate.talk.envelope import message_line
from agentdebate.talk.messages import Message, Verdict
from agentdebate.tasks import Item
from agentdebate.usage import Usage

LONGEST = 200
"""Characters of a text by which debates are sorted: databases refuse an index of long ones. The row has all of it."""

_SEVERAL = 32
"""Debates whose documents are made at a time: they may be long."""


class Entry(NamedTuple):
    """One row that goes into a table of a run."""

    table: sa.Table
    values: Mapping[str, Any]
    debate: str | None = None
    """The debate that it is of; None for a row of the run."""


class Line(NamedTuple):
    """A line of a debate that has not ended: a message, or a model call."""

    debate: str
    place: int
    """Number among the debate's messages, or among its calls."""
    text: str
    call: bool


@dataclass(frozen=True)
class Ending:
    """End of a debate whose lines are in flight: its rows."""

    debate: str
    row: Mapping[str, Any]
    scores: Sequence[Mapping[str, Any]]
    costs: Sequence[Mapping[str, Any]] = ()


Part = Entry | Line | Ending


def item_entry(item: Item, number: int) -> Entry:
    """The row of an item, to be entered under its number within the run."""
    data = packed(plain_json(item.model_dump(mode="json")).decode())
    return Entry(ITEMS, {"id": item.id, "number": number, "data": data})


def enter(connection: sa.Connection, run: int, parts: Iterable[Part], *, again: bool = False) -> None:
    """Enter rows of a run, lines of its debates and their ends, within the transaction of the connection.

    `again` passes by what is there already: a server may have taken the rows and gone before it could say so.
    """
    endings, lines = list[Ending](), list[Line]()
    tables = defaultdict[sa.Table, list[dict[str, Any]]](list)
    for part in parts:
        if isinstance(part, Line):
            lines.append(part)
        elif isinstance(part, Ending):
            endings.append(part)
        else:
            tables[part.table].append({**part.values, "run": run})
    tables[IN_FLIGHT] = [{**row, "run": run} for row in _rows_of(lines)]
    for table, rows in tables.items():  # the first debate of several writes what they share
        insert_rows(connection, table, rows, again=again or table in (ITEMS, FOUND))
    for some in batches(endings, _SEVERAL):
        enter_ended(connection, run, some, again=again)


def _rows_of(lines: Iterable[Line]) -> Iterator[dict[str, Any]]:
    """The rows of lines in flight: one for each call, and one for all messages of a debate, which follow each other."""
    together = defaultdict[tuple[str, int], list[Line]](list)
    for line in lines:
        together[line.debate, line.place if line.call else 0].append(line)
    for (debate, _), (first, *others) in together.items():
        text = "\n".join([first.text, *(line.text for line in others)])
        yield line_row(debate, first.place, text, call=first.call)


def enter_ended(
    connection: sa.Connection, run: int, endings: Sequence[Ending], *, again: bool = False
) -> None:
    """Enter debates that have ended, with their scores and costs. Their lines in flight move into their documents."""
    texts = _taken_out(connection, run, [one.debate for one in endings])
    rows = []
    for one in endings:
        said, asked = map(count_lines, texts[one.debate])
        rows.append({"id": one.debate, "said": said, "asked": asked, **one.row, "run": run})
    entered = enter_debates(connection, rows, again=again)
    tables = defaultdict[sa.Table, list[Mapping[str, Any]]](list)
    for one in endings:
        number, item = entered[one.debate]
        documents = document_row(*texts[one.debate], connection.dialect.name, item)
        own = {"run": run, "debate": number}
        tables[DOCUMENTS].append({**documents, "debate": number})
        tables[SCORES] += [{**row, **own} for row in one.scores]
        tables[COSTS] += [{**row, **own} for row in one.costs]
    for table, found in tables.items():
        insert_rows(connection, table, found, again=again)


def enter_debates(
    connection: sa.Connection, rows: Sequence[Mapping[str, Any]], *, again: bool = False
) -> Mapping[str, tuple[int, bytes | None]]:
    """Enter rows of debates that are of one run. Their numbers come back by their ids, beside the data of their items."""
    insert_rows(connection, DEBATES, rows, again=again)
    query = sa.select(DEBATES.c.id, DEBATES.c.number, ITEMS.c.data).outerjoin(ITEMS, SAME_ITEM)
    query = query.where(DEBATES.c.run == rows[0]["run"], DEBATES.c.id.in_([row["id"] for row in rows]))
    return {debate: (number, item) for debate, number, item in connection.execute(query)}


def _taken_out(connection: sa.Connection, run: int, debates: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    """The lines in flight of debates, messages and calls apart; they are not in flight any more."""
    columns = (IN_FLIGHT.c.debate, IN_FLIGHT.c.call, IN_FLIGHT.c.place, IN_FLIGHT.c.entry)
    gone = IN_FLIGHT.delete().where(IN_FLIGHT.c.run == run, IN_FLIGHT.c.debate.in_(debates))
    found = defaultdict[tuple[str, bool], list[tuple[int, str]]](list)
    for debate, call, place, entry in connection.execute(gone.returning(*columns)):
        found[debate, bool(call)].append((place, line_in(entry)))
    texts = {key: "\n".join([text for _, text in sorted(lines)]) for key, lines in found.items()}
    return {debate: (texts.get((debate, False), ""), texts.get((debate, True), "")) for debate in debates}


def delete_debates(connection: sa.Connection, run: int, *debates: Condition) -> None:
    """Delete debates of a run that have ended, or all, with their documents, scores and costs."""
    gone = (DEBATES.c.run == run, *debates)
    numbers = sa.select(DEBATES.c.number).where(*gone)
    for table in (DOCUMENTS, SCORES, COSTS):
        of_run = [table.c.run == run] if "run" in table.c else []
        connection.execute(table.delete().where(*of_run, table.c.debate.in_(numbers)))
    connection.execute(DEBATES.delete().where(*gone))


def forget_messages(connection: sa.Connection, run: int, *debates: Condition) -> None:
    """Clear away what was said in debates that are held anew, or in all; their calls stay, as they are paid for."""
    connection.execute(IN_FLIGHT.delete().where(IN_FLIGHT.c.run == run, ~IN_FLIGHT.c.call, *debates))


def debate_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A debate that has ended, by column, from Record.row()."""
    same = ("settled", "rounds", "calls", "seconds")
    return {
        **{name: row[name] for name in same},
        "item_group": _narrow(row["group"]),
        "system": _narrow(row["system"]),
        "outcome": outcome_of(row).name,
        "ended": _narrow(row["ended"]),
        "tokens": row["prompt_tokens"] + row["completion_tokens"],
        "row": plain_json(row).decode(),
    }


def changed_in_talk(verdict: Verdict | None) -> bool:
    """Tell whether an agent has cast two ballots that give different scores for the same thing."""
    given = dict[tuple[str, str], float]()
    for one in verdict.ballots if verdict else ():
        for name, score in one.ballot.scores.items():
            if given.setdefault((one.agent, name), score) != score:
                return True
    return False


def score_rows(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The verdict's scores beside people's, by the name of the aspect, or of an aspect of a candidate."""
    scores, people = row["scores"], row["human"]
    names = dict.fromkeys((*scores, *people))
    return [{"name": _narrow(name), "score": scores.get(name), "human": people.get(name)} for name in names]


def cost_rows(
    calls: Iterable[tuple[str, int, Completion]], models: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Sum up the costs of calls by agent, round and model; `models` has what the replies call the model of an agent."""
    sums: dict[tuple[Any, ...], tuple[Usage, float]] = {}
    for sitting, round_, completion in calls:
        agent = sitting.partition("#")[0]
        texts = map(_narrow, (agent, models.get(agent, ""), completion.model))
        key = (*texts, round_, completion.cached)
        usage, seconds = sums.get(key, (Usage(), 0.0))
        sums[key] = usage + completion.usage, seconds + completion.latency
    names = ("agent", "model", "served", "round", "cached")
    return [
        {**dict(zip(names, key, strict=True)), **asdict(usage), "seconds": seconds}
        for key, (usage, seconds) in sums.items()
    ]


def _narrow(text: str | None) -> str | None:
    """A text as every database and its index take it: half a character is not UTF-8, and PostgreSQL refuses NUL."""
    if text is None:
        return None
    return text.replace("\0", r"\0").encode(errors="backslashreplace").decode()[:LONGEST]


class DebateWriter:
    """Writes one debate of a run. Calls are numbered on from those that were `paid` in earlier holdings of it, which it did cost too.

    `put` has a row, or the end of the debate, written with the next commit, for which `commit` waits.
    """

    def __init__(
        self,
        debate: str,
        put: Callable[[Part], None],
        commit: Callable[[str], Awaitable[None]],
        *,
        paid: Sequence[RunCall] = (),
    ) -> None:
        self.debate, self._put, self._commit = debate, put, commit
        self._numbers = count(1 + max((call.number for call in paid), default=0))
        self._made = [(call.agent, call.round, call.completion) for call in paid]

    def message(self, message: Message) -> None:
        """Have a message written, soon or with the next call. Raises StrategyError where JSON cannot hold it."""
        self._put(Line(self.debate, message.seq, message_line(message), call=False))

    async def keep(self, call: Call) -> None:
        """Write a call under the next number; returns when it is on disk."""
        await self.call(next(self._numbers), call)

    async def call(self, number: int, call: Call) -> None:
        """Write a call under a number; returns when it is on disk."""
        self._put(Line(self.debate, number, call_line(number, call, call.request.key()), call=True))
        self._made.append((call.agent, call.round, call.completion))
        await self._commit(self.debate)

    async def record(self, record: Record, cost: Callable[[Record], float | None] | None = None) -> None:
        """Write how the debate ended, and what it cost where that is known; returns when it is on disk."""
        row = record.row()
        values = {
            **debate_row(row),
            "item": record.item.id,
            "changed": changed_in_talk(record.verdict),
            "money": cost(record) if cost else None,
        }
        costs = cost_rows(self._made, models_of(record.transcript))
        self._put(Ending(self.debate, values, score_rows(row), costs))
        await self._commit(self.debate)
