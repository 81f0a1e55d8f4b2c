"""The debates of a stored run as talks, for whoever counts what happened in them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from agentdebate.debates.outcome import OutcomeCounts, outcome_of
from agentdebate.meta.talk import Talk, talk_of
from agentdebate.store.reader import Reader, RunHead
from agentdebate.tasks import Item, Task


@dataclass(frozen=True)
class Talks:
    """The talks of the debates that came to a judgement, and how many did not."""

    talks: tuple[Talk, ...]
    ended: OutcomeCounts
    """How the debates ended that have."""
    not_ended: int


def talks_of(reader: Reader, head: RunHead) -> Talks:
    """Read the debates of a run. Those without a judgement are counted and left out."""
    rows = {row["debate"]: row for row in reader.rows(head.id)}
    tasks = head.tasks()
    items = {item.id: item for item in reader.items(head.id)}
    talks, begun = [], 0
    for debate, said in groupby(reader.said(head.id), lambda one: one[0]):
        begun += debate not in rows
        row = rows.get(debate)
        if row is not None and outcome_of(row).judged:
            transcript = [message for _, message in said]
            talks.append(
                talk_of(
                    transcript,
                    debate=debate,
                    human=row["human"],
                    ranks=_ranks(tasks.get(row["task"])),
                    lengths=dict(_lengths(row, items.get(row["id"]), tasks.get(row["task"]))),
                )
            )
    ended = Counter(outcome_of(row).name for row in rows.values())
    return Talks(tuple(talks), OutcomeCounts(ended), begun)


def _ranks(task: Task | None) -> frozenset[str]:
    return frozenset(aspect.name for aspect in task.aspects if aspect.rank) if task else frozenset()


def _lengths(row: Mapping[str, Any], item: Item | None, task: Task | None) -> Iterator[tuple[str, int]]:
    """Words of the text that each score is of."""
    if item is None or task is None:
        return
    for aspect in row["aspects"]:
        for field in row["candidates"] or (task.judged,):
            if field in item.fields:
                name = f"{aspect}.{field}" if row["candidates"] else aspect
                yield name, len(item.fields[field].split())
