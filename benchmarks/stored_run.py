"""A store with a run of many debates, written at once: what `agree` reads of it is as a run leaves it."""

import asyncio
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import agentdebate as ad
from agentdebate.meta.judgements import Judged
from agentdebate.store.debate_writer import Ending, Part, debate_row, enter, item_entry, score_rows
from agentdebate.store.engine import open_database
from agentdebate.store.schema import enter_run
from agentdebate.talk.envelope import message_line
from agentdebate.talk.messages import FLOOR, Tell
from agentdebate.tasks import Item
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
    run = enter_run(connection, {"id": RUN, **head, "configuration": json.dumps({"aspects": ["coherence"]})})
    numbered = enumerate(rows, 1)
    while batch := list(islice(numbered, _BATCH)):
        parts = [part for number, row in batch for part in _of_debate(number, row, pattern)]
        enter(connection, run, parts)


def _of_debate(number: int, row: Judged, pattern: dict[str, Any]) -> Iterator[Part]:
    name = f"{row.id}/coherence"
    said = {"id": row.id, "human": {"coherence": row.human}, "scores": {"coherence": row.score}}
    yield item_entry(Item(id=row.id, task=ITEM.task, fields=dict(ITEM.fields)), number)
    ended = {**pattern, **said}
    told = (Tell(seq=seq, sender=FLOOR, to=("scorer",), heard=(1,)) for seq in range(1, _MESSAGES + 1))
    talk = {one.seq: message_line(one) for one in told}
    yield Ending(name, {**debate_row(ended), "item": row.id}, [*score_rows(ended)], talk=talk)
