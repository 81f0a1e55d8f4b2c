"""Rows of a run's tables: messages, model calls, ratings of ballots, and costs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple

from agentdebate.models.base import ChatMessage, Completion, ModelRequest, Sampling
from agentdebate.tables.column import Column, Kind
from agentdebate.tables.table import Table
from agentdebate.talk.messages import Message, Reply, Verdict, words_of
from agentdebate.usage import Usage, total


def columns(**kinds: Kind) -> tuple[Column, ...]:
    """The columns of a table, each with what stands in it."""
    return tuple(Column(name, kind) for name, kind in kinds.items())


def item_of_debate(debate: str) -> str:
    """The id of the item that a debate is about."""
    return debate.rpartition("/")[0]


def models_of(messages: Iterable[Message]) -> dict[str, str]:
    """Return each agent's model by the name in its replies."""
    replies = (one for one in messages if isinstance(one, Reply))
    return {one.sender.partition("#")[0]: one.model for one in replies if one.model}


class RunMessage(NamedTuple):
    """A message of a stored run, and the id of the debate in which it was said."""

    debate: str
    message: Message

    def row(self) -> dict[str, Any]:
        """One flat row; `text` is what those hear who are told of it."""
        said = self.message
        return {
            **{name: getattr(said, name) for name in ("seq", "kind", "sender", "to", "round")},
            "debate": self.debate,
            "item": item_of_debate(self.debate),
            "time": said.time or None,
            "text": words_of(said),
        }


MESSAGES = columns(
    debate="text", item="text", seq="integer", kind="text", sender="text", to="texts", round="integer", time="time", text="text"
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class RunCall:
    """A model call of a stored run: who made it in which debate, what was sent, word for word, and what came back."""

    debate: str
    number: int
    """Number of the call within its debate, from 1."""
    agent: str
    round: int
    ask: int
    """The number of the message that asked for it."""
    attempt: int
    shown: tuple[int, ...]
    """The numbers of the messages that were shown in it."""
    key: str
    """The digest of the request."""
    sampling: Mapping[str, Any]
    """The sampling parameters of the request that are set."""
    schema: bool
    """True where the request held the reply to a schema."""
    sample: int
    """Number of this sample among those of the same request."""
    prompt: tuple[Mapping[str, str], ...]
    """The chat messages behind the brief."""
    completion: Completion
    model: str = ""
    """The model, by the name that ballots have; `completion.model` is what the endpoint calls it."""
    brief: str = ""
    """Text with which every call of the sitting begins; it was sent as the system message, in front of `prompt`."""

    def __repr__(self) -> str:
        return f"<RunCall {self.number} of {self.debate[:80]!r}: {self.agent[:40]}, round {self.round}>"

    @property
    def sent(self) -> tuple[ChatMessage, ...]:
        """Messages that were sent: the brief and what comes after it."""
        first = [ChatMessage("system", self.brief)] if self.brief else []
        return (*first, *(ChatMessage(**one) for one in self.prompt))  # type: ignore[arg-type]  # as they were stored

    @property
    def request(self) -> ModelRequest:
        """The request, without its schema, which is not kept."""
        return ModelRequest(self.sent, Sampling(**self.sampling), sample=self.sample)

    def row(self) -> dict[str, Any]:
        """The call as one flat row."""
        came = self.completion
        return {
            **vars(self),
            **{name: count for name, count in asdict(came.usage).items() if name != "calls"},
            "item": item_of_debate(self.debate),
            "served": came.model,
            "sent": [asdict(one) for one in self.sent],
            "reply": came.text,
            "finish": came.finish,
            "cached": came.cached,
            "seconds": came.latency,
        }


CALLS = columns(
    debate="text", item="text", number="integer", agent="text", round="integer", ask="integer", attempt="integer", sample="integer",
    model="text", served="text", sent="messages", reply="text", finish="text", schema="boolean", cached="boolean",
    prompt_tokens="integer", cached_tokens="integer", cache_write_tokens="integer", completion_tokens="integer",
    reasoning_tokens="integer", seconds="number",
)  # fmt: skip


BALLOTS = columns(
    debate="text", item="text", number="integer", agent="text", round="integer", model="text", aspect="text", candidate="text",
    score="number", reason="text", weight="number", confidence="number", confidence_from="text", read_from="text",
    attempts="integer", message="integer",
)  # fmt: skip


def ratings_of(debate: str, verdict: Verdict) -> Iterator[dict[str, Any]]:
    """Every rating of every ballot of a debate as a row. A ballot that rates nothing, such as a critic's, has one without a score.

    `number` is that of the ballot within its debate, from 1, in the order in which ballots were cast.
    """
    for number, cast in enumerate(verdict.ballots, 1):
        ballot, sure = cast.ballot, cast.ballot.confidence
        row = {
            **{name: getattr(cast, name) for name in ("agent", "round", "model", "weight", "message")},
            "debate": debate,
            "item": item_of_debate(debate),
            "number": number,
            "reason": ballot.reason,
            "confidence": sure and sure.value,
            "confidence_from": sure and sure.source,
            "read_from": ballot.reading.how,
            "attempts": ballot.reading.attempts,
        }
        for rating in ballot.ratings or (None,):
            yield {**row, **{name: getattr(rating, name, None) for name in ("aspect", "candidate", "score")}}


@dataclass(frozen=True)
class Share:
    """Sum over some calls of a run: of one agent, in one round, of one model, out of our own cache or not."""

    agent: str
    """Without the number of its sitting."""
    model: str
    """Name of the model in its replies; empty where none of them was used."""
    served: str
    """Name of the model at the endpoint."""
    round: int
    cached: bool
    usage: Usage
    seconds: float
    """Seconds of waiting for the model."""


@dataclass(frozen=True)
class Cost:
    """Cost of one agent's calls of one model."""

    agent: str
    model: str
    """The model, by the name that ballots have: "openai/gpt-6.1-sol", with the host behind it where that is not the provider's own."""
    served: str
    """Name of the model that answered at the endpoint, such as "gpt-6.1-sol"."""
    usage: Usage
    """Usage that was paid for. What a cache gave cost nothing and is not in it."""
    saved: Usage
    """Usage that a cache saved."""
    money: float | None
    """Money that it cost; None where no price is known."""
    currency: str | None

    def row(self) -> dict[str, Any]:
        """One flat row."""
        names = ("agent", "model", "served", "money", "currency")
        told = {name: getattr(self, name) for name in names}
        return {**told, **asdict(self.usage), "cached_calls": self.saved.calls}


COSTS = columns(
    agent="text", model="text", served="text", calls="integer", prompt_tokens="integer", cached_tokens="integer",
    cache_write_tokens="integer", completion_tokens="integer", reasoning_tokens="integer", cached_calls="integer",
    money="number", currency="text",
)  # fmt: skip


class Costs(Table[Cost]):
    """Costs of a run: a row for each agent and model, and all together in `total`."""

    def __init__(self, title: str, costs: Iterable[Cost]) -> None:
        kept = tuple(costs)
        super().__init__(title, COSTS, lambda: iter(kept), Cost.row, count=lambda: len(kept))

    @cached_property
    def total(self) -> Cost:
        """Sum of all costs; its money is None where a price is not known or where there are several currencies."""
        paid, saved = total(one.usage for one in self), total(one.saved for one in self)
        currencies = {one.currency for one in self if one.currency is not None}
        known = all(one.money is not None for one in self) and len(currencies) <= 1
        money = sum(one.money or 0.0 for one in self) if known else None
        return Cost("", "", "", paid, saved, money, currencies.pop() if len(currencies) == 1 else None)
