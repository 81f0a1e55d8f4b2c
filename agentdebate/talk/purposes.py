"""Purposes of turns: what an agent is asked for. Those of the built-in strategies each have a template in prompts/turns/."""

from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, TypeVar

from agentdebate.ballots.ballot import Source
from agentdebate.errors import StrategyError
from agentdebate.talk.messages import (
    Critique,
    Plan,
    Poll,
    Reply,
    Roster,
    Ruling,
    Samples,
    Score,
    Statement,
    Summary,
    kind_of,
)

Wanted_co = TypeVar("Wanted_co", bound=Reply, covariant=True)


class ReplyForm(Protocol):
    """A way in which a reply is written and read: a `ReplyKind` (agents/reply_kind.py)."""

    @property
    def name(self) -> str:
        """Name in an Ask."""
        ...

    @property
    def message(self) -> type[Reply]:
        """The message that a reply becomes."""
        ...


@dataclass(frozen=True)
class Purpose(Generic[Wanted_co]):
    """Purpose of a turn: the name of its template in prompts/turns/, and the kind of its reply.

    A strategy of your own brings purposes of its own: `REBUT = Purpose("rebut", Statement)` and a template
    `prompts/turns/rebut.md`, or the template in place: `Purpose("rebut", Statement, prompt="Answer them.")`. Raises
    StrategyError where the form gives another message than the reply, and for a prompt that says nothing.
    """

    name: str
    reply: type[Wanted_co]
    form: str | ReplyForm = ""
    """Form in which the reply is written and read, where its message has several: the name of a kind of reply or of
    ballot, or a `ReplyKind` of your own, which need not be registered."""
    confidence: Source | None = None
    """Source of the confidence of the ballot in the reply; None where it is not wanted."""
    prompt: str = ""
    """The turn's template in place; then no file is looked for. It may use what a file in prompts/turns/ may use (one in
    prompts/relays/, where a relay is asked), within the same bounds."""

    def __post_init__(self) -> None:
        if not isinstance(self.prompt, str) or (self.prompt and not self.prompt.strip()):
            raise StrategyError(
                f"the prompt of the purpose {self.name!r} is text that says what to do, not {self.prompt!r}"
            )
        if not isinstance(self.form, str) and not issubclass(self.form.message, self.reply):
            raise StrategyError(
                f"the purpose {self.name!r} wants a {self.reply.__name__}, and its form gives a {self.form.message.__name__}"
            )

    @cached_property
    def kind(self) -> str:
        """The way in which the reply is written and read: the name of `form`, or its message's `kind`."""
        name = self.form if isinstance(self.form, str) else self.form.name
        return name or kind_of(self.reply)


SPEAK = Purpose("speak", Statement)
OPEN = Purpose("open", Statement)
FORWARD = Purpose("forward", Statement)
SCORE = Purpose("score", Score)
REVISE = Purpose("revise", Score)
CRITICISE = Purpose("criticise", Critique)
SUMMARISE = Purpose("summarise", Summary)
RULE = Purpose("rule", Ruling)
VOTE = Purpose("vote", Score)
RECRUIT = Purpose("recruit", Roster)
PLAY = Purpose("play", Poll)
PLAN = Purpose("plan", Plan)
FUSE = Purpose("fuse", Samples)
STEPS = Purpose("steps", Statement, "steps")
RANK = Purpose("rank", Score, "ranking")
APPROVE = Purpose("approve", Score, "approval")
ALLOT = Purpose("allot", Score, "points")
MARK = Purpose("mark", Score, "spans")
FILL = Purpose("fill", Score, "filled")
SAMPLE = Purpose("fill", Samples, "filled-samples")
EXPECT = Purpose("fill", Score, "expected")
