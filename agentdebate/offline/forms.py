"""The lines that a reply ends with, in each form that a ballot may have."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from agentdebate.offline.matter import Matter

_ENOUGH = 0.5
"""Share of the scale from which on a text is approved of."""


def last_lines(
    reply: str, by_aspect: Sequence[Sequence[Matter]], numbers: Mapping[str, float], *, sure: bool = False
) -> str:
    """The lines for a kind of reply; with `sure`, another that says how far the numbers are from the middle of their scales."""
    lines = []
    for matters in by_aspect:
        alone = len(by_aspect) == 1
        if reply == "ranking":
            lines.append(f"{'Ranking' if alone else matters[0].topic}: {_order(matters, numbers)}")
        elif reply == "approval":
            good = [one.label for one in matters if one.share(numbers[one.key]) >= _ENOUGH]
            lines.append(f"{'Approved' if alone else matters[0].topic}: {', '.join(good) or 'none'}")
        else:
            given = _points(matters, numbers) if reply == "points" else numbers
            lines += [f"{one.line.aspect.title}: {one.written(given[one.key])}" for one in matters]
    if sure:
        shares = [one.share(numbers[one.key]) for matters in by_aspect for one in matters]
        lines.append(f"Confidence: {0.5 + fmean(abs(share - 0.5) for share in shares):.0%}")
    return "\n".join(lines)


def _order(matters: Sequence[Matter], numbers: Mapping[str, float]) -> str:
    places: dict[float, list[str]] = {}
    for matter in sorted(matters, key=lambda one: numbers[one.key]):
        places.setdefault(numbers[matter.key], []).append(matter.label)
    return " > ".join(" = ".join(tied) for tied in places.values())


def _points(matters: Sequence[Matter], numbers: Mapping[str, float]) -> dict[str, float]:
    """Points in proportion to the numbers; the text, not its place, decides who gets those that rounding leaves."""
    budget = round(matters[0].scale.high)
    total = sum(numbers[one.key] for one in matters)
    exact = {
        one.key: budget * numbers[one.key] / total if total else budget / len(matters) for one in matters
    }
    points = {key: float(int(share)) for key, share in exact.items()}
    by_loss = sorted(matters, key=lambda one: (points[one.key] - exact[one.key], one.reading.text.raw))
    for matter in by_loss[: budget - round(sum(points.values()))]:
        points[matter.key] += 1
    return points
