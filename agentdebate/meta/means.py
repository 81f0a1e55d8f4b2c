"""Means and shares of any column of a table by group, with intervals: calls, tokens and rounds by system, labels by task."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from agentdebate.datasets.row import Row
from agentdebate.errors import DataError
from agentdebate.meta.arrays import np
from agentdebate.meta.bootstrap import NO_INTERVAL, Bootstrap, drawn_rows, interval_of_share
from agentdebate.meta.columns import Places
from agentdebate.meta.fields import check_field, choice_of, score_in, value_in
from agentdebate.meta.judgements import Judged


@dataclass(frozen=True)
class Mean:
    """The mean of a column in one group, or the share of one of its labels."""

    group: str
    column: str
    label: str
    """The label that it is the share of; empty where it is a mean."""
    n: int
    """Rows with a value."""
    missing: int
    """Rows without one."""
    value: float
    low: float | None
    high: float | None

    def row(self) -> dict[str, Any]:
        """Row for JSON."""
        return asdict(self)


def means(
    rows: Sequence[Row],
    columns: Sequence[str],
    by: Sequence[str] = (),
    *,
    source: str | None = None,
    bootstrap: Bootstrap | None = Bootstrap(),
) -> list[Mean]:
    """A line for each group and column; for each label of a column that does not hold numbers.

    `by` are the fields whose values make the groups, none for all rows together; `source` is the field of what rows share, which
    intervals draw. That of a mean is of resamples, that of a share Wilson's. Raises UsageError for a field that no row has.
    """
    for option, names in (("of=...", columns), ("by=...", by), ("group=...", (source,) if source else ())):
        for name in names:
            check_field(rows, name, option)
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(", ".join(_word(row, field) for field in by), []).append(row)
    return [
        line
        for column in columns
        for group, some in groups.items()
        for line in _lines(group, column, some, source, bootstrap, numbers=_numbers(rows, column))
    ]


def _lines(
    group: str,
    column: str,
    rows: Sequence[Row],
    source: str | None,
    bootstrap: Bootstrap | None,
    *,
    numbers: bool,
) -> list[Mean]:
    read = [
        score_in(row, column) if numbers else choice_of(row, column, value_in(row, column)) for row in rows
    ]
    placed = [
        (Judged(str(number), _word(row, source) if source else "", "", value, None), value)
        for number, (row, value) in enumerate(zip(rows, read, strict=True))
        if value is not None
    ]
    places = Places.of([place for place, _ in placed])
    order = np.argsort(places.source, kind="stable")
    places, lacking = places.take(order), len(rows) - len(placed)
    if not placed:
        return []
    values = np.array([value for _, value in placed], dtype=float if numbers else object)[order]
    if numbers:
        mean = float(values.mean())
        spread = NO_INTERVAL
        if bootstrap:
            spread = bootstrap.interval(
                places.sources, lambda sources: float(values[drawn_rows(places, sources)].mean()), mean
            )
        return [Mean(group, column, "", len(values), lacking, mean, spread.low, spread.high)]
    lines = []
    for label in sorted(set(values.tolist())):
        right = values == label
        spread = interval_of_share(right, places.source, bootstrap.confidence) if bootstrap else NO_INTERVAL
        share = float(right.mean())
        lines.append(Mean(group, column, label, len(values), lacking, share, spread.low, spread.high))
    return lines


def _numbers(rows: Sequence[Row], column: str) -> bool:
    """Tell whether a column holds nothing but numbers."""
    try:
        return all(
            not isinstance(value_in(row, column), bool) and (score_in(row, column), True)[1] for row in rows
        )
    except DataError:
        return False


def _word(row: Row, field: str) -> str:
    value = value_in(row, field)
    return "" if value is None else str(value)
