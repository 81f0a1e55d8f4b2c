"""Means and shares of any column of a table by group, with intervals: calls, tokens and rounds by system, labels by task.

A mean is the bias against people who always say 0, and the share of a label is the accuracy against people who always say that label, so
both have the values and intervals that agreement has.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from agentdebate.datasets.row import Row
from agentdebate.errors import DataError
from agentdebate.meta.agreement import agree
from agentdebate.meta.fields import check_field, choice_of, label_in, score_in, value_in
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.talk import grouped


def means(
    rows: Sequence[Row],
    columns: Sequence[str],
    by: Sequence[str] = (),
    *,
    source: str | None = None,
    bootstrap: Bootstrap = Bootstrap(),
) -> list[dict[str, Any]]:
    """A record for each group and column, of its mean; for each label of a column that does not hold numbers, of its share.

    `by` are the fields whose values make the groups, none for all rows together; `source` is the field of what rows share, which
    intervals draw. That of a mean is of resamples, that of a share of rows that share nothing Wilson's. Raises UsageError for a field
    that no row has.
    """
    for option, names in (("of=...", columns), ("by=...", by), ("group=...", (source,) if source else ())):
        for name in names:
            check_field(rows, name, option)
    names_of = [", ".join(label_in(row, field) for field in by) for row in rows]
    found: list[dict[str, Any]] = []
    for column in columns:
        values = _values(rows, column)
        judged = [
            Judged(f"{place:09}", label_in(row, source), "", None, value)
            for place, (row, value) in enumerate(zip(rows, values, strict=True))
        ]
        groups = grouped(zip(names_of, judged, strict=True), lambda pair: pair[0])
        for group, pairs in groups.items():
            found += _lines(group, column, [one for _, one in pairs], bootstrap)
    return found


def _values(rows: Sequence[Row], column: str) -> Sequence[float | str | None]:
    """The values of a column: numbers, or the labels of one that holds anything else."""
    try:
        if not any(isinstance(value_in(row, column), bool) for row in rows):
            return [score_in(row, column) for row in rows]
    except DataError:  # some are words
        pass
    return [choice_of(row, column, value_in(row, column)) for row in rows]


def _lines(group: str, column: str, rows: Sequence[Judged], bootstrap: Bootstrap) -> Iterator[dict[str, Any]]:
    """The lines of a column in a group; none where it has no value there."""
    labels = tuple(sorted({row.score for row in rows if isinstance(row.score, str)}))
    for label in labels or ("",):
        against = [replace(row, human=label if labels else 0.0) for row in rows]
        entry = Judgements(group, column, against, labels=labels or None)
        found = agree(entry, "accuracy" if labels else "bias", bootstrap=bootstrap)
        if found.value is not None:
            figures = {name: getattr(found, name) for name in ("n", "missing", "value", "low", "high")}
            yield {"group": group, "column": column, "label": label, **figures}
