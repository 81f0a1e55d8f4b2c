"""agentdebate graph: who hears whom in a strategy, drawn from a rehearsal."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.casting import CastOptions
from agentdebate.cli.console import number, one_line, out, out_json, say
from agentdebate.cli.options import AllowCode, Allowed, Json, ProjectPath, project_at
from agentdebate.cli.preparing import check_suits
from agentdebate.debates.record import Record
from agentdebate.errors import DebateError
from agentdebate.project.project import Project
from agentdebate.project.trust import Trust
from agentdebate.prompts.prompts import Prompts
from agentdebate.runs.rehearsal import rehearse
from agentdebate.strategies.base import Strategy
from agentdebate.talk.graph import hearings, mermaid
from agentdebate.talk.messages import Message

USUAL = ("summarization", "comparison")
"""The tasks that a rehearsal is held on: the first that the strategy can be held on."""


def graph(
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
    found = project_at(project, Trust.allowing(allow_endpoint, code=allow_code))
    chosen = casting.strategy(strategy, found)
    if task:
        check_suits(chosen, Prompts(found).task(task))
    record = _rehearsed(chosen, (task,) if task else USUAL, found)
    about = {"strategy": chosen.title, "task": record.task, "calls": len(record.calls)}
    show_graph(record.transcript, about, as_json=as_json)
    say(one_line(f"rehearsed on the task {record.task}: {number(len(record.calls), 'call')} at the most"))
    return 0


def show_graph(messages: Sequence[Message], about: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the picture of a debate; as JSON with who it is `about`, and the arrows one by one."""
    found = hearings(messages)
    if as_json:
        out_json({**about, "hearings": [asdict(one) for one in found], "mermaid": mermaid(found)})
    else:
        out(mermaid(found))


def _rehearsed(strategy: Strategy, tasks: Sequence[str], project: Project) -> Record:
    """The rehearsal on the first of these tasks on which the strategy can be held. Raises what the first one raised."""
    prompts, errors = Prompts(project), list[DebateError]()
    for name in tasks:
        try:
            return asyncio.run(rehearse(strategy, prompts.task(name), project=project))
        except DebateError as error:
            errors.append(error)
    raise errors[0]
