"""A record of a data file, and what is read from its columns, with every error at its line."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agentdebate.datasets.conversation import conversation, is_conversation
from agentdebate.errors import DataError, UsageError, nearest
from agentdebate.visible import is_blank

_NO_SCORES = frozenset(
    ["", "na", "n/a", "n.a.", "#n/a", "#na", "<na>", "nan", "null", "none", "-", "--", "–", "—", "."]
)
"""Words that tables have in the place of a score, in any case of letters."""

_NO_LABELS = frozenset(("", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "NULL", "null", "None"))
"""Words for a missing label, as programs write them: "none" and "-" may be labels."""


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a data file, and the line it begins on."""

    path: str
    line: int
    data: Mapping[str, Any]
    within: str = ""
    """Place of the record in a larger one: "scores.", "responses[2]."."""

    def error(self, message: str, column: str | None = None) -> DataError:
        """Make the error for a problem of the record, or of one of its columns, with its place."""
        field = self.within.rstrip(".") or None if column is None else f"{self.within}{column}"
        return DataError(message, path=self.path, line=self.line, field=field)

    def unlike(self, wanted: str, value: object, column: str) -> DataError:
        """The error of a value that is not what is wanted: "a list"."""
        return self.error(f"{wanted} is wanted here, not {kind_of(value)}", column)


def no_label(value: object, words: frozenset[str] = _NO_LABELS) -> bool:
    """Decide whether a value of a column of labels stands for none: it is one of these words, null or not a number."""
    if isinstance(value, str):
        return value.strip() in words
    return value is None or (isinstance(value, float) and math.isnan(value))


def no_score(value: object) -> bool:
    """Decide whether a value of a column of scores stands for none."""
    return no_label(value.casefold() if isinstance(value, str) else value, _NO_SCORES)


def text_of(row: Row, column: str) -> str:
    """A text field; a list of turns becomes lines, and one of messages a conversation. Raises DataError."""
    value = value_of(row, column)
    if is_conversation(value):
        try:
            return conversation(value)
        except UsageError as error:
            raise row.error(str(error), column) from error
    if isinstance(value, list) and all(isinstance(turn, str) for turn in value):
        return "\n".join(value)
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise row.unlike("a text", value, column)


def number_of(row: Row, column: str) -> float | None:
    """A number; None where there is none, or a word that says so. Raises DataError."""
    value = value_of(row, column)
    if no_score(value):
        return None
    try:
        if not isinstance(value, bool) and math.isfinite(score := float(value)):
            return score
    except (TypeError, ValueError, OverflowError):
        pass
    raise row.unlike("a number", value, column)


def name_of(row: Row, column: str) -> str:
    """The name in a column: a text that is not blank, or a number. Raises DataError."""
    value = value_of(row, column)
    if isinstance(value, str | int | float) and not isinstance(value, bool) and not is_blank(str(value)):
        return str(value)
    raise row.unlike("a name or a number", value, column)


def value_of(row: Row, column: str) -> Any:
    """The value in a column. Raises DataError where the row has no such column."""
    if column not in row.data:
        raise row.error(f"this row has no such field. {nearest(column, row.data)}", column)
    return row.data[column]


def object_of(row: Row, column: str) -> Row:
    """An object in a column, as a record of its own. Raises DataError."""
    value = value_of(row, column)
    if not isinstance(value, dict):
        raise row.unlike("an object", value, column)
    return Row(row.path, row.line, value, f"{row.within}{column}.")


def objects_of(row: Row, column: str) -> list[Row]:
    """A list of objects in a column, each as a record of its own. Raises DataError."""
    entries = entries_of(row, column)
    return [object_of(entries, place) for place in entries.data]


def list_of(row: Row, column: str) -> list[Any]:
    """A list in a column. Raises DataError."""
    value = value_of(row, column)
    if not isinstance(value, list):
        raise row.unlike("a list", value, column)
    return value


def entries_of(row: Row, column: str) -> Row:
    """A list in a column, as a record of its entries: column[0], column[1] and so on. Raises DataError."""
    entries = {f"{column}[{number}]": entry for number, entry in enumerate(list_of(row, column))}
    return Row(row.path, row.line, entries, row.within)


def numbers_of(row: Row, column: str) -> list[float | None]:
    """A list of scores in a column; None where one is missing. Raises DataError."""
    scores = entries_of(row, column)
    return [number_of(scores, place) for place in scores.data]


def kind_of(value: object) -> str:
    """The kind of a value, in words: "a list"."""
    names = {
        dict: "an object",
        list: "a list",
        bool: "true or false",
        type(None): "null",
        str: f"the text {value!r:.40}",
    }
    return names.get(type(value), f"the number {value}")


def by_name(rows: Iterable[Row], column: str) -> dict[str, Row]:
    """Rows by the name in a column. Raises DataError for one that is there twice."""
    found: dict[str, Row] = {}
    for row in rows:
        first = found.setdefault(name_of(row, column), row)
        if first is not row:
            raise row.error(f"{name_of(row, column)!r} is on line {first.line} too", column)
    return found
