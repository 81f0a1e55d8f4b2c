"""The page of texts that a run has judged more than once, each in one row."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean, pstdev
from typing import Any

from agentdebate.debates.outcome import outcome_of
from agentdebate.store.reader import RunHead
from agentdebate.viewer.run_page import cells_of
from agentdebate.viewer.runs_page import RunLine, run_line
from agentdebate.viewer.shelf import Shelf

PAGE = 30


@dataclass(frozen=True)
class Point:
    """A score that a text got, how often, and one of the debates in which it did."""

    score: float
    count: int
    debate: str

    @property
    def radius(self) -> float:
        """Of its dot, whose area says how often."""
        return min(3 + 1.5 * math.sqrt(self.count - 1), 10.0)


@dataclass(frozen=True)
class Strip:
    """The scores that one text got for one thing."""

    name: str
    scores: tuple[tuple[str, float], ...]
    """The debates with their scores, the lowest first."""
    without: int
    """Debates without a score."""
    settled: int
    """Debates whose agents agreed."""
    debates: int

    @property
    def points(self) -> tuple["Point", ...]:
        """The distinct scores, with how often each was given."""
        alike = ((score, list(some)) for score, some in groupby(self.scores, key=lambda one: one[1]))
        return tuple(Point(score, len(some), some[0][0]) for score, some in alike)

    @property
    def mean(self) -> float | None:
        """Of the scores."""
        return fmean(score for _, score in self.scores) if self.scores else None

    @property
    def spread(self) -> float | None:
        """Their standard deviation, as of all there are."""
        return pstdev(score for _, score in self.scores) if self.scores else None


@dataclass(frozen=True)
class RepeatLine:
    """A text with what its repeats came to."""

    item: str
    items: int
    strips: tuple[Strip, ...]


@dataclass(frozen=True)
class RepeatsPage:
    """The texts that are there more than once."""

    run: RunLine
    lines: tuple[RepeatLine, ...]
    total: int
    page: int
    pages: int
    low: float
    high: float
    """The least and the highest score of the page, between which strips are drawn."""


def repeats_page(shelf: Shelf, head: RunHead, page: int = 1) -> RepeatsPage:
    """A page of them, those with the most repeats first."""
    repeats, debates = shelf.repeats(head.id), shelf.debates(head.id)
    some, total = shelf.kept("repeats", head, page, lambda: repeats.part(start=(page - 1) * PAGE, most=PAGE))
    names = debates.score_names()
    lines = []
    for one in some:
        rows = debates.of_items(repeats.items(one))
        strips = tuple(strip for name in names if (strip := _strip(name, rows)).debates)
        lines.append(RepeatLine(one.first, one.items, strips))
    scores = [score for line in lines for strip in line.strips for _, score in strip.scores]
    return RepeatsPage(
        run_line(shelf, head),
        tuple(lines),
        total,
        page,
        max(-(-total // PAGE), 1),
        min(scores, default=0.0),
        max(scores, default=1.0),
    )


def _strip(name: str, rows: Sequence[Mapping[str, Any]]) -> Strip:
    about = [row for row in rows if cells_of(row, name) is not None]
    scores = [(row["debate"], row["scores"][name]) for row in about if row["scores"].get(name) is not None]
    return Strip(
        name,
        tuple(sorted(scores, key=lambda one: one[1])),
        len(about) - len(scores),
        sum(row["settled"] is True and outcome_of(row).judged for row in about),
        len(about),
    )
