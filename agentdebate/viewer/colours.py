"""Colour of an agent, out of eight: the same on every page of a run."""

from collections.abc import Iterable, Iterator, Sequence

from agentdebate.store.run_head import RunHead
from agentdebate.talk.messages import FLOOR, Ask, Message, Reply
from agentdebate.viewer.shelf import Shelf

COLOURS = 8
"""Number of colours. Agents beyond that share them, and are told apart by their names, which stand beside every colour."""


class Colours:
    """Gives colours to agents in the order in which it meets their names; sittings of one agent share its colour."""

    def __init__(self, agents: Iterable[str] = ()) -> None:
        self._numbers: dict[str, int] = {}
        for agent in agents:
            self.of(agent)

    def __repr__(self) -> str:
        return f"<Colours of {', '.join(self._numbers)}>"

    def of(self, agent: str) -> int:
        """The number of an agent's colour, from 1; 0 for the floor, which has none."""
        if agent in ("", FLOOR):
            return 0
        seat = agent.partition("#")[0]
        return self._numbers.setdefault(seat, len(self._numbers) % COLOURS + 1)


def colours_of(shelf: Shelf, head: RunHead, messages: Sequence[Message] = ()) -> Colours:
    """The colours of a run: its first debate's agents come first, in the order in which they were asked for a word."""
    first = shelf.kept("agents", head, "", lambda: _first(shelf, head))
    return Colours([*first, *agents_of(messages)])


def agents_of(messages: Iterable[Message]) -> Iterator[str]:
    """The agents of a debate, in the order in which they come up."""
    for message in messages:
        if isinstance(message, Ask):
            yield from message.to
        elif isinstance(message, Reply):
            yield message.sender
            yield from (cast.agent for cast in message.carried)


def _first(shelf: Shelf, head: RunHead) -> tuple[str, ...]:
    rows = shelf.debates(head.id).part(most=1)
    messages = shelf.reader().messages(head.id, rows[0]["debate"]) if rows else ()
    return tuple(dict.fromkeys(agents_of(messages)))
