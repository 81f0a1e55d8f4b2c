"""`aggregate`: what the evaluators of a run say, put together without a judge, in one call with the words of the command."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from agentdebate.debates.record import OFFLINE, OFFLINE_NOTE
from agentdebate.errors import UsageError
from agentdebate.meta.aggregation import (
    FOLDS,
    NO_PLAN,
    SOURCE,
    Aggregate,
    Case,
    Statistic,
    Weighted,
    aspects,
    average,
    counts,
    coverages,
    cross_weight,
    evaluators,
    select,
    weights_over_folds,
)
from agentdebate.meta.cases import (
    JUDGE,
    Ended,
    cases,
    ended,
    known_ranges,
    ranges_of,
    row_of,
)
from agentdebate.meta.coverage import Coverage
from agentdebate.meta.prose import number_of
from agentdebate.meta.run_rows import StoredRun, opened
from agentdebate.report.coverage import coverage_blocks, coverage_record
from agentdebate.report.figures import NONE
from agentdebate.report.grid import Block, Grid
from agentdebate.report.terminal import printed
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST, RunHead
from agentdebate.tables.inferred import inferred
from agentdebate.tables.table import Table
from agentdebate.tables.tabular import Tabular
from agentdebate.visible import one_line

How = Literal["avg", "llmsel", "corrw"]

_STATISTICS = {"pearson": "Pearson's r", "spearman": "Spearman's rho"}
_TITLES = {
    "avg": "AVG: the mean of all evaluators",
    "llmsel": "LLMSel: the mean of the evaluators that the plan selects for the aspect",
    "corrw": "CorrW: the mean of the evaluators, weighted by their correlation with people",
}


@dataclass(frozen=True, repr=False)
class AggregateTable(Tabular):
    """The evaluators' scores of a run put together, as `aggregate` gives them: take its `rows`, or print the summary."""

    aggregates: tuple[Aggregate, ...]
    """Every aspect of every text."""
    summary: Mapping[str, Any]
    """What JSON has of it: counts, a line an aspect and evaluator, weights."""
    coverages: tuple[Coverage, ...] = ()
    """How many texts have a score, aspect by aspect."""

    def __repr__(self) -> str:
        return f"<AggregateTable {self.summary['how']} of {self.summary['run']}: {number_of(len(self.aggregates), 'row')}>"

    def __str__(self) -> str:
        return printed(self.blocks) + "\n"

    def rows(self) -> list[dict[str, Any]]:
        """A record for each aspect of each text: id, group, system, aspect, score, people's score, evaluators and shares."""
        return [row_of(one) for one in self.aggregates]

    def to_table(self) -> Table[dict[str, Any]]:
        """The rows as a table; what is nested in them is JSON in its cell."""
        return inferred(f"{self.summary['how']} of {self.summary['run']}", self.rows())

    def to_dict(self) -> dict[str, Any]:
        """The summary as JSON has it."""
        return dict(self.summary)

    @property
    def blocks(self) -> list[Block]:
        """The summary as tables, and lines between them."""
        return [
            one_line(one) if isinstance(one, str) else one for one in _blocks(self.summary, self.coverages)
        ]


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
    learning = _learning(how, statistic, None if folds is None else str(folds))
    given = ranges_of(
        [f"{name}={ends}" for name, ends in range.items()] if isinstance(range, Mapping) else range
    )
    with opened(run, store) as (reader, head):
        debates = ended(reader, head)
        open_ended = head.ended_debates + reader.not_ended(head.id) - len(debates)
        gathered = cases(debates, known_ranges(debates, given, head), head, judge=with_judge)
    result = learning.weighted(gathered) if learning else None
    rows = result.rows if result else _means(gathered, how, head, judge=with_judge)
    covered = coverages(rows)
    summary = {
        "run": head.id,
        "how": how,
        "with_judge": with_judge,
        **counts(rows),
        "debates_not_ended": open_ended,
        "debates_without_evidence": sum(not debate.said.findings for debate in debates),
        "aspects": aspects(rows),
        "evaluators": evaluators(gathered),
        "coverage": [coverage_record(one) for one in covered],
        **(learning.account(result) if learning and result else {}),
        "note": _note(debates, how, judge=with_judge),
    }
    return AggregateTable(tuple(rows), summary, tuple(covered))


