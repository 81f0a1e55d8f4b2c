"""agentdebate stop: tell all processes that work on a run to stop."""

from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.output import number, out_json, say
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.runs.work import crew
from agentdebate.runs.work import stop as stop_run
from agentdebate.store.reader import LAST


def stop(
    run: str = LAST,
    /,
    *,
    drain: Annotated[
        bool,
        Parameter(help="Let them hold what they have begun to its end.", negative="", show_default=False),
    ] = False,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Tell all processes that work on a run to stop, on whatever machine they are.

    They stop within a second or two, and what they held can be taken at once by workers that begin later. What was paid for is
    kept.

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.

    """
    count = stop_run(run, store=store, drain=drain)
    found = crew(run, store=store)
    name, left = (found.run, found.left) if found else (run, 0)
    if as_json:
        out_json({"run": name, "workers": count, "left": left, "drain": drain})
        return 0
    told = (
        f"told {number(count, 'worker')} of run {name} to stop"
        if count
        else f"no worker is at work on run {name}"
    )
    say(f"{told}; {number(left, 'debate')} left")
    return 0
