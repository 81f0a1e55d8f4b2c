"""The table of a debate's ballots."""

from collections.abc import Sequence

from agentdebate.cli.console import out, table
from agentdebate.messages import Brief, CastBallot, Message, Verdict

WIDE = 4
"""The most ratings of a ballot that have a column each."""


def show_ballots(messages: Sequence[Message]) -> None:
    """Who cast which ballot, with the model that spoke, and how it was read.

    Where texts were shown in several orders, in which of them. A ballot of many ratings has a line for each of them.
    """
    cast = [ballot for message in messages if isinstance(message, Verdict) for ballot in message.ballots]
    names = list(dict.fromkeys(name for one in cast for name in one.ballot.scores))
    if not cast:
        return
    orders = [_order(one, messages) for one in cast]
    shown = ["shown"] if len(set(orders)) > 1 else []
    ends = [
        [*([order] if shown else []), one.model, _read_how(one)]
        for one, order in zip(cast, orders, strict=True)
    ]
    lines: list[list[object]]
    if len(names) > WIDE:
        ratings, whole = ["score"], ["rating"]
        lines = [
            [one.agent, one.round, name, score, *end]
            for one, end in zip(cast, ends, strict=True)
            for name, score in one.ballot.scores.items()
        ]
    else:
        ratings, whole = names, names
        lines = [
            [one.agent, one.round, *(one.ballot.scores.get(name) for name in names), *end]
            for one, end in zip(cast, ends, strict=True)
        ]
    middle = ["rating", "score"] if len(names) > WIDE else names
    head = ["agent", "round", *middle, *shown, "model", "read from"]
    table("Ballots", head, lines, numeric=["round", *ratings], whole=whole)
    out()


def _order(cast: CastBallot, messages: Sequence[Message]) -> str:
    """In which order the texts were shown to who cast the ballot; nothing where none are compared."""
    briefs = [m for m in messages if isinstance(m, Brief) and cast.agent in m.to and m.seq < cast.message]
    return ", ".join(briefs[-1].candidates) if briefs else ""


def _read_how(cast: CastBallot) -> str:
    """How a ballot was got out of the reply, and how many replies that took where it was not the first."""
    reading = cast.ballot.reading
    return reading.how if reading.attempts == 1 else f"{reading.how}, reply {reading.attempts}"
