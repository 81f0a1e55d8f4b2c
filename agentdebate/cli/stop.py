"""agentdebate stop: tell all processes that work on a run to stop."""

from agentdebate.cli.console.output import out_json, say
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.report.prose import counted
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
    count, found = stop_run(run, store=store), crew(run, store=store)
    assert found is not None, "a run without a queue was refused"
    if as_json:
        out_json({"run": found.run, "workers": count, "left": found.left})
    else:
        say(
            f"told {counted(count, 'worker')} of run {found.run} to stop; {counted(found.left, 'debate')} left"
        )
    return 0
