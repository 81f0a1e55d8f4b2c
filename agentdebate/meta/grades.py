"""Letters, or other words, that stand for scores: A for 5, B for 4."""

from collections.abc import Mapping, Sequence
from typing import Any

from agentdebate.datasets.frame import Frame
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.fields import has, value_in
from agentdebate.meta.judgements import is_score


def parse_grades(pairs: Mapping[str, str], option: str = "grades=...") -> dict[str, float]:
    """The number of each word. Raises UsageError for what is none."""
    found: dict[str, float] = {}
    for word, text in pairs.items():
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not is_score(number):
            raise UsageError(
                f"{option} takes WORD=NUMBER, and {text!r} of {word!r} is not a number that can be used"
            )
        found[word] = number
    return found


def graded(rows: Sequence[Row], fields: Sequence[str], grades: Mapping[str, float]) -> Sequence[Row]:
    """The rows with numbers for words in these fields, in lists of them too. Other values stay as they are."""
    return Frame.of(_graded(row, fields, grades) for row in rows)


def holds_word(rows: Sequence[Row], fields: Sequence[str], grades: Mapping[str, float]) -> bool:
    """Whether some row has one of the words in one of these fields, or in a list there."""
    return any(_has_word(value_in(row, field), grades) for row in rows for field in fields if has(row, field))


def _has_word(value: Any, grades: Mapping[str, float]) -> bool:
    if isinstance(value, list):
        return any(_has_word(entry, grades) for entry in value)
    return isinstance(value, str) and value.strip() in grades


def _graded(row: Row, fields: Sequence[str], grades: Mapping[str, float]) -> Row:
    # A field's whole name goes before the path that it is, so the numbers stand under that.
    found = {field: _number(value_in(row, field), grades) for field in fields if has(row, field)}
    return Row(row.path, row.line, {**row.data, **found}, row.within)


def _number(value: Any, grades: Mapping[str, float]) -> Any:
    if isinstance(value, list):
        return [_number(entry, grades) for entry in value]
    return grades.get(value.strip(), value) if isinstance(value, str) else value
