"""agentdebate stop: tell all processes that work on a run to stop."""

from agentdebate.cli.console.output import number, out_json, say
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.runs.work import crew
from agentdebate.runs.work import stop as stop_run
from agentdebate.store.reader import LAST


def stop(run: str = LAST, /, *, store: StorePath = STORE, as_json: Json = False) -> int:
    """Tell all processes that work on a run to stop, on whatever machine they are.

    They stop within a second or two, and what they held can be taken at once by workers that begin later. What was paid for is
    kept.

    Example: agentdebate stop last

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.

    """
    count = stop_run(run, store=store)
    found = crew(run, store=store)
    name, left = (found.run, found.left) if found else (run, 0)
    if as_json:
        out_json({"run": name, "workers": count, "left": left})
    elif count:
        say(f"told {number(count, 'worker')} of run {name} to stop; {number(left, 'debate')} left")
    else:
        say(f"no worker is at work on run {name}; {number(left, 'debate')} left")
    return 0
