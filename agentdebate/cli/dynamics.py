"""agentdebate dynamics: what talk did in the debates of a run."""

from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.missing import warn_of_missing
from agentdebate.cli.console.output import out_json, show
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.meta.dynamics import WITHIN
from agentdebate.report.dynamics import dynamics as dynamics_of
from agentdebate.report.run_tables.coverage import nothing_judged
from agentdebate.store.reader import LAST


def dynamics(
    run: str = LAST,
    /,
    *,
    within: Annotated[
        float, Parameter(help="A score is right where it is at most so many points from people's.")
    ] = WITHIN,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Count what happened in the debates of a run: who moved, which way, after hearing whom, and where it led.

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.

    """
    found = dynamics_of(run, within=within, store=store)
    warn_of_missing(found.coverages)
    if as_json:
        out_json(found.to_dict())
    else:
        show(found.blocks())
    return 1 if nothing_judged(found.coverages) else 0
