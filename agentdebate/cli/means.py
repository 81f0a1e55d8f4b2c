"""agentdebate means: means and shares of columns by group."""

from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.output import out_json, show
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.datasets.named_values import names
from agentdebate.report.means import means as means_of
from agentdebate.store.reader import LAST


def means(
    source: str = LAST,
    /,
    *,
    of: Annotated[str, Parameter(help="The columns, with commas: numbers or labels, such as calls,rounds.")],
    by: Annotated[str | None, Parameter(help="The fields whose values make the groups, with commas.")] = None,
    group: Annotated[
        str | None,
        Parameter(help="The field of what rows share, which intervals draw [every row by itself]."),
    ] = None,
    resamples: Annotated[int, Parameter(help="Bootstrap resamples of an interval; 0 for none.")] = 1000,
    confidence: Annotated[float, Parameter(help="How much of the resamples an interval holds.")] = 0.95,
    bootstrap_seed: Annotated[int, Parameter(help="The seed of resamples.")] = 0,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Print the mean of each column in each group, and of labels the share of each, with intervals.

    Parameters
    ----------
    source
        A file of rows, or a run, or the beginning of its name; "last" is the newest run.

    """
    found = means_of(
        source,
        names(of),
        by=names(by),
        group=group,
        store=store,
        resamples=resamples,
        confidence=confidence,
        bootstrap_seed=bootstrap_seed,
    )
    if as_json:
        out_json(found.rows())
    else:
        show([found.table])
    return 0
