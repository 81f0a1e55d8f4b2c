"""Agreement as records, for JSON and CSV: every number with its counts."""

from collections.abc import Sequence
from typing import Any

from agentdebate.meta.agreement import Agreement
from agentdebate.report.panel import left_out_groups
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
    more = {} if one.epsilon is None else {"epsilon": one.epsilon}
    return {**plain, "left_out": left_out_groups(one), "reasons": dict(one.left_out), **more}


def as_csv(agreements: Sequence[Agreement], *, raw: bool = False) -> str:
    """A line a number; the reasons for what was left out stand in one column. With `raw` nothing is escaped."""
    lines = [csv_line([*COLUMNS, "reasons"])]
    for one in agreements:
        found = record(one)
        reasons = "; ".join(f"{reason}: {count}" for reason, count in one.left_out.items())
        lines.append(csv_line([*(found[name] for name in COLUMNS), reasons], raw=raw))
    return "".join(lines)
