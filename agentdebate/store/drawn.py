"""Some of a run's items, drawn at random, where all of them are more than anybody wants to wait for."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import sqlalchemy as sa

from agentdebate.debates.outcome import FAILURE, OutcomeCounts, outcome_of
from agentdebate.store.database import Database
from agentdebate.store.debate_list import DebateList
from agentdebate.store.reader import Reader, RunHead
from agentdebate.store.schema import DEBATES

_GROUPS = 20
"""Groups that a draw has at least, or items are drawn from all groups."""
_BATCH = 500


@dataclass(frozen=True)
class Drawn:
    """Items of a run, and how they were drawn."""

    items: tuple[str, ...]
    groups: int
    """How many groups were drawn, each with all its items; 0 where items were drawn, whatever their group."""
    of_groups: int


class DrawnReader(Reader):
    """Reads the debates about some items of a run as if the run had no others."""

    def __init__(self, database: Database, rows: Sequence[dict[str, Any]]) -> None:
        super().__init__(database)
        self._drawn = rows

    def rows(self, run: str) -> Iterator[dict[str, Any]]:  # noqa: ARG002 - as every reader has it
        """The debates that were drawn."""
        yield from self._drawn

    def not_ended(self, run: str) -> int:  # noqa: ARG002 - as every reader has it
        """None: what has not ended is not drawn."""
        return 0

    def head(self, head: RunHead) -> RunHead:
        """The run, with the counts of what was drawn."""
        counts = OutcomeCounts(Counter(outcome_of(row).name for row in self._drawn))
        return replace(head, verdicts=counts.verdicts, failures=counts[FAILURE], outcomes=counts.by_name)


def draw(database: Database, run: str, most: int, *, seed: int = 0) -> Drawn:
    """Items with about so many debates: whole groups where they are small, so that these keep all their systems. Raises StoreError."""
    debates, rng = DebateList(database, run), random.Random(seed)  # noqa: S311 - nothing secret
    of_run = DEBATES.c.run == debates.number
    group = DEBATES.c.item_group
    query = sa.select(group, sa.func.count()).where(of_run, group.is_not(None)).group_by(group)
    sizes = {str(name): int(size) for name, size in database.rows(query.order_by(group))}
    whole = sum(sizes.values())
    if sizes and whole / len(sizes) * _GROUPS <= most:
        names = rng.sample(list(sizes), len(sizes))
        chosen = list(_until(names, sizes, most))
        about = sa.select(DEBATES.c.item).distinct().where(of_run, group.in_(chosen)).order_by(DEBATES.c.item)
        return Drawn(tuple(map(str, database.scalars(about))), len(chosen), len(sizes))
    items = debates.items(most=debates.count_items())
    each = max(debates.count() / max(len(items), 1), 1.0)
    some = rng.sample(items, min(len(items), max(int(most / each), 1)))
    return Drawn(tuple(sorted(some)), 0, len(sizes))


def _until(names: Iterable[str], sizes: dict[str, int], most: int) -> Iterator[str]:
    """The first groups that have so many debates together."""
    had = 0
    for name in names:
        if had >= most:
            return
        had += sizes[name]
        yield name


def drawn_reader(database: Database, run: str, drawn: Drawn) -> DrawnReader:
    """A reader of the debates about the items that were drawn. Raises StoreError."""
    debates, items = DebateList(database, run), iter(drawn.items)
    rows = list[dict[str, Any]]()
    while some := list(islice(items, _BATCH)):
        rows += debates.of_items(some)
    return DrawnReader(database, rows)
