"""Rows as items of a task, by the columns that hold what, and people's scores in them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from agentdebate.datasets.named_values import names
from agentdebate.datasets.row import Row, entries_of, name_of, number_of, object_of, text_of, value_of
from agentdebate.errors import DataError, nearest
from agentdebate.tasks import Aspect, Item, Scale, Task
from agentdebate.visible import is_blank

NESTED = "human"
"""The column that may hold people's scores by aspect."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns of the data, by what they hold. A task's field that is not named here is in the column of its own name."""

    fields: Mapping[str, str] = field(default_factory=dict)
    """FIELD=COLUMN, such as source=article; several with commas."""
    ids: Sequence[str] | str | None = None
    """The columns that make up an item's id, with commas."""
    group: str | None = None
    """The column of the source that items share."""
    system: str | None = None
    """The column that names the system that wrote the text."""
    human: Mapping[str, str] = field(default_factory=dict)
    """ASPECT=COLUMN of people's scores [the object in the column human]."""
    human_scale: Mapping[str, str | Scale] | str | Scale = field(default_factory=dict)
    """SCALE, or ASPECT=SCALE, on which people scored, such as 0-100: their scores are mapped onto the aspect's own."""
    also: Mapping[str, str] = field(default_factory=dict)
    """FIELD=COLUMN of a text that the agents are not shown, such as reference=references; a list of texts becomes reference_1,
    reference_2, ..."""
    evidence: Mapping[str, str] = field(default_factory=dict)
    """NAME=COLUMN of an evaluator's scores that were computed elsewhere; evaluators to run are an option of the strategy."""

    @cached_property
    def scales(self) -> Mapping[str, Scale]:
        """The scales on which people scored, by aspect; "" stands for every aspect. Raises UsageError."""
        given = self.human_scale
        by_aspect = given if isinstance(given, Mapping) else {"": given}
        return {name: one if isinstance(one, Scale) else Scale.parse(one) for name, one in by_aspect.items()}


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
    for name in task.candidates or (task.judged,):
        if name in fields and is_blank(fields[name]):
            raise row.error("there is no text here to judge", columns.fields.get(name, name))
    return Item(
        fields={**fields, **_more(row, task, columns)},
        task=task.name,
        id=_id(row, columns),
        group=None if columns.group is None else name_of(row, columns.group),
        system=None if columns.system is None else name_of(row, columns.system),
        human=_human(row, task, columns),
        evidence={name: number_of(row, column) for name, column in columns.evidence.items()},
    )


def _more(row: Row, task: Task, columns: Columns) -> dict[str, str]:
    """The fields that the task does not name. Raises DataError for one that it does name, or that is there twice."""
    found: dict[str, str] = {}
    for name, column in columns.also.items():
        for field_name, text in _numbered(row, name, column):
            if field_name in found or field_name in (*task.fields, *task.optional):
                raise row.error(
                    f"the item has a field {field_name!r} already; give this one another name", column
                )
            found[field_name] = text
    return found


def _numbered(row: Row, name: str, column: str) -> Iterator[tuple[str, str]]:
    value = value_of(row, column)
    if isinstance(value, list):
        texts = entries_of(row, column)
        for number, place in enumerate(texts.data, 1):
            yield f"{name}_{number}", text_of(texts, place)
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
    labels = [column for column in (columns.group, columns.system) if column]
    if ids := names(columns.ids):
        return "/".join(name_of(row, column) for column in ids)
    if row.data.get("id") is not None:
        return name_of(row, "id")
    if len(labels) == 2:  # noqa: PLR2004 - one alone does not tell items apart
        return "/".join(name_of(row, column) for column in labels)
    return f"line-{row.line}"


def _human(row: Row, task: Task, columns: Columns) -> dict[str, float | None]:
    """People's scores by aspect, on the aspects' own scales.

    Where no column is named, an object in the column "human" has them. Scores of candidates say which text people like better, on
    whatever scale: they stay as they are. Raises DataError for what is not a number, for a score outside the scale, and for an
    object that names no aspect of the task.
    """
    places = [(aspect, *_at(row, column)) for aspect, column in columns.human.items()]
    return {
        name: on_scale(holder, column, name, task, columns.scales)
        for name, holder, column in places or _nested(row, task)
    }


def check_on_scale(item: Item, task: Task, aspects: Sequence[Aspect]) -> None:
    """Raise DataError where a person's score of one of these aspects is outside its scale. Those of candidates have none."""
    if task.candidates:
        return
    for aspect in aspects:
        score = item.human.get(aspect.name)
        if score is not None and not aspect.scale.low <= score <= aspect.scale.high:
            problem = _off_scale(score, aspect.name, aspect.scale)
            raise DataError(f"item {item.id!r}: {problem}", field=f"human.{aspect.name}")


def _at(row: Row, column: str) -> tuple[Row, str]:
    """The record that holds a column, and what it is called there: a column inside another is named with a dot."""
    head, dot, rest = column.partition(".")
    if column in row.data or not dot or not isinstance(row.data.get(head), Mapping):
        return row, column
    return _at(object_of(row, head), rest)


def _nested(row: Row, task: Task) -> Iterator[tuple[str, Row, str]]:
    """The scores in the column "human", unless that is a field or a text. Those of aspects that the task does not have are left out."""
    given = row.data.get(NESTED)
    if NESTED in (*task.fields, *task.optional) or given is None or isinstance(given, str):
        return
    known = [aspect.name for aspect in task.aspects]
    inner = object_of(row, NESTED)
    if given and not any(name.partition(".")[0] in known for name in given):
        first = next(iter(given))
        raise inner.error(f"task {task.name!r} has no such aspect. {nearest(first, known)}", first)
    for name, value in given.items():
        if isinstance(value, Mapping) and task.candidates and name in known:
            of_aspect = object_of(inner, name)
            yield from ((f"{name}.{candidate}", of_aspect, candidate) for candidate in value)
        elif name.partition(".")[0] in known:
            yield name, inner, name


def on_scale(row: Row, column: str, name: str, task: Task, scales: Mapping[str, Scale]) -> float | None:
    """People's score of an aspect, mapped from the scale on which they scored onto the aspect's own. Raises DataError."""
    score = number_of(row, column)
    if score is None or task.candidates:
        return score
    own = task.aspect(name).scale
    theirs = scales.get(name) or scales.get("") or own
    if not theirs.low <= score <= theirs.high:
        raise row.error(_off_scale(score, name, theirs), column)
    if theirs is own:
        return score
    share = (score - theirs.low) / (theirs.high - theirs.low)
    return round(own.low + share * (own.high - own.low), 12)


def _off_scale(score: float, name: str, scale: Scale) -> str:
    return (
        f"people's score {score:g} is outside the scale of {name}, {scale.ends}; fix it, or say on which scale people scored and "
        f"their scores are mapped: human_scale='{name}=LOW-HIGH'"
    )
