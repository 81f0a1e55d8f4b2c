"""agentdebate aggregate: what the evaluators of a run say, put together without a judge."""

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import IO, Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.console.missing import warn_of_missing
from agentdebate.cli.console.output import out_json, show
from agentdebate.cli.options.common import STORE, StorePath
from agentdebate.meta.aggregation import Statistic
from agentdebate.report.aggregate import How
from agentdebate.report.aggregate import aggregate as aggregated
from agentdebate.report.data_lines import line_for
from agentdebate.report.output_file import sources_of, written
from agentdebate.store.reader import LAST


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
    found = aggregated(
        run,
        how=how,
        with_judge=with_judge,
        range=range,
        statistic=statistic,
        folds=folds,
        store=store,
    )
    sources = sources_of(run, store=store)
    _write(found.rows(), output, sources, to_screen=not as_json)
    if as_json:
        warn_of_missing(found.coverages)
        out_json(found.to_dict())
    else:
        with redirect_stdout(sys.stderr):
            show(found.blocks)
    return 1 if found.coverages and all(one.empty for one in found.coverages) else 0


def _write(rows: Sequence[Any], path: Path | None, sources: Sequence[Path], *, to_screen: bool) -> None:
    if path is not None:
        with written(path, sources) as stream:
            _write_rows(rows, stream)
    elif to_screen:
        _write_rows(rows, sys.stdout)
        sys.stdout.flush()


def _write_rows(rows: Sequence[Any], stream: IO[str]) -> None:
    stream.writelines(line_for(stream, row) for row in rows)
