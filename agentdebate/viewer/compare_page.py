"""The page of two runs: which debates both have, how far their scores are apart, and which judge people agree with more."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, get_args

from agentdebate.errors import AgentDebateError, nearest
from agentdebate.meta.comparison import compare
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.levels import Level
from agentdebate.meta.measures import Statistic
from agentdebate.meta.run_rows import judged, on_scales, scales_of
from agentdebate.report.grid import Grid
from agentdebate.report.judge_tables import comparison_grids, corrected
from agentdebate.store.reader import RunHead
from agentdebate.store.run_pairs import RunPairs, ScoreChange, ScorePair
from agentdebate.viewer.agreement_page import AT_ONCE, MOST, too_many
from agentdebate.viewer.asked import BadAddress
from agentdebate.viewer.runs_page import RunLine, run_line
from agentdebate.viewer.shelf import Shelf

PAGE = 50
PAIRED_AT_ONCE = 15_000
"""Debates of the smaller of two runs up to which the page waits until all are matched; of more, it is shown before."""
_SCORES = 24
_OFFERED = 200
"""Runs that are offered to choose from."""

Show = Literal["all", "up", "down", "flipped"]
"""What is listed: pairs by how they differ."""


@dataclass(frozen=True)
class ComparePage:
    """Two runs, debate by debate."""

    first: RunLine
    second: RunLine | None
    """None until one is chosen."""
    others: Mapping[str, str]
    """The runs to choose from, the newest first, with their strategies."""
    changes: tuple[ScoreChange, ...] = ()
    only: tuple[int, int] = (0, 0)
    """Debates that ended in one of the runs only."""
    flips: int | None = None
    """Comparisons of texts whose winners differ; None where no texts are compared."""
    name: str = ""
    """The score whose pairs are listed."""
    show: Show = "all"
    pairs: tuple[ScorePair, ...] = ()
    flipped: tuple[tuple[str, str, str], ...] = ()
    page: int = 1
    found: int = 0
    statistic: str = "spearman"
    level: str = "pooled"
    grids: tuple[Grid, ...] = ()
    problem: str = ""
    """Why there are no statistics, where they were asked for."""
    waiting: bool = False
    """Whether they are still being worked out."""
    counting: bool = False
    """Whether the debates of both runs are still being matched, so that nothing can be said of them yet."""

    @property
    def pages(self) -> int:
        """Of what is listed."""
        return max(-(-self.found // PAGE), 1)


@dataclass(frozen=True)
class Asking:
    """What of two runs is wanted."""

    name: str = ""
    """The score whose pairs are listed; the first one that both runs have where it is empty."""
    show: Show = "all"
    page: int = 1
    statistic: str = ""
    """How far each run agrees with people, and whether one does more; nothing of it where it is empty."""
    level: str = "pooled"

    def __post_init__(self) -> None:
        for name, given, values in (
            ("show", self.show, get_args(Show)),
            ("statistic", self.statistic or None, get_args(Statistic)),
            ("level", self.level, get_args(Level)),
        ):
            if given is not None and given not in values:
                raise BadAddress(f"{name} has to be one of {', '.join(values)}, not {given[:40]!r}")


def compare_page(
    shelf: Shelf, first: RunHead, second: RunHead | None, asking: Asking, *, whole: bool = False
) -> ComparePage:
    """The page of two runs; with `whole` it waits for the statistics, and they are of all debates. Raises StoreError."""
    heads = [one for one in shelf.reader().runs()[::-1] if one.id != first.id]
    others = {one.id: one.strategy for one in heads[:_OFFERED]}
    run = run_line(shelf, first)
    if second is None:
        return ComparePage(run, None, others)
    line_of_second = run_line(shelf, second)
    counted = _counts(shelf, first, second, whole=whole)
    if counted is None:
        return ComparePage(run, line_of_second, others, counting=True)
    names = [one.name for one in counted.changes]
    if asking.name and asking.name not in names:
        raise BadAddress(f"the runs share no score {asking.name[:80]!r}. {nearest(asking.name, names)}")
    name = asking.name or next(iter(names), "")
    worked_out = _statistics(shelf, first, second, asking, whole=whole) if asking.statistic else ((), "")
    grids, problem = worked_out or ((), "")
    page = ComparePage(
        first=run,
        second=line_of_second,
        others=others,
        changes=counted.changes,
        only=counted.only,
        flips=counted.flips,
        name=name,
        show=asking.show,
        page=asking.page,
        found=counted.found(asking.show, name),
        statistic=asking.statistic or "spearman",
        level=asking.level,
        grids=grids,
        problem=problem,
        waiting=worked_out is None,
    )
    return _with_list(page, shelf.pairs(first.id, second.id))


def compare_lists(shelf: Shelf, page: ComparePage, most: int) -> Iterator[ComparePage]:
    """The page once for each list that has something in it: each score's largest changes, other winners, and what one run has alone."""
    if page.second is None:
        return
    first, second = page.first.head, page.second.head
    pairs = shelf.pairs(first.id, second.id)
    counted = shelf.kept("pairs", first, _key(second), lambda: _counted(shelf, first, second))
    lists: list[tuple[str, Show]] = [*((one.name, "all") for one in page.changes), ("", "flipped")]
    for name, show in lists:
        if found := counted.found(show, name):
            yield _with_list(
                replace(page, name=name, show=show, page=1, found=found, pairs=()), pairs, most=most
            )


