"""A kind of reply: which message it becomes, who reads it, and how it is asked for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.problem import Problem
from agentdebate.ballots.reply_spec import ReplySpec
from agentdebate.models.base import Completion
from agentdebate.talk.messages import Reply, kind_of

GROUP = "agentdebate.replies"
"""The entry-point group under which packages register kinds of reply: what purposes call it, and a `ReplyKind`."""

Fields = Mapping[str, Any]
"""The fields of a message that come out of the completion."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a reply says as far as can be told, and why the agent is asked about it while its patience lasts."""

    fields: Fields
    text: str


@dataclass(frozen=True, slots=True)
class ReplyKind:
    """A kind of reply: its message, its reader, and how it is asked for, as text and held to a schema.

    `read` gets the completion and what the reply has to hold, and returns the fields of the message (`text` among them), a
    `Problem`, which the agent is told when it is asked again, or a `Doubt`. It raises nothing, whatever the reply.
    """

    message: type[Reply]
    read: Callable[[Completion, ReplySpec], Fields | Problem | Doubt]
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

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", kind_of(self.message))
