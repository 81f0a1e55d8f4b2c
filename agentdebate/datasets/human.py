"""People's scores in a row: where they are, and whether they are on the scale."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

from agentdebate.datasets.row import Row, kind_of, number_of, object_of
from agentdebate.errors import DataError, nearest
from agentdebate.tasks import Aspect, Item, Scale, Task

NESTED = "human"
"""The column that may hold people's scores by aspect."""


def human_scores(
    row: Row, task: Task, columns: Mapping[str, str], scales: Mapping[str, Scale]
) -> dict[str, float | None]:
    """People's scores by aspect, on the aspects' own scales; `scales` has those on which people scored, "" for every aspect.

    `columns` says where they are; where it says nothing, an object in the column "human" has them. Scores of candidates say
    which text people like better, on whatever scale: they stay as they are. Raises DataError for what is not a number, for a
    score outside the scale, and for an object that names no aspect of the task.
    """
    places = [(aspect, *_at(row, column)) for aspect, column in columns.items()]
    return {
        name: _on_scale(holder, column, name, task, scales)
        for name, holder, column in places or _nested(row, task)
    }


def check_on_scale(item: Item, task: Task, aspects: Sequence[Aspect]) -> None:
    """Raise DataError where a person's score of one of these aspects is outside its scale. Those of candidates have none."""
    if task.candidates:
        return
    for aspect in aspects:
        score = item.human.get(aspect.name)
        if score is not None and not aspect.scale.low <= score <= aspect.scale.high:
            raise DataError(
                f"item {item.id!r}: people's score {score:g} is outside the scale of {aspect.name}, {aspect.scale.ends}; fix the "
                "score, leave it out, or bring it to that scale first",
                field=f"human.{aspect.name}",
            )


def _at(row: Row, column: str) -> tuple[Row, str]:
    """The record that holds a column, and what it is called there: a column inside another is named with a dot."""
    head, dot, rest = column.partition(".")
    if column in row.data or not dot or not isinstance(row.data.get(head), Mapping):
        return row, column
    return _at(object_of(row, head), rest)


def _nested(row: Row, task: Task) -> Iterator[tuple[str, Row, str]]:
    """The scores in the column "human", where that holds an object. Those of aspects that the task does not have are left out."""
    given = row.data.get(NESTED)
    if NESTED in (*task.fields, *task.optional):
        return
    known = [aspect.name for aspect in task.aspects]
    if not isinstance(given, Mapping):
        if _is_score(given):
            raise row.error(
                f'people\'s scores are an object here, such as {{"{known[0]}": {given}}}; for a column of scores name it: '
                f"human='{known[0]}={NESTED}'",
                NESTED,
            )
        return
    inner = object_of(row, NESTED)
    if given and not any(name.partition(".")[0] in known for name in given):
        first = next(iter(given))
        raise inner.error(f"task {task.name!r} has no such aspect. {nearest(first, known)}", first)
    for name, value in given.items():
        if name.partition(".")[0] not in known:
            continue
        if isinstance(value, Mapping) and task.candidates:
            of_aspect = object_of(inner, name)
            yield from ((f"{name}.{candidate}", of_aspect, candidate) for candidate in value)
        else:
            yield name, inner, name


def _is_score(value: object) -> bool:
    """Whether somebody meant a score, or several: a number, a text that is one, or a list. Any other text is not read."""
    if isinstance(value, str):
        try:
            return isfinite(float(value))
        except ValueError:
            return False
    return isinstance(value, int | float | list)


def _on_scale(row: Row, column: str, name: str, task: Task, scales: Mapping[str, Scale]) -> float | None:
    if isinstance(row.data.get(column), Mapping | list):
        raise row.error(f"a number is wanted here, not {kind_of(row.data[column])}", column)
    score = number_of(row, column)
    if score is None or task.candidates:
        return score
    own = task.aspect(name).scale
    theirs = scales.get(name) or scales.get("") or own
    if not theirs.low <= score <= theirs.high:
        raise row.error(_outside(score, name, theirs, declared=theirs is not own), column)
    return score if theirs is own else _mapped(score, theirs, own)


def _outside(score: float, name: str, scale: Scale, *, declared: bool) -> str:
    if declared:
        return f"people's score {score:g} is outside the scale on which they scored {name}, {scale.ends}; fix the row, or the scale"
    return (
        f"people's score {score:g} is outside the scale of {name}, {scale.ends}; fix the row, or say on which scale people scored "
        f"and their scores are mapped: human_scale='{name}=LOW-HIGH'"
    )


def _mapped(score: float, theirs: Scale, own: Scale) -> float:
    """The score as far between the ends of one scale as it was between those of the other."""
    share = (score - theirs.low) / (theirs.high - theirs.low)
    return round(own.low + share * (own.high - own.low), 12)
