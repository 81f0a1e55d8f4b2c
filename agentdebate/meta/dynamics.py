"""Effects of the debate: who moves, which way and after hearing whom; whether it leads to what people say, and to agreement.

Everything is counted on transcripts, and every figure has the number of cases beside it that it is of. What cannot be
told from a transcript is in no figure: an agent without a ballot has no position, and one ballot alone is not a move.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass
from itertools import pairwise
from math import inf
from statistics import fmean, pstdev
from typing import Any, TypeVar

from agentdebate.meta.talk import (
    HAIR,
    Hearing,
    Stand,
    Talk,
    Value,
    differ,
    grouped,
    in_rounds,
    openings,
    seat_of,
    sitting_of,
    voted,
)

WITHIN = 0.5
"""A score is right where it is at most this far from people's: on a scale of whole numbers, where it is the nearest one."""

_Line = TypeVar("_Line", bound="Movement | Influence | Flips | Convergence | Pull")


@dataclass(frozen=True)
class Move:
    """From one ballot of an agent to its next, on one thing. It may have stayed where it was."""

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
    """From every ballot to the same agent's next one in the same debate, for everything that both are about."""
    for talk in talks:
        for agent in dict.fromkeys(stand.agent for stand in talk.stands):
            for before, after in pairwise(talk.of(agent)):
                for about in before.values:
                    if about in after.values:
                        yield Move(talk, about, before, after)


@dataclass(frozen=True, slots=True)
class Movement:
    """Number and direction of an agent's moves. `up`, `down` and the means are None for choices."""

    about: str
    agent: str
    n: int
    """Pairs of a ballot and the next one."""
    moved: int
    up: int | None
    down: int | None
    mean_change: float | None
    """The mean over all n, in points of the scale: below 0 where scores are lowered."""
    mean_step: float | None
    """Mean size of the moves, in either direction."""


def movement(talks: Iterable[Talk]) -> list[Movement]:
    """A line a thing that is judged and an agent."""
    return _summed(map(_moved, moves(talks)), 2)


def _moved(move: Move) -> Movement:
    change = move.change
    return Movement(
        about=move.about,
        agent=move.agent,
        n=1,
        moved=move.moved,
        up=None if change is None else change > 0,
        down=None if change is None else change < 0,
        mean_change=change,
        mean_step=abs(change) if change else None,
    )


@dataclass(frozen=True, slots=True)
class Influence:
    """Influence of a speaker: moves of a listener between two ballots in which it heard a speaker."""

    about: str
    speaker: str
    listener: str
    n: int
    """Pairs of ballots with something of the speaker's heard in between."""
    moved: int
    apart: int
    """Those of n in which the speaker stood elsewhere than the listener when it spoke, with a ballot that says so."""
    toward: int
    """Those of `apart` after which the listener stood nearer to that; for choices, there."""
    reached: int
    """Those of `apart` after which it stood exactly there."""
    away: int
    """Those of `apart` after which it stood farther; for choices, at a third one."""


def influence(talks: Iterable[Talk]) -> list[Influence]:
    """A line a thing that is judged, a speaker and a listener. Where several were heard in between, each is counted."""
    cases = (
        _influenced(move, last)
        for move in moves(talks)
        for last in {hearing.speaker: hearing for hearing in move.heard}.values()
    )
    return _summed(cases, 3)


def _influenced(move: Move, hearing: Hearing) -> Influence:
    stand = move.talk.position(hearing.speaker, hearing.said)
    there = stand.values.get(move.about) if stand else None
    before, after = move.values
    apart = there is not None and there != before
    share = _closed(there, before, after) if there is not None and apart else 0.0
    return Influence(
        about=move.about,
        speaker=seat_of(hearing.speaker),
        listener=move.agent,
        n=1,
        moved=move.moved,
        apart=apart,
        toward=share > HAIR,
        reached=apart and there == after,
        away=share < -HAIR,
    )


