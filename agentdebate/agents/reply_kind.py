"""A kind of reply: which message it becomes, who reads it, and how it is asked for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from pydantic import ValidationError

from agentdebate import codec, plugins
from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.lineup import ReplySpec
from agentdebate.ballots.plain import spoken
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.errors import StrategyError
from agentdebate.models.base import Completion
from agentdebate.talk.envelope import check_class
from agentdebate.talk.messages import Reply, kind_of
from agentdebate.visible import shortened
from agentdebate.wrong_values import in_words

GROUP = "agentdebate.replies"
"""The entry-point group under which packages register kinds of reply: what purposes call it, and a `ReplyKind`."""

Fields = Mapping[str, Any]
"""The fields of a message that come out of the completion."""

_ENVELOPE = {one.name for one in fields(Reply)} - {"text"}
"""What a reply has of its turn, and not of its reader."""
_LONGEST = 200
"""Characters of a wrong answer that an error shows."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a reply says as far as can be told, and why the agent is asked about it while its patience lasts."""

    fields: Fields
    text: str


Read = Fields | Problem | Doubt
"""What comes of reading a reply."""


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
    """How the reply has to look: the name of a prompt part, or the text of a template, which has the same variables."""
    structured: str = ""
    """The same where the reply is held to `schema`."""
    schema: Callable[[ReplySpec], dict[str, Any]] | None = None
    name: str = ""
    """What an Ask calls it; the kind of its message where it has no name of its own."""
    example: Callable[[ReplySpec, int], str] | None = None
    """A reply of this kind that can be read, for rehearsals; numbers that follow each other give others."""
    places: Callable[[str, ReplySpec, Ballot], Sequence[tuple[int, int]]] | None = None
    """From where to where the judgement of a ballot stands in the reply, for confidences from log-probabilities."""
    check: Callable[[ReplySpec], None] | None = None
    """Raises StrategyError where such a reply cannot be asked for, before anything is paid for."""

    fits: bool = False
    """Whether the reader is known to give what the message holds, as ours do: then nobody looks at it again."""

    def __post_init__(self) -> None:
        check_class(self.message)
        if not self.name:
            object.__setattr__(self, "name", kind_of(self.message))

    def fields_of(self, completion: Completion, spec: ReplySpec) -> Read:
        """What the reader makes of a completion. Raises StrategyError where it raises, or returns something else."""
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
