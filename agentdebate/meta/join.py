"""Rows about the same texts put together: those of two files by the fields that name a text, and those of one file that share them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, NamedTuple

from agentdebate.datasets.frame import Frame
from agentdebate.datasets.named_values import names
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.fields import check_field, known_fields, name_in, value_in
from agentdebate.meta.talk import grouped

NO_DATA = "scored texts that the data does not have"
"""Reason why a judge's rows are left out."""
ASIDE = "texts without a row of the judge that fulfils the conditions"
"""Reason why texts of the data are left out."""
RATERS = "raters"
"""The field of the rows of single people that were put together, by their names."""

Key = tuple[str, ...]
"""The values in the fields that name a text."""
Match = tuple[str, str]
"""A field by which rows are matched: its name in the data, and in the judge's file."""


class Pair(NamedTuple):
    """A text: its number, from 1, its id, source and system; the row of the data, and the judge's row about it, None without one."""

    text: tuple[int, str, str, str]
    data: Row
    scores: Row | None


def key_of(row: Row, fields: Sequence[str]) -> Key:
    """The names that a row holds in some fields. Raises DataError where one is empty."""
    return tuple(name_in(row, field) for field in fields)


def by_key(rows: Sequence[Row], fields: Sequence[str]) -> dict[Key, Row]:
    """The rows by what the fields hold. Raises DataError where two rows hold the same, or one holds nothing."""
    found: dict[Key, Row] = {}
    for row in rows:
        key = key_of(row, fields)
        if key in found:
            shown = ", ".join(f"{name} = {value}" for name, value in zip(fields, key, strict=True))
            raise row.error(
                f"{shown} is on line {found[key].line} too: leave one out, or name all fields that tell texts apart with on=..."
            )
        found[key] = row
    return found


def join(
    rows: Sequence[Row],
    scores: Sequence[Row],
    on: Sequence[Match],
    others: Sequence[Row] = (),
    *,
    inner: bool = False,
) -> tuple[list[tuple[Row, Row | None]], dict[str, int]]:
    """Every row of the data with the judge's row that has the same values in the fields `on`, and what was left out.

    The data's `others` are not looked at: the judge may have rows about them, which are not counted as unknown texts. With
    `inner`, as a condition chose among the judge's rows, a text without one is left out and not missing. Raises UsageError for an
    unknown field and where nothing matches, DataError where the same values name two rows of one file, or a row has none.
    """
    if not on:
        raise UsageError(
            f"on=... says by which fields rows of {rows[0].path} and {scores[0].path} are matched; those of the second are "
            f"{', '.join(known_fields(scores))}"
        )
    ours, theirs = zip(*on, strict=True)
    for some, fields in ((rows, ours), (scores, theirs)):
        for name in fields:
            check_field(some, name, "on=...")
    data, found = by_key(rows, ours), by_key(scores, theirs)
    if data.keys().isdisjoint(found):
        first, second = ("/".join(next(iter(keys))) for keys in (found, data))
        raise UsageError(
            f"on='{'/'.join(ours)}': no row of {scores[0].path} ({first}, ...) is about a text of {rows[0].path} ({second}, ...). Fields of "
            f"the first are {', '.join(known_fields(scores))}: on='FIELD=FIELD' says which is which"
        )
    known = data.keys() | {key_of(row, ours) for row in others}
    pairs = [(row, found.get(key)) for key, row in data.items() if key in found or not inner]
    left_out = {NO_DATA: len(found.keys() - known), ASIDE: len(data) - len(pairs)}
    return pairs, {reason: count for reason, count in left_out.items() if count}


def by_order(rows: Sequence[Row], orders: str, on: Sequence[str]) -> Sequence[Row]:
    """A row a text: what both orders have alike, and each order's fields under the order's name. Raises UsageError."""
    name, _, values = orders.partition("=")
    both = names(values)
    kept = [row for row in rows if value_in(row, name) is not None and name_in(row, name) in both]
    if len(set(both)) != 2 or not kept:  # noqa: PLR2004 - two texts have two orders
        raise UsageError(
            f"orders=... takes FIELD=FIRST,SECOND, and no row of {rows[0].path} is of {orders!r}"
        )
    return Frame.of(
        replace(row, data={**row.data, **parts}) for row, parts in _together(kept, name, on, "orders=...")
    )


def by_rater(rows: Sequence[Row], rater: str, on: Sequence[str]) -> Sequence[Row]:
    """A row a text, of rows a person: what all people have alike, and under RATERS each person's fields. Raises UsageError."""
    return Frame.of(
        replace(row, data={**row.data, RATERS: parts})
        for row, parts in _together(rows, rater, on, "rater=...")
    )


def _together(
    rows: Sequence[Row], name: str, on: Sequence[str], option: str
) -> Iterator[tuple[Row, dict[str, Mapping[str, Any]]]]:
    """The rows of each text: a row of what the rows of every text have alike, and the fields of each by what one of them holds."""
    if not on:
        raise UsageError(f"{option}: on=... says by which fields the rows of a text are put together")
    for each in (name, *on):
        check_field(rows, each, option)
    texts = [
        (some[0][1], {key[-1]: row.data for key, row in sorted(some, key=itemgetter(0))})
        for some in grouped(by_key(rows, [*on, name]).items(), lambda entry: entry[0][:-1]).values()
    ]
    unlike = {
        field
        for first, parts in texts
        for field, value in first.data.items()
        if any(data.get(field) != value for data in parts.values())
    }
    for first, parts in texts:
        alike = {field: value for field, value in first.data.items() if field not in unlike}
        yield replace(first, data=alike), parts
