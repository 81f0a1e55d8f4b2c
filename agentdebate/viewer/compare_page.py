"""The page of two runs: which debates both have, how far their scores are apart, and which judge people agree with more."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from agentdebate.errors import AgentDebateError, nearest
from agentdebate.meta.comparison import compare
from agentdebate.meta.run_rows import judged, scales_of
from agentdebate.report.grid import Grid
from agentdebate.report.judge_tables import comparison_grids, corrected
from agentdebate.store.debate_list import ScoreChange, ScorePair
from agentdebate.store.run_head import RunHead
from agentdebate.viewer.agreement_page import MOST, too_many
from agentdebate.viewer.query import BadAddress
from agentdebate.viewer.runs_page import RunLine, run_line
from agentdebate.viewer.shelf import Shelf

PAGE = 50
_SCORES = 24
_OFFERED = 200
"""Runs that are offered to choose from."""
_TRIED = 20
"""Runs among which the last one on the same items is looked for."""


@dataclass(frozen=True)
class ComparePage:
    """Two runs, debate by debate."""

    first: RunLine
    second: RunLine | None
    """Other run; None where no other one has judged the same items."""
    others: Mapping[str, str]
    """The runs to choose from, the newest first, with their strategies."""
    changes: tuple[ScoreChange, ...] = ()
    only: tuple[int, int] = (0, 0)
    """Debates that ended in one of the runs only."""
    flips: int | None = None
    """Comparisons of texts whose winners differ; None where no texts are compared."""
    name: str = ""
    """The score whose pairs are listed."""
    pairs: tuple[ScorePair, ...] = ()
    flipped: tuple[tuple[str, str, str], ...] = ()
    """Debates with another winner, and the winners in both runs."""
    page: int = 1
    found: int = 0
    grids: tuple[Grid, ...] = ()
    problem: str = ""
    """Reason why there are no statistics."""

    @property
    def pages(self) -> int:
        """Pages of the list."""
        return max(-(-self.found // PAGE), 1)


def compare_page(
    shelf: Shelf,
    first: RunHead,
    second: RunHead | None,
    *,
    name: str = "",
    page: int = 1,
    whole: bool = False,
) -> ComparePage:
    """The page of two runs; the second is the last one on the same items where it is None, and `name` the score that is listed.

    The statistics of runs with very many debates are left to the command, unless the `whole` is wanted. Raises UsageError and StoreError.
    """
    heads = [one for one in shelf.reader().runs()[::-1] if one.id != first.id]
    others = {one.id: one.strategy for one in heads[:_OFFERED]}
    second = second or _on_the_same(shelf, first, heads)
    if second is None:
        return ComparePage(run_line(shelf, first), None, others)
    pairs = shelf.pairs(first.id, second.id)
    changes = tuple(pairs.changes()[:_SCORES])
    counts = {one.name: one.n for one in changes}
    if name and name not in counts:
        raise BadAddress(f"the runs share no score {name[:80]!r}. {nearest(name, counts)}")
    both, compares = pairs.count(), any("." in one for one in counts)
    grids, problem = _statistics(shelf, first, second, whole=whole)
    found = ComparePage(
        run_line(shelf, first),
        run_line(shelf, second),
        others,
        changes,
        (first.ended_debates - both, second.ended_debates - both),
        pairs.count_flips() if compares else None,
        flipped=tuple((debate, _words(one), _words(two)) for debate, one, two in pairs.flips(most=PAGE))
        if compares
        else (),
        grids=grids,
        problem=problem,
    )
    return listing(shelf, found, name or next(iter(counts), ""), page_number=page)


def listing(
    shelf: Shelf, page: ComparePage, name: str, *, page_number: int = 1, most: int = PAGE
) -> ComparePage:
    """The page with the list of a score, the largest changes first."""
    if not name or page.second is None:
        return page
    pairs = shelf.pairs(page.first.head.id, page.second.head.id)
    listed = pairs.pairs(name, start=(page_number - 1) * most, most=most)
    found = next(one.n for one in page.changes if one.name == name)
    return replace(page, name=name, pairs=tuple(listed), page=page_number, found=found)


def listings(shelf: Shelf, page: ComparePage, most: int) -> Iterator[ComparePage]:
    """The page once for each score, with its largest changes."""
    return (listing(shelf, page, one.name, most=most) for one in page.changes)


def _on_the_same(shelf: Shelf, first: RunHead, others: list[RunHead]) -> RunHead | None:
    """The newest other run that has debates of the same items and aspects."""
    return next((one for one in others[:_TRIED] if shelf.pairs(first.id, one.id).count()), None)


def _words(winners: str) -> str:
    return ", ".join(map(str, json.loads(winners)))


def _statistics(
    shelf: Shelf, first: RunHead, second: RunHead, *, whole: bool
) -> tuple[tuple[Grid, ...], str]:
    """The tables of `agree --compare`, or why there are none."""
    large = max((first, second), key=lambda head: head.ended_debates)
    if large.ended_debates > MOST and not whole:
        return (), f"{too_many(large)} Of all of them: agentdebate agree {first.id} {second.id} --compare."
    key = second.id, second.ended_debates
    return shelf.kept("statistics", first, key, lambda: _compared(shelf, first, second))


def _compared(shelf: Shelf, *heads: RunHead) -> tuple[tuple[Grid, ...], str]:
    sides = []
    for head in heads:
        entries = judged(list(shelf.reader().rows(head.id)), head.id, scales=scales_of(head))
        sides.append({one.aspect: one for one in entries if one.labels is None})
    shared = sorted(sides[0].keys() & sides[1].keys())
    if not shared:
        return (), "The runs share no aspect of single texts that people scored."
    try:
        found = [compare(sides[0][aspect], sides[1][aspect], "spearman", "pooled") for aspect in shared]
    except AgentDebateError as error:
        return (), str(error)
    return tuple(comparison_grids(corrected(found))), ""
