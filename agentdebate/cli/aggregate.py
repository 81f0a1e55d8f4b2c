"""agentdebate aggregate: what the evaluators of a run say, put together without a judge."""

import sys
from contextlib import redirect_stdout

from agentdebate.cli.console.output import out_json, show
from agentdebate.cli.console.run_page import warn_of_missing
from agentdebate.cli.options.common import STORE, Json, Output, StorePath
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
    how: How = "avg",
    with_judge: bool = False,
    range: tuple[str, ...] = (),
    statistic: Statistic | None = None,
    folds: str | None = None,
    output: Output = None,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Combine the evaluators' scores of a run: every aspect of every text gets a score from 0 to 1.

    The rows are JSONL on standard output, and a summary of them is on standard error; with --json the summary is the output, and
    rows go to --output only.

    Example: agentdebate aggregate last --how corrw -o corrw.jsonl

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.
    how
        The mean of all evaluators (avg), of those that the plan selects for the aspect (llmsel), or weighted by correlation with
        people's scores in rows of other sources (corrw).
    with_judge
        Take the run's own verdicts as one more evaluator.
    range
        NAME=LOW-HIGH, the scores that an evaluator can give; several with commas, or the option again.
    statistic
        For corrw: the correlation with people [pearson].
    folds
        For corrw: a number of folds that sources are dealt to, or source: each is left out by itself [source].
    output
        A file for the rows [standard output].

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
    if output is not None:
        with written(output, sources_of(run, store=store)) as stream:
            stream.writelines(line_for(stream, row) for row in found.rows())
    elif not as_json:
        sys.stdout.writelines(line_for(sys.stdout, row) for row in found.rows())
        sys.stdout.flush()
    if as_json:
        warn_of_missing(found.coverages)
        out_json(found.to_dict())
    else:
        with redirect_stdout(sys.stderr):
            show(found.blocks())
    return 1 if found.coverages and all(one.empty for one in found.coverages) else 0
