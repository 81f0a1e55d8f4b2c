"""agentdebate graph: who hears whom in a strategy, drawn from a rehearsal."""

from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.output import number, one_line, out, out_json, say
from agentdebate.cli.options.cast import CastOptions
from agentdebate.cli.options.common import AllowCode, Allowed, Json, ProjectPath, project_at
from agentdebate.project.trust import Trust
from agentdebate.runs.hearing_graph import graph as drawn


async def graph(
    strategy: str,
    /,
    *,
    task: Annotated[
        str | None,
        Parameter(help="The kind of item [summarization; comparison where texts are needed to compare]."),
    ] = None,
    as_json: Json = False,
    project: ProjectPath = None,
    allow_endpoint: Allowed = (),
    allow_code: AllowCode = False,
    casting: CastOptions = CastOptions(),
) -> int:
    """Draw who hears whom, as a Mermaid flowchart, from a debate held with made-up words. No model is called.

    Parameters
    ----------
    strategy
        A strategy by name, yours too; "agentdebate list strategies" shows them.

    """
    found = project_at(project, Trust.allowing(allow_endpoint, code=allow_code), looks=True)
    made = await drawn(casting.strategy(strategy, found), task=task, project=found)
    if as_json:
        out_json(made.to_dict())
    else:
        out(made.mermaid)
    say(one_line(f"rehearsed on the task {made.task}: {number(made.calls, 'call')} at the most"))
    return 0