@dataclass(frozen=True)
class Learning:
    """How corrw learns its weights."""

    statistic: Statistic
    folds: int | None

    def weighted(self, scored: Sequence[Case]) -> Weighted:
        """The cases by weights that are learnt from others. Raises UserError."""
        if all(case.human is None for case in scored):
            raise UsageError(
                "corrw learns from people's scores, and the run has none: hold it with human=..."
            )
        return cross_weight(scored, statistic=self.statistic, folds=self.folds)

    def account(self, result: Weighted) -> dict[str, Any]:
        """What the summary says of the weights."""
        learnt = [weight.rows for weight in result.weights]
        return {
            "statistic": self.statistic,
            "split": FOLDS if self.folds else SOURCE,
            "folds": result.folds,
            "sources": result.sources,
            "learnt_from": [min(learnt, default=0), max(learnt, default=0)],
            "weights": weights_over_folds(result.weights),
        }


def _learning(how: How, statistic: Statistic | None, folds: str | None) -> Learning | None:
    """The way to learn weights; None where there are none. Raises UsageError for options that do not go together."""
    if how != "corrw":
        for option, value in {"statistic=...": statistic, "folds=...": folds}.items():
            if value:
                raise UsageError(f"{option} is for how='corrw'")
        return None
    if folds not in (None, SOURCE) and not (folds or "").isdecimal():
        raise UsageError(f"folds=... is {SOURCE}, or a number such as 10, not {folds!r}")
    return Learning(statistic or "pearson", None if folds in (None, SOURCE) else int(folds or 0))


def _means(scored: Sequence[Case], how: How, head: RunHead, *, judge: bool) -> tuple[Aggregate, ...]:
    if how == "avg":
        return average(scored)
    rows = select(scored, always=[JUDGE] if judge else [])
    if all(row.why == NO_PLAN for row in rows):
        raise UsageError(
            f"no debate of run {head.id} has a plan that selects evaluators: hold it by llmsel or fusion, or take another how=..."
        )
    return rows


def _note(debates: Sequence[Ended], how: How, *, judge: bool) -> str | None:
    """What has to be said beside scores to which the run's own models have contributed."""
    heard = any(OFFLINE in debate.row["models"] for debate in debates)
    return OFFLINE_NOTE if heard and (judge or how == "llmsel") else None


def _blocks(summary: Mapping[str, Any], coverages: Sequence[Coverage]) -> Iterator[Block]:
    reasons = "; ".join(f"{count} as {why}" for why, count in summary["reasons"].items())
    yield _grid(_TITLES[summary["how"]], summary["aspects"])
    missing = f"{summary['missing']} missing{f' ({reasons})' if reasons else ''}"
    yield f"{number_of(summary['rows'], 'row')}, {missing}; run {summary['run']}"
    for name in ("debates_not_ended", "debates_without_evidence"):
        if summary[name]:
            yield f"{number_of(summary[name], 'debate')} {name.removeprefix('debates_').replace('_', ' ')}"
    outside = any(one["outside"] for one in summary["evaluators"])
    note = "outside: scores outside the range from low to high, which count as its nearer end"
    yield from ("", _grid("Evaluators", summary["evaluators"], [note] if outside else []))
    if "weights" in summary:
        yield from ("", _grid("Weights", summary["weights"], _of_weights(summary)))
    yield from coverage_blocks(coverages)
    if summary["note"]:
        yield from ("", summary["note"])


def _of_weights(summary: Mapping[str, Any]) -> list[str]:
    least, most = summary["learnt_from"]
    rows = f"{least}" if least == most else f"{least} to {most}"
    split = {
        FOLDS: f"{summary['folds']} folds over {{}}, a row's own fold left out",
        SOURCE: "a row's own source left out, of {}",
    }[summary["split"]].format(number_of(summary["sources"], "source"))
    return [
        f"{_STATISTICS[summary['statistic']]} with people's scores of the aspect, pooled; {split}; each from {rows} rows",
        "mean, lowest, highest: over the folds; zero: folds in which the correlation is negative or not defined",
    ]


def _grid(title: str, lines: Sequence[Mapping[str, Any]], notes: Sequence[str] = ()) -> Grid:
    head = list(lines[0]) if lines else []
    figures = [name for name in head if name not in ("aspect", "evaluator")]
    return Grid(
        title, head, [[*map(_cell, line.values())] for line in lines], figures, notes, f"{title}: none"
    )


def _cell(value: Any) -> object:
    if value is None:
        return NONE
    return f"{value:.5f}" if isinstance(value, float) and not value.is_integer() else value
