"""agentdebate frontier: strategies over the same items, agreement against cost."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.logs import logged
from agentdebate.cli.console.output import out_json, show
from agentdebate.cli.console.run_page import warn_of_missing
from agentdebate.cli.options.agree import QuestionOptions
from agentdebate.cli.options.common import OUTPUT, STORE, STRATEGY, Json, Log, StorePath
from agentdebate.cli.options.order import Order
from agentdebate.cli.sweep import Narrator
from agentdebate.datasets.named_values import names
from agentdebate.report.frontier import frontier as frontier_of
from agentdebate.report.plot import Unit, check_path


async def frontier(
    data: str,
    /,
    *,
    strategies: Annotated[str, Parameter(group=STRATEGY)],
    per: Unit = "calls",
    options: Order = Order(),
    asking: QuestionOptions = QuestionOptions(),
    output: Annotated[Path | None, Parameter(name=["--output", "-o"], group=OUTPUT)] = None,
    store: StorePath = STORE,
    as_json: Json = False,
    log: Log = None,
) -> int:
    """Judge items by several strategies and their controls, and show agreement with people against cost.

    Runs that have ended are not held again when the command is called again.

    Example: agentdebate frontier summaries.jsonl --strategies solo,debate --task summarization --human coherence=expert

    Parameters
    ----------
    data
        A JSONL, JSON, CSV, TSV or Parquet file.
    strategies
        Strategies by name, with commas.
    per
        The unit of a debate's cost.
    output
        A file for the picture, which ends in .png, .svg or .html.

    """
    if output is not None:
        check_path(output)
    chosen = names(strategies)
    order = replace(options, name=next(iter(chosen), ""), data=data)
    supply = await order.supply(whole=True)
    with logged(log):
        found = await frontier_of(
            supply,
            chosen,
            per=per,
            **asking.arguments,
            **vars(order.casting),
            settings=order.settings,
            store=store,
            progress=Narrator(),
        )
    warn_of_missing(found.swept.coverages)
    if output is not None:
        found.plot.write(output)
    if as_json:
        out_json(found.to_dict())
    else:
        show(found.blocks())
    return found.swept.exit_code