@dataclass(frozen=True, slots=True)
class Flips:
    """Counts of changes toward and away from people's judgement. Cases without people's judgement do not count."""

    about: str
    unit: str
    """"ballots": from an agent's ballot to its next. "debates": from the vote of the openings to the verdict."""
    n: int
    changed: int
    right_to_wrong: int
    wrong_to_right: int
    stayed_right: int
    stayed_wrong: int
    nearer: int | None
    """Scores that came nearer to people's; None for choices."""
    farther: int | None


def flips(talks: Iterable[Talk], *, within: float = WITHIN) -> list[Flips]:
    """A line a thing that is judged and a unit.

    A choice is right where it is people's, a tie being a choice of its own; a score where it is at most `within` points
    from people's mean. Where texts are compared it is only about the choice: what people gave each text may be a preference,
    1 or 0, and on no scale of the judge's.
    """
    held = list(talks)
    changes = [(move.talk, move.about, "ballots", *move.values) for move in moves(held)]
    changes += [(talk, about, "debates", *ends) for talk in held for about, ends in _whole(talk)]
    cases = (
        _flipped(about, unit, (old, new, people), within)
        for talk, about, unit, old, new in changes
        if (people := talk.people.get(about)) is not None and (isinstance(people, str) or not talk.candidates)
    )
    return _summed(cases, 2)


def _whole(talk: Talk) -> Iterator[tuple[str, tuple[Value, Value]]]:
    """From the vote of the openings to the verdict, where somebody talked in between."""
    if any(talk.heard(agent, after=0, until=talk.stands[-1].asked) for agent in talk.order):
        before = voted(openings(talk), talk.about, ranks=talk.ranks)
        yield from (
            (about, (before[about], talk.verdict[about])) for about in before if about in talk.verdict
        )


def _flipped(about: str, unit: str, values: tuple[Value, Value, Value], within: float) -> Flips:
    old, new, people = values
    was, now = _distance(old, people), _distance(new, people)
    right, stays_right = was <= within + HAIR, now <= within + HAIR
    scored = not isinstance(people, str)
    return Flips(
        about=about,
        unit=unit,
        n=1,
        changed=differ(old, new),
        right_to_wrong=right and not stays_right,
        wrong_to_right=stays_right and not right,
        stayed_right=right and stays_right,
        stayed_wrong=not right and not stays_right,
        nearer=now < was - HAIR if scored else None,
        farther=now > was + HAIR if scored else None,
    )


@dataclass(frozen=True, slots=True)
class Convergence:
    """Agreement among the ballots of one round, over the sittings in which several agents cast one."""

    about: str
    round: int
    n: int
    """Sittings with at least two ballots in this round; those that ended before are not among them."""
    ballots: int
    spread: float | None
    """The mean distance of the highest from the lowest, in points; None for choices."""
    deviation: float | None
    """The mean of the population standard deviations."""
    agreed: int
    """Sittings of n in which all were the same."""


def convergence(talks: Iterable[Talk]) -> list[Convergence]:
    """A line a thing that is judged and a round. An agent that casts several ballots in a round counts with the last."""
    cast = {
        (about, stand.round, number, sitting_of(stand.agent), stand.agent): value
        for number, talk in enumerate(talks)
        for stand in talk.stands
        for about, value in stand.values.items()
    }
    sittings = [keys for keys in grouped(cast, lambda key: key[:4]).values() if len(keys) > 1]
    cases = (_agreed(*keys[0][:2], [cast[key] for key in keys]) for keys in sittings)
    return _summed(cases, 2, in_rounds)


def _agreed(about: str, round_: int, ballots: Sequence[Value]) -> Convergence:
    scores = [float(value) for value in ballots if not isinstance(value, str)]
    return Convergence(
        about=about,
        round=round_,
        n=1,
        ballots=len(ballots),
        spread=max(scores) - min(scores) if scores else None,
        deviation=pstdev(scores) if scores else None,
        agreed=len(set(ballots)) == 1,
    )


