"""Agreement as records, for JSON and CSV: every number with its counts."""

from collections.abc import Mapping, Sequence
from typing import Any

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.coverage import Coverage
from agentdebate.report.coverage_table import LABELS, RECORDED, coverage_figures
from agentdebate.report.spreadsheet import csv_line

COLUMNS = (
    "judge", "aspect", "statistic", "level", "value", "low", "high", "n", "groups", "left_out", "missing",
)  # fmt: skip
"""What every record has: `left_out` counts groups that have no value and no part in the mean, `missing` rows that lack a
score.
"""


def record(one: Agreement) -> dict[str, Any]:
    """One number of agreement as a flat record, with all reasons for which something was left out."""
    plain = {name: getattr(one, name) for name in COLUMNS}
    more: dict[str, Any] = {} if one.epsilon is None else {"epsilon": one.epsilon}
    if one.imputed:
        more["imputed"] = one.imputed
    return {**plain, "left_out": one.groups_left_out, "reasons": dict(one.left_out), **more}


def as_csv(
    agreements: Sequence[Agreement],
    coverages: Mapping[tuple[str, str], Coverage] | None = None,
    *,
    raw: bool = False,
) -> str:
    """A line a number; the reasons for what was left out stand in one column. With `raw` nothing is escaped.

    `coverages`, by judge and aspect, say in columns of their own how much is missing.
    """
    more = [f"coverage_{name}" for name in RECORDED + LABELS]
    lines = [csv_line([*COLUMNS, "reasons", "imputed", *more])]
    for one in agreements:
        found = record(one)
        reasons = "; ".join(f"{reason}: {count}" for reason, count in one.left_out.items())
        covered = coverage_figures((coverages or {}).get((one.judge, one.aspect)))
        lines.append(csv_line([*(found[name] for name in COLUMNS), reasons, one.imputed, *covered], raw=raw))
    return "".join(lines)
