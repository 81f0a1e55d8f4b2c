"""`aggregate`: what the evaluators of a run say, put together without a judge, in one call with the words of the command."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from agentdebate.debates.record import offline_note
from agentdebate.errors import UsageError
from agentdebate.meta.aggregation import (
    SOURCE,
    Aggregate,
    Case,
    Statistic,
    average,
    cases,
    coverages,
    cross_weight,
    ended,
    evaluators,
    ranges_of,
    select,
)
from agentdebate.meta.coverage import Coverage
from agentdebate.meta.run_rows import StoredRun, opened
from agentdebate.report.coverage import coverage_record, coverage_told
from agentdebate.report.grid import Block, Grid
from agentdebate.report.prose import counted
from agentdebate.report.result import Result
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST

How = Literal["avg", "llmsel", "corrw"]

_TITLES = {
    "avg": "Mean of all evaluators",
    "llmsel": "Mean of the evaluators that the plan selects for the aspect",
    "corrw": "Mean of the evaluators, weighted by their correlation with people in rows of other sources",
}


@dataclass(frozen=True, repr=False)
class AggregateTable(Result):
    """The evaluators' scores of a run put together, as `aggregate` gives them: take its `rows`, or print the summary."""

    aggregates: tuple[Aggregate, ...]
    """Every aspect of every text."""
    summary: Mapping[str, Any]
    """Record for JSON: counts, a line an aspect and evaluator, weights."""
    coverages: tuple[Coverage, ...] = ()
    """Numbers of texts with a score, aspect by aspect."""

    @property
    def title(self) -> str:
        """Method of the aggregation, and the run."""
        return f"{self.summary['how']} of {self.summary['run']}"

    def rows(self) -> list[dict[str, Any]]:
        """A record for each aspect of each text: id, group, system, aspect, score, people's score, evaluators and shares."""
        return [one.row() for one in self.aggregates]

    def to_dict(self) -> dict[str, Any]:
        """The summary as JSON has it."""
        return dict(self.summary)

    def blocks(self) -> Iterator[Block]:
        """The summary as tables, and lines between them."""
        summary = self.summary
        yield _grid(_TITLES[summary["how"]], summary["aspects"])
        yield f"{counted(summary['rows'], 'row')}, {summary['missing']} missing; run {summary['run']}"
        for name in ("evaluators", "weights"):
            if name in summary:
                yield from ("", _grid(name.capitalize(), summary[name]))
        yield coverage_told(self.coverages)
        if summary["note"]:
            yield from ("", summary["note"])


def _grid(title: str, lines: Sequence[Mapping[str, Any]]) -> Grid:
    columns = {name: name for name in (lines[0] if lines else ())}
    figures = [name for name in columns if name not in ("aspect", "evaluator")]
    return Grid.of(title, lines, columns, numeric=figures)


def aggregate(
    run: str | StoredRun = LAST,
    *,
    how: How = "avg",
    with_judge: bool = False,
    range: Mapping[str, str] | Sequence[str] = (),
    statistic: Statistic | None = None,
    folds: int | str | None = None,
    store: str | Path = USUAL_STORE,
) -> AggregateTable:
    """The evaluators' scores of a run put together: every aspect of every text gets a score from 0 to 1.

    `how` is the mean of all evaluators ("avg"), of those that the plan selects for the aspect ("llmsel"), or weighted by their
    correlation with people's scores in rows of other sources ("corrw"); `statistic` and `folds` are for that.
    With `with_judge` the run's own verdicts are one more evaluator. `range` says what scores an evaluator can give:

        table = ad.aggregate("last", how="corrw", range={"rouge1": "0-1"})
        table.rows()

    Raises UserError and StoreError.
    """
    if how != "corrw" and (statistic or folds):
        raise UsageError("statistic=... and folds=... are for how='corrw'")
    if folds not in (None, SOURCE) and not str(folds).isdecimal():
        raise UsageError(f"folds=... is {SOURCE}, or a number such as 10, not {folds!r}")
    texts = [f"{name}={ends}" for name, ends in range.items()] if isinstance(range, Mapping) else range
    with opened(run, store) as (reader, head):
        debates = ended(reader, head)
        gathered = cases(debates, head, ranges_of(texts), judge=with_judge)
    weights: dict[str, Any] = {}
    if how == "avg":
        rows = average(gathered)
    elif how == "llmsel":
        if all(case.selected is None for case in gathered):
            raise UsageError(
                "no debate of the run has a plan that selects evaluators: hold it by llmsel or fusion, or take another how=..."
            )
        rows = select(gathered)
    else:
        rows, weights = _weighted(gathered, statistic or "pearson", None if folds == SOURCE else folds)
    covered = tuple(coverages(rows))
    models = (name for debate in debates for name in debate.row["models"])
    summary = {
        "run": head.id,
        "how": how,
        "with_judge": with_judge,
        "rows": len(rows),
        "missing": sum(row.score is None for row in rows),
        "aspects": [{"aspect": one.aspect, "rows": one.rows, "missing": one.missing} for one in covered],
        "evaluators": evaluators(gathered),
        "coverage": list(map(coverage_record, covered)),
        "note": offline_note(models) if with_judge or how == "llmsel" else None,
        **weights,
    }
    return AggregateTable(rows, summary, covered)


def _weighted(
    scored: Sequence[Case], statistic: Statistic, folds: int | str | None
) -> tuple[tuple[Aggregate, ...], dict[str, Any]]:
    """The rows, and the weights for the summary."""
    if all(case.human is None for case in scored):
        raise UsageError("corrw learns from people's scores, and the run has none: hold it with human=...")
    found = cross_weight(scored, statistic=statistic, folds=None if folds is None else int(folds))
    told = {"statistic": statistic, "folds": found.folds, "sources": found.sources, "weights": found.means()}
    return found.rows, told
