"""Means and shares of any column of a table by group, with intervals: calls, tokens and rounds by system, labels by task."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from agentdebate.datasets.row import Row
from agentdebate.errors import DataError
from agentdebate.meta.arrays import np
from agentdebate.meta.bootstrap import NO_INTERVAL, Bootstrap
from agentdebate.meta.columns import Places
from agentdebate.meta.fields import check_field, choice_of, score_in, value_in
from agentdebate.meta.judgements import Rated
from agentdebate.meta.talk import grouped


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
    intervals draw. That of a mean is of resamples, that of a share of rows that share nothing Wilson's. Raises UsageError for a field
    that no row has.
    """
    for option, names in (("of=...", columns), ("by=...", by), ("group=...", (source,) if source else ())):
        for name in names:
            check_field(rows, name, option)
    groups = grouped(range(len(rows)), lambda place: ", ".join(_word(rows[place], field) for field in by))
    found: list[Mean] = []
    for column in columns:
        values = _values(rows, column)
        for group, places in groups.items():
            pairs = [(_word(rows[place], source) if source else "", values[place]) for place in places]
            found += _lines(group, column, pairs, bootstrap)
    return found


def _values(rows: Sequence[Row], column: str) -> list[float | None] | list[str | None]:
    """The values of a column: numbers, or the labels of one that holds anything else."""
    try:
        if not any(isinstance(value_in(row, column), bool) for row in rows):
            return [score_in(row, column) for row in rows]
    except DataError:  # some are words
        pass
    return [choice_of(row, column, value_in(row, column)) for row in rows]


def _lines(
    group: str, column: str, pairs: Sequence[tuple[str, float | str | None]], bootstrap: Bootstrap | None
) -> Iterator[Mean]:
    """The lines of a column in a group, from the source and value of each row."""
    known = sorted((pair for pair in pairs if pair[1] is not None), key=lambda pair: pair[0])
    places = Places.of([Rated(f"{n:09}", name, "", ()) for n, (name, _) in enumerate(known)])
    values = np.array([value for _, value in known])
    labels = sorted(set(values.tolist())) if values.dtype.kind == "U" else [""] * bool(known)
    for label in labels:
        of = (values == label) if label else values
        spread = NO_INTERVAL
        if bootstrap:
            spread = bootstrap.of_share(of, places) if label else bootstrap.of_mean(of, places)
        missing = len(pairs) - len(known)
        yield Mean(group, column, label, len(known), missing, float(of.mean()), spread.low, spread.high)


def _word(row: Row, field: str) -> str:
    value = value_in(row, field)
    return "" if value is None else str(value)
