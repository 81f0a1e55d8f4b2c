"""A kind of reply: which message it becomes, who reads it, how it is asked for, and how sure its agent is of the ballot in it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, TypeGuard

from pydantic import ValidationError

from agentdebate import codec, plugins
from agentdebate.ballots.ballot import Ballot, Confidence, Source
from agentdebate.ballots.confidence import KEY, confidence, stated_confidence
from agentdebate.ballots.lineup import ReplySpec
from agentdebate.ballots.plain import spoken
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.errors import RequestRefused, StrategyError
from agentdebate.models.base import Completion, TokenLogprob
from agentdebate.talk.envelope import check_class
from agentdebate.talk.messages import Reply, kind_of
from agentdebate.visible import shortened
from agentdebate.wrong_values import in_words

Fields = Mapping[str, Any]
"""The fields of a message that come out of the completion."""

_ENVELOPE = {one.name for one in fields(Reply)} - {"text"}
"""Fields that a reply has from its turn, and not from its reader."""
_LONGEST = 200
"""Characters of a wrong answer that an error shows."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Doubtful reading of a reply, and the reason why the agent is asked about it while its patience lasts."""

    fields: Fields
    text: str


Read = Fields | Problem | Doubt
"""Result of reading a reply."""


def texts_of(completion: Completion) -> list[tuple[str, bool]]:
    """The texts of a completion and its further samples, each with whether it was cut off."""
    others = [(spoken(text), at in completion.cut) for at, text in enumerate(completion.others)]
    return [(completion.text, completion.finish == "length"), *others]


@dataclass(frozen=True, slots=True)
class ReplyKind:
    """A kind of reply: its message, its reader, and how it is asked for, as text and held to a schema.

    `read` gets the completion and what the reply has to hold, and returns the fields of the message (`text` among them), a
    `Problem`, which the agent is told when it is asked again, or a `Doubt`. It raises nothing, whatever the reply.
    """

    message: type[Reply]
    read: Callable[[Completion, ReplySpec], Read]
    form: str = ""
    """Form that the reply must have: the name of a prompt part, or the text of a template, which has the same variables."""
    structured: str = ""
    """The same where the reply is held to `schema`."""
    schema: Callable[[ReplySpec], dict[str, Any]] | None = None
    name: str = ""
    """Name in an Ask; the kind of its message where it has no name of its own."""
    example: Callable[[ReplySpec, int], str] | None = None
    """A reply of this kind that can be read, for rehearsals; numbers that follow each other give others."""
    places: Callable[[str, ReplySpec, Ballot], Sequence[tuple[int, int]]] | None = None
    """From where to where the judgement of a ballot stands in the reply, for confidences from log-probabilities."""
    check: Callable[[ReplySpec], None] | None = None
    """Raises StrategyError where such a reply cannot be asked for, before anything is paid for."""

    fits: bool = False
    """True if the reader is known to give what the message holds, as ours do: then it is not checked again."""

    def __post_init__(self) -> None:
        check_class(self.message)
        if not self.name:
            object.__setattr__(self, "name", kind_of(self.message))

    def fields_of(self, completion: Completion, spec: ReplySpec) -> Read:
        """Read a completion. Raises StrategyError where it raises, or returns something else."""
        if self.fits:
            return self.read(completion, spec)
        read: object = plugins.call(self._reader, self.read, completion, spec)
        if not isinstance(read, Mapping | Problem | Doubt):
            raise StrategyError(
                f"{self._reader} returned {shortened(repr(read), _LONGEST)}: it returns the fields of the message, a Problem or a Doubt"
            )
        return read

    def made(self, fields: Fields, **envelope: Any) -> Reply:
        """The message with these fields in its envelope. Raises StrategyError where the reader gave others than it has."""
        if self.fits:
            return self.message(**envelope, **fields)
        taken = sorted(fields.keys() & _ENVELOPE)
        if taken:
            raise StrategyError(
                f"{self._reader} gave the field {taken[0]!r}, which every reply gets from its turn: leave it out"
            )
        try:
            return codec.read(self.message, {**envelope, **fields})
        except ValidationError as error:
            raise StrategyError(
                f"{self._reader} gave other fields than the message has: {in_words(error)}"
            ) from error

    @property
    def _reader(self) -> str:
        return f"the reader of the kind of reply {self.name!r}"


FORM, STRUCTURED = "form-confidence", "form-confidence-schema"
"""The prompt parts that ask for a line, and for a key."""
FEWEST = 2
"""Repeats from which something can be told."""


