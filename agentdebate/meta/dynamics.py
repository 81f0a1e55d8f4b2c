"""Effects of the debate: who moves, which way and after hearing whom; whether it leads to what people say, and to agreement.

Each table is a list of lines, records whose `about` is what is judged, and every figure has the number of cases beside it that it
is of. What cannot be told from a transcript is in no figure: an agent without a ballot has no position, and one ballot alone is not a move.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from operator import itemgetter
from statistics import fmean, pstdev
from typing import Any

from agentdebate.meta.talk import (
    Hearing,
    Stand,
    Talk,
    Value,
    grouped,
    openings,
    seat_of,
    sitting_of,
    voted,
)

WITHIN = 0.5
"""A score is right where it is at most this far from people's: on a scale of whole numbers, where it is the nearest one."""
HAIR = 1e-9
"""Values that differ by less are the same: that is rounding."""

Line = dict[str, Any]
"""A line of a table, or the one of a single case: truths and whole numbers are counts, and fractions are averaged."""


@dataclass(frozen=True)
class Move:
    """Move from one ballot of an agent to its next, on one thing. It may have stayed where it was."""

    talk: Talk
    about: str
    before: Stand
    after: Stand

    @property
    def agent(self) -> str:
        """Agent that moved, without the number of the sitting."""
        return seat_of(self.after.agent)

    @property
    def values(self) -> tuple[Value, Value]:
        """Values before and after the move."""
        return self.before.values[self.about], self.after.values[self.about]

    @property
    def change(self) -> float | None:
        """Change of the score; None for a choice."""
        before, after = self.values
        return None if isinstance(before, str) or isinstance(after, str) else float(after - before)

    @property
    def moved(self) -> bool:
        """True if the position changed."""
        before, after = self.values
        return before != after

    @property
    def heard(self) -> tuple[Hearing, ...]:
        """Messages that the agent heard in between."""
        return self.talk.heard(self.after.agent, after=self.before.asked, until=self.after.asked)


def moves(talks: Iterable[Talk]) -> Iterator[Move]:
    """Moves from every ballot to the same agent's next one in the same debate, for everything that both are about."""
    for talk in talks:
        for agent in dict.fromkeys(stand.agent for stand in talk.stands):
            for before, after in pairwise(talk.of(agent)):
                for about in before.values:
                    if about in after.values:
                        yield Move(talk, about, before, after)


def movement(talks: Iterable[Talk]) -> list[Line]:
    """Number and direction of moves, a line a thing and an agent.

    `n` are pairs of a ballot and the next one, `moved` those that are not the same. The mean change is over all n, in points of the
    scale, and the mean step, in either direction, over those that moved. Directions and means are None for choices.
    """
    return _summed(map(_moved, moves(talks)), "about", "agent")


def _moved(move: Move) -> Line:
    change = move.change
    return {
        "about": move.about,
        "agent": move.agent,
        "n": 1,
        "moved": move.moved,
        "up": None if change is None else change > 0,
        "down": None if change is None else change < 0,
        "mean_change": change,
        "mean_step": abs(change) if change else None,
    }


def influence(talks: Iterable[Talk]) -> list[Line]:
    """Moves of a listener between two ballots in which it heard a speaker: a line a thing, a speaker and a listener.

    Where several were heard in between, each is counted. `apart` are those of `n` in which the speaker stood elsewhere when it spoke,
    with a ballot that says so. After so many of these the listener stood nearer (`toward`), farther (`away`; for choices, at a third one), or
    exactly there (`reached`).
    """
    cases = (
        _influenced(move, last)
        for move in moves(talks)
        for last in {hearing.speaker: hearing for hearing in move.heard}.values()
    )
    return _summed(cases, "about", "speaker", "listener")


def _influenced(move: Move, hearing: Hearing) -> Line:
    stand = move.talk.position(hearing.speaker, hearing.said)
    before, after = move.values
    there = stand.values.get(move.about, before) if stand else before
    apart = there != before
    share = _closed(there, before, after) if apart else 0.0
    return {
        "about": move.about,
        "speaker": seat_of(hearing.speaker),
        "listener": move.agent,
        "n": 1,
        "moved": move.moved,
        "apart": apart,
        "toward": share > HAIR,
        "reached": apart and there == after,
        "away": share < -HAIR,
    }


