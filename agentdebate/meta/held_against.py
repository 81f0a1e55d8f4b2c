"""What judges are held against, beside people who are held against one another: all of them, one of them, or other scores."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from agentdebate.meta.ceiling import chosen
from agentdebate.meta.judgements import Ratings, Votes
from agentdebate.meta.vote import majority

Together = Mapping[tuple[str, str, str], float | str]
"""What judges are compared with, by the id, the source and the system of a text."""

_ROUNDED = 1 / 80
"""Numbers are the same that differ by no more than this share of how far ratings lie apart: means are written with few digits."""


@dataclass(frozen=True)
class HeldAgainst:
    """What judges are held against on one aspect."""

    aspect: str
    what: Literal["all", "one", "others"]
    annotator: int = 0
    """The annotator that it is, from 1, where it is one."""


def held_against(people: Ratings | Votes, together: Together) -> HeldAgainst | None:
    """What judges are held against, seen by its values; None where no text of theirs is among those that people rated."""
    pairs = list(_of_votes(people, together) if isinstance(people, Votes) else _of_ratings(people, together))
    if not pairs:
        return None
    if any(all(each) for each in zip(*(whole for whole, _ in pairs), strict=True)):
        return HeldAgainst(people.aspect, "all")
    count = min(len(single) for _, single in pairs)
    alone = (place for place in range(count) if all(single[place] for _, single in pairs))
    place = next(alone, None)
    return (
        HeldAgainst(people.aspect, "others")
        if place is None
        else HeldAgainst(people.aspect, "one", place + 1)
    )


_Same = tuple[Sequence[bool], Sequence[bool]]
"""Whether a text's score is what all come to, in each way to put them together; and whether it is that of each annotator."""


def _of_ratings(people: Ratings, together: Together) -> Iterator[_Same]:
    known = [rating for row in people.rows for rating in row.ratings if rating is not None]
    apart = (max(known) - min(known)) * _ROUNDED + 1e-9 if known else 0.0
    for row in people.rows:
        score = together.get((row.id, row.source, row.system))
        given = [rating for rating in row.ratings if rating is not None]
        if isinstance(score, int | float) and given:
            near = _near(score, apart)
            most = majority([repr(rating) for rating in given], "")
            yield (near(fmean(given)), repr(score) == most), [near(rating) for rating in row.ratings]


def _near(score: float, apart: float) -> Callable[[float | None], bool]:
    return lambda other: other is not None and abs(score - other) <= apart


def _of_votes(people: Votes, together: Together) -> Iterator[_Same]:
    for row in people.rows:
        label = together.get((row.id, row.source, ""))
        if label is not None:
            single = [chosen([vote], people.tie) == label for vote in row.votes]
            yield (chosen(row.votes, people.tie) == label,), single


def each_against(
    people: Iterable[Ratings | Votes], together: Callable[[str], Together]
) -> tuple[HeldAgainst, ...]:
    """What judges are held against on each aspect that people rated and judges are compared on."""
    found = (held_against(one, together(one.aspect)) for one in people)
    return tuple(one for one in found if one is not None)
