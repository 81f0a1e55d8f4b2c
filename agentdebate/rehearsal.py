"""A debate held with made-up words: who speaks when, who hears whom, and how many calls it takes, before one is paid for.

Scores are always readable and critics always object, so that every round is used; a tie-breaker is needed. What a
rehearsal says of calls is therefore the most that a strategy takes, as long as no reply has to be asked for again.
"""

from agentdebate.debates import ready
from agentdebate.errors import DebateError
from agentdebate.messages import Failure
from agentdebate.models.base import Context, ModelRequest
from agentdebate.models.function import Function
from agentdebate.project import Project
from agentdebate.results import Record
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Item, Task

WORDS = "This is what would be said here. " * 8
"""About as long as a short reply."""


async def rehearse(
    strategy: Strategy, task: Task, *, item: Item | None = None, project: Project | None = None
) -> Record:
    """Hold a debate with a model that makes up its replies, in the place of every model that anybody names.

    Raises DebateError where the strategy fails even so.
    """
    made_up = Function("rehearsal", MadeUp().reply)
    about = item or Item(id="item", task=task.name, fields=dict.fromkeys(task.fields, WORDS))
    async with ready(
        strategy, model=made_up, project=project, tasks={task.name: task}, opener=lambda _: made_up
    ) as debate:
        record = await debate.hold(about.model_copy(update={"task": task.name}))
    if isinstance(record.failure, Failure):
        raise DebateError(
            f"{strategy.title} on {task.name}: {record.failure.reason}", agent=record.failure.agent
        )
    return record


class MadeUp:
    """Replies in the form that is wanted. No two ballots in a row are alike, so that nobody agrees."""

    def __init__(self) -> None:
        self._ballots = 0

    def reply(self, request: ModelRequest) -> str:
        """What is said to a request."""
        context = request.context
        assert context is not None, "an agent's request has a context"
        return "\n".join([WORDS, *self._ballot(context)])

    def _ballot(self, context: Context) -> list[str]:
        if context.reply not in {"score", "ruling"}:
            return []
        self._ballots += 1
        ends = [(line.aspect.scale.low, line.aspect.scale.high) for line in context.lines]
        scores = [ends_of[(self._ballots + place) % 2] for place, ends_of in enumerate(ends)]
        return [f"{line.aspect.title}: {score:g}" for line, score in zip(context.lines, scores, strict=True)]
