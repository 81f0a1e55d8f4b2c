"""Debates held with made-up words: who speaks when, who hears whom, and what it takes, before a call is paid for.

Scores are always readable and critics always object, so that every round is used; a tie-breaker is needed. What a
rehearsal says of calls is therefore the most that a strategy takes, as long as no reply has to be asked for again.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.replies import KINDS
from agentdebate.debates.ready import ReadyStrategy, ready
from agentdebate.debates.record import OFFLINE, Record
from agentdebate.errors import DataError, DebateError
from agentdebate.models.base import Completion, Context, Model, ModelRequest, Sampling, TokenLogprob
from agentdebate.models.function import Function
from agentdebate.models.registry import model_name, writes_of
from agentdebate.models.tokens import THINKING, count, counted
from agentdebate.options import read_options
from agentdebate.project.model_spec import ModelSpec, has_place
from agentdebate.project.project import Project
from agentdebate.strategies.base import Strategy
from agentdebate.talk.messages import Critique, Plan, Poll, Roster, Ruling, Samples, Score, Statement
from agentdebate.tasks import Item, Task
from agentdebate.usage import Usage

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
    made = ready(
        strategy,
        model=made_up,
        project=project,
        opener=lambda _: made_up,
        settings=settings,
    )
    async with made as debate:
        usual = [aspect.name for aspect in task.choose(None)]
        aspects = usual if strategy.judges_together() else usual[:1]
        record = await debate.hold(about.model_copy(update={"task": task.name}), aspects)
    _raise_failure(record)
    return record


def _raise_failure(record: Record) -> None:
    failure = record.failure
    if isinstance(record.error, DataError):
        raise record.error
    if failure is not None:
        reason = f"{record.strategy} on {record.task}: {failure.reason}"
        raise DebateError(reason, agent=failure.agent) from record.error


def _usage(request: ModelRequest, text: str, model: str, own: Sampling, kept: Sequence[str] | None) -> Usage:
    """Estimate the usage of a rehearsed call. A reply has its greatest length, where a limit is set."""
    if model == OFFLINE:
        return Usage(calls=1)
    sampling = own.overlaid(request.sampling)
    reply = sampling.max_tokens or count(text, model).n + THINKING.get(sampling.effort, 0)
    prompt = counted(request, model)
    written = prompt if kept is None else min(prompt, sum(count(text, model).n for text in kept))
    return Usage(
        calls=1, prompt_tokens=prompt, completion_tokens=reply * sampling.n, cache_write_tokens=written
    )


class Stage:
    """Stand-ins for all models, each with the name of the model whose part it plays, and the usage of what they were asked."""

    def __init__(self) -> None:
        self._made_up = MadeUp()
        self._spent: dict[str, Usage] = {}

    def open(self, spec: str) -> Model:
        """A stand-in for a model that is written so. It holds replies to schemas, as endpoints are taken to do at first."""
        options = ModelSpec.parse(spec).options
        name = model_name(
            spec
        )  # without its options, so that it has the model's vocabulary, and its price at its tier
        hour = options.get("prompt_cache_ttl") == "1h"
        end = options.get("tier") if options.get("tier") == "flex" else "1h-writes" if hour else ""
        at = f"{name}{'' if has_place(name) else ' at'} {end}" if end else name
        writes = writes_of(spec)
        given = {one: value for one, value in options.items() if one in Sampling.model_fields}
        own = read_options(Sampling, given, of=name)

        def reply(request: ModelRequest) -> Completion:
            made = self._made_up.reply(request)
            self._spent[at] = self._spent.get(at, Usage()) + _usage(
                request, made.text, at, own, writes(request)
            )
            return replace(made, model=at)

        return Function(name, reply, structured=name != OFFLINE)

    async def usage(self, debate: ReadyStrategy, item: Item, aspects: Sequence[str]) -> Mapping[str, Usage]:
        """Compute each model's usage in a debate with made-up words.

        Raises DataError for an item that lacks something, and DebateError where the strategy fails.
        """
        self._spent = {}
        _raise_failure(await debate.hold(item, aspects))
        return self._spent


class MadeUp:
    """Replies in the form that is wanted. No two ballots in a row are alike, so that no two agents agree."""

    def __init__(self) -> None:
        self._ballots = 0

    def reply(self, request: ModelRequest) -> Completion:
        """Reply to a request, with as many samples and log-probabilities as it asks for."""
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
        said = KINDS[context.reply].message if context.reply in KINDS else Statement
        if context.example is not None:
            self._ballots += 1
            return [context.example(self._ballots)]
        if issubclass(said, Score | Ruling | Samples):
            return self._ballot(context)
        if issubclass(said, Critique):
            return [OBJECTION]
        made = next((lines for kind, lines in _MADE.items() if issubclass(said, kind)), None)
        return [WORDS] if made is None else made(context)

    def _ballot(self, context: Context) -> list[str]:
        self._ballots += 1
        lines = [WORDS]
        for place, line in enumerate(context.lines):
            scale = line.aspect.scale
            score = (scale.low, scale.high)[(self._ballots + place) % 2]
            lines.append(f"{line.aspect.title}: {score:g}")
        return lines


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


_MADE = {Plan: _plan, Poll: _poll, Roster: _roster}
"""The lines of replies that are made up from what the turn was given, by the kind of message."""
