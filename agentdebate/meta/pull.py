"""Whether whoever speaks first pulls the others along."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from agentdebate.meta.grouping import HAIR, differ, grouped, in_order
from agentdebate.meta.talk import Talk, Value, sitting_of


@dataclass(frozen=True, slots=True)
class Pull:
    """How far the others go toward where the agent at one place of the speaking order began."""

    about: str
    place: int
    """1 is whoever was asked first."""
    n: int
    """Other agents of the sitting that began elsewhere, heard this one, and cast a ballot after that."""
    toward: int
    """Those of n whose last ballot is nearer to where it began; for choices, there."""
    closed: float | None
    """The mean share of the distance that they closed, each from -1 (as far again away) to 1 (all of it); None for choices."""
    verdicts: int
    """Debates of one sitting with a verdict and a first ballot of whoever has this place."""
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
        for names in in_order(pulls)
        if pulls[names] or names in ends
    ]


def _places(talk: Talk) -> list[list[str]]:
    """Who casts ballots in each sitting of several, in the order of speaking."""
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
