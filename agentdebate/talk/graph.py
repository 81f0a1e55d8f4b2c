"""Graph of who hears whom, drawn from a transcript, so that the picture is what the code does."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agentdebate.talk.messages import FLOOR, CastBallot, Message, Reply, Verdict
from agentdebate.visible import shortened

VERDICT = "verdict"
LONGEST = 100
"""Characters of an agent's name in a picture before it is cut."""
_MARKS = re.compile(r"[!-/:-@\[-`{-~]")
_PLAIN = frozenset("_-.,/()'")
"""Marks that mean nothing to Mermaid within a label."""


@dataclass(frozen=True)
class Hearing:
    """Edge from one agent to another that hears it, with the rounds in which that happens (0 before the first)."""

    speaker: str
    hearer: str
    rounds: tuple[int, ...]


def hearings(messages: Sequence[Message]) -> tuple[Hearing, ...]:
    """List who heard whom in a debate, in the order in which it first happened; last come those whose ballots are the verdict's.

    What the floor announces comes from the agent that said it in this debate; from the floor where none did, as with a
    plan out of a file.
    """
    said = {message.seq: message for message in messages}
    edges = defaultdict[tuple[str, str], set[int]](set)
    for message in messages:
        for reply in (said[number] for number in message.brings):
            if not isinstance(reply, Reply):
                continue
            speaker = _speaker(reply, messages)
            for hearer in message.to:
                if hearer != speaker:
                    edges[speaker, hearer].add(message.round)
        if isinstance(message, Verdict):
            for cast in _deciding(message):
                edges[cast.agent, VERDICT].add(cast.round)
    return tuple(Hearing(*ends, tuple(sorted(rounds))) for ends, rounds in edges.items())


def _speaker(reply: Reply, messages: Sequence[Message]) -> str:
    """Find the speaker of a reply: the floor announces what an agent said as well, for all debates in the same way."""
    if reply.sender != FLOOR:
        return reply.sender
    agents = (one for one in messages if isinstance(one, Reply) and one.sender != FLOOR)
    return next((one.sender for one in agents if (one.kind, one.text) == (reply.kind, reply.text)), FLOOR)


def _deciding(verdict: Verdict) -> Iterable[CastBallot]:
    """The ballots behind a verdict: the one that decided, or the last of each agent where they were merged."""
    if verdict.deciding is not None:
        return [cast for cast in verdict.ballots if cast.message == verdict.deciding]
    return {cast.agent: cast for cast in verdict.ballots}.values()


def mermaid(found: Iterable[Hearing]) -> str:
    """The picture as a Mermaid flowchart; arrows go from who speaks to who hears, with the rounds beside them."""
    kept = list(found)
    names = dict.fromkeys(name for one in kept for name in (one.speaker, one.hearer))
    nodes = {name: f"n{number}" for number, name in enumerate(names)}
    shapes = [f"    {node}{_shape(name)}" for name, node in nodes.items()]
    arrows = [f'    {nodes[one.speaker]} -->|"{_rounds(one.rounds)}"| {nodes[one.hearer]}' for one in kept]
    return "\n".join(["flowchart LR", *shapes, *arrows])


def _shape(name: str) -> str:
    return f'(["{label(name)}"])' if name == VERDICT else f'["{label(name)}"]'


def label(name: str) -> str:
    """A name as a label of Mermaid's: marks that could mean something are codes, and what is too long is cut."""
    return _MARKS.sub(
        lambda mark: mark[0] if mark[0] in _PLAIN else f"#{ord(mark[0])};", shortened(name, LONGEST)
    )


def _rounds(rounds: Sequence[int]) -> str:
    """Rounds in words, 0 being the opening: "rounds 0-4, 6"."""
    spans: list[list[int]] = []
    for number in rounds:
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    shown = [f"{span[0]}-{span[-1]}" if len(span) > 1 else f"{span[0]}" for span in spans]
    return f"round{'s' if len(rounds) > 1 else ''} {', '.join(shown)}"