def flips(talks: Iterable[Talk], *, within: float = WITHIN) -> list[Line]:
    """Changes toward and away from people's judgement: a line a thing and a unit, of the cases in which that is known.

    The unit "ballots" goes from an agent's ballot to its next, "debates" from the vote of the openings to the verdict.
    A choice is right where it is people's, a tie being a choice of its own; a score where it is at most `within` points
    from people's mean. Where texts are compared it is only about the choice: what people gave each text may be a preference,
    1 or 0, and on no scale of the judge's. `nearer` and `farther` are None for choices.
    """
    held = list(talks)
    changes = [(move.talk, move.about, "ballots", move.values) for move in moves(held)]
    changes += [(talk, about, "debates", ends) for talk in held for about, ends in _whole(talk)]
    cases = (
        {"about": about, "unit": unit, **_flipped(*values, people, within)}
        for talk, about, unit, values in changes
        if (people := talk.people.get(about)) is not None and (isinstance(people, str) or not talk.candidates)
    )
    return _summed(cases, "about", "unit")


def _whole(talk: Talk) -> Iterator[tuple[str, tuple[Value, Value]]]:
    """Moves from the vote of the openings to the verdict, where somebody talked in between."""
    if any(talk.heard(agent, after=0, until=talk.stands[-1].asked) for agent in talk.order):
        before = voted(openings(talk), talk.about, ranks=talk.ranks)
        yield from (
            (about, (before[about], talk.verdict[about])) for about in before if about in talk.verdict
        )


def _flipped(old: Value, new: Value, people: Value, within: float) -> Line:
    was, now = _distance(old, people), _distance(new, people)
    right, stays_right = was <= within + HAIR, now <= within + HAIR
    scored = not isinstance(people, str)
    return {
        "n": 1,
        "changed": _distance(old, new) > HAIR,
        "right_to_wrong": right and not stays_right,
        "wrong_to_right": stays_right and not right,
        "stayed_right": right and stays_right,
        "stayed_wrong": not right and not stays_right,
        "nearer": now < was - HAIR if scored else None,
        "farther": now > was + HAIR if scored else None,
    }


def convergence(talks: Iterable[Talk]) -> list[Line]:
    """Agreement among the ballots of one round, over the sittings in which several agents cast one: a line a thing and a round.

    An agent that casts several ballots in a round counts with the last. The spread is the mean distance of the highest from the
    lowest, in points, the deviation the mean of the population standard deviations; both are None for choices. `agreed` are the
    sittings of `n` in which all were the same.
    """
    cast = {
        (about, stand.round, number, sitting_of(stand.agent), stand.agent): value
        for number, talk in enumerate(talks)
        for stand in talk.stands
        for about, value in stand.values.items()
    }
    sittings = [keys for keys in grouped(cast, lambda key: key[:4]).values() if len(keys) > 1]
    cases = (
        {"about": keys[0][0], "round": keys[0][1], **_agreed([cast[key] for key in keys])}
        for keys in sittings
    )
    return _in_order(_summed(cases, "about", "round"), "round")


def _agreed(ballots: Sequence[Value]) -> Line:
    scores = [float(value) for value in ballots if not isinstance(value, str)]
    return {
        "n": 1,
        "ballots": len(ballots),
        "spread": max(scores) - min(scores) if scores else None,
        "deviation": pstdev(scores) if scores else None,
        "agreed": len(set(ballots)) == 1,
    }


def pull(talks: Iterable[Talk]) -> list[Line]:
    """Moves of the others toward the first position of the agent at a place of the speaking order: a line a thing and a place.

    First-speaker pull is what place 1 has above the others. `n` are other agents of the sitting that began elsewhere, heard this one,
    and cast a ballot after that; `toward` those whose last ballot is nearer to where it began, for choices, there. `closed` is the mean share of
    the distance, from -1 (as far again away) to 1 (all of it). `verdicts` are debates of one sitting with a verdict, `distance` is the
    mean distance of these from that first ballot, in points, and `equal` are those that say the same. Both means are None for choices.
    """
    return _in_order(_summed((case for talk in talks for case in _pulls(talk)), "about", "place"), "place")


