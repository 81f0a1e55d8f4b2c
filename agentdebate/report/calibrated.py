"""What a judge's scores stand for, as tables and records."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.calibration import Bin, Calibrated, Calibration
from agentdebate.report.figures import NONE, figure, interval, percent
from agentdebate.report.grid import Grid

HEAD = ("scores", "n", "judge", "people", "bias")


def calibration_grids(found: Sequence[Calibrated]) -> tuple[Grid, ...]:
    """A table of errors, a judge and aspect a row; and one for each judge and aspect, a bin a row and all texts last."""
    return (_errors(found), *map(_grid, found)) if found else ()


def calibration_record(one: Calibrated) -> Mapping[str, Any]:
    """A reliability table as a record."""
    table = one.table
    return {
        "judge": table.judge,
        "aspect": table.aspect,
        "n": table.n,
        "missing": table.missing,
        "missing_share": table.share,
        "bias": _figure(one.bias),
        "mean_absolute_error": _figure(one.error),
        "calibration_error": table.error,
        "bins": [asdict(each) for each in table.bins],
    }


def calibration_caption() -> str:
    """What the tables say."""
    return (
        "Errors: the mean of the judge's score less people's (bias), and of how far the two are apart. Calibration: texts in "
        "equally wide bins of the judge's scores, a bin's upper end belonging to the next one; how many there are, the judge's "
        "mean score, people's, and the one less the other. The calibration error is how far the two means of a bin are apart, "
        "averaged over texts. All of these take judge and people to score on the same scale."
    )


def _figure(one: Agreement) -> Mapping[str, float | None]:
    return {"value": one.value, "low": one.low, "high": one.high}


def _errors(found: Sequence[Calibrated]) -> Grid:
    with_missing = any(one.table.unjudged for one in found)
    rows = tuple(
        (
            _name(one.table),
            figure(one.bias.value),
            interval(one.bias.low, one.bias.high) or NONE,
            figure(one.error.value),
            interval(one.error.low, one.error.high) or NONE,
            figure(one.table.error),
            str(one.table.n),
            *([percent(one.table.share)] if with_missing else []),
        )
        for one in found
    )
    head = ("judge", "bias", "interval", "abs. error", "interval", "calib.", "n")
    return Grid("Errors", (*head, *(["missing"] if with_missing else [])), rows)


def _grid(one: Calibrated) -> Grid:
    table = one.table
    rows = [_row(f"{each.low:.3g} to {each.high:.3g}", each.n, each.score, each.human) for each in table.bins]
    if table.bins:
        rows.append(_row("all", table.n, _mean(table.bins, "score"), _mean(table.bins, "human")))
    return Grid(f"Calibration of {_name(table)}", HEAD, tuple(rows))


def _name(table: Calibration) -> str:
    return f"{table.judge}, {table.aspect}"


def _mean(bins: Sequence[Bin], of: str) -> float:
    total: float = sum(one.n * getattr(one, of) for one in bins)
    return total / sum(one.n for one in bins)


def _row(name: str, count: int, score: float, human: float) -> tuple[str, ...]:
    return name, str(count), figure(score), figure(human), figure(score - human)
