"""How scores are distributed: the judge's beside people's."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean, pstdev
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.meta.judgements import Judgements
from agentdebate.report.panels import across, named, panels, shares, size
from agentdebate.report.plot import BLUE, ORANGE, Plot

_BINS = 10
"""Bins of scores that are not whole numbers on a short scale."""
_LONGEST = 20
"""The longest scale, in whole steps, that has a bin a step."""


def scores_plot(
    entries: Sequence[Judgements],
    title: str,
    scales: Mapping[str, tuple[float, float]],
    note: str | None = None,
) -> Plot:
    """A panel an aspect and a judge. `scales` are the ends of the aspects' scales, as far as they are known."""
    if not entries:
        raise UsageError("there is nothing to plot: the run has no scores")
    people = any(row.human is not None for entry in entries for row in entry.rows)
    bins = [_edges(entry, scales.get(entry.aspect)) for entry in entries]
    caption = (
        "The share of scores in each bin. A whole score is the middle of its bin, and people's means are counted in the "
        f"nearest. Above each panel: mean (population standard deviation), n.{f' {note}' if note else ''}"
        if people
        else f"The share of the judge's scores in each bin. Above each panel: mean (population standard deviation), n."
        f"{f' {note}' if note else ''}"
    )
    head = ("judge", "aspect", "from", "to", "judge's share", "judge's n", "people's share", "people's n")
    rows = tuple(line for entry, edges in zip(entries, bins, strict=True) for line in _rows(entry, edges))
    return Plot(
        title,
        caption,
        head,
        rows,
        size(len(entries), columns=across(entry.judge for entry in entries)),
        lambda figure: _draw(figure, entries, bins),
    )


def _rows(entry: Judgements, edges: Sequence[float]) -> list[tuple[object, ...]]:
    own, people = _own(entry), _people(entry)
    found = zip(edges, edges[1:], shares(own, edges), shares(people, edges), strict=False)
    return [
        (entry.judge, entry.aspect, low, high, mine, len(own), theirs if people else None, len(people))
        for low, high, mine, theirs in found
    ]


def _draw(figure: Any, entries: Sequence[Judgements], bins: Sequence[Sequence[float]]) -> None:
    several = len({entry.judge for entry in entries}) > 1
    for axes, entry, edges in zip(
        panels(figure, len(entries), columns=across(entry.judge for entry in entries)),
        entries,
        bins,
        strict=True,
    ):
        own, people = _own(entry), _people(entry)
        width = edges[1] - edges[0]
        side = 0.42 * width if people else 0.84 * width
        middles = [(low + high) / 2 for low, high in pairwise(edges)]
        places = [middle - side / 2 for middle in middles] if people else middles
        axes.bar(places, shares(own, edges), side, color=BLUE, label="judge")
        if people:
            axes.bar(
                [place + side for place in places], shares(people, edges), side, color=ORANGE, label="people"
            )
        axes.set(xlabel="score", ylabel="share", xlim=(edges[0], edges[-1]))
        axes.set_xticks(middles if len(middles) <= _BINS else edges[::2])
        axes.grid(visible=False, axis="x")
        told = [f"judge {_told(own)}", *([f"people {_told(people)}"] if people else [])]
        named(axes, entry.aspect, *([entry.judge] if several else []), *told)
    if any(_people(entry) for entry in entries):
        handles, labels = axes.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=2)


def _edges(entry: Judgements, scale: tuple[float, float] | None) -> list[float]:
    values = [*_own(entry), *_people(entry)]
    low, high = scale or (min(values, default=0.0), max(values, default=1.0))
    low, high = min([low, *values]), max([high, *values])
    own = _own(entry)
    if all(float(value).is_integer() for value in (low, high, *own)) and high - low <= _LONGEST:
        return [low - 0.5 + step for step in range(int(high - low) + 2)]
    span = (high - low) or 1.0
    return [low + span * step / _BINS for step in range(_BINS + 1)]


def _own(entry: Judgements) -> list[float]:
    return [float(row.score) for row in entry.rows if row.score is not None]


def _people(entry: Judgements) -> list[float]:
    return [float(row.human) for row in entry.rows if row.human is not None]


def _told(values: Sequence[float]) -> str:
    return f"{fmean(values):.2f} ({pstdev(values):.2f}), n = {len(values)}" if values else "n = 0"
