"""Effects of the debate: who moves, which way and after hearing whom; whether it leads to what people say, and to agreement.

Everything is counted on transcripts, and every figure has the number of cases beside it that it is of. What cannot be
told from a transcript is in no figure: an agent without a ballot has no position, and one ballot alone is not a move.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, pstdev
from typing import Any

from agentdebate.meta.moves import Influence, Movement, Pull, influence, movement, moves, pull
from agentdebate.meta.talk import HAIR, Talk, Value, differ, grouped, in_rounds, openings, sitting_of, voted

WITHIN = 0.5
"""A score is right where it is at most this far from people's: on a scale of whole numbers, where it is the nearest one."""


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
    cases: list[tuple[str, str, Value, Value, Value]] = [
        (move.about, "ballots", *move.values, known)
        for move in moves(held)
        if (known := _word(move.talk, move.about)) is not None
    ]
    cases += [case for talk in held for case in _whole(talk)]
    groups = grouped(cases, lambda case: case[:2])
    return [_flips(*names, [case[2:] for case in some], within) for names, some in groups.items()]


def _whole(talk: Talk) -> Iterator[tuple[str, str, Value, Value, Value]]:
    """From the vote of the openings to the verdict, where somebody talked in between."""
    if not any(talk.heard(agent, after=0, until=talk.stands[-1].asked) for agent in talk.order):
        return
    before = voted(openings(talk), talk.about, ranks=talk.ranks)
    for about, value in before.items():
        known = _word(talk, about)
        if about in talk.verdict and known is not None:
            yield about, "debates", value, talk.verdict[about], known


def _word(talk: Talk, about: str) -> Value | None:
    """Return people's judgement, where the judge can be compared with it."""
    known = talk.people.get(about)
    return known if isinstance(known, str) or not talk.candidates else None


def _flips(about: str, unit: str, cases: Sequence[tuple[Value, Value, Value]], within: float) -> Flips:
    right = [(_is_right(old, people, within), _is_right(new, people, within)) for old, new, people in cases]
    gains = [gain for case in cases if (gain := _gain(*case)) is not None]
    return Flips(
        about=about,
        unit=unit,
        n=len(cases),
        changed=sum(differ(old, new) for old, new, _ in cases),
        right_to_wrong=right.count((True, False)),
        wrong_to_right=right.count((False, True)),
        stayed_right=right.count((True, True)),
        stayed_wrong=right.count((False, False)),
        nearer=sum(gain > HAIR for gain in gains) if gains else None,
        farther=sum(gain < -HAIR for gain in gains) if gains else None,
    )


def _is_right(value: Value, people: Value, within: float) -> bool:
    if isinstance(value, str) or isinstance(people, str):
        return value == people
    return abs(value - people) <= within + HAIR


def _gain(old: Value, new: Value, people: Value) -> float | None:
    if isinstance(old, str) or isinstance(new, str) or isinstance(people, str):
        return None
    return abs(old - people) - abs(new - people)


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
    cases: dict[tuple[str, int], list[list[Value]]] = {}
    for talk in talks:
        tables: dict[tuple[str, int, int], dict[str, Value]] = {}
        for stand in talk.stands:
            for about, value in stand.values.items():
                tables.setdefault((about, stand.round, sitting_of(stand.agent)), {})[stand.agent] = value
        for (about, round_, _), table in tables.items():
            if len(table) > 1:
                cases.setdefault((about, round_), []).append(list(table.values()))
    return [_convergence(*names, cases[names]) for names in in_rounds(cases)]


def _convergence(about: str, round_: int, tables: Sequence[Sequence[Value]]) -> Convergence:
    scores = [[value for value in table if not isinstance(value, str)] for table in tables]
    rated = [table for table in scores if table]
    return Convergence(
        about=about,
        round=round_,
        n=len(tables),
        ballots=sum(map(len, tables)),
        spread=fmean(max(table) - min(table) for table in rated) if rated else None,
        deviation=fmean(pstdev(table) for table in rated) if rated else None,
        agreed=sum(len(set(table)) == 1 for table in tables),
    )


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
