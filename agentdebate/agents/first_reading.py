"""The first reading of a run: where many turns have ended without a reply that can be read, and none before, the run stops.

A run whose replies cannot be read would otherwise be paid in full, every turn as often as its agent has patience. Ballots and what else is
said are told apart: talk can nearly always be read, and says nothing of the ballots that follow. Once a ballot has been read, or a debate has
come to a verdict, nothing is counted any more.
"""

from functools import partial

from agentdebate.errors import NothingRead
from agentdebate.talk.messages import Reply, Statement
from agentdebate.visible import shortened

TURNS = 20
"""Turns without a reply that can be read after which the run stops."""
_LONGEST = 400
"""Characters of a reply that the error shows."""


class FirstReading:
    """What a run knows of whether its replies can be read."""

    def __init__(self, turns: int = TURNS) -> None:
        self.done = False
        """Whether a ballot of the run has been read."""
        self._turns = turns
        self._failed = {"ballots": 0, "talk": 0}
        self._talk_read = False
        self._stop: partial[NothingRead] | None = None

    def __repr__(self) -> str:
        return f"<FirstReading {'done' if self.done else f'after {self._failed} of {self._turns}'}>"

    @property
    def stopped(self) -> bool:
        """Whether the run has to stop."""
        return self._stop is not None and not self.done

    def check(self) -> None:
        """Raise NothingRead where the run has to stop: what is asked now would be paid for in vain, too."""
        if self._stop is not None and not self.done:
            raise self._stop()

    def end(self) -> None:
        """Say that replies can be read: there is a verdict."""
        self.done = True

    def read(self, kind: type[Reply]) -> None:
        """Take note that a reply of a kind was read."""
        self.done = self.done or _carries(kind)
        self._talk_read = True

    def fail(self, kind: type[Reply], model: str, problem: str, reply: str) -> None:
        """Take note that a turn has ended without one. Its own debate fails by it; the others are told."""
        what = "ballots" if _carries(kind) else "talk"
        if self.done or (what == "talk" and self._talk_read):
            return
        self._failed[what] += 1
        turns = self._failed[what]
        if turns >= self._turns and self._stop is None:
            said = _told(turns, problem, reply)
            self._stop = partial(NothingRead, said, model=model, turns=turns, reply=reply)


def _carries(kind: type[Reply]) -> bool:
    """Tell replies that are there for a ballot."""
    return kind.carried is not Reply.carried and not issubclass(kind, Statement)


def _told(turns: int, problem: str, reply: str) -> str:
    said = f'One of the replies: "{shortened(reply, _LONGEST)}"' if reply.strip() else "The replies are empty"
    return (
        f"no reply of this run could be read, and {turns} turns have ended so. {said}. What is wrong with it: {problem} Change the model, "
        "its largest reply (max_tokens=...), the form of replies or the prompts, and begin again; or, where the endpoint was at fault, "
        "go on with the debates that failed held once more (retry_failed=True)"
    )
