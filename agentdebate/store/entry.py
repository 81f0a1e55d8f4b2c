"""How rows get into a store: every row of a debate goes through `enter`, in one transaction, behind one guard.

When a debate ends, what stands of it in flight, and what comes with its end, moves into its documents in the same transaction.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import AgentDebateError
from agentdebate.models.base import Completion
from agentdebate.store._debates import COSTS, DEBATES, SCORES, Spent
from agentdebate.store._documents import DOCUMENTS, document_row
from agentdebate.store._in_flight import IN_FLIGHT, call_in, line_in, lines_of
from agentdebate.store._runs import FOUND, ITEMS
from agentdebate.store.statements import Entry, insert_rows, rows_of

Guard = Callable[[sa.Connection, Sequence[str]], Mapping[str, AgentDebateError]]
"""Says which debates may not be written any more, and why. It is called within the transaction that would write them."""

Lines = dict[int, str]
Fresh = dict[tuple[str, bool], Lines]
"""What is at hand of debates that end: the lines of each, of its messages and of its calls, which no row has yet."""

_SEVERAL = 32
"""Debates whose documents are made at a time."""


@dataclass
class Ending:
    """How a debate ended: its row, its scores, what its calls took, and the lines of its documents as far as they are at hand."""

    debate: str
    row: Mapping[str, Any]
    scores: Sequence[Mapping[str, Any]]
    spent: Spent = field(default_factory=Spent)
    first: int = 1
    """The number of the first call whose cost is in `spent`; earlier ones are read where they stand."""
    models: Mapping[str, str] = field(default_factory=dict)
    """What the replies of each agent call its model."""
    talk: Lines = field(default_factory=dict)
    calls: Lines = field(default_factory=dict)


Part = Entry | Ending


def enter(
    connection: sa.Connection,
    run: int,
    parts: Sequence[Part],
    *,
    guard: Guard | None = None,
    again: bool = False,
) -> Mapping[str, AgentDebateError]:
    """Enter rows of a run and ends of its debates, within the transaction of the connection. The debates that the guard refused come back.

    Of these nothing is entered. `again` passes by what is there already: a server may have taken the rows and gone before it could
    say so.
    """
    debates = [one for one in dict.fromkeys(part.debate for part in parts) if one is not None]
    refused = guard(connection, debates) if guard and debates else {}
    kept = [part for part in parts if part.debate not in refused]
    endings = {part.debate: part for part in kept if isinstance(part, Ending)}
    fresh: Fresh = {}
    tables = defaultdict[sa.Table, list[dict[str, Any]]](list)
    for part in kept:
        if isinstance(part, Entry):
            if part.table is IN_FLIGHT and part.debate in endings:
                key = part.values["debate"], part.values["call"]
                fresh.setdefault(key, {})[part.values["place"]] = line_in(part.values["entry"])
            else:
                tables[part.table].append({**part.values, "run": run})
    for table, rows in tables.items():
        insert_rows(connection, table, rows, again=again or table in _SHARED)
    ending = iter(endings.values())
    while some := list(islice(ending, _SEVERAL)):
        _end(connection, run, some, fresh, again=again)
    return refused


_SHARED = (ITEMS, FOUND)
"""What several debates come with: the first one enters it."""


def _end(
    connection: sa.Connection, run: int, endings: Sequence[Ending], fresh: "Fresh", *, again: bool
) -> None:
    """Move the lines of debates into their documents, and enter how they ended."""
    names = [one.debate for one in endings]
    there = lines_of(connection, run, names)
    for one in endings:
        one.talk, one.calls = (
            {**there.get((one.debate, call), {}), **fresh.get((one.debate, call), {})}
            for call in (False, True)
        )
    enter_ended(connection, run, endings, again=again)
    for one in endings:  # they are kept until all of the batch is written, and may be long
        one.talk, one.calls = {}, {}
    moved = (IN_FLIGHT.c.run == run, IN_FLIGHT.c.debate.in_(names))
    connection.execute(IN_FLIGHT.delete().where(*moved))


def enter_ended(
    connection: sa.Connection, run: int, endings: Iterable[Ending], *, again: bool = False
) -> None:
    """Enter debates that have ended, with their documents, scores and costs."""
    some = list(endings)
    rows = [
        {**one.row, "id": one.debate, "run": run, "said": len(one.talk), "asked": len(one.calls)}
        for one in some
    ]
    insert_rows(connection, DEBATES, rows, again=again)
    names = [one.debate for one in some]
    numbers = dict(rows_of(connection, DEBATES.c.id, DEBATES.c.number, names, (DEBATES.c.run, run)))
    dialect = connection.dialect.name
    documents = [
        document_row(numbers[one.debate], _text(one.talk), _text(one.calls), dialect) for one in some
    ]
    insert_rows(connection, DOCUMENTS, documents, again=again)
    for table, found in ((SCORES, [one.scores for one in some]), (COSTS, list(map(_costs, some)))):
        of_table = [
            {**row, "run": run, "debate": numbers[one.debate]}
            for one, values in zip(some, found, strict=True)
            for row in values
        ]
        if of_table:
            insert_rows(connection, table, of_table, again=again)


def _costs(ending: Ending) -> Iterable[Mapping[str, Any]]:
    """What the calls of a debate took, those of earlier holdings included, which are paid for too."""
    for place, line in ending.calls.items():
        if place < ending.first:
            call = call_in(line)
            completion = Completion.model_validate(call["completion"])
            ending.spent.add(call["agent"], call["round"], completion)
    ending.first = 0  # counted, should this be entered once more
    return ending.spent.rows(ending.models)


def _text(lines: Lines) -> str:
    return "\n".join([lines[place] for place in sorted(lines)])
