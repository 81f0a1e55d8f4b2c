"""Ballots that are no lines of numbers: rankings, sets, points, written from the numbers that the judge came to."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from agentdebate.offline.matter import Matter

_ENOUGH = 0.5
"""Share of the scale from which on a text is approved of."""


def paper_of(reply: str, by_aspect: Sequence[Sequence[Matter]], numbers: Mapping[str, float]) -> str | None:
    """The lines of a ballot of this kind; None where it is one of numbers."""
    if reply not in _PAPERS:
        return None
    word, line = _PAPERS[reply]
    return "\n".join(
        line(word if len(by_aspect) == 1 else matters[0].topic, matters, numbers) for matters in by_aspect
    )


def sureness(matters: Sequence[Matter], numbers: Mapping[str, float]) -> float:
    """How far from the middle of their scales the numbers are: a half there, and 1 at the ends. It is no probability."""
    shares = [matter.share(numbers[matter.key]) for matter in matters]
    return 0.5 + fmean(abs(share - 0.5) for share in shares)


def _ranking(label: str, matters: Sequence[Matter], numbers: Mapping[str, float]) -> str:
    places: dict[float, list[str]] = {}
    for matter in sorted(matters, key=lambda one: numbers[one.key]):
        places.setdefault(numbers[matter.key], []).append(matter.label)
    return f"{label}: {' > '.join(' = '.join(tied) for tied in places.values())}"


def _approval(label: str, matters: Sequence[Matter], numbers: Mapping[str, float]) -> str:
    good = [matter.label for matter in matters if matter.share(numbers[matter.key]) >= _ENOUGH]
    return f"{label}: {', '.join(good) or 'none'}"


def _points(_: str, matters: Sequence[Matter], numbers: Mapping[str, float]) -> str:
    """Points in proportion to the numbers; what is left by rounding goes to those who lost most by it."""
    budget = round(matters[0].scale.high)
    worth = [numbers[matter.key] for matter in matters]
    total = sum(worth)
    exact = [budget * one / total if total else budget / len(worth) for one in worth]
    points = [int(one) for one in exact]
    # Of those who lost as much the text decides, and not the place in which it is shown.
    by_loss = sorted(range(len(worth)), key=lambda at: (points[at] - exact[at], matters[at].reading.text.raw))
    for at in by_loss[: budget - sum(points)]:
        points[at] += 1
    return "\n".join(
        f"{matter.line.aspect.title}: {share}" for matter, share in zip(matters, points, strict=True)
    )


_PAPERS: Mapping[str, tuple[str, Callable[[str, Sequence[Matter], Mapping[str, float]], str]]] = {
    "ranking": ("Ranking", _ranking),
    "approval": ("Approved", _approval),
    "points": ("", _points),
}
