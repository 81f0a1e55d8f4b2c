"""Debates held for a forecast: made-up words in the place of every model, and nothing measured, embedded or written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from agentdebate.debates.debate import Debate
from agentdebate.debates.record import OFFLINE
from agentdebate.errors import DataError, DebateError
from agentdebate.models.base import Call, Completion, Model, ModelRequest
from agentdebate.models.function import Function
from agentdebate.models.registry import model_name
from agentdebate.models.tokens import count, counted, texts_of, vocabulary_of
from agentdebate.runs.rehearsal import MadeUp
from agentdebate.tasks import Item
from agentdebate.usage import Usage


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
            return self._made_up.reply(request).model_copy(update={"model": name})

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


async def rehearsal(debate: Debate, items: Sequence[Item], aspects: Sequence[str]) -> Rehearsal:
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


async def rehearsed(debate: Debate, item: Item, aspects: Sequence[str]) -> Held:
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
