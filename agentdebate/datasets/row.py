"""A record of a data file, and what is read from its columns, with every error at its line."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agentdebate.datasets.missing_words import no_score
from agentdebate.errors import DataError, nearest
from agentdebate.visible import is_blank


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a data file, and the line it begins on."""

    path: str
    line: int
    data: Mapping[str, Any]
    within: str = ""
    """Where the record stands in a larger one: "scores.", "responses[2]."."""

    def error(self, message: str, column: str | None = None) -> DataError:
        """What is wrong with the record, or with one of its columns, as an error that says where it is."""
        field = self.within.rstrip(".") or None if column is None else f"{self.within}{column}"
        return DataError(message, path=self.path, line=self.line, field=field)


def text_of(row: Row, column: str) -> str:
    """A text field; a list of turns becomes lines. Raises DataError."""
    value = value_of(row, column)
    if isinstance(value, list) and all(isinstance(turn, str) for turn in value):
        return "\n".join(value)
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise row.error(f"a text is wanted here, not {kind_of(value)}", column)


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
    raise row.error(f"a number is wanted here, not {kind_of(value)}", column)


def name_of(row: Row, column: str) -> str:
    """What names something: a text that is not blank, or a number. Raises DataError."""
    value = value_of(row, column)
    if isinstance(value, str) and is_blank(value):
        raise row.error("a name is wanted here, and the text is empty", column)
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise row.error(f"a text or a number is wanted here, not {kind_of(value)}", column)


def value_of(row: Row, column: str) -> Any:
    """What a column holds. Raises DataError where the row has no such column."""
    if column not in row.data:
        raise row.error(f"this row has no such field. {nearest(column, row.data)}", column)
    return row.data[column]


def object_of(row: Row, column: str) -> Row:
    """An object in a column, as a record of its own. Raises DataError."""
    value = value_of(row, column)
    if not isinstance(value, dict):
        raise row.error(f"an object is wanted here, not {kind_of(value)}", column)
    return Row(row.path, row.line, value, f"{row.within}{column}.")


def objects_of(row: Row, column: str) -> list[Row]:
    """A list of objects in a column, each as a record of its own. Raises DataError."""
    found = []
    for number, value in enumerate(list_of(row, column)):
        place = f"{column}[{number}]"
        if not isinstance(value, dict):
            raise row.error(f"an object is wanted here, not {kind_of(value)}", place)
        found.append(Row(row.path, row.line, value, f"{row.within}{place}."))
    return found


def list_of(row: Row, column: str) -> list[Any]:
    """A list in a column. Raises DataError."""
    value = value_of(row, column)
    if not isinstance(value, list):
        raise row.error(f"a list is wanted here, not {kind_of(value)}", column)
    return value


def kind_of(value: object) -> str:
    """What a value is, in words: "a list"."""
    names = {
        dict: "an object",
        list: "a list",
        bool: "true or false",
        type(None): "null",
        str: f"the text {value!r:.40}",
    }
    return names.get(type(value), f"the number {value}")