@dataclass(frozen=True)
class _Counted:
    """What is counted of two runs."""

    changes: tuple[ScoreChange, ...]
    only: tuple[int, int]
    flips: int | None

    def found(self, show: Show, name: str) -> int:
        """How many there are of what is shown."""
        if show == "flipped":
            return self.flips or 0
        counts = {one.name: {"all": one.n, "up": one.up, "down": one.down} for one in self.changes}
        return counts.get(name, {}).get(show, 0)


def _counts(shelf: Shelf, first: RunHead, second: RunHead, *, whole: bool) -> _Counted | None:
    """What is counted of two runs; None where they are large and it is not there yet, unless the `whole` is waited for."""
    find = partial(_counted, shelf, first, second)
    if whole or min(first.ended_debates, second.ended_debates) <= PAIRED_AT_ONCE:
        return shelf.kept("pairs", first, _key(second), find)
    return shelf.at_work("pairs", first, _key(second), find)


def _key(second: RunHead) -> tuple[str, int]:
    return second.id, second.ended_debates


def _counted(shelf: Shelf, first: RunHead, second: RunHead) -> _Counted:
    pairs = shelf.pairs(first.id, second.id)
    changes = tuple(pairs.changes()[:_SCORES])
    compares = any("." in one.name for one in changes)
    both = pairs.count()
    only = first.ended_debates - both, second.ended_debates - both
    return _Counted(changes, only, pairs.count_flips() if compares else None)


def _with_list(page: ComparePage, pairs: RunPairs, *, most: int = PAGE) -> ComparePage:
    """The page with what it lists."""
    start, show = (page.page - 1) * most, page.show
    if show == "flipped":
        found = pairs.flips(start=start, most=most)
        return replace(page, flipped=tuple((debate, _words(one), _words(two)) for debate, one, two in found))
    if not page.name:
        return page
    way = None if show == "all" else show
    return replace(page, pairs=tuple(pairs.pairs(page.name, way=way, start=start, most=most)))


def _words(winners: str) -> str:
    return ", ".join(map(str, json.loads(winners)))


def _statistics(
    shelf: Shelf, first: RunHead, second: RunHead, asking: Asking, *, whole: bool
) -> tuple[tuple[Grid, ...], str] | None:
    """What `agree --compare` says, as tables, and what has to be said of them, or why it cannot be said; None where it is not there yet."""
    key = second.id, second.ended_debates, asking.statistic, asking.level
    size, heads = max(first.ended_debates, second.ended_debates), (first, second)
    if whole or size <= AT_ONCE:
        return shelf.kept("statistics", first, key, lambda: _worked_out(shelf, heads, asking))
    if size > MOST:
        large = max(heads, key=lambda head: head.ended_debates)
        return (), f"{too_many(large)} Of all of them: agentdebate agree {first.id} {second.id} --compare."
    return shelf.at_work("statistics", first, key, lambda: _worked_out(shelf, heads, asking))


def _worked_out(shelf: Shelf, heads: tuple[RunHead, RunHead], asking: Asking) -> tuple[tuple[Grid, ...], str]:
    sides = []
    for head in heads:
        entries = on_scales(judged(list(shelf.reader().rows(head.id)), head.id), scales_of(head))
        sides.append({one.aspect: one for one in entries if isinstance(one, Judgements)})
    found = []
    for aspect in sides[0].keys() & sides[1].keys():
        try:
            found.append(compare(sides[0][aspect], sides[1][aspect], asking.statistic, asking.level))  # type: ignore[arg-type]  # both are known
        except AgentDebateError as error:
            return (), str(error)
    if not found:
        return (), "The runs share no aspect of single texts that people scored."
    return comparison_grids(corrected(sorted(found, key=lambda one: one.aspect))), ""
