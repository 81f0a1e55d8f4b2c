"""Whether what agents change leads to what people say."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agentdebate.meta.grouping import HAIR, differ, grouped
from agentdebate.meta.moves import moves
from agentdebate.meta.openings import openings, voted
from agentdebate.meta.talk import Talk, Value

WITHIN = 0.5
"""A score is right where it is at most this far from people's: on a scale of whole numbers, where it is the nearest one."""


@dataclass(frozen=True, slots=True)
class Flips:
    """Whether changes lead to what people say. Cases without people's word are in no figure."""

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
    """What people say, as far as the judge can be held to it."""
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
