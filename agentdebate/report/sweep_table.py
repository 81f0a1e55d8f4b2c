"""Runs side by side with their controls: a line a cell and a line a control, with agreement, failures and cost."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from agentdebate.meta.coverage import Coverage
from agentdebate.report.coverage import coverage_record, coverage_told
from agentdebate.report.grid import Block, Grid, Number
from agentdebate.report.judge_tables import number_of
from agentdebate.report.question import KINDS, MEAN, Asked, Question, ask_all, aspects_of, found_in
from agentdebate.report.result import Result
from agentdebate.studies.cells import SAMPLED, Cell

_FIGURES = ("aspect", "statistic", "level", "value", "low", "high", "n", "groups", "missing", "imputed")
_CONTROLS = (
    "Controls: a single judge sampled as often as a debate of the cell called (or until it took as many tokens), its scores averaged; "
    "the vote of the openings, without talk; the evaluators' scores, weighted by their correlation with people's (CorrW)."
)


@dataclass(frozen=True, repr=False)
class SweepTable(Result):
    """Runs side by side with their controls, as `sweep` gives them: print it, or take its `rows`."""

    name: str
    """What the sweep is called in the store."""
    cells: tuple[Cell, ...]
    """The runs, each with its controls behind it."""
    question: Question = field(default_factory=Question)
    """Which agreement with people is asked for."""
    note: str | None = None
    """What has to be said beside the figures."""

    @property
    def title(self) -> str:
        """The sweep by its name."""
        return f"sweep {self.name}"

    def rows(self) -> list[dict[str, Any]]:
        """A record for each cell and control: what varied, debates, failures, calls, tokens, money, agreement, coverage."""
        return list(map(_record, self.asked))

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        return {"sweep": self.name, "rows": self.rows(), "caption": self.caption, "note": self.note}

    @cached_property
    def asked(self) -> list[Asked]:
        """The cells with their agreement."""
        return ask_all(self.cells, self.question)

    @property
    def has_agreement(self) -> bool:
        """Whether people's scores of some of the items are known."""
        return any(one.found for one in self.asked)

    @property
    def coverages(self) -> list[Coverage]:
        """How much each run has judged, aspect by aspect."""
        return [one for cell in self.cells for one in cell.coverages if not cell.read_off]

    @property
    def caption(self) -> str:
        """What has to be said of the figures, in lines."""
        return "\n".join(self._lines())

    @property
    def table(self) -> Grid:
        """A line a cell and a line a control, which stands below its cell."""
        columns: dict[str, Any] = {name: partial(_varied, name=name) for name in self.cells[0].varied}
        columns["judge"] = _judge
        for aspect in aspects_of(self.asked):
            columns["mean" if aspect == MEAN else aspect] = partial(_agreement, aspect=aspect)
        figures = list(columns)[len(self.cells[0].varied) + 1 :]
        return Grid.of(
            "Sweep", self.asked, columns | _COSTS, numeric=[*figures, *_COSTS], notes=self._lines()
        )

    def blocks(self) -> Iterator[Block]:
        """What is printed: the table with what its figures are, and what has to be said beside them."""
        yield self.table
        if self.note:
            yield from ("", self.note)

    def _lines(self) -> list[str]:
        found = found_in(self.asked)
        told = (
            f"Agreement with people: {self.question.told(found)}"
            if found
            else "People's scores are not known: no agreement."
        )
        costs = "Calls, tokens and money are those of all debates, as if nothing had come from a cache; each: calls a debate."
        notes = [f"{KINDS[cell.kind]} of {cell.beside}: {cell.note}" for cell in self.cells if cell.note]
        return [told, _CONTROLS, f"{costs} {coverage_told(self.coverages)}".strip(), *notes]


def _record(one: Asked) -> dict[str, Any]:
    """A cell with all that is known of it, as JSON has it."""
    cell = one.cell
    return {
        "cell": cell.beside or cell.label,
        "kind": cell.kind,
        "varied": dict(cell.varied),
        "judge": cell.label,
        "run": cell.run,
        "debates": cell.debates,
        "failures": cell.failures,
        "calls": cell.cost.calls,
        "calls_each": round(cell.calls_each, 4),
        "cached": cell.cost.cached,
        "prompt_tokens": cell.cost.prompt_tokens,
        "completion_tokens": cell.cost.completion_tokens,
        "money": cell.cost.money,
        "currency": cell.cost.currency,
        "note": cell.note,
        "mean": one.mean,
        "coverage": list(map(coverage_record, cell.coverages)),
        "agreement": [
            {**{name: getattr(it, name) for name in _FIGURES}, "left_out": dict(it.left_out)}
            for it in one.found
        ],
    }


def _varied(one: Asked, name: str) -> str:
    return "" if one.cell.beside else one.cell.varied[name]


def _judge(one: Asked) -> str:
    return one.cell.label if one.cell.kind in SAMPLED else KINDS[one.cell.kind]


def _agreement(one: Asked, aspect: str) -> Number:
    found = one.of(aspect)
    return number_of(found) if found else Number(one.value(aspect))


_COSTS: dict[str, Any] = {
    "debates": lambda one: one.cell.debates,
    "failed": lambda one: one.cell.failures,
    "calls": lambda one: one.cell.cost.calls,
    "each": lambda one: f"{one.cell.calls_each:.2f}",
    "tokens": lambda one: one.cell.cost.tokens,
    "money": lambda one: "unknown" if one.cell.cost.money is None else f"{one.cell.cost.money:.4f}",
}
"""What a cell cost, by the columns of the table."""
