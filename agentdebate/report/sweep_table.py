"""The table of a sweep: a line a cell and a line a control, with agreement, failures and cost."""

from collections.abc import Sequence
from typing import Any

from agentdebate.report.asked_cells import Asked, found_in, missing_told
from agentdebate.report.coverage_table import coverage_caption, coverage_record
from agentdebate.report.question import Question

_COVERED = ("share", "people_mean_judged", "people_mean_missing")
"""What CSV says of what is missing."""

KINDS = {
    "run": "debate",
    "same calls": "single judge",
    "same tokens": "single judge, same tokens",
    "openings": "openings' vote",
    "corrw": "CorrW of evaluators",
}


MORE = {
    "same tokens": "Same tokens: the single judge sampled until it took as many tokens as a debate of the cell on average, by what a "
    "sample of it took in the control beside it.",
    "corrw": "CorrW: the scores of the evaluators of the same debates, each as a share of its range, weighted by its correlation with "
    "people's scores; it takes no calls of its own.",
}
"""What is said of controls that not every sweep has."""


def sweep_rows(asked: Sequence[Asked]) -> list[dict[str, Any]]:
    """Every cell with all that is known of it, as JSON has it."""
    return [_row(one) for one in asked]


def flat_rows(asked: Sequence[Asked]) -> list[dict[str, Any]]:
    """The same for CSV: a column an aspect and figure."""
    rows = []
    for one in asked:
        row = _row(one)
        agreement, varied = row.pop("agreement"), row.pop("varied")
        figures = {
            f"{it['aspect']}_{name}": it[name]
            for it in agreement
            for name in ("value", "low", "high", "n", "missing", "imputed")
        }
        for covered in row.pop("coverage"):
            figures |= {f"{covered['aspect']}_coverage_{name}": covered[name] for name in _COVERED}
        rows.append({**varied, **row, **figures})
    names = list(dict.fromkeys(name for row in rows for name in row))
    return [{name: row.get(name) for name in names} for row in rows]


def sweep_caption(asked: Sequence[Asked], question: Question, judge: str, temperature: float) -> str:
    """What the table shows, in words."""
    first = next((one.cell.judged[0] for one in asked if one.found), None)
    told = (
        f"Agreement with people: {question.told(first, found_in(asked))}. "
        if first
        else "People's scores are not known, so there is no agreement. "
    )
    covered = [it for one in asked if not one.cell.read_off for it in one.cell.coverages]
    more = coverage_caption(covered, missing=question.missing, tabled=False)
    told += missing_told(asked, question)
    kinds = {one.cell.kind for one in asked}
    return " ".join(
        [_caption(told, judge, temperature), *(said for kind, said in MORE.items() if kind in kinds), *more]
    )


def _caption(told: str, judge: str, temperature: float) -> str:
    return (
        f"{told}Single judge: {judge} sampled as often as a debate of the cell called on average (rounded), at temperature "
        f"{temperature:g}, its scores averaged. Openings' vote: the ballots that the agents of the same debates cast before "
        "they heard anybody, merged without talk; debates without such a ballot are missing, and count as failed. Calls, "
        "tokens and money are those of all debates, each is calls a debate; what a cache answered counts as if it had been "
        "paid for."
    )


def _row(one: Asked) -> dict[str, Any]:
    cell = one.cell
    return {
        "cell": cell.beside or cell.label,
        "kind": cell.kind,
        "varied": dict(cell.varied),
        "judge": cell.label,
        "run": cell.run,
        "debates": cell.debates,
        "failures": cell.failures,
        "calls": cell.cost.calls,
        "calls_each": round(cell.calls_each, 4),
        "cached": cell.cost.cached,
        "prompt_tokens": cell.cost.prompt_tokens,
        "completion_tokens": cell.cost.completion_tokens,
        "money": cell.cost.money,
        "currency": cell.cost.currency,
        "note": cell.note,
        "mean": one.mean,
        "coverage": [coverage_record(it) for it in cell.coverages],
        "agreement": [
            {
                "aspect": it.aspect,
                "statistic": it.statistic,
                "level": it.level,
                "value": it.value,
                "low": it.low,
                "high": it.high,
                "n": it.n,
                "groups": it.groups,
                "missing": it.missing,
                "imputed": it.imputed,
                "left_out": dict(it.left_out),
            }
            for it in one.found
        ],
    }
