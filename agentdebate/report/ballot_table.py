"""The table of a debate's ballots."""

from collections.abc import Iterator, Sequence

from agentdebate.report.text_table import Block, TextTable
from agentdebate.talk.messages import Brief, CastBallot, Message, Verdict

WIDE = 4
"""The most ratings of a ballot that have a column each."""


def ballot_blocks(messages: Sequence[Message]) -> Iterator[Block]:
    """Who cast which ballot, with the model that spoke, and how it was read.

    Where texts were shown in several orders, in which of them. A ballot of many ratings has a line for each of them, and
    in it the place at which its text was shown.
    """
    cast = [ballot for message in messages if isinstance(message, Verdict) for ballot in message.ballots]
    if not cast:
        return
    names = list(dict.fromkeys(name for one in cast for name in one.ballot.scores))
    orders = [_order(one, messages) for one in cast]
    swapped = len(set(orders)) > 1
    drawn = _by_rating if len(names) > WIDE else _by_ballot
    yield drawn(cast, orders, names, swapped=swapped)
    if swapped and drawn is _by_rating:
        yield "place: where the text stood among those that were shown"
    yield ""


def _by_ballot(
    cast: Sequence[CastBallot], orders: Sequence[Sequence[str]], names: Sequence[str], *, swapped: bool
) -> TextTable:
    """A line a ballot."""
    weighed = any(one.weight != 1 for one in cast)
    sure = any(one.ballot.confidence for one in cast)
    lines = [
        [
            *(one.agent, one.round, *(one.ballot.scores.get(name) for name in names)),
            *([f"{one.weight:.3f}"] if weighed else []),
            *([_confidence(one)] if sure else []),
            *([", ".join(order)] if swapped else []),
            *(one.model, _read_how(one)),
        ]
        for one, order in zip(cast, orders, strict=True)
    ]
    extra = [
        *(["weight"] if weighed else []),
        *(["confidence"] if sure else []),
        *(["shown"] if swapped else []),
    ]
    head = ["agent", "round", *names, *extra, "model", "read from"]
    return TextTable("Ballots", head, lines, numeric=["round", "weight", *names], whole=names)


def _by_rating(
    cast: Sequence[CastBallot], orders: Sequence[Sequence[str]], names: Sequence[str], *, swapped: bool
) -> TextTable:
    """A line a rating."""
    sure = any(one.ballot.confidence for one in cast)
    lines = [
        [
            *(one.agent, one.round, name, one.ballot.scores[name]),
            *([_place(name, order)] if swapped else []),
            *([_confidence(one)] if sure else []),
            *(one.model, _read_how(one)),
        ]
        for one, order in zip(cast, orders, strict=True)
        for name in names
        if name in one.ballot.scores
    ]
    extra = [*(["place"] if swapped else []), *(["confidence"] if sure else [])]
    head = ["agent", "round", "rating", "score", *extra, "model", "read from"]
    return TextTable("Ballots", head, lines, numeric=["round", "score", "place"], whole=["rating"])


def _confidence(cast: CastBallot) -> str | None:
    """How sure who cast it was, and from where that is known; nothing where it is not known."""
    sure = cast.ballot.confidence
    if sure is None:
        return None
    of = "" if sure.repeats is None else f" of {sure.repeats}"
    return f"{sure.value:.2f} ({sure.source}{of})"


def _place(rating: str, order: Sequence[str]) -> int | None:
    """The place in an order, from 1, of the text that a rating is about."""
    candidate = rating.rpartition(".")[2]
    return order.index(candidate) + 1 if candidate in order else None


def _order(cast: CastBallot, messages: Sequence[Message]) -> tuple[str, ...]:
    """In which order the texts were shown to who cast the ballot; nothing where none are compared."""
    speaker = next((m.sender for m in messages if m.seq == cast.message), cast.agent)
    sitting = speaker.partition("#")[2]
    briefs = [m for m in messages if isinstance(m, Brief) and m.seq < cast.message]
    own = [m for m in briefs if any(name.partition("#")[2] == sitting for name in m.to)]
    return own[-1].candidates if own else ()


def _read_how(cast: CastBallot) -> str:
    """How a ballot was got out of the reply, and how many replies that took where it was not the first."""
    reading = cast.ballot.reading
    mass = "" if reading.mass is None else f" over {reading.mass:.1%}"
    again = "" if reading.attempts == 1 else f", reply {reading.attempts}"
    if reading.repeated:
        again += f" ({reading.repeated} before repeated themselves)"
    ends = "" if reading.ends is None else ", first {:,} and last {:,} characters".format(*reading.ends)
    rule = f"/{reading.rule.replace(', ', '+')}" if reading.rule else ""
    return f"{reading.how}{rule}{mass}{again}{ends}"
