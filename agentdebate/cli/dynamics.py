"""agentdebate dynamics: what talk did in the debates of a run."""

from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console import one_line, out, out_json, table
from agentdebate.cli.options import STORE, Json, StorePath
from agentdebate.cli.run_coverage import nothing_judged, print_coverage, warn_of_missing
from agentdebate.meta.flips import WITHIN
from agentdebate.report.dynamics import RunDynamics
from agentdebate.report.dynamics import dynamics as dynamics_of
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
        _print(found)
    return 1 if nothing_judged(found.coverages) else 0


def _print(found: RunDynamics) -> None:
    for line in found.opening:
        out(one_line(line))
    for one in found.tables:
        out()
        if one.rows:
            table(one.title, one.head, one.rows, numeric=one.numeric)
        out(one.legend if one.rows else one.nothing)
    print_coverage(found.coverages)
    if found.note:
        out(f"\n{found.note}")
