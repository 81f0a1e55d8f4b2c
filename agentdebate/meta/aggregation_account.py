"""What there is to say of scores that were put together: how many, from which evaluators, by which weights."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from agentdebate.meta.aggregation import Aggregate, Case, Weight
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.judgements import Judged, Judgements

SOURCE, FOLDS, TRAINING = "source", "folds", "training rows"
"""How rows that weights are learnt from are told from rows that are scored: each source by itself, folds of sources, files."""


def counts(rows: Sequence[Aggregate]) -> dict[str, Any]:
    """How many rows there are, how many have no score, and why."""
    missing = Counter(row.why for row in rows if row.score is None)
    return {"rows": len(rows), "missing": missing.total(), "reasons": dict(missing)}


def aspects(rows: Sequence[Aggregate]) -> list[dict[str, Any]]:
    """A line an aspect."""
    lines = []
    for name in dict.fromkeys(row.case.name for row in rows):
        of_aspect = [row for row in rows if row.case.name == name]
        scores = [row.score for row in of_aspect if row.score is not None]
        lines.append(
            {
                "aspect": name,
                "rows": len(of_aspect),
                "missing": len(of_aspect) - len(scores),
                "mean": fmean(scores) if scores else None,
                "lowest": min(scores, default=None),
                "highest": max(scores, default=None),
                "people": sum(row.case.human is not None for row in of_aspect),
            }
        )
    return lines


def coverages(rows: Sequence[Aggregate]) -> list[Coverage]:
    """How many rows have a score, aspect by aspect, and what people say of those and of the others."""
    names = dict.fromkeys(row.case.name for row in rows)
    return [coverage(Judgements("", name, _judged(rows, name))) for name in names]


def _judged(rows: Sequence[Aggregate], name: str) -> tuple[Judged, ...]:
    return tuple(
        Judged(row.case.id, row.case.group or "", row.case.system or "", row.case.human, row.score)
        for row in rows
        if row.case.name == name
    )


def evaluators(scored: Sequence[Case]) -> list[dict[str, Any]]:
    """A line an evaluator and range: a judge has the scale of each aspect."""
    found = [one for case in scored for one in case.scores]
    return [
        {
            "evaluator": name,
            "low": low,
            "high": high,
            "scores": sum(one.score is not None for one in of_name),
            "missing": sum(one.score is None for one in of_name),
            "outside": sum(one.outside for one in of_name),
        }
        for name, low, high in dict.fromkeys((one.evaluator, one.low, one.high) for one in found)
        if (of_name := [one for one in found if (one.evaluator, one.low, one.high) == (name, low, high)])
    ]


def weights_over_folds(weights: Sequence[Weight]) -> list[dict[str, Any]]:
    """A line an aspect and evaluator: its weight over the folds."""
    by_name: dict[tuple[str, str], list[Weight]] = {}
    for weight in weights:
        by_name.setdefault((weight.aspect, weight.evaluator), []).append(weight)
    return [
        {
            "aspect": aspect,
            "evaluator": evaluator,
            "mean": fmean(weight.value for weight in over_folds),
            "lowest": min(weight.value for weight in over_folds),
            "highest": max(weight.value for weight in over_folds),
            "folds": len(over_folds),
            "zero": sum(weight.value == 0 for weight in over_folds),
        }
        for (aspect, evaluator), over_folds in by_name.items()
    ]
