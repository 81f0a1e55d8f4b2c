"""What there is to say of scores that were put together: what `agentdebate aggregate` counts, and its tables."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from agentdebate.cli.console import number, one_line, out, table
from agentdebate.meta.aggregation import Aggregate, Case, Weight
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.judged import Judged, Judgements

SOURCE, FOLDS, TRAINING = "source", "folds", "training rows"
"""How rows that weights are learnt from are told from rows that are scored: each source by itself, folds of sources, files."""

NONE = "-"
"""What a table shows where there is no score."""

_STATISTICS = {"pearson": "Pearson's r", "spearman": "Spearman's rho"}
_TITLES = {
    "avg": "AVG: the mean of all evaluators",
    "llmsel": "LLMSel: the mean of the evaluators that the plan selects for the aspect",
    "corrw": "CorrW: the mean of the evaluators, weighted by their correlation with people",
}


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


def print_account(summary: dict[str, Any]) -> None:
    """The summary as tables."""
    _print_table(_TITLES[summary["how"]], summary["aspects"], ["aspect"])
    reasons = "; ".join(f"{count} as {why}" for why, count in summary["reasons"].items())
    out(
        f"{number(summary['rows'], 'row')}, {summary['missing']} missing{f' ({reasons})' if reasons else ''}; run {summary['run']}"
    )
    for name in ("debates_not_ended", "debates_without_evidence"):
        if summary[name]:
            out(f"{number(summary[name], 'debate')} {name.removeprefix('debates_').replace('_', ' ')}")
    out()
    _print_table("Evaluators", summary["evaluators"], ["evaluator"])
    if any(one["outside"] for one in summary["evaluators"]):
        out("outside: scores outside the range from low to high, which count as its nearer end")
    if "weights" in summary:
        _print_weights(summary)
    if summary["note"]:
        out(f"\n{summary['note']}")


def _print_weights(summary: dict[str, Any]) -> None:
    out()
    _print_table("Weights", summary["weights"], ["aspect", "evaluator"])
    least, most = summary["learnt_from"]
    rows = f"{least}" if least == most else f"{least} to {most}"
    out(
        one_line(
            f"{_STATISTICS[summary['statistic']]} with people's scores of the aspect, pooled; {_split(summary)}; each from {rows} rows"
        )
    )
    out(
        "mean, lowest, highest: over the folds; zero: folds in which the correlation is negative or not defined"
    )


def _split(summary: dict[str, Any]) -> str:
    sources = number(summary["sources"], "source")
    if summary["split"] == FOLDS:
        return f"{summary['folds']} folds over {sources}, a row's own fold left out"
    if summary["split"] == SOURCE:
        return f"a row's own source left out, of {sources}"
    left_out = summary["training_rows_left_out"]
    return f"training rows of {sources}, {left_out} left out whose sources are scored here"


def _print_table(title: str, lines: Sequence[dict[str, Any]], texts: Sequence[str]) -> None:
    if not lines:
        return
    head = list(lines[0])
    cells = [[_shown(value) for value in line.values()] for line in lines]
    table(title, head, cells, numeric=[name for name in head if name not in texts])


def _shown(value: object) -> object:
    if value is None:
        return NONE
    return f"{value:.5f}" if isinstance(value, float) and not value.is_integer() else value
