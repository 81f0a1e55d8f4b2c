"""Moves of agents between their ballots: who moves whom, and whether the first speaker pulls the others along."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from agentdebate.meta.talk import (
    HAIR,
    Hearing,
    Stand,
    Talk,
    Value,
    differ,
    grouped,
    in_rounds,
    seat_of,
    sitting_of,
)


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
        return None if isinstance(before, str) or isinstance(after, str) else after - before

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
    cases = grouped(moves(talks), lambda move: (move.about, move.agent))
    return [_movement(about, agent, some) for (about, agent), some in cases.items()]


def _movement(about: str, agent: str, some: Sequence[Move]) -> Movement:
    changes = [move.change for move in some if move.change is not None]
    steps = [abs(change) for change in changes if change]
    return Movement(
        about=about,
        agent=agent,
        n=len(some),
        moved=sum(move.moved for move in some),
        up=sum(change > 0 for change in changes) if changes else None,
        down=sum(change < 0 for change in changes) if changes else None,
        mean_change=fmean(changes) if changes else None,
        mean_step=fmean(steps) if steps else None,
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
    heard = (
        (move, last)
        for move in moves(talks)
        for last in {hearing.speaker: hearing for hearing in move.heard}.values()
    )
    cases = grouped(heard, lambda case: (case[0].about, seat_of(case[1].speaker), case[0].agent))
    return [_influence(*names, some) for names, some in cases.items()]


def _influence(about: str, speaker: str, listener: str, some: Sequence[tuple[Move, Hearing]]) -> Influence:
    ways = [_way(move, hearing) for move, hearing in some]
    return Influence(
        about=about,
        speaker=speaker,
        listener=listener,
        n=len(some),
        moved=sum(move.moved for move, _ in some),
        apart=sum(way is not None for way in ways),
        toward=sum(way in ("reached", "toward") for way in ways),
        reached=ways.count("reached"),
        away=ways.count("away"),
    )


def _way(move: Move, hearing: Hearing) -> str | None:
    """Direction of a listener's move from the speaker's position; None where it is unknown or they agreed."""
    stand = move.talk.position(hearing.speaker, hearing.said)
    there = stand.values.get(move.about) if stand else None
    before, after = move.values
    if there is None or there == before:
        return None
    if after == there:
        return "reached"
    if isinstance(there, str) or isinstance(before, str) or isinstance(after, str):
        return "away" if move.moved else "stayed"
    nearer = abs(there - before) - abs(there - after)
    return "toward" if nearer > HAIR else "away" if nearer < -HAIR else "stayed"


@dataclass(frozen=True, slots=True)
class Pull:
    """Mean move of the others toward the first position of the agent at one place of the speaking order."""

    about: str
    place: int
    """1 is the agent that was asked first."""
    n: int
    """Other agents of the sitting that began elsewhere, heard this one, and cast a ballot after that."""
    toward: int
    """Those of n whose last ballot is nearer to where it began; for choices, there."""
    closed: float | None
    """The mean share of the distance that they closed, each from -1 (as far again away) to 1 (all of it); None for choices."""
    verdicts: int
    """Debates of one sitting with a verdict and a first ballot of the agent at this place."""
    distance: float | None
    """The mean distance of the verdict from that ballot, in points; None for choices."""
    equal: int
    """Verdicts that are what that ballot said."""


def pull(talks: Iterable[Talk]) -> list[Pull]:
    """A line a thing that is judged and a place in the speaking order: first-speaker pull is what the first line has
    above the others.
    """
    pulls: dict[tuple[str, int], list[tuple[bool, float | None]]] = {}
    ends: dict[tuple[str, int], list[tuple[Value, Value]]] = {}
    for talk in talks:
        seats = _places(talk)
        for place, agent in ((place, agent) for order in seats for place, agent in enumerate(order, 1)):
            first = talk.of(agent)[0]
            for about, began in first.values.items():
                pulls.setdefault((about, place), []).extend(_pulled(talk, agent, about, began))
                if len(seats) == 1 and about in talk.verdict:
                    ends.setdefault((about, place), []).append((began, talk.verdict[about]))
    return [
        _pull(*names, pulls[names], ends.get(names, []))
        for names in in_rounds(pulls)
        if pulls[names] or names in ends
    ]


def _places(talk: Talk) -> list[list[str]]:
    """List the agents that cast ballots, by sitting of several, in the order of speaking."""
    sittings = grouped(talk.order, sitting_of)
    return [list(order) for order in sittings.values() if len(order) > 1]


def _pulled(talk: Talk, speaker: str, about: str, began: Value) -> Iterator[tuple[bool, float | None]]:
    for other in talk.order:
        stands = [stand for stand in talk.of(other) if about in stand.values]
        if other == speaker or sitting_of(other) != sitting_of(speaker) or len(stands) < 2:  # noqa: PLR2004 - a move
            continue
        heard = talk.heard(other, after=stands[0].asked, until=stands[-1].asked)
        old, new = stands[0].values[about], stands[-1].values[about]
        if differ(old, began) and any(one.speaker == speaker for one in heard):
            yield _closed(began, old, new)


def _closed(there: Value, old: Value, new: Value) -> tuple[bool, float | None]:
    if isinstance(there, str) or isinstance(old, str) or isinstance(new, str):
        return new == there, None
    share = 1 - abs(there - new) / abs(there - old)
    return share > HAIR, max(share, -1.0)


def _pull(
    about: str, place: int, pulled: Sequence[tuple[bool, float | None]], ends: Sequence[tuple[Value, Value]]
) -> Pull:
    shares = [share for _, share in pulled if share is not None]
    gaps = [abs(a - b) for a, b in ends if not isinstance(a, str) and not isinstance(b, str)]
    return Pull(
        about=about,
        place=place,
        n=len(pulled),
        toward=sum(toward for toward, _ in pulled),
        closed=fmean(shares) if shares else None,
        verdicts=len(ends),
        distance=fmean(gaps) if gaps else None,
        equal=sum(not differ(*pair) for pair in ends),
    )
