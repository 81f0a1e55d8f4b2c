"""Pairing of the texts of an item that an evaluator compares."""

import re

from agentdebate.errors import DataError
from agentdebate.evaluators.base import Evaluator, Pair
from agentdebate.tasks import Item, Task
from agentdebate.visible import is_blank


def pair_of(item: Item, task: Task, evaluator: Evaluator, candidate: str | None = None) -> Pair:
    """Find the pair that the evaluator compares in an item: its premise, and the text under judgement.

    The premise is the field that the evaluator names, or the fields of that name with a number behind it (reference_1,
    reference_2 ...). The text is the task's judged field, or the `candidate` where the task compares texts. Raises
    DataError that names item and field for a text that is missing or empty.
    """
    fields = [field for field in _premises(item, evaluator.premise) if not task.lacks(item, field)]
    if not fields:
        more = f"; give the item a field {evaluator.premise!r} (also='{evaluator.premise}=COLUMN')"
        raise _missing(item, evaluator.premise, f"evaluator {evaluator.name!r} compares with it", more)
    premise = tuple(_text(item, field, evaluator) for field in fields)
    return Pair(premise, _text(item, candidate or task.judged, evaluator))


def _premises(item: Item, name: str) -> list[str]:
    if name in item.fields:
        return [name]
    pattern = re.compile(rf"{re.escape(name)}_([0-9]+)")
    numbered = {field: match[1] for field in item.fields if (match := pattern.fullmatch(field))}
    return sorted(numbered, key=lambda field: (int(numbered[field]), field))


def _text(item: Item, field: str, evaluator: Evaluator) -> str:
    text = item.fields.get(field)
    if text is None:
        raise _missing(item, field, f"evaluator {evaluator.name!r} scores it")
    if is_blank(text):
        raise DataError(
            f"evaluator {evaluator.name!r} needs it, and item {item.id or '?'} has no text here", field=field
        )
    return text


def _missing(item: Item, field: str, why: str, more: str = "") -> DataError:
    have = ", ".join(item.fields) or "no fields"
    return DataError(f"{why}, and item {item.id or '?'} has {have}{more}", field=field)