@dataclass(frozen=True, slots=True)
class Pull:
    """Mean move of the others toward the first position of the agent at one place of the speaking order."""

    about: str
    place: int
    """1 is the agent that was asked first."""
    n: int = 0
    """Other agents of the sitting that began elsewhere, heard this one, and cast a ballot after that."""
    toward: int = 0
    """Those of n whose last ballot is nearer to where it began; for choices, there."""
    closed: float | None = None
    """The mean share of the distance that they closed, each from -1 (as far again away) to 1 (all of it); None for choices."""
    verdicts: int = 0
    """Debates of one sitting with a verdict and a first ballot of the agent at this place."""
    distance: float | None = None
    """The mean distance of the verdict from that ballot, in points; None for choices."""
    equal: int = 0
    """Verdicts that are what that ballot said."""


def pull(talks: Iterable[Talk]) -> list[Pull]:
    """A line a thing that is judged and a place in the speaking order: first-speaker pull is what the first line has
    above the others.
    """
    return _summed((case for talk in talks for case in _pulls(talk)), 2, in_rounds)


def _pulls(talk: Talk) -> Iterator[Pull]:
    sittings = [agents for agents in grouped(talk.order, sitting_of).values() if len(agents) > 1]
    for agents in sittings:
        for place, agent in enumerate(agents, 1):
            for about, began in talk.of(agent)[0].values.items():
                scored = not isinstance(began, str)
                for other in agents:
                    for share in _pulled(talk, agent, other, about, began):
                        yield Pull(about, place, 1, share > HAIR, share if scored else None)
                if len(sittings) == 1 and about in talk.verdict:
                    apart = _distance(began, talk.verdict[about])
                    yield Pull(
                        about, place, verdicts=1, distance=apart if scored else None, equal=apart <= HAIR
                    )


def _pulled(talk: Talk, speaker: str, other: str, about: str, began: Value) -> Iterator[float]:
    """The share of the distance that another agent closed, after it had heard the speaker."""
    stands = [stand for stand in talk.of(other) if about in stand.values]
    if stands and differ(old := stands[0].values[about], began):
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


def _summed(
    cases: Iterable[_Line], names: int, order: Callable[[Iterable[Any]], Iterable[Any]] = iter
) -> list[_Line]:
    """The lines of single cases as one line for each name, which is the first fields: counts added up, fractions averaged."""
    by_name = grouped(cases, lambda case: astuple(case)[:names])
    return [
        type(some[0])(*name, *map(_together, [*zip(*map(astuple, some), strict=True)][names:]))
        for name in order(by_name)
        for some in [by_name[name]]
    ]


def _together(counts: Iterable[Any]) -> Any:
    known = [count for count in counts if count is not None]
    if any(isinstance(count, float) for count in known):
        return fmean(known)
    return sum(known) if known else None


@dataclass(frozen=True)
class Dynamics:
    """All that is counted of some debates."""

    debates: int
    with_moves: int
    """Debates in which an agent cast more than one ballot."""
    with_people: int
    """Debates of which people's scores or choice are known."""
    within: float
    """Largest distance from people's score, in points, at which a score is right."""
    movement: tuple[Movement, ...]
    influence: tuple[Influence, ...]
    flips: tuple[Flips, ...]
    convergence: tuple[Convergence, ...]
    pull: tuple[Pull, ...]

    def row(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        return asdict(self)


def dynamics(talks: Iterable[Talk], *, within: float = WITHIN) -> Dynamics:
    """Count what happened in debates. `within` is as in `flips`."""
    held = list(talks)
    return Dynamics(
        debates=len(held),
        with_moves=sum(len({one.agent for one in talk.stands}) < len(talk.stands) for talk in held),
        with_people=sum(bool(talk.people) for talk in held),
        within=within,
        movement=tuple(movement(held)),
        influence=tuple(influence(held)),
        flips=tuple(flips(held, within=within)),
        convergence=tuple(convergence(held)),
        pull=tuple(pull(held)),
    )
