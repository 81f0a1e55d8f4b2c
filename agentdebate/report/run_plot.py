"""`plot`: a picture of a run, or of several side by side, in one call with the words of the command."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from agentdebate.debates.record import offline_note
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.bootstrap import Resampling
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.judgements import Choices, Judgements
from agentdebate.meta.levels import Level
from agentdebate.meta.run_rows import judged, on_scales, people_judged, scales_of
from agentdebate.models.prices import PriceTable
from agentdebate.models.prices import prices as price_table
from agentdebate.report.confusion_plot import confusion_plot
from agentdebate.report.cost_plot import Unit, cost_plot
from agentdebate.report.coverage_table import coverage_caption, coverage_record, coverage_sentences
from agentdebate.report.lines_plot import TITLES, lines_plot
from agentdebate.report.people_plot import people_plot
from agentdebate.report.plot import Plot, check_path, write
from agentdebate.report.question import Question
from agentdebate.report.run_tables.coverage import nothing_judged
from agentdebate.report.scores_plot import scores_plot
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST, Reader, RunHead, read_store
from agentdebate.studies.cells import Cell, cell_of
from agentdebate.studies.sweeps import runs_named
from agentdebate.tasks import aspect_names

PlotKind = Literal[
    "people", "scores", "confusion", "rounds", "personas", "agents", "strategies", "models", "cost"
]

VARIED: Mapping[str, str] = {
    "rounds": "rounds",
    "personas": "persona",
    "agents": "agents",
    "strategies": "strategy",
    "models": "model",
}
"""Kinds that plot agreement against something, and what that is."""

_OF_RUNS = ("people", "scores", "confusion")


@dataclass(frozen=True, repr=False)
class RunPlot:
    """A picture of runs with its caption, as `plot` gives it: write it to a file, or take its `rows`."""

    drawn: Plot
    """The picture."""
    coverages: tuple[Coverage, ...]
    """How much each judge has judged of what is drawn."""

    def __repr__(self) -> str:
        return f"<RunPlot {self.drawn.title}>"

    @property
    def caption(self) -> str:
        """What has to be said of what is drawn."""
        return self.drawn.caption

    @property
    def warnings(self) -> list[str]:
        """What has to be said at once: that much is missing, or all."""
        return coverage_sentences(self.coverages)

    @property
    def empty(self) -> bool:
        """Whether there is a judge and an aspect without any judgement."""
        return nothing_judged(self.coverages)

    def rows(self) -> list[dict[str, Any]]:
        """A record for each point."""
        return [dict(zip(self.drawn.head, row, strict=True)) for row in self.drawn.rows]

    def write(self, output: str | Path) -> None:
        """Write it to a file that ends in .png, .svg or .html. Raises UsageError."""
        write(self.drawn, Path(output))

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        return {
            "title": self.drawn.title,
            "caption": self.caption,
            "rows": self.rows(),
            "coverage": [coverage_record(one) for one in self.coverages],
        }


def plot(
    kind: PlotKind,
    *runs: str,
    output: str | Path | None = None,
    aspects: Sequence[str] | str = (),
    per: Unit = "calls",
    title: str | None = None,
    prices: PriceTable | None = None,
    store: str | Path = USUAL_STORE,
    statistic: str | None = None,
    level: Level = "pooled",
    resampling: Resampling | None = None,
    resamples: int = 1000,
    missing: Missing = LEFT_OUT,
) -> RunPlot:
    """Draw a run, or several side by side, with a caption that says what is shown; `output` is a file to write it to.

    "people" has the judge's scores against people's, "scores" their distributions, "confusion" choices against people's;
    "rounds", "personas", "agents", "strategies" and "models" have agreement with people against what the runs were held with, and
    "cost" against calls, tokens or money, as `per` says. `runs` are names, the beginnings of some, "last", LABEL=RUN, or a sweep's
    name for all of its runs:

        ad.plot("people", "last", output="people.png", store="runs.db")

    The question of agreement is put by `statistic`, `level`, `resamples` (or all of `resampling`) and `missing`. Raises UsageError
    and StoreError.
    """
    if output is not None:
        check_path(Path(output))
    question = Question(statistic, level, (resampling or Resampling(resamples)).bootstrap, missing)
    if kind == "scores" and question.missing != LEFT_OUT:
        raise UsageError(
            "missing=... is about agreement with people, and scores draws the scores that there are"
        )
    picture = Picture(kind, question, aspect_names(aspects), title, per)
    with read_store(store) as reader:
        heads = runs_named(reader, runs or (LAST,))
        if kind in _OF_RUNS:
            made = picture.of_runs(reader, heads)
            coverages = picture.coverages(picture.entries(reader, heads))
        else:
            cells = [cell_of(reader, head, prices or price_table(), label=label) for label, head in heads]
            made = picture.of_cells(cells, _note(reader, heads))
            coverages = picture.coverages([one for cell in cells for one in cell.judged])
    covered = coverage_caption(coverages, missing=question.missing, tabled=False)
    found = RunPlot(replace(made, caption=" ".join([made.caption, *covered])), tuple(coverages))
    if output is not None:
        found.write(output)
    return found


@dataclass(frozen=True)
class Picture:
    """What is to be drawn."""

    kind: PlotKind
    question: Question
    aspects: Sequence[str] = ()
    title: str | None = None
    per: Unit = "calls"

    def entries(self, reader: Reader, heads: Sequence[tuple[str, RunHead]]) -> list[Judgements | Choices]:
        """What each judge and people say."""
        return [
            one
            for label, head in heads
            for one in on_scales(judged(list(reader.rows(head.id)), label), scales_of(head))
        ]

    def coverages(self, entries: Sequence[Judgements | Choices]) -> list[Coverage]:
        """How much each judge has judged of what is drawn."""
        return [coverage(one) for one in _named(entries, self.aspects)]

    def of_runs(self, reader: Reader, heads: Sequence[tuple[str, RunHead]]) -> Plot:
        """A picture of what one judge, or each of several, said. Raises UsageError."""
        entries = self.entries(reader, heads)
        kept, note = _named(entries, self.aspects), _note(reader, heads)
        whose = heads[0][0] if len(heads) == 1 else f"{len(heads)} runs"
        if self.kind == "confusion":
            choices = [one for one in people_judged(kept) if isinstance(one, Choices)]
            return confusion_plot(
                choices, self.question, self.title or f"Choices of people and of {whose}", note
            )
        rated = [one for one in kept if isinstance(one, Judgements)]
        if kept and not rated:
            raise UsageError(f"the run compares texts, and {self.kind} is about scores: plot confusion")
        if self.kind == "scores":
            return scores_plot(rated, self.title or f"Scores of {whose}", _scales(heads), note)
        known = [one for one in people_judged(rated) if isinstance(one, Judgements)]
        return people_plot(known, self.question, self.title or f"Scores of people and of {whose}", note)

    def of_cells(self, cells: Sequence[Cell], note: str | None) -> Plot:
        """A picture of runs side by side. Raises UsageError."""
        kept = [replace(cell, judged=tuple(_named(cell.judged, self.aspects))) for cell in cells]
        if self.kind == "cost":
            title = self.title or f"Agreement with people against {self.per}"
            return cost_plot(kept, self.per, self.question, title, note)
        by, kept = VARIED[self.kind], [cell for cell in kept if cell.kind == "run"]
        if by == "persona":
            kept = _told_apart(kept)
        title = self.title or f"Agreement with people by {TITLES[by]}"
        return lines_plot(kept, by, self.question, title, apart=_apart(kept, by), note=note)


def _told_apart(cells: Sequence[Cell]) -> list[Cell]:
    """The cells without the personas that all of them have."""
    cast = [cell.varied["persona"].split(", ") for cell in cells]
    common = set[str].intersection(*map(set, cast)) if cast else set()
    if len(set(map(tuple, cast))) == 1:
        return list(cells)
    names = [
        ", ".join(card for card in cards if card not in common) or cell.varied["persona"]
        for cell, cards in zip(cells, cast, strict=True)
    ]
    return [
        replace(cell, varied={**cell.varied, "persona": name})
        for cell, name in zip(cells, names, strict=True)
    ]


def _apart(cells: Sequence[Cell], by: str) -> list[str]:
    """What else tells the runs apart where several have the same place on the axis."""
    places = [cell.varied.get(by) for cell in cells]
    if len(set(places)) == len(places):
        return []
    others = ("strategy", "model", "rounds", "persona", "agents")
    found = [name for name in others if name != by and len({cell.varied.get(name) for cell in cells}) > 1]
    return found[:2]


def _named(entries: Sequence[Judgements | Choices], aspects: Sequence[str]) -> list[Judgements | Choices]:
    """Those about the aspects that were named. Raises UsageError."""
    known = list(dict.fromkeys(one.aspect for one in entries))
    for name in aspects:
        if name not in known:
            raise UsageError(f"aspects=...: the run has no {name!r}. {nearest(name, known)}")
    return [one for one in entries if not aspects or one.aspect in aspects]


def _scales(heads: Sequence[tuple[str, RunHead]]) -> dict[str, tuple[float, float]]:
    tasks = [task for _, head in heads for task in head.tasks().values()]
    return {aspect.name: (aspect.scale.low, aspect.scale.high) for task in tasks for aspect in task.aspects}


def _note(reader: Reader, heads: Sequence[tuple[str, RunHead]]) -> str | None:
    return offline_note(name for _, head in heads for row in reader.rows(head.id) for name in row["models"])
