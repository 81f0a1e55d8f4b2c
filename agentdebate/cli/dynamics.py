"""agentdebate dynamics: what talk did in the debates of a run."""

from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.missing import warn_of_missing
from agentdebate.cli.console.output import out_json, show
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.meta.dynamics import WITHIN
from agentdebate.meta.recorded_rounds import RoundFields
from agentdebate.report.coverage import nothing_judged
from agentdebate.report.dynamics import dynamics as dynamics_of
from agentdebate.store.reader import LAST


def dynamics(
    run: str = LAST,
    /,
    *,
    within: Annotated[
        float, Parameter(help="A score is right where it is at most so many points from people's.")
    ] = WITHIN,
    data: Annotated[
        str | None,
        Parameter(help="A file of recorded rounds, a row for every ballot, in the place of a run."),
    ] = None,
    item: Annotated[str, Parameter(help="For --data: the field of the item.")] = "id",
    round: Annotated[str, Parameter(help="For --data: the field of the round's number.")] = "round",
    agent: Annotated[str, Parameter(help="For --data: the field of the agent.")] = "agent",
    value: Annotated[str, Parameter(help="For --data: the field of the score or choice.")] = "value",
    human: Annotated[str | None, Parameter(help="For --data: the field of people's score or choice.")] = None,
    verdict: Annotated[
        str | None, Parameter(help="For --data: the field of the verdict [what the last ballots come to].")
    ] = None,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Count what happened in the debates of a run: who moved, which way, after hearing whom, and where it led.

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.

    """
    rounds = RoundFields(item, round, agent, value, human, verdict)
    found = dynamics_of(run, within=within, store=store, data=data, rounds=rounds)
    warn_of_missing(found.coverages)
    if as_json:
        out_json(found.to_dict())
    else:
        show(found.blocks())
    return 1 if nothing_judged(found.coverages) else 0
