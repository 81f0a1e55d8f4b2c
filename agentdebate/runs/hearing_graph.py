"""`graph`: who hears whom in a strategy, from a debate held with made-up words."""

from dataclasses import asdict, dataclass
from typing import Any

from agentdebate.errors import DebateError
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import Prompts
from agentdebate.runs.agenda import check_suits
from agentdebate.runs.rehearsal import rehearse
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import strategy as load_strategy
from agentdebate.talk.bus import Hearing, hearings, mermaid

TASKS = ("summarization", "comparison")
"""The tasks that a rehearsal is held on: the first that the strategy can be held on."""


@dataclass(frozen=True)
class HearingGraph:
    """Graph of who hears whom in a strategy, as `graph` gives it."""

    strategy: str
    task: str
    """The task that it was rehearsed on."""
    calls: int
    """Most calls of a debate."""
    hearings: tuple[Hearing, ...]
    """The arrows."""

    def __str__(self) -> str:
        return self.mermaid

    @property
    def mermaid(self) -> str:
        """A Mermaid flowchart."""
        return mermaid(self.hearings)

    def to_dict(self) -> dict[str, Any]:
        """The graph as JSON has it."""
        return {**asdict(self), "mermaid": self.mermaid}


async def graph(
    strategy: Strategy | str, *, task: str | None = None, project: Project | None = None
) -> HearingGraph:
    """Draw who hears whom in a strategy, from a debate with made-up words; no model is called.

        print(await ad.graph("chateval-one-by-one"))

    It is rehearsed on the task of that name; where none is named on summarization, or on comparison where texts are needed to
    compare. Raises UserError, and DebateError where the strategy fails even so.
    """
    found = project or Project.here()
    prompts = Prompts(found)
    chosen = load_strategy(strategy, project=found) if isinstance(strategy, str) else strategy
    if task:
        check_suits(chosen, prompts.task(task))
    errors = list[DebateError]()
    for name in (task,) if task else TASKS:
        try:
            record = await rehearse(chosen, prompts.task(name), project=found)
        except DebateError as error:
            errors.append(error)
        else:
            return HearingGraph(chosen.title, record.task, len(record.calls), hearings(record.transcript))
    raise errors[0]
