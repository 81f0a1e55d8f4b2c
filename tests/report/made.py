"""Judgements, cells and numbers of agreement made by hand."""

from collections.abc import Sequence
from typing import Any

from agentdebate.debates.outcome import VERDICT, OutcomeCounts
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.studies.cells import Cell, Cost, Kind


def judgements(
    pairs: Sequence[tuple[float | None, float | None]], *, aspect: str = "coherence", judge: str = "judge"
) -> Judgements:
    """People's score and the judge's, two texts a source."""
    rows = (Judged(f"i{place}", f"s{place // 2}", f"m{place % 2}", *pair) for place, pair in enumerate(pairs))
    return Judgements(judge, aspect, tuple(rows))


RISING = judgements([(1, 1), (2, 3), (3, 2), (4, 5), (5, 4), (2, 2), (3, 4), (1, 2)])


def cell(
    label: str = "a",
    *,
    kind: Kind = "run",
    calls: int = 16,
    money: float | None = 0.5,
    judged: Sequence[Judgements] = (RISING,),
    **varied: str,
) -> Cell:
    """A cell of eight debates."""
    return Cell(
        label=label,
        run=f"run-{label}",
        kind=kind,
        varied=varied,
        judged=tuple(judged),
        debates=8,
        outcomes=OutcomeCounts({VERDICT.name: 8}),
        cost=Cost(calls, 0, 100 * calls, 10 * calls, money),
    )


def agreement(
    judge: str = "mine", aspect: str = "coherence", value: float | None = 0.5, **more: Any
) -> Agreement:
    """A number, with usual counts."""
    usual: dict[str, Any] = {
        "statistic": "spearman",
        "level": "pooled",
        "low": None if value is None else value - 0.1,
        "high": None if value is None else value + 0.1,
        "n": 300,
        "groups": 1,
    }
    return Agreement(judge=judge, aspect=aspect, value=value, **{**usual, **more})
