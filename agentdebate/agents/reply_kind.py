"""A kind of reply: which message it becomes, who reads it, how it is asked for, and how sure its agent is of the ballot in it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from operator import itemgetter
from typing import Any, Literal, TypeGuard

from agentdebate import plugins
from agentdebate.ballots.ballot import Ballot, Confidence, Rating, Source
from agentdebate.ballots.confidence import KEY, confidence, stated_confidence
from agentdebate.ballots.lineup import ReplySpec
from agentdebate.ballots.plain import spoken
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.sheet import closed_object, score_places
from agentdebate.codec import checked
from agentdebate.errors import RequestRefused, StrategyError
from agentdebate.models.base import Completion, TokenLogprob
from agentdebate.talk.envelope import check_class
from agentdebate.talk.messages import Reply, kind_of
from agentdebate.visible import is_blank, shortened

Fields = Mapping[str, Any]
"""The fields of a message that come out of the completion."""

_SHOWN = 200
"""Characters of a refusal that are repeated."""
_FEWEST = 2
"""Repeats from which something can be told."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Doubtful reading of a reply, and the reason why the agent is asked about it, once."""

    fields: Fields
    text: str


Read = Fields | Problem | Doubt
"""Result of reading a reply."""


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
    """Form of a reply that is held to `schema`, given likewise."""
    schema: Callable[[ReplySpec], dict[str, Any]] | None = None
    name: str = ""
    """Name in an Ask; the kind of its message where it has no name of its own."""
    example: Callable[[ReplySpec, int], str] | None = None
    """A reply of this kind that can be read, for rehearsals; numbers that follow each other give others."""
    check: Callable[[ReplySpec], None] | None = None
    """Raises StrategyError where such a reply cannot be asked for, before anything is paid for."""
    sheet: bool = False
    """True if the reply carries a ballot with a line an aspect: it is shown filled in where the agent is asked again, and the tokens of
    its scores are known."""

    fits: bool = False
    """True if the reader is known to give what the message holds, as ours do: then it is not checked again."""

    def __post_init__(self) -> None:
        check_class(self.message)
        if not self.name:
            object.__setattr__(self, "name", kind_of(self.message))

    def call(self, function: Literal["read", "schema", "example", "check"], *given: Any) -> Any:
        """Call one of its functions, which may be a package's; None where it has none. Raises StrategyError where that raises."""
        found = getattr(self, function)
        return found and plugins.call(f"`{function}` of the kind of reply {self.name!r}", found, *given)

    def made(self, fields: Fields, **envelope: Any) -> Reply:
        """The message with these fields in its envelope. Raises StrategyError where the reader gave others than it has."""
        if self.fits:
            return self.message(**envelope, **fields)
        what = f"a {self.message.__name__} of what `read` of the kind of reply {self.name!r} gave"
        made: Reply = plugins.call(what, lambda: checked(self.message(**envelope, **fields)))
        return made


def read_reply(
    kind: ReplyKind, completion: Completion, spec: ReplySpec, confidence: Source | None = None
) -> Read:
    """Read a completion as a message of this kind, with the confidence of its ballot where a source of that is named.

    A reply that does not say how sure it is, where it was asked, is in doubt. Raises RequestRefused where log-probabilities
    were wanted and the model gave none.
    """
    if completion.finish == "refusal" and not completion.others:  # of several samples, each is read by itself
        told = "." if is_blank(completion.text) else f": {shortened(completion.text, _SHOWN)}"
        return Problem("refusal", f"The reply declines to answer{told}")
    said = spoken(completion.text)  # without the thinking that some models put before it
    aloud = completion if said == completion.text else replace(completion, text=said)
    match confidence:
        case "asked":
            return _asked(kind, aloud, spec)
        case "repeats":
            return _repeated(kind, aloud, spec)
        case "log-probabilities":
            return _likely(kind, aloud, spec)
    read: Read = kind.call("read", aloud, spec)
    return read


