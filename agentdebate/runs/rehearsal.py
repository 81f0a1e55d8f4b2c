"""A debate held with made-up words: who speaks when, who hears whom, and how many calls it takes, before one is paid for.

Scores are always readable and critics always object, so that every round is used; a tie-breaker is needed. What a
rehearsal says of calls is therefore the most that a strategy takes, as long as no reply has to be asked for again.
"""

import re
from hashlib import sha256

from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.reading import KINDS
from agentdebate.debates.debate import ready
from agentdebate.debates.record import Record
from agentdebate.errors import DebateError
from agentdebate.models.base import Completion, Context, ModelRequest, TokenLogprob
from agentdebate.models.function import Function
from agentdebate.project.project import Project
from agentdebate.strategies.base import Strategy
from agentdebate.talk.messages import Critique, Failure, Plan, Poll, Roster, Ruling, Samples, Score, Statement
from agentdebate.tasks import Item, Task

_POINTS = ("first", "second", "third", "fourth", "fifth", "sixth", "next", "last")
WORDS = "".join(f"The {point} is what would be said here. " for point in _POINTS)
"""About as long as a short reply, and no loop, which would be asked for again."""
OBJECTION = WORDS.replace("would be said here", "we would object to")
"""A critic's, which has to be told from agreement: one that says neither is asked again."""


async def rehearse(
    strategy: Strategy, task: Task, *, item: Item | None = None, project: Project | None = None
) -> Record:
    """Hold a debate with a model that makes up its replies, in the place of every model that anybody names.

    Raises DebateError where the strategy fails even so.
    """
    made_up = Function("rehearsal", MadeUp().reply)
    fields = dict.fromkeys((*task.fields, "reference"), WORDS)
    about = item or Item(id="item", task=task.name, fields=fields)
    settings = DebateSettings(tasks={task.name: task}, rehearsal=True)
    made = ready(strategy, model=made_up, project=project, opener=lambda _: made_up, settings=settings)
    async with made as debate:
        usual = [aspect.name for aspect in task.choose(None)]
        aspects = usual if strategy.judges_together() else usual[:1]
        record = await debate.hold(about.model_copy(update={"task": task.name}), aspects)
    if isinstance(record.failure, Failure):
        raise DebateError(
            f"{strategy.title} on {task.name}: {record.failure.reason}", agent=record.failure.agent
        )
    return record


class MadeUp:
    """Replies in the form that is wanted. No two ballots in a row are alike, so that nobody agrees."""

    def __init__(self) -> None:
        self._ballots = 0

    def reply(self, request: ModelRequest) -> Completion:
        """What is said to a request, with as many samples and log-probabilities as it asks for."""
        context = request.context
        assert context is not None, "an agent's request has a context"
        sure = ["Confidence: 80%"] if context.confidence == "asked" else []
        text = "\n".join([*self._lines(context), *sure])
        tokens = tuple(TokenLogprob(token=token, logprob=0.0) for token in re.findall(r"\s*\S+", text))
        return Completion(
            text=text,
            model="rehearsal",
            logprobs=tokens if request.sampling.logprobs is not None else None,
            others=(text,) * (request.sampling.n - 1),
        )

    def _lines(self, context: Context) -> list[str]:
        if context.example is not None:
            self._ballots += 1
            return [context.example(self._ballots)]
        said = KINDS[context.reply].message if context.reply in KINDS else Statement
        if issubclass(said, Poll):
            return _poll(context)
        if issubclass(said, Roster):
            return _roster(context)
        if issubclass(said, Plan):
            return _plan(context)
        if issubclass(said, Critique):
            return [OBJECTION]
        return self._ballot(context) if issubclass(said, Score | Ruling | Samples) else [WORDS]

    def _ballot(self, context: Context) -> list[str]:
        self._ballots += 1
        ends = [(line.aspect.scale.low, line.aspect.scale.high) for line in context.lines]
        scores = [ends_of[(self._ballots + place) % 2] for place, ends_of in enumerate(ends)]
        lines = [f"{line.aspect.title}: {score:g}" for line, score in zip(context.lines, scores, strict=True)]
        return [WORDS, *lines]


def _plan(context: Context) -> list[str]:
    """Every evaluator for every aspect."""
    names = ", ".join(one["name"] for one in context.given["evaluators"]) or "none"
    return [WORDS, *(f"{aspect.title}: {names}" for aspect in context.aspects)]


def _poll(context: Context) -> list[str]:
    """Votes for one text and another in turn."""
    labels = [candidate.label for candidate in context.candidates]
    titles = [f"Role {number}: {player.title}" for number, player in enumerate(context.players, 1)] or [""]
    return [
        line
        for number, title in enumerate(titles)
        for line in (title, f"Reason: {WORDS}", f"Vote: {labels[number % len(labels)]}")
    ]


def _roster(context: Context) -> list[str]:
    """Readers of whom no two are alike, so that all of them are seated."""
    coarse, fine = context.given["coarse"], context.given["fine"]
    first = 1 if coarse else 1001  # those who are asked for apart are others
    readers = range(first, first + coarse + fine)
    return [f"{place}. Reader {number}: {_unlike(number)}" for place, number in enumerate(readers, 1)]


def _unlike(number: int) -> str:
    """Words that share next to nothing with those of another number."""
    letters = sha256(str(number).encode()).hexdigest().translate(str.maketrans("0123456789", "ghijklmnop"))
    return " ".join(letters[start : start + 8] for start in range(0, len(letters), 8))
