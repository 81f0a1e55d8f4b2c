"""agentdebate dynamics: what talk did in the debates of a run."""

from agentdebate.cli.console.output import out_json, show
from agentdebate.cli.console.run_page import warn_of_missing
from agentdebate.cli.options.agree import RoundOptions
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.meta.dynamics import WITHIN
from agentdebate.meta.talks import RoundFields
from agentdebate.report.coverage import nothing_judged
from agentdebate.report.dynamics import dynamics as dynamics_of
from agentdebate.store.reader import LAST


def dynamics(
    run: str = LAST,
    /,
    *,
    within: float = WITHIN,
    data: str | None = None,
    rounds: RoundOptions = RoundFields(),
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Count what happened in the debates of a run: who moved, which way, after hearing whom, and where it led.

    Example: agentdebate dynamics last

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.
    within
        A score is right where it is at most so many points from people's.
    data
        A file of recorded rounds, a row for every ballot, in the place of a run.

    """
    found = dynamics_of(run, within=within, store=store, data=data, rounds=rounds)
    warn_of_missing(found.coverages)
    if as_json:
        out_json(found.to_dict())
    else:
        show(found.blocks())
    return 1 if nothing_judged(found.coverages) else 0
