"""What an agent is asked for: the kind of reply, what that has to hold, and how it is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from agentdebate.agents.reply_kind import ReplyKind
from agentdebate.ballots.lineup import ReplySpec
from agentdebate.models.base import Sampling
from agentdebate.prompts.prompts import Template


@dataclass(frozen=True, slots=True)
class Question:
    """All that is the same whenever an agent is asked for the same: it is put together once."""

    kind: ReplyKind
    spec: ReplySpec
    sampling: Sampling
    schema: Mapping[str, Any] | None
    """What the reply is held to."""
    form: str
    """How the reply has to look so that it can be read."""
    turn: Template
    """The template of what is to be done now."""
    instruction: str | None
    """What is to be done now; None where that differs from round to round."""
    has_sheet: bool = False
    """Whether its form has a line an aspect."""

    def about(self, text: str) -> "Question":
        """The same where another text is under judgement."""
        return replace(self, spec=replace(self.spec, text=text))


class AskedBefore(NamedTuple):
    """A question of an earlier debate, with all that it was made of but the text under judgement."""

    made_of: tuple[object, ...]
    question: Question
