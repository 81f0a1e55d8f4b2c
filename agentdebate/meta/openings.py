"""The ballots that were cast before any talk, and what they come to without it."""

from collections.abc import Collection, Sequence

from agentdebate.ballots.merge import Merge, Merged, Rule, merge
from agentdebate.meta.talk import Stand, Talk, Value, values_of


def openings(talk: Talk) -> tuple[Stand, ...]:
    """The first ballot of every agent that had heard nobody else by then, in the order in which they were cast."""
    firsts = {stand.agent: stand for stand in reversed(talk.stands)}
    return tuple(
        stand
        for stand in talk.stands
        if firsts[stand.agent] is stand and not talk.heard(stand.agent, after=0, until=stand.asked)
    )


def voted(
    stands: Sequence[Stand],
    about: Sequence[str],
    how: Merge | Rule = "average",
    *,
    ranks: Collection[str] = (),
) -> dict[str, Value]:
    """What ballots come to when they are merged and nobody talks: scores by name, and the choice; empty without any.

    Each ballot weighs the same, whatever the strategy said: whose weight is whose is not in a transcript.
    """
    result = merge([stand.ballot for stand in stands], how, partial=True)
    return values_of(result.ratings, about, ranks) if isinstance(result, Merged) else {}
