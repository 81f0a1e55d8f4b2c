"""Recorded judgements as rows that can be compared: judges that share a file, and both orders in rows of their own."""

import re
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from agentdebate.datasets.frame import Frame
from agentdebate.datasets.picked import picked
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.fields import all_of, check_field, label_of, value_in

_AROUND = re.compile(r"^[\W_]+|[\W_]+$")
_TWICE = re.compile(r"([\W_])\1+")


def by_judge(rows: Sequence[Row], fields: Sequence[str]) -> dict[str, Sequence[Row]]:
    """The rows of each judge of a file, by what the fields hold: "gpt-4 CoT", in the order in which they come.

    Raises UsageError for an unknown field, DataError where a row has nothing in it.
    """
    for field in fields:
        check_field(rows, field, "by=...")
    found: dict[str, array[int]] = {}
    for place, words in enumerate(zip(*(all_of(rows, field, _word_of) for field in fields), strict=True)):
        found.setdefault(" ".join(words), array("q")).append(place)
    return {name: picked(rows, places) for name, places in found.items()}


def without_words(rows: Sequence[Row], field: str, words: Sequence[str]) -> Sequence[Row]:
    """The rows with a name that holds no more what other fields say: "7-gpt-4-swapped" is "7" without model and order.

    `words` are the fields whose values are taken out of the one in `field`; of each the last place where it stands as a word.
    """
    return Frame.of(
        Row(
            row.path,
            row.line,
            {**row.data, field: _cut(_word(row, field), [_word(row, one) for one in words])},
        )
        for row in rows
    )


def order_names(rows: Sequence[Row], field: str, names: Sequence[str]) -> tuple[str, str]:
    """The names of the two orders as they stand in a field, `names` or else in the order in which they come.

    Raises UsageError where there are not two, DataError where a row has nothing in it.
    """
    check_field(rows, field, "orders=...")
    there = tuple(dict.fromkeys(_word(row, field) for row in rows))
    for name in names:
        if name not in there:
            raise UsageError(f"orders=...: {field!r} never is {name!r}. {nearest(name, there)}")
    found = tuple(names) or there
    if len(set(found)) != 2:  # noqa: PLR2004 - two texts have two orders
        raise UsageError(
            f"orders=...: two texts have two orders, and {field!r} has {', '.join(found[:9])}: orders='{field}=FIRST,SECOND'"
        )
    return found[0], found[1]


def side_by_side(rows: Sequence[Row], field: str, names: tuple[str, str], on: Sequence[str]) -> Sequence[Row]:
    """A row an item: what both orders have alike, and each order's row under the order's name.

    `on` are the fields that name an item. Where they never name two rows alike because the order is a part of the name, that
    word is taken out of it. Rows of other orders are left out. Raises UsageError where no item has both orders, DataError
    where an item has one of them twice.
    """
    if not on:
        raise UsageError("orders=...: on=... says by which fields the two orders of an item are put together")
    for name in on:
        check_field(rows, name, "on=...")
    kept: Sequence[Row] = [row for row in rows if _word(row, field) in names]
    found = _by_item(kept, field, on)
    if not _pairs(found):
        for name in on:
            kept = without_words(kept, name, [field])
        found = _by_item(kept, field, on)
    if not _pairs(found):
        raise UsageError(
            f"orders=...: no item of {rows[0].path} has both {names[0]} and {names[1]}, by {'/'.join(on)} "
            f"({', '.join('/'.join(key) for key in list(found)[:3])}, ...)"
        )
    return Frame.of(_together(orders, names) for orders in found.values())


Orders = Mapping[str, Row]
"""The rows of an item by their order."""


def _pairs(found: Mapping[tuple[str, ...], Orders]) -> int:
    return sum(len(orders) > 1 for orders in found.values())


def _by_item(rows: Sequence[Row], field: str, on: Sequence[str]) -> dict[tuple[str, ...], dict[str, Row]]:
    found: dict[tuple[str, ...], dict[str, Row]] = {}
    for row in rows:
        key, order = tuple(_word(row, name) for name in on), _word(row, field)
        orders = found.setdefault(key, {})
        if order in orders:
            shown = ", ".join(f"{name} = {value}" for name, value in zip(on, key, strict=True))
            raise row.error(
                f"{shown} with {field} = {order} is on line {orders[order].line} too; name all fields that tell items apart "
                "with on=..., and those that tell judges apart with by=..."
            )
        orders[order] = row
    return found


def _together(orders: Orders, names: tuple[str, str]) -> Row:
    first, *others = orders.values()
    alike = {
        name: value
        for name, value in first.data.items()
        if all(name in other.data and other.data[name] == value for other in others)
    }
    own = {name: orders[name].data for name in names if name in orders}
    return Row(first.path, first.line, {**alike, **own})


def _word(row: Row, field: str) -> str:
    """What a field that names something holds, as a text. Raises DataError where that is nothing."""
    return _word_of(row, field, value_in(row, field))


def _word_of(row: Row, field: str, value: Any) -> str:
    label = str(value).lower() if isinstance(value, bool) else label_of(row, field, value)
    if label is None:
        raise row.error(
            "this row has nothing in the field that names its text, its judge or its order", field
        )
    return label


def _cut(name: str, words: Sequence[str]) -> str:
    rest = name
    for word in sorted(words, key=len, reverse=True):
        places = list(re.finditer(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", rest))
        if places:
            rest = rest[: places[-1].start()] + rest[places[-1].end() :]
    return _AROUND.sub("", _TWICE.sub(r"\1", rest)) or name
