"""agentdebate graph: who hears whom in a strategy, drawn from a rehearsal."""

from agentdebate.cli.console.output import one_line, out, out_json, say
from agentdebate.cli.options.common import Consent, Json
from agentdebate.cli.options.settings import CastGroup, CastOptions
from agentdebate.report.prose import counted
from agentdebate.runs.hearing_graph import graph as drawn


async def graph(
    strategy: str,
    /,
    *,
    task: str | None = None,
    casting: CastGroup = CastOptions(),
    consent: Consent = Consent(),
    as_json: Json = False,
) -> int:
    """Draw who hears whom, as a Mermaid flowchart, from a debate held with made-up words. No model is called.

    Example: agentdebate graph chateval-one-by-one --agents 3

    Parameters
    ----------
    strategy
        A strategy by name, yours too (agentdebate list strategies).
    task
        The kind of item [summarization; comparison where texts are needed to compare].

    """
    found = consent.found(looks=True)
    made = await drawn(casting.strategy(strategy, found), task=task, project=found)
    if as_json:
        out_json(made.to_dict())
    else:
        out(made.mermaid)
    say(one_line(f"rehearsed on the task {made.task}: {counted(made.calls, 'call')} at most"))
    return 0
