"""`plot`: a picture of a run, or of several side by side, in one call with the words of the command."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from agentdebate.debates.record import offline_note
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.bootstrap import Resampling
from agentdebate.meta.coverage import coverage
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.judgements import Choices, Judgements
from agentdebate.meta.levels import Level
from agentdebate.meta.run_rows import people_judged, scales_of
from agentdebate.models.prices import PriceTable
from agentdebate.models.prices import prices as price_table
from agentdebate.report.agreement_plots import Unit, cost_plot, lines_plot
from agentdebate.report.coverage import coverage_told
from agentdebate.report.plot import Plot, check_path
from agentdebate.report.question import Question
from agentdebate.report.score_plots import people_plot, scores_plot
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST, RunHead, read_store
from agentdebate.studies.cells import Cell, cell_of
from agentdebate.studies.sweeps import runs_named
from agentdebate.tasks import aspect_names

PlotKind = Literal["people", "scores", "rounds", "personas", "agents", "strategies", "models", "cost"]
"""What is drawn."""

VARIED: Mapping[str, str] = {
    "rounds": "rounds",
    "personas": "persona",
    "agents": "agents",
    "strategies": "strategy",
    "models": "model",
}
"""Kinds that plot agreement against something, and what that is."""


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
) -> Plot:
    """Draw a run, or several side by side, with a caption that says what is shown; `output` is a file to write it to.

    "people" has the judge's scores against people's, "scores" their distributions;
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
    with read_store(store) as reader:
        heads = runs_named(reader, runs or (LAST,))
        cells = [cell_of(reader, head, prices or price_table(), label=label) for label, head in heads]
        note = offline_note(
            name for _, head in heads for row in reader.rows(head.id) for name in row["models"]
        )
    kept = [replace(cell, judged=_named(cell.judged, aspect_names(aspects))) for cell in cells]
    entries = [one for cell in kept for one in cell.judged]
    named = title or f"{kind} of {heads[0][0] if len(heads) == 1 else f'{len(heads)} runs'}"
    if kind == "cost":
        made = cost_plot(kept, per, question, named)
    elif kind in VARIED:
        by = VARIED[kind]
        runs_only = [cell for cell in kept if cell.kind == "run"]
        made = lines_plot(runs_only, by, question, named, apart=_apart(runs_only, by))
    else:
        made = _of_scores(kind, entries, question, named, heads)
    coverages = tuple(map(coverage, entries))
    told = " ".join(filter(None, (made.caption, coverage_told(coverages), note)))
    found = replace(made, caption=told, coverages=coverages)
    if output is not None:
        found.write(output)
    return found


def _of_scores(
    kind: PlotKind,
    entries: Sequence[Judgements | Choices],
    question: Question,
    title: str,
    heads: Sequence[tuple[str, RunHead]],
) -> Plot:
    """A picture of what one judge, or each of several, said. Raises UsageError."""
    rated = [one for one in entries if isinstance(one, Judgements)]
    if entries and not rated:
        raise UsageError(f"the run compares texts, and {kind} is about scores: plot what varies, or cost")
    if kind == "people":
        known = [one for one in people_judged(rated) if isinstance(one, Judgements)]
        return people_plot(known, question, title)
    scales = {name: scale for _, head in heads for name, scale in scales_of(head).items()}
    return scores_plot(rated, title, {name: (one.low, one.high) for name, one in scales.items()})


def _apart(cells: Sequence[Cell], by: str) -> list[str]:
    """What else tells the runs apart where several have the same place on the axis."""
    places = [cell.varied.get(by) for cell in cells]
    if len(set(places)) == len(places):
        return []
    others = [name for name in VARIED.values() if name != by]
    return [name for name in others if len({cell.varied.get(name) for cell in cells}) > 1]


def _named(
    entries: Sequence[Judgements | Choices], aspects: Sequence[str]
) -> tuple[Judgements | Choices, ...]:
    """Those about the aspects that were named. Raises UsageError."""
    known = list(dict.fromkeys(one.aspect for one in entries))
    for name in aspects:
        if name not in known:
            raise UsageError(f"aspects=...: the run has no {name!r}. {nearest(name, known)}")
    return tuple(one for one in entries if not aspects or one.aspect in aspects)
