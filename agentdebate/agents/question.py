"""What an agent is asked for: the Ask, the kind of reply that answers it, and what that has to hold."""

from dataclasses import dataclass

from agentdebate.agents.reply_kind import ReplyKind
from agentdebate.ballots.reply_spec import ReplySpec
from agentdebate.talk.messages import Ask


@dataclass(frozen=True, slots=True)
class Question:
    """An Ask, with the kind of its reply and what that has to hold."""

    ask: Ask
    kind: ReplyKind
    spec: ReplySpec
