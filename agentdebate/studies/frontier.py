"""Frontier of agreement against cost: the judges that no cheaper one agrees better than, and those that cannot be told apart."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import isfinite

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.comparison import compare, holm
from agentdebate.meta.figure import Bootstrap, Level
from agentdebate.meta.imputation import Missing
from agentdebate.meta.judgements import Judgements
from agentdebate.studies.cells import Cell

LEVEL = 0.05
"""Probability of telling any two judges apart that agree equally well."""
_DRAWS = 40
"""Permutations for each comparison, so that the smallest p of a test can tell two apart after it is corrected."""


@dataclass(frozen=True)
class Point:
    """A judge on one aspect: what it costs and how well it agrees with people."""

    judge: str
    cell: Cell = field(repr=False)
    judged: Judgements = field(repr=False)
    found: Agreement
    cost: float
    """Cost a debate."""
    merit: float
    """Agreement, the higher the better; minus infinity where it is not defined, or the judge abstained on some."""
    groups: str = ""
    """Letters of the groups that it is in: two that share a letter cannot be told apart."""
    frontier: bool = False
    """True if none that costs as little agrees as well, but for its equals."""


def on_frontier(points: Sequence[Point]) -> list[Point]:
    """Mark those on the frontier."""

    def beaten(one: Point) -> bool:
        return any(
            other.cost <= one.cost
            and other.merit >= one.merit
            and (other.cost, other.merit) != (one.cost, one.merit)
            for other in points
        )

    return [replace(one, frontier=isfinite(one.merit) and not beaten(one)) for one in points]


def grouped_alike(
    points: Sequence[Point], statistic: str, level: Level, missing: Missing, seed: int
) -> list[Point]:
    """Give letters to groups that cannot be told apart, "a" to that of the best (Piepho 2004, insert and absorb).

    Two are told apart by a permutation test over the texts that both judged, corrected for all pairs (Holm). Those without a figure are
    in no group. Raises UserError.
    """
    known = sorted((one for one in points if isfinite(one.merit)), key=lambda one: -one.merit)
    pairs = list(combinations(range(len(known)), 2))
    draws = max(1000, _DRAWS * len(pairs))
    tests = {
        f"{first} {second}": compare(
            known[first].judged, known[second].judged, statistic, level,
            bootstrap=Bootstrap(0, seed=seed), permutations=draws, missing=missing,
        ).p
        for first, second in pairs
    }  # fmt: skip
    p = holm({name: value for name, value in tests.items() if value is not None})
    groups = [frozenset(range(len(known)))] if known else []
    for pair in ({*map(int, name.split())} for name, value in p.items() if value <= LEVEL):
        parted = [
            part
            for group in groups
            for part in ([group - {one} for one in pair] if pair <= group else [group])
        ]
        groups = [
            one
            for at, one in enumerate(parted)
            if not any(one < other for other in parted) and one not in parted[:at]
        ]
    letters = {group: chr(ord("a") + place) for place, group in enumerate(sorted(groups, key=sorted))}
    named = {
        known[place].judge: "".join(letter for group, letter in letters.items() if place in group)
        for place in range(len(known))
    }
    return [replace(one, groups=named.get(one.judge, "")) for one in points]
