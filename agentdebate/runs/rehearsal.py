"""Debates held with made-up words: who speaks when, who hears whom, and what it takes, before a call is paid for.

Scores are always readable and critics always object, so that every round is used; a tie-breaker is needed. What a
rehearsal says of calls is therefore the most that a strategy takes, as long as no reply has to be asked for again.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.replies import KINDS
from agentdebate.debates.ready import ReadyStrategy, ready
from agentdebate.debates.record import OFFLINE, Record
from agentdebate.errors import DataError, DebateError
from agentdebate.models.base import Call, Completion, Context, Model, ModelRequest, TokenLogprob
from agentdebate.models.function import Function
from agentdebate.models.registry import model_name
from agentdebate.models.tokens import count, counted, texts_of, vocabulary_of
from agentdebate.project.project import Project
from agentdebate.strategies.base import Strategy
from agentdebate.talk.messages import Critique, Failure, Plan, Poll, Roster, Ruling, Samples, Score, Statement
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


class Stage:
    """Where nobody speaks but stand-ins: each with the name of the model whose part it plays."""

    def __init__(self) -> None:
        self._made_up = MadeUp()

    def open(self, spec: str) -> Model:
        """A stand-in for a model that is written so. It holds replies to schemas, as endpoints are taken to do at first."""
        name = model_name(spec)  # without its options, so that it has the model's price and vocabulary
        return self.play(name, structured=name != OFFLINE)

    def play(self, name: str, *, structured: bool) -> Model:
        """A stand-in for a model of that name."""

        def reply(request: ModelRequest) -> Completion:
            return replace(self._made_up.reply(request), model=name)

        return Function(name, reply, structured=structured)


@dataclass(frozen=True, slots=True)
class Held:
    """What one debate took, by model."""

    usage: Mapping[str, Usage] = field(default_factory=dict)
    unlimited: bool = False
    """Whether there were replies whose length nobody limits."""
    limited: bool = False
    """Whether there were others."""
    beside: int = 0
    """How many samples came beside the first one of a call."""
    failed: str | None = None
    """Why it failed, where its item is to blame."""

    @classmethod
    def of(cls, calls: Sequence[Call]) -> "Held":
        """What these calls took."""
        paid = [call for call in calls if call.completion.model != OFFLINE]
        usage: dict[str, Usage] = {}
        for call in calls:
            name = call.completion.model
            usage[name] = usage.get(name, Usage()) + _usage(call)
        limits = {call.request.sampling.max_tokens is not None for call in paid}
        beside = sum(call.request.sampling.n - 1 for call in paid)
        return cls(usage, unlimited=False in limits, limited=True in limits, beside=beside)

    def of_model(self, model: str) -> Usage:
        """What a model did."""
        return self.usage.get(model, Usage())


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Debates on one set of aspects: what is done once for all of them, and each."""

    once: Held
    each: Sequence[Held]

    def usage(self, model: str, items: int) -> Usage:
        """What a model does in debates over so many items."""
        each = [held.of_model(model) for held in self.each]
        tokens = {
            name: _mean_times([getattr(one, name) for one in each], items)
            for name in ("prompt_tokens", "completion_tokens")
        }
        calls = most_times([one.calls for one in each], items)
        return Usage(calls=calls, **tokens) + self.once.of_model(model)


async def rehearsal(debate: ReadyStrategy, items: Sequence[Item], aspects: Sequence[str]) -> Rehearsal:
    """Hold debates over the items; over one of them twice, since what is found out once for all is not asked again.

    Raises DataError where none of them can be judged, and DebateError where the strategy fails.
    """
    each = [await rehearsed(debate, item, aspects) for item in items]
    place = next((place for place, held in enumerate(each) if held.failed is None), None)
    if place is None:
        if each:
            raise DataError(f"none of {len(each)} items that were rehearsed can be judged: {each[0].failed}")
        return Rehearsal(Held(), each)
    again = await rehearsed(debate, items[place], aspects)
    return Rehearsal(_beyond(each[place], again), [*each[:place], again, *each[place + 1 :]])


async def rehearsed(debate: ReadyStrategy, item: Item, aspects: Sequence[str]) -> Held:
    """Hold one debate; an item that lacks something fails alone. Raises DebateError where the strategy fails."""
    record = await debate.hold(item, aspects)
    await _learn(record.calls)
    if record.failure is None:
        return Held.of(record.calls)
    reason = record.failure.reason
    if isinstance(record.error, DataError):
        return replace(Held.of(record.calls), failed=reason)
    agent = record.failure.agent
    raise DebateError(f"{record.strategy} on {record.task}: {reason}", agent=agent) from record.error


def _beyond(first: Held, second: Held) -> Held:
    """What the first of two debates over one item took beyond the second."""
    models = [name for name in first.usage if first.usage[name].calls > second.of_model(name).calls]
    usage = {name: _difference(first.usage[name], second.of_model(name)) for name in models}
    beside = max(first.beside - second.beside, 0)
    return Held(usage, unlimited=first.unlimited, limited=first.limited, beside=beside)


def most_times(values: Sequence[int], items: int) -> int:
    """The sum where all items were rehearsed, and the most of any for each where not."""
    return sum(values) if len(values) == items else max(values, default=0) * items


def _mean_times(values: Sequence[int], items: int) -> int:
    return -(-sum(values) * items // len(values)) if values else 0


def _difference(one: Usage, other: Usage) -> Usage:
    names = ("calls", "prompt_tokens", "completion_tokens")
    return Usage(**{name: max(getattr(one, name) - getattr(other, name), 0) for name in names})


def _usage(call: Call) -> Usage:
    """What a rehearsed call would take. A reply is as long as it may be, where somebody says how long that is."""
    if call.completion.model == OFFLINE:
        return Usage(calls=1)
    request, sampling = call.request, call.request.sampling
    model = call.completion.model
    reply = sampling.max_tokens or count(call.completion.text, model).n
    prompt = counted(request, model)
    return Usage(calls=1, prompt_tokens=prompt, completion_tokens=reply * sampling.n)


async def _learn(calls: Sequence[Call]) -> None:
    """Have the vocabularies of models find out what they count. Raises ModelError."""
    said: dict[str, set[str]] = {}
    for call in calls:
        said.setdefault(call.completion.model, set()).update(texts_of(call.request))
        said[call.completion.model].add(call.completion.text)
    for model, texts in said.items():
        vocabulary = vocabulary_of(model)
        if vocabulary is not None:
            await vocabulary.learn(frozenset(texts))


def spread(items: Sequence[Item], number: int) -> list[Item]:
    """So many of the items, as short and as long as all of them are."""
    if len(items) <= number:
        return list(items)
    ordered = sorted(items, key=lambda item: sum(map(len, item.fields.values())))
    return [ordered[(2 * place + 1) * len(ordered) // (2 * number)] for place in range(number)]
