"""Interface of a model: `complete(ModelRequest) -> Completion`. Everything else is a model that holds a model."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from agentdebate.ballots.lineup import Candidate, Line, Player
from agentdebate.codec import CONFIG
from agentdebate.tasks import Aspect, Item, Task
from agentdebate.usage import Usage

_ENCODE = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode


@lru_cache(maxsize=1024)
def _begun(role: str, content: str) -> "hashlib._Hash":
    """Begin the digest of a request at its first message. That is the brief of a debate, which is read and digested once for all calls."""
    return hashlib.sha256(f'{{"messages":[{_ENCODE([role, content])}'.encode("utf-8", "surrogatepass"))


Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
"""Effort that goes into thinking; a model takes some of these."""


Tier = Literal["standard", "flex"]
"""Service tier of a call."""


class Sampling(BaseModel):
    """Sampling parameters. None leaves a parameter to the endpoint."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float | None = Field(default=None, ge=0)
    top_p: float | None = Field(default=None, gt=0, le=1)
    seed: int | None = None
    max_tokens: int | None = Field(default=None, gt=0)
    n: int = Field(default=1, ge=1)
    """Number of completions of one request; every further one is in `Completion.others`."""
    logprobs: int | None = Field(default=None, ge=0, le=20)
    """Ask for token log-probabilities, with this many alternatives a token."""
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    stop: tuple[str, ...] = ()
    effort: Effort | None = None
    """Effort that goes into thinking before the reply."""

    def overlaid(self, over: "Sampling") -> "Sampling":
        """Copy with the parameters that `over` sets."""
        given = over.model_fields_set
        if not self.model_fields_set or not given:
            return over if given else self
        return self.model_copy(update={name: getattr(over, name) for name in given})


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a chat-completions request."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Heard:
    """One message in the speaker's memory, for models that are not language models."""

    sender: str
    kind: str
    text: str
    scores: Mapping[str, float] = field(default_factory=dict)
    """The scores in it, where it carries a ballot."""


@dataclass(frozen=True, slots=True)
class Context:
    """Structured description of the request, for models that are not language models.

    `purpose` is the turn's name (score, criticise, revise, rule, forward, speak, summarise), `reply` the kind of
    message that is wanted, `card` the speaker's agent card by name, `heard` its memory without the brief.
    """

    task: Task
    item: Item
    aspects: tuple[Aspect, ...]
    purpose: str
    reply: str
    agent: str
    card: str
    round: int
    heard: Sequence[Heard]
    candidates: tuple[Candidate, ...] = ()
    """The texts that are compared, in the order in which they are shown."""
    lines: tuple[Line, ...] = ()
    """Contents that a ballot needs."""
    players: tuple[Player, ...] = ()
    """The roles that the speaker plays, where it speaks for several."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """Values that the strategy gave the turn, such as the number of roles."""
    example: Callable[[int], str] | None = None
    """A reply that can be read, for models that make replies up; other numbers give other ones."""
    confidence: str | None = None
    """Source of the speaker's confidence in its ballot: where it is "asked", its reply says it."""

    @property
    def seat(self) -> str:
        """The speaker's address without the number of its sitting: "critic#2" is "critic"."""
        return self.agent.partition("#")[0]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Request of one call.

    `schema` is the JSON schema that the reply should be held to, where one is wanted; a model that cannot hold
    replies to schemas answers in free text and says so in `Completion.structured`.
    """

    messages: tuple[ChatMessage, ...]
    sampling: Sampling = Sampling()
    schema: Mapping[str, Any] | None = None
    context: Context | None = None
    sample: int = 0
    """Number of this sample of the same request."""
    talk: tuple[str, ...] = field(default=(), compare=False)
    """Messages that were heard, as they stand in the messages, in that order: later requests begin with the same, so that an endpoint may be
    told to keep it in its cache. It decides nothing.
    """
    standard: bool = field(default=False, compare=False)
    """Ask at the standard tier, whatever the model's own is. It decides nothing either."""

    def key(self) -> str:
        """A digest of what decides the reply: the messages, the sampling parameters, the schema, the sample."""
        first, *others = self.messages
        digest = _begun(first.role, first.content).copy()
        rest = {"sampling": self.sampling.model_dump(exclude_defaults=True), "schema": self.schema}
        decides = _ENCODE({"sample": self.sample, **rest} if self.sample else rest)
        talk = "".join([f",{_ENCODE([one.role, one.content])}" for one in others])
        digest.update(f"{talk}],{decides[1:]}".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLogprob:
    """A token of a completion, its natural log-probability, and that of the alternatives at its place."""

    token: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


Finish = Literal["stop", "length", "filter", "refusal", "other"]
"""Reason why a completion ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """Answer of a model."""

    __pydantic_config__ = CONFIG | {"ser_json_inf_nan": "strings"}  # an impossible token has minus infinity

    text: str
    model: str
    """The name of the model that answered, as the endpoint gives it."""
    usage: Usage = Usage(calls=1)  # noqa: RUF009 - it is frozen, and all share it
    finish: Finish = "stop"
    """Reason why the text ends: finished, cut at the token limit, filtered, refused."""
    structured: bool = False
    """Tell whether the endpoint held the reply to the request's schema."""
    logprobs: tuple[TokenLogprob, ...] | None = None
    latency: Annotated[FiniteFloat, Field(ge=0)] = 0.0
    """Seconds from the request to the whole reply."""
    request_id: str | None = None
    """The provider's own id of the call."""
    others: tuple[str, ...] = ()
    """The texts of further samples, where more than one was asked for. An endpoint may give fewer than that."""
    lost: tuple[str, ...] = ()
    """Reasons why samples are missing."""
    cached: bool = False
    """Tell whether it was paid for earlier: it comes out of a cache, and `usage` is what it cost then."""
    cut: tuple[Annotated[int, Field(ge=0)], ...] = ()
    """Indices of the others that were cut at the token limit, from 0."""


@runtime_checkable
class Model(Protocol):
    """Turns a request into a completion. Wrappers are models that hold a model."""

    @property
    def name(self) -> str:
        """Name in verdicts and tables: "offline", "openai/gpt-6-luna"."""
        ...

    @property
    def structured(self) -> bool:
        """Tell whether it can hold replies to a JSON schema."""
        ...

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request. Raises ModelError."""
        ...

    async def aclose(self) -> None:
        """Release connections and files. Safe to call twice."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    """One model call of a debate: who made it to answer which Ask, what it was shown, and what came back."""

    agent: str
    round: int
    ask: int
    """The sequence number of the Ask."""
    attempt: int
    """1, or more where the reply before it could not be used."""
    shown: tuple[int, ...]
    """The sequence numbers of the messages that the agent was shown, in order."""
    request: ModelRequest
    completion: Completion
