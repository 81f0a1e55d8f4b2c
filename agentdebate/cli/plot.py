"""agentdebate plot: pictures of a run, or of several side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from agentdebate.cli.asking import QuestionOptions
from agentdebate.cli.console import offline_note, one_line, out_json, say
from agentdebate.cli.options import STORE, Json, ProjectPath, StorePath, project_at
from agentdebate.cli.run_coverage import nothing_judged, warn_of_missing
from agentdebate.datasets.named_values import names
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.imputation import LEFT_OUT
from agentdebate.meta.judged import Choices, Judgements
from agentdebate.meta.judged_rows import judged, on_scales, people_judged, scales_of
from agentdebate.models.prices import prices as price_table
from agentdebate.report.confusion_plot import confusion_plot
from agentdebate.report.cost_plot import Unit, cost_plot
from agentdebate.report.coverage_table import coverage_caption, coverage_record
from agentdebate.report.lines_plot import TITLES, lines_plot
from agentdebate.report.people_plot import people_plot
from agentdebate.report.plot import Plot, check_path, write
from agentdebate.report.question import Question
from agentdebate.report.scores_plot import scores_plot
from agentdebate.store.reader import LAST, Reader, RunHead, read_store
from agentdebate.studies.cells import Cell, cell_of
from agentdebate.studies.sweeps import runs_named

Kind = Literal[
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


def plot(
    kind: Kind,
    /,
    *runs: str,
    output: Annotated[
        Path, Parameter(name=["--output", "-o"], help="A file that ends in .png, .svg or .html.")
    ],
    aspects: Annotated[str | None, Parameter(help="Aspects with commas between them [all of them].")] = None,
    per: Annotated[Unit, Parameter(help="For cost: what a debate costs.")] = "calls",
    title: Annotated[str | None, Parameter(help="The title [what is plotted].")] = None,
    prices: Annotated[
        Path | None, Parameter(help="For cost: a file of prices, which goes before the built-in table.")
    ] = None,
    store: StorePath = STORE,
    project: ProjectPath = None,
    asking: QuestionOptions = QuestionOptions(),
    as_json: Json = False,
) -> int:
    """Draw a run, or several side by side, with a caption that says what is shown.

    people: the judge's scores against people's. scores: their distributions. confusion: choices against people's.
    rounds, personas, agents, strategies, models: agreement with people against what the runs were held with.
    cost: agreement against calls, tokens or money.

    Parameters
    ----------
    kind
        What is drawn.
    runs
        Runs, or the beginnings of their names; LABEL=RUN gives one another name in the picture; a sweep's name stands for
        all of its runs.

    """
    check_path(output)
    if kind == "scores" and asking.question.missing != LEFT_OUT:
        raise UsageError(
            "--missing is about agreement with people, and scores draws the scores that there are"
        )
    wanted = Wanted(kind, asking.question, names(aspects), title, per)
    with read_store(store) as reader:
        heads = runs_named(reader, runs or (LAST,))
        if kind in ("people", "scores", "confusion"):
            made = wanted.of_runs(reader, heads)
            coverages = wanted.coverages(wanted.entries(reader, heads))
        else:
            table = price_table(prices, project=project_at(project))
            cells = [cell_of(reader, head, table, label=label) for label, head in heads]
            made = wanted.of_cells(cells, _note(reader, heads))
            coverages = wanted.coverages([one for cell in cells for one in cell.judged])
    covered = coverage_caption(coverages, missing=wanted.question.missing, tabled=False)
    made = replace(made, caption=" ".join([made.caption, *covered]))
    warn_of_missing(coverages)
    write(made, output)
    if as_json:
        rows = [dict(zip(made.head, row, strict=True)) for row in made.rows]
        out_json(
            {
                "title": made.title,
                "caption": made.caption,
                "rows": rows,
                "coverage": [coverage_record(one) for one in coverages],
                "file": str(output),
            }
        )
    else:
        say(one_line(f"{made.title}: {output}"))
    return 1 if nothing_judged(coverages) else 0


@dataclass(frozen=True)
class Wanted:
    """What is to be drawn."""

    kind: Kind
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
            raise UsageError(f"--aspects: the run has no {name!r}. {nearest(name, known)}")
    return [one for one in entries if not aspects or one.aspect in aspects]


def _scales(heads: Sequence[tuple[str, RunHead]]) -> dict[str, tuple[float, float]]:
    tasks = [task for _, head in heads for task in head.tasks().values()]
    return {aspect.name: (aspect.scale.low, aspect.scale.high) for task in tasks for aspect in task.aspects}


def _note(reader: Reader, heads: Sequence[tuple[str, RunHead]]) -> str | None:
    return offline_note(name for _, head in heads for row in reader.rows(head.id) for name in row["models"])