def texts_of(completion: Completion) -> list[tuple[str, bool]]:
    """The texts of a completion and its further samples, each with whether it was cut off."""
    others = [(spoken(text), at in completion.cut) for at, text in enumerate(completion.others)]
    return [(completion.text, completion.finish == "length"), *others]


def logprobs_of(completion: Completion) -> Sequence[TokenLogprob]:
    """The log-probabilities that were wanted. Raises RequestRefused where the model gave none."""
    if completion.logprobs is None:
        said = "it gave no log-probabilities: take a model that gives them, or ask for none"
        raise RequestRefused(said, model=completion.model)
    return completion.logprobs


# How sure an agent is of its ballot.

FORM, STRUCTURED = "form-confidence", "form-confidence-schema"
"""The prompt parts that ask for a line, and for a key."""


def check_confidence(kind: ReplyKind, source: Source, spec: ReplySpec) -> None:
    """Raise StrategyError where it cannot be told so how sure agents are of such replies."""
    cast = any(one.name == "ballot" and one.default is MISSING for one in fields(kind.message))
    mixed_up = source == "asked" and any(line.aspect.name == KEY for line in spec.lines)
    if not cast or mixed_up or (source == "log-probabilities" and not kind.sheet):
        raise StrategyError(
            f"no confidence of a {kind.name!r} can be told: that takes a ballot, for log-probabilities one with a line an aspect, and "
            f"no aspect {KEY!r}"
        )


def with_confidence_key(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema of an object, with a key for the confidence behind the others."""
    number = {"type": "integer", "minimum": 0, "maximum": 100}
    return {**schema, **closed_object({**schema.get("properties", {}), KEY: number})}


def _asked(kind: ReplyKind, completion: Completion, spec: ReplySpec) -> Read:
    stated = stated_confidence(completion.text)
    read: Read = kind.call("read", replace(completion, text=stated.rest), spec)
    if not _carries(read):
        return read
    if stated.confidence is None:
        return Doubt(read, stated.problem)
    said = f"{read['text']}\nConfidence: {stated.confidence.value:.0%}"
    return {**_sure(read, stated.confidence), "text": said}


def _likely(kind: ReplyKind, completion: Completion, spec: ReplySpec) -> Read:
    tokens = [(one.token, one.logprob) for one in logprobs_of(completion)]
    read: Read = kind.call("read", completion, spec)
    if not _carries(read):
        return read
    ballot: Ballot = read["ballot"]
    places = score_places(
        completion.text, spec.lines, replace(ballot, ratings=tuple(map(_likeliest, ballot.ratings)))
    )
    value = confidence(tokens, completion.text, places)
    return read if value is None else _sure(read, Confidence(value=value, source="log-probabilities"))


def _likeliest(rating: Rating) -> Rating:
    """A rating with the most probable score in the place of an expected one."""
    score, _ = max(rating.probabilities, key=itemgetter(1), default=(rating.score, 1.0))
    return replace(rating, score=score)


def _repeated(kind: ReplyKind, completion: Completion, spec: ReplySpec) -> Read:
    """The judgement that most repeats came to, the first of several such; it is as sure as they are many."""
    each = [
        kind.call("read", replace(completion, text=text, finish="length" if cut else "stop"), spec)
        for text, cut in texts_of(completion)
    ]
    read = [one for one in each if _carries(one)]
    if len(read) < _FEWEST:
        return read[0] if read else each[0]
    ratings, most = Counter(one["ballot"].ratings for one in read).most_common(1)[0]
    first = next(one for one in read if one["ballot"].ratings == ratings)
    return _sure(first, Confidence(value=most / len(read), source="repeats", repeats=len(read)))


def _carries(read: Read) -> TypeGuard[Fields]:
    """Tell whether a reply could be read, and has a ballot."""
    return isinstance(read, Mapping) and isinstance(read.get("ballot"), Ballot)


def _sure(read: Fields, confidence: Confidence) -> Fields:
    return {**read, "ballot": replace(read["ballot"], confidence=confidence)}
