"""How near to each other ballots come, round by round."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from agentdebate.meta.grouping import in_order
from agentdebate.meta.talk import Talk, Value, sitting_of


@dataclass(frozen=True, slots=True)
class Convergence:
    """How near to each other the ballots of one round are, over the sittings in which several agents cast one."""

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
    return [_convergence(*names, cases[names]) for names in in_order(cases)]


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
