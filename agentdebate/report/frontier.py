"""`frontier`: strategies over the same items, their agreement with people against their cost, and which of them is worth its price."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from math import inf
from typing import Any, Unpack

from agentdebate.errors import UsageError
from agentdebate.meta.talk import grouped
from agentdebate.report.grid import Block, Columns, Grid, merit, shown, statistic_name
from agentdebate.report.judge_tables import number_of
from agentdebate.report.plot import Plot, Unit, cost_of, draw_line, figure_record, named
from agentdebate.report.question import KINDS, Asked, Question, found_in
from agentdebate.report.result import Result
from agentdebate.report.sweep import SweepOptions, SweepTable, held_sweep
from agentdebate.runs.agenda import Data
from agentdebate.studies.cells import Cell
from agentdebate.studies.frontier import LEVEL, Point, grouped_alike, on_frontier

_ABSTAINED = " Abstained, and so neither on the frontier nor in a group: "


@dataclass(frozen=True, repr=False)
class FrontierTable(Result):
    """Agreement against cost, as `frontier` gives it: print it, draw its `plot`, or take its `rows`."""

    swept: SweepTable
    """The runs, and the controls of each."""
    per: Unit
    points: tuple[Point, ...]
    """Every judge on every aspect, the cheapest first."""

    @property
    def title(self) -> str:
        """The sweep by its name."""
        return f"frontier of {self.swept.name}"

    def rows(self) -> list[dict[str, Any]]:
        """A record for each judge and aspect."""
        return [
            {
                **figure_record(one.found),
                **{name: getattr(one, name) for name in ("judge", "cost", "frontier", "groups")},
                "kind": one.cell.kind,
                "run": one.cell.run,
            }
            for one in self.points
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON has it."""
        told = {"sweep": self.swept.name, "rows": self.rows()}
        return {**told, "caption": self.caption, "note": self.swept.note}

    @property
    def caption(self) -> str:
        """Caption of the figures."""
        gone = [
            f"{_name(one)} ({one.abstentions} of {one.debates})"
            for one in self.swept.cells
            if one.abstentions
        ]
        asked = self.swept.question.told([one.found for one in self.points])
        return (
            f"Agreement with people against {self.per} a debate: {asked} Frontier: no other judge agrees as well for as little. Judges that "
            f"share a letter cannot be told apart (permutation tests by source, Holm over all pairs, at {LEVEL:g}); a is the best's."
            f"{_ABSTAINED + ', '.join(gone) if gone else ''}"
        )

    def blocks(self) -> Iterator[Block]:
        """A table for each aspect, what follows from it, and the caption."""
        cost = f"{self.per} a debate"
        columns: Columns = {
            "judge": "judge",
            cost: "cost",
            "agreement": shown(number_of, "found"),
            "n": "found.n",
            "group": "groups",
            "frontier": "frontier",
        }
        for aspect, some in self._by_aspect.items():
            yield Grid.of(aspect.capitalize(), some, columns, numeric=[cost, "agreement", "n"])
            alike = [one.judge for one in some if "a" in one.groups]
            if alike:
                yield f"{alike[0]} is the cheapest of {len(alike)} that cannot be told apart from the best"
            yield ""
        yield self.caption
        if self.swept.note:
            yield from ("", self.swept.note)

    @property
    def plot(self) -> Plot:
        """The picture: a panel an aspect, a line along the frontier."""
        panels = [partial(_panel, some, self.per) for some in self._by_aspect.values()]
        return Plot(self.title, self.caption, self.rows(), panels, self.swept.coverages)

    @property
    def _by_aspect(self) -> dict[str, list[Point]]:
        return grouped(self.points, lambda one: one.found.aspect)


def _panel(points: Sequence[Point], unit: Unit, axes: Any) -> None:
    """Draw the judges of one aspect, hollow where they have no run of their own, and the frontier."""
    drawn = [one for one in points if one.found.value is not None]
    for number, one in enumerate(drawn):
        name = f"{one.groups}: {one.judge}" if one.groups else one.judge
        draw_line(axes, number, [one.cost], [one.found], name, hollow=one.cell.kind != "run")
    edge = [one for one in drawn if one.frontier]
    axes.step(
        [one.cost for one in edge], [one.found.value for one in edge], where="post", color="#888888", zorder=0
    )
    axes.set(xlabel=f"{unit} a debate", ylabel=statistic_name(points[0].found.statistic))
    axes.set_title(named(points[0].found.aspect))


async def frontier(
    items: Data,
    strategies: Sequence[str],
    *,
    per: Unit = "calls",
    **options: Unpack[SweepOptions],
) -> FrontierTable:
    """Judge the same items by several strategies, and say which of them is worth its cost.

    It is a sweep over the strategies with its controls, which are judges here too: the single judge that is sampled at the cost of each
    strategy, and the vote of its openings. `per` is the unit of cost: "calls", "tokens" or "money". All else is as in `sweep`:

        found = await ad.report.frontier(items, ["solo", "debate"], model="openai/gpt-6-luna", store="runs.db")
        found.plot.write("frontier.png")

    Raises UserError and StoreError, and UsageError where people have scored nothing.
    """
    if len({*strategies}) < max(1, len(strategies)):
        raise UsageError(
            f"strategies=... names one or more, each once, and not {', '.join(strategies) or 'none'}"
        )
    swept = await held_sweep(items, strategies[0], {"strategy": strategies}, (), options, people=True)
    if not any(cost_of(cell, per) for cell in swept.cells):
        raise UsageError(f"per={per!r}: no judge of sweep {swept.name} cost anything; take per='calls'")
    points = (
        _points(swept.asked, aspect, per, swept.question)
        for aspect in dict.fromkeys(one.aspect for one in found_in(swept.asked))
    )
    return FrontierTable(swept, per, tuple(chain.from_iterable(points)))


def _points(asked: Sequence[Asked], aspect: str, per: Unit, question: Question) -> list[Point]:
    """The judges on one aspect, the cheapest first; a control that says the same as another judge for the same cost is left out."""
    found, known = list[Point](), set[Any]()
    for one in sorted(asked, key=lambda one: one.cell.kind != "run"):
        agreement, cell = one.of(aspect), one.cell
        if agreement and (agreement.n or cell.kind == "run"):
            judged = next(each for each in cell.judged if each.aspect == aspect)
            figure = None if cell.abstentions else agreement.value
            value = -inf if figure is None else merit(agreement.statistic, figure)
            point = Point(_name(cell), cell, judged, agreement, cost_of(cell, per), value)
            said = point.cost, tuple((row.id, row.score) for row in judged.rows)
            if cell.kind == "run" or said not in known:
                found.append(point)
            known.add(said)
    points = on_frontier(sorted(found, key=lambda one: one.cost))
    statistic = points[0].found.statistic
    return grouped_alike(points, statistic, question.level, question.missing, question.bootstrap.seed)


def _name(cell: Cell) -> str:
    """Name of a judge: a strategy's, or that of the control beside it."""
    own = cell.varied.get("strategy", cell.label)
    return own if cell.kind == "run" else f"{KINDS[cell.kind]}, as {own}"
