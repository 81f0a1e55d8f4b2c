"""Differences between records of a run that follow from one another: rows, documents, scores and costs of debates, and items."""

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import StoreError
from agentdebate.store._debates import COSTS, DEBATES, SCORES, Spent, changed_in_talk, debate_row, score_rows
from agentdebate.store._in_flight import CALL, DOCUMENTS, IN_FLIGHT, checksum, unpacked
from agentdebate.store._runs import ITEMS, item_row, number_of
from agentdebate.store.damage import RecordDamaged, mapping, reading
from agentdebate.store.database import Database, Unread
from agentdebate.store.debate_writer import models_of
from agentdebate.store.rows import call_of, document_lines, message_of
from agentdebate.talk.messages import Message, Verdict
from agentdebate.talk.transcript import Transcript

_CLOSE = 1e-12
"""How far sums of seconds may be apart that were added up in another order."""

Row = Mapping[Any, Any]


def differences(database: Database, run: str) -> Iterator[str]:
    """The records that are not what follows from others. One that cannot be read at all is told where it is read."""
    number = database.look(lambda connection: number_of(connection, run))
    for what, problem in (*_items(database, run, number), *_in_flight(database, run, number)):
        yield str(RecordDamaged(run, what, problem))
    together = heapq.merge(*_debates(database, number), key=lambda one: one[:2])
    for debate, rows in groupby(together, key=lambda one: one[0]):
        kinds: tuple[list[Row], list[Row], list[Row]] = ([], [], [])
        for _, kind, row in rows:
            kinds[kind].append(row)
        yield from _debate(run, debate, *kinds)


def _debates(database: Database, run: int) -> Iterator[Iterator[tuple[int, int, Row]]]:
    """The debates, the scores and the costs of a run, each in the order of the debates' numbers."""
    same = DOCUMENTS.c.debate == DEBATES.c.number
    queries = (sa.select(DEBATES, DOCUMENTS).outerjoin(DOCUMENTS, same), sa.select(SCORES), sa.select(COSTS))
    for kind, (query, key) in enumerate(
        zip(queries, (DEBATES.c.number, SCORES.c.debate, COSTS.c.debate), strict=True)
    ):
        yield _numbered(database, query.where(key.table.c.run == run).order_by(key), key, kind)


def _numbered(
    database: Database, query: "sa.Select[Any]", key: "sa.Column[int]", kind: int
) -> Iterator[tuple[int, int, Row]]:
    return ((row[key], kind, row) for row in _rows(database, query, key))


def _rows(database: Database, query: "sa.Select[Any]", key: "sa.Column[Any]") -> Iterator[sa.RowMapping]:
    return (row for row in database.stream(query, (key,)) if not isinstance(row, Unread))


def _debate(
    run: str, number: int, debates: Sequence[Row], scores: Sequence[Row], costs: Sequence[Row]
) -> Iterator[str]:
    if not debates:
        yield str(
            RecordDamaged(run, f"number {number}", "it has scores or costs, and is not among the debates")
        )
        return
    row = debates[0]
    what = f"the debate {row['id']!r}"
    try:
        with reading(run, what):
            for problem in _of_debate(run, row, scores, costs):
                yield str(RecordDamaged(run, what, problem))
    except StoreError as error:
        yield str(error)


def _of_debate(run: str, row: Row, scores: Sequence[Row], costs: Sequence[Row]) -> Iterator[str]:
    """What of a debate does not follow from its row and its documents."""
    if checksum(row["row"]) != row["row_sum"]:
        yield "its row is not the one that was stored"
    told = mapping(row["row"])
    documents = ((DOCUMENTS.c[one], DOCUMENTS.c[f"{one}_sum"]) for one in ("talk", "calls"))
    talk, calls = (document_lines(run, row["id"], row[text], row[stored]) for text, stored in documents)
    said = [message_of(run, row["id"], place, line) for place, line in enumerate(talk, 1)]
    expected = {**debate_row(told), "item": told["id"], "said": len(talk), "asked": len(calls)}
    expected |= {"changed": changed_in_talk(_verdict(said)), "money": row["money"], "row": row["row"]}
    for name, value in expected.items():
        if row[DEBATES.c[name]] != value and name != "row_sum":
            yield f"its column {name} is not what its row and its talk say"
    if {(one["name"], one["score"], one["human"]) for one in scores} != {
        (one["name"], one["score"], one["human"]) for one in score_rows(told)
    }:
        yield "its scores are not those of its row"
    spent = Spent()
    for place, line in enumerate(calls, 1):
        call = call_of(run, row["id"], place, line)
        spent.add(call.agent, call.round, call.completion)
    if not _same(costs, list(spent.rows(models_of(said)))):
        yield "its costs are not those of its calls"


def _verdict(said: Sequence[Message]) -> Verdict | None:
    verdict = next((one for one in reversed(said) if isinstance(one, Verdict)), None)
    return verdict and verdict.after(Transcript(said))


_KEY = ("agent", "model", "served", "round", "cached")


def _same(costs: Sequence[Row], spent: Sequence[Row]) -> bool:
    """Whether costs are the same, whatever their order."""
    pair = [{tuple(one[name] for name in _KEY): one for one in rows} for rows in (costs, spent)]
    return pair[0].keys() == pair[1].keys() and all(
        math.isclose(pair[0][key][name], value, rel_tol=_CLOSE)
        for key, one in pair[1].items()
        for name, value in one.items()
        if name not in _KEY
    )


def _items(database: Database, run: str, number: int) -> Iterator[tuple[str, str]]:
    """The items whose columns are not those of their data."""
    query = sa.select(ITEMS).where(ITEMS.c.run == number).order_by(ITEMS.c.id)
    for row in _rows(database, query, ITEMS.c.id):
        what = f"the item {row['id']!r}"
        with reading(run, what):
            expected = item_row(mapping(unpacked(row["data"])), row["number"])
        if any(row[name] != expected[name] for name in ("id", "texts")):
            yield what, "its columns are not those of its data"


def _in_flight(database: Database, run: str, number: int) -> Iterator[tuple[str, str]]:
    """The lines in flight that say another place than their own."""
    query = sa.select(IN_FLIGHT).where(IN_FLIGHT.c.run == number).order_by(IN_FLIGHT.c.number)
    for row in _rows(database, query, IN_FLIGHT.c.number):
        what, line = f"the debate {row['debate']!r}", (row["debate"], row["place"], row["entry"])
        if row["call"]:
            place = call_of(run, *line).number
        else:
            message = message_of(run, *line)
            place = -1 if message.kind == CALL else message.seq
        if place != row["place"]:
            yield what, f"message or call {row['place']} says that it is number {place}"
