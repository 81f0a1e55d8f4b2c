"""Rows as items of a task, by the columns that hold what."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agentdebate.datasets.human import human_scores
from agentdebate.datasets.row import Row, kind_of, name_of, number_of, text_of, value_of
from agentdebate.errors import nearest
from agentdebate.tasks import Item, Scale, Task
from agentdebate.visible import is_blank


@dataclass(frozen=True)
class Columns:
    """Which columns of the data hold what. A task's field that is not named here is in the column of its own name."""

    fields: Mapping[str, str] = field(default_factory=dict)
    """Task field to column."""
    id: Sequence[str] = ()
    """The columns that make up an item's id, joined by "/"."""
    group: str | None = None
    system: str | None = None
    human: Mapping[str, str] = field(default_factory=dict)
    """Aspect to the column of people's scores; one inside another is named with a dot. Where none is named, an object in a column
    "human" has people's scores by aspect.
    """
    human_scales: Mapping[str, Scale] = field(default_factory=dict)
    """The scale on which people scored an aspect, where that is not the aspect's own; "" stands for every aspect."""
    more: Mapping[str, str] = field(default_factory=dict)
    """Further fields that go with the item though its task does not name them, each with its column.

    Where the column holds a list of texts, they are the fields NAME_1, NAME_2, ...; null and an empty list are no field.
    """
    evidence: Mapping[str, str] = field(default_factory=dict)
    """Evaluator to the column of the scores that it gave elsewhere."""


def items(rows: Iterable[Row], task: Task, columns: Columns) -> Iterator[Item]:
    """The rows as items of a task. Raises DataError for a missing or empty field and for an id that occurs twice."""
    lines: dict[str, int] = {}
    for row in rows:
        item = item_of(row, task, columns)
        if item.id in lines:
            raise row.error(
                f"the id {item.id!r} is on line {lines[item.id]} too; name the columns that tell items apart with ids=..."
            )
        lines[item.id] = row.line
        yield item


def item_of(row: Row, task: Task, columns: Columns) -> Item:
    """A row as an item of a task. Raises DataError for a missing or empty field."""
    fields = {name: _field(row, name, columns) for name in task.fields}
    for name in task.optional:
        column = columns.fields.get(name)
        if (row.data.get(name) if column is None else value_of(row, column)) is not None:
            fields[name] = text_of(row, column or name)
    item = Item(
        fields={**fields, **_more(row, task, columns)},
        task=task.name,
        id=_id(row, columns),
        group=_label(row, columns.group),
        system=_label(row, columns.system),
        human=human_scores(row, task, columns.human, columns.human_scales),
        evidence={name: number_of(row, column) for name, column in columns.evidence.items()},
    )
    for name in task.candidates or (task.judged,):
        if name in fields and is_blank(fields[name]):
            column = columns.fields.get(name, name)
            raise row.error("there is no text here to judge", column)
    return item


def _more(row: Row, task: Task, columns: Columns) -> dict[str, str]:
    """The fields that the task does not name. Raises DataError for one that it does name, or that is there twice."""
    found: dict[str, str] = {}
    for name, column in columns.more.items():
        for field_name, text in _numbered(row, name, column):
            if field_name in found or field_name in (*task.fields, *task.optional):
                whose = (
                    "another further field" if field_name in found else f"a field of the task {task.name!r}"
                )
                raise row.error(f"{field_name!r} would be {whose} too; give it another name", column)
            found[field_name] = text
    return found


def _numbered(row: Row, name: str, column: str) -> Iterator[tuple[str, str]]:
    value = value_of(row, column)
    if isinstance(value, list):
        for number, text in enumerate(value, 1):
            if not isinstance(text, str):
                raise row.error(
                    f"a list of texts is wanted here, and number {number} is {kind_of(text)}", column
                )
            yield f"{name}_{number}", text
    elif value is not None:
        yield name, text_of(row, column)


def _field(row: Row, name: str, columns: Columns) -> str:
    if name not in row.data and name not in columns.fields:
        near = nearest(name, row.data).replace("Known:", "The row has")
        raise row.error(
            f"this row has no such field. {near} Say which column it is with fields='{name}=COLUMN'", name
        )
    return text_of(row, columns.fields.get(name, name))


def _id(row: Row, columns: Columns) -> str:
    """The named columns; else a column "id"; else group and system; else the line."""
    if columns.id:
        return "/".join(name_of(row, column) for column in columns.id)
    if row.data.get("id") is not None:
        return name_of(row, "id")
    labels = [column for column in (columns.group, columns.system) if column]
    if len(labels) == 2:  # noqa: PLR2004 - one alone does not tell items apart
        return "/".join(name_of(row, column) for column in labels)
    return f"line-{row.line}"


def _label(row: Row, column: str | None) -> str | None:
    return None if column is None else name_of(row, column)