def check_confidence(kind: ReplyKind, source: Source, spec: ReplySpec) -> None:
    """Raise StrategyError where agents cannot be asked how sure of it they are."""
    problem = _never_sure(kind, source, spec)
    if problem:
        raise StrategyError(problem)


def _never_sure(kind: ReplyKind, source: Source, spec: ReplySpec) -> str:
    ballot = next((one for one in fields(kind.message) if one.name == "ballot"), None)
    if ballot is None or not (ballot.default is MISSING or kind.places):
        return f"a reply of the kind {kind.name!r} carries no ballot that somebody could be sure of"
    if source == "asked" and any(line.aspect.name == KEY for line in spec.lines):
        return (
            f'an aspect is called {KEY!r}, which is how agents say how sure they are: confidence = "repeats"'
        )
    if source == "repeats" and spec.samples < FEWEST:
        return "to tell a confidence from repeats takes several samples: give the agents sampling with n = 5"
    if source == "repeats" and any(line.aspect.scale.step is None for line in spec.lines):
        return 'repeats on a scale without steps never agree: give it steps, or confidence = "asked" or "log-probabilities"'
    if source == "log-probabilities" and kind.places is None:
        return (
            f"it is not known which tokens of a {kind.name!r} are its judgement: its ReplyKind has no places"
        )
    return ""


def with_confidence_key(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema of an object, with a key for the confidence behind the others."""
    number = {"type": "integer", "minimum": 0, "maximum": 100}
    return {
        **schema,
        "properties": {**schema.get("properties", {}), KEY: number},
        "required": [*schema.get("required", ()), KEY],
    }


def read_confidently(kind: ReplyKind, completion: Completion, spec: ReplySpec, source: Source) -> Read:
    """A reply with the confidence of its ballot.

    A reply that does not say how sure it is, where it was asked, is in doubt. Raises RequestRefused where log-probabilities
    were wanted and the model gave none.
    """
    if source == "asked":
        return _asked(kind, completion, spec)
    if source == "repeats":
        return _repeated(kind, completion, spec)
    return _likely(kind, completion, spec)


def _asked(kind: ReplyKind, completion: Completion, spec: ReplySpec) -> Read:
    stated = stated_confidence(completion.text)
    read = kind.fields_of(replace(completion, text=stated.rest), spec)
    if not _carries(read):
        return read
    if stated.confidence is None:
        return Doubt(read, stated.problem)
    said = f"{read['text']}\nConfidence: {stated.confidence.value:.0%}"
    return {**_sure(read, stated.confidence), "text": said}


def _likely(kind: ReplyKind, completion: Completion, spec: ReplySpec) -> Read:
    logprobs = logprobs_of(completion, 'confidence = "asked" or "repeats"')
    read = kind.fields_of(completion, spec)
    if not _carries(read) or kind.places is None:
        return read
    tokens = [(one.token, one.logprob) for one in logprobs]
    value = confidence(tokens, completion.text, kind.places(completion.text, spec, read["ballot"]))
    return read if value is None else _sure(read, Confidence(value=value, source="log-probabilities"))


def logprobs_of(completion: Completion, otherwise: str) -> Sequence[TokenLogprob]:
    """The log-probabilities that were wanted. Raises RequestRefused, which names another way, where the model gave none."""
    if completion.logprobs is None:
        raise RequestRefused(
            f"it gave no log-probabilities: take a model that gives them, or {otherwise}",
            model=completion.model,
        )
    return completion.logprobs


def _repeated(kind: ReplyKind, completion: Completion, spec: ReplySpec) -> Read:
    """The judgement that most repeats came to, the first of several such; it is as sure as they are many."""
    each = [
        kind.fields_of(replace(completion, text=text, finish="length" if cut_off else "stop"), spec)
        for text, cut_off in texts_of(completion)
    ]
    read = [one for one in each if _carries(one)]
    if not read:
        return each[0]
    count = Counter(one["ballot"].ratings for one in read)
    most = max(count.values())
    first = next(one for one in read if count[one["ballot"].ratings] == most)
    if len(read) < FEWEST:
        return first
    return _sure(first, Confidence(value=most / len(read), source="repeats", repeats=len(read)))


def _carries(read: Read) -> TypeGuard[Fields]:
    """Tell whether a reply could be read, and has a ballot."""
    return isinstance(read, Mapping) and isinstance(read.get("ballot"), Ballot)


def _sure(read: Fields, confidence: Confidence) -> Fields:
    return {**read, "ballot": replace(read["ballot"], confidence=confidence)}
