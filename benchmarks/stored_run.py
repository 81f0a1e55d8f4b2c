"""A store with a run of many debates, written at once: what `agree` reads of it is as a run leaves it."""

import asyncio
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import agentdebate as ad
from agentdebate.meta.judged import Judged
from agentdebate.store.engine import open_database
from agentdebate.store.schema import DEBATES, ITEMS, MESSAGES, RUNS
from benchmarks.machinery import ITEM, answer

RUN = "many"
_MESSAGES = 4
_BATCH = 5_000


def write_run(path: Path, rows: Iterable[Judged]) -> None:
    """Write a run whose debates gave these scores of coherence to items with people's."""
    pattern = asyncio.run(_debate())
    database = open_database(path, create=True)
    database.change(lambda connection: _write(connection, pattern, rows))
    database.close()


async def _debate() -> dict[str, Any]:
    """The row of a debate that was held."""
    async with ad.ready("debate", model=ad.Function("scripted", answer), project=ad.Project()) as debate:
        return (await debate.hold(ITEM, "coherence")).row()


def _write(connection: sa.Connection, pattern: dict[str, Any], rows: Iterable[Judged]) -> None:
    head = {"created": 1.0, "ended": 2.0, "strategy": "debate", "task": ITEM.task, "model": "scripted"}
    configuration = json.dumps({"aspects": ["coherence"]})
    connection.execute(RUNS.insert(), {"id": RUN, **head, "configuration": configuration})
    kept: dict[sa.Table, list[dict[str, Any]]] = {ITEMS: [], DEBATES: [], MESSAGES: []}
    for number, row in enumerate(rows, 1):
        for table, values in _of_debate(number, row, pattern):
            kept[table].append(values)
        if number % _BATCH == 0:
            _insert(connection, kept)
    _insert(connection, kept)


def _of_debate(
    number: int, row: Judged, pattern: dict[str, Any]
) -> Iterator[tuple[sa.Table, dict[str, Any]]]:
    name = f"{row.id}/coherence"
    said = {"id": row.id, "human": {"coherence": row.human}, "scores": {"coherence": row.score}}
    yield ITEMS, {"run": RUN, "id": row.id, "number": number, "data": "{}"}
    state = {"run": RUN, "id": name, "item": row.id, "state": "verdict"}
    yield DEBATES, {**state, "row": json.dumps({**pattern, **said})}
    for seq in range(_MESSAGES):
        yield MESSAGES, {"run": RUN, "debate": name, "seq": seq, "kind": "tell", "data": "{}"}


def _insert(connection: sa.Connection, kept: dict[sa.Table, list[dict[str, Any]]]) -> None:
    for table, values in kept.items():
        if values:
            connection.execute(table.insert(), values)
            values.clear()
