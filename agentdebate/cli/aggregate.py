"""agentdebate aggregate: what the evaluators of a run say, put together without a judge."""

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated, Any, Literal

from cyclopts import Parameter

from agentdebate.cli.account import (
    FOLDS,
    SOURCE,
    TRAINING,
    aspects,
    counts,
    coverages,
    evaluators,
    print_account,
    weights_over_folds,
)
from agentdebate.cli.console import as_json_line, out_json
from agentdebate.cli.options import STORE, StorePath
from agentdebate.cli.rows import note_of
from agentdebate.cli.run_coverage import print_coverage, warn_of_missing
from agentdebate.errors import UsageError
from agentdebate.meta.aggregation import (
    NO_PLAN,
    Aggregate,
    Case,
    Statistic,
    Weighted,
    average,
    cross_weight,
    select,
    train_weight,
)
from agentdebate.meta.cases import (
    JUDGE,
    Ended,
    cases,
    check_training,
    ended,
    known_ranges,
    ranges_of,
    row_of,
    training_cases,
)
from agentdebate.report.coverage_table import coverage_record
from agentdebate.store.reader import LAST, RunHead, read_store

How = Literal["avg", "llmsel", "corrw"]


def aggregate(
    run: str = LAST,
    /,
    *,
    how: Annotated[
        How,
        Parameter(
            help="The mean of all evaluators (avg), of those that the plan selects for the aspect (llmsel), or weighted by "
            "correlation with people's scores in rows of other sources (corrw)."
        ),
    ] = "avg",
    with_judge: Annotated[
        bool,
        Parameter(help="Take the run's own verdicts as one more evaluator.", negative="", show_default=False),
    ] = False,
    range: Annotated[
        tuple[str, ...],
        Parameter(
            help="NAME=LOW-HIGH, the scores that an evaluator can give; several with commas, or the option again.",
            negative="",
            show_default=False,
        ),
    ] = (),
    statistic: Annotated[
        Statistic | None, Parameter(help="For corrw: the correlation with people [pearson].")
    ] = None,
    folds: Annotated[
        str | None,
        Parameter(
            help="For corrw: a number of folds that sources are dealt to, or source: each is left out by itself [source]."
        ),
    ] = None,
    train: Annotated[
        tuple[Path, ...],
        Parameter(
            help="For corrw: rows of other sources, as this command writes them, that weights are learnt from instead.",
            negative="",
            show_default=False,
        ),
    ] = (),
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="A file for the rows [standard output].")
    ] = None,
    store: StorePath = STORE,
    as_json: Annotated[
        bool,
        Parameter(
            name="--json",
            negative="",
            show_default=False,
            help="Print the summary as JSON instead; rows are written to --output only.",
        ),
    ] = False,
) -> int:
    """Put the evaluators' scores of a run together: every aspect of every text gets a score from 0 to 1.

    The rows are JSONL on standard output, and a summary of them is on standard error.

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.

    """
    learning = _learning(how, statistic, folds, train)
    given = ranges_of(range)
    with read_store(store) as reader:
        head = reader.run(run)
        debates = ended(reader, head)
        open_ended = len(reader.debates(head.id)) - len(debates)
        gathered = cases(debates, known_ranges(debates, given, head), head, judge=with_judge)
    result = learning.weighted(gathered) if learning else None
    rows = result.rows if result else _means(gathered, how, head, judge=with_judge)
    _write(rows, output, to_screen=not as_json)
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
    if as_json:
        warn_of_missing(covered)
        out_json(summary)
    else:
        with redirect_stdout(sys.stderr):
            print_account(summary)
            print_coverage(covered)
    return 1 if covered and all(one.empty for one in covered) else 0


@dataclass(frozen=True)
class Learning:
    """How corrw learns its weights."""

    statistic: Statistic
    folds: int | None
    train: tuple[Path, ...]

    def weighted(self, scored: Sequence[Case]) -> Weighted:
        """The cases by weights that are learnt from others. Raises UserError."""
        if not self.train:
            if all(case.human is None for case in scored):
                raise UsageError(
                    "corrw learns from people's scores, and the run has none: hold it with --human, or give --train here"
                )
            return cross_weight(scored, statistic=self.statistic, folds=self.folds)
        training = training_cases(self.train)
        result = train_weight(scored, training, statistic=self.statistic)
        own = {case.source for case in scored}
        check_training(scored, [case for case in training if case.source not in own])
        return result

    def account(self, result: Weighted) -> dict[str, Any]:
        """What the summary says of the weights."""
        learnt = [weight.rows for weight in result.weights]
        return {
            "statistic": self.statistic,
            "split": TRAINING if self.train else FOLDS if self.folds else SOURCE,
            "folds": result.folds,
            "sources": result.sources,
            "training_rows_left_out": result.left_out,
            "learnt_from": [min(learnt, default=0), max(learnt, default=0)],
            "weights": weights_over_folds(result.weights),
        }


def _learning(
    how: How, statistic: Statistic | None, folds: str | None, train: tuple[Path, ...]
) -> Learning | None:
    """How to learn weights; None where there are none. Raises UsageError for options that do not go together."""
    given = {"--statistic": statistic, "--folds": folds, "--train": train}
    if how != "corrw":
        for option, value in given.items():
            if value:
                raise UsageError(f"{option} is for --how corrw")
        return None
    if train and folds:
        raise UsageError("--folds splits the run's own rows, and --train brings others: give one of them")
    if folds not in (None, SOURCE) and not (folds or "").isdecimal():
        raise UsageError(f"--folds is {SOURCE}, or a number such as 10, not {folds!r}")
    return Learning(statistic or "pearson", None if folds in (None, SOURCE) else int(folds or 0), train)


def _means(scored: Sequence[Case], how: How, head: RunHead, *, judge: bool) -> tuple[Aggregate, ...]:
    if how == "avg":
        return average(scored)
    rows = select(scored, always=[JUDGE] if judge else [])
    if all(row.why == NO_PLAN for row in rows):
        raise UsageError(
            f"no debate of run {head.id} has a plan that selects evaluators: hold it by llmsel or fusion, or take another --how"
        )
    return rows


def _write(rows: Sequence[Aggregate], path: Path | None, *, to_screen: bool) -> None:
    if path is None:
        if to_screen:
            _write_rows(rows, sys.stdout)
            sys.stdout.flush()
        return
    try:
        with path.open("w", encoding="utf-8", newline="") as stream:
            _write_rows(rows, stream)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error


def _write_rows(rows: Sequence[Aggregate], stream: IO[str]) -> None:
    stream.writelines(as_json_line(row_of(row)) for row in rows)


def _note(debates: Sequence[Ended], how: How, *, judge: bool) -> str | None:
    """What has to be said beside scores to which the run's own models have contributed."""
    return note_of([debate.row for debate in debates]) if judge or how == "llmsel" else None