def _pulls(talk: Talk) -> Iterator[Line]:
    sittings = [agents for agents in grouped(talk.order, sitting_of).values() if len(agents) > 1]
    for agents in sittings:
        for place, agent in enumerate(agents, 1):
            for about, began in talk.of(agent)[0].values.items():
                case: Line = {
                    "about": about, "place": place, "n": 0, "toward": 0, "closed": None, "verdicts": 0, "distance": None, "equal": 0,
                }  # fmt: skip
                scored = not isinstance(began, str)
                for share in (one for other in agents for one in _pulled(talk, agent, other, about, began)):
                    yield {**case, "n": 1, "toward": share > HAIR, "closed": share if scored else None}
                if len(sittings) == 1 and about in talk.verdict:
                    apart = _distance(began, talk.verdict[about])
                    yield {
                        **case, "verdicts": 1, "distance": apart if scored else None, "equal": apart <= HAIR,
                    }  # fmt: skip


def _pulled(talk: Talk, speaker: str, other: str, about: str, began: Value) -> Iterator[float]:
    """The share of the distance that another agent closed, after it had heard the speaker."""
    stands = [stand for stand in talk.of(other) if about in stand.values]
    if stands and _distance(old := stands[0].values[about], began) > HAIR:
        heard = talk.heard(other, after=stands[0].asked, until=stands[-1].asked)
        if any(one.speaker == speaker for one in heard):
            yield _closed(began, old, stands[-1].values[about])


def _distance(one: Value, other: Value) -> float:
    """Points between two scores; choices that differ are as far apart as can be."""
    if isinstance(one, str) or isinstance(other, str):
        return 0.0 if one == other else inf
    return float(abs(one - other))


def _closed(there: Value, old: Value, new: Value) -> float:
    """The share of a distance that a move closed, from -1 (as far again away, or a third choice) to 1 (all of it)."""
    if isinstance(there, str):
        return 1.0 if new == there else -float(new != old)
    return max(1 - _distance(there, new) / _distance(there, old), -1.0)


def _summed(cases: Iterable[Line], *names: str) -> list[Line]:
    """The lines of single cases as one line for each name: counts added up, fractions averaged, over those that have any."""
    return [
        {
            field: first if field in names else _together([case[field] for case in some])
            for field, first in some[0].items()
        }
        for some in grouped(cases, itemgetter(*names)).values()
    ]


def _together(counts: Iterable[Any]) -> Any:
    known = [count for count in counts if count is not None]
    if any(isinstance(count, float) for count in known):
        return fmean(known)
    return sum(known) if known else None


def _in_order(lines: Iterable[Line], number: str) -> list[Line]:
    """The lines by things as they first come, and by a number of theirs from the lowest."""
    things = grouped(lines, itemgetter("about")).values()
    return [line for some in things for line in sorted(some, key=itemgetter(number))]


@dataclass(frozen=True)
class Dynamics:
    """Counts of some debates."""

    debates: int
    with_moves: int
    """Debates in which an agent cast more than one ballot."""
    with_people: int
    """Debates of which people's scores or choice are known."""
    within: float
    """Largest distance from people's score, in points, at which a score is right."""
    movement: list[Line]
    influence: list[Line]
    flips: list[Line]
    convergence: list[Line]
    pull: list[Line]


def dynamics(talks: Iterable[Talk], *, within: float = WITHIN) -> Dynamics:
    """Count what happened in debates. `within` is as in `flips`."""
    held = list(talks)
    return Dynamics(
        debates=len(held),
        with_moves=sum(len({one.agent for one in talk.stands}) < len(talk.stands) for talk in held),
        with_people=sum(bool(talk.people) for talk in held),
        within=within,
        movement=movement(held),
        influence=influence(held),
        flips=flips(held, within=within),
        convergence=convergence(held),
        pull=pull(held),
    )
