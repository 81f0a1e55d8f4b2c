"""How recorded judgements lie in a file: several judges in it, a row an order, letters for scores."""

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agentdebate.datasets.frame import Frame
from agentdebate.datasets.named_values import free_pairs, names
from agentdebate.datasets.picked import picked
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.fields import all_of, check_field, has, label_in, label_of, value_in
from agentdebate.meta.joining import Match
from agentdebate.meta.judgements import is_score
from agentdebate.meta.judges import Judge
from agentdebate.meta.pairing import Pairing
from agentdebate.meta.where import Condition, holding, narrow

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


@dataclass(frozen=True)
class RecordLayout:
    """How recorded judgements lie in a file."""

    by: str | None = None
    orders: str | None = None
    grades: tuple[str, ...] = ()

    def apart(self, pairing: Pairing, *, prefix: bool) -> Iterator[Pairing]:
        """The judges of a pairing, each with a row an item. `prefix` puts the file's name before a judge's. Raises UserError."""
        judge, within = pairing.judge, pairing.judge.rows is pairing.rows
        if not (self.by or self.orders):
            yield pairing
            return
        if judge.run:
            raise UsageError(f"--{'by' if self.by else 'orders'} is for files: a run is one judge")
        pairing = _narrowed(pairing, within=within)
        judge, by = pairing.judge, names(self.by)
        for name, rows in (by_judge(judge.rows, by) if by else {judge.name: judge.rows}).items():
            shaped = self._shaped(rows, pairing, within=within)
            called = f"{judge.name} {name}" if prefix and by else name
            one = replace(judge, name=called, rows=shaped)
            aside = [row for row in pairing.aside if _alike(row, rows[0], by)]
            yield replace(
                pairing,
                judge=one,
                rows=shaped if within else pairing.rows,
                aside=self._renamed(aside, pairing),
            )

    @property
    def used(self) -> tuple[str, ...]:
        """The fields that tell judges and orders apart. Raises UsageError."""
        return (*names(self.by), *filter(None, [self._order_field]))

    def graded(self, rows: Sequence[Row], fields: Sequence[str]) -> Sequence[Row]:
        """The rows with the numbers that words stand for. Raises UsageError."""
        return graded(rows, fields, self.letters) if self.letters else rows

    def check_grades(self, sides: Sequence[Sequence[Row]], fields: Sequence[str]) -> None:
        """Raise UsageError where words are to be scores and none of them stands in any field of scores."""
        if self.letters and not any(holds_word(rows, fields, self.letters) for rows in sides):
            where = (
                ", ".join(fields)
                or "any field: human=..., score=... or aspects=... says which fields hold scores"
            )
            raise UsageError(f"grades=...: none of the words {', '.join(self.letters)} stands in {where}")

    @property
    def letters(self) -> Mapping[str, float]:
        """The numbers that words stand for. Raises UsageError."""
        return parse_grades(free_pairs(self.grades, "grades=..."))

    def _shaped(self, rows: Sequence[Row], pairing: Pairing, *, within: bool) -> Sequence[Row]:
        matches = pairing.fields.matches(pairing.convention)
        on = [match.data if within else self._name(match, rows) for match in matches]
        rows = rows if within else self._renamed(rows, pairing)
        if self._order_field is None:
            return rows
        if not on:
            raise UsageError(
                "orders=...: on=... says by which fields the two orders of an item are put together"
            )
        field, wanted = self._order_field, names((self.orders or "").partition("=")[2])
        return side_by_side(rows, field, order_names(rows, field, wanted), on)

    def _renamed(self, rows: Sequence[Row], pairing: Pairing) -> Sequence[Row]:
        """The rows of a file of its own with the names that the data has for its items."""
        words = [*names(self.by), *filter(None, [self._order_field])]
        for match in pairing.fields.matches(pairing.convention) if rows else ():
            rows = _as_in_data(rows, self._name(match, rows), words, pairing.rows, match)
        return rows

    def _name(self, match: Match, rows: Sequence[Row]) -> str:
        return match.scores if any(has(row, match.scores) for row in rows) else match.data

    @property
    def _order_field(self) -> str | None:
        """The field that says which order a row is of. Raises UsageError."""
        if self.orders is None:
            return None
        field = self.orders.partition("=")[0].strip()
        if not field:
            raise UsageError(f"orders=... takes FIELD=FIRST,SECOND, not {self.orders!r}")
        return field


def _narrowed(pairing: Pairing, *, within: bool) -> Pairing:
    """The pairing without the rows that conditions on the judge's own fields leave out, which no judge of the file has then."""
    judge, fields = pairing.judge, pairing.fields
    own = tuple(
        text
        for text, one in zip(fields.where, fields.conditions, strict=True)
        if any(has(row, one.field) for row in judge.rows)
        and (within or not any(has(row, one.field) for row in pairing.rows))
    )
    if not own:
        return pairing
    conditions = [Condition.parse(text) for text in own]
    kept = narrow(judge.rows, conditions)
    whose = "the data" if within else judge.name
    return replace(
        pairing,
        judge=replace(judge, rows=kept.rows),
        fields=replace(fields, where=tuple(text for text in fields.where if text not in own)),
        left_out={
            **pairing.left_out,
            **{_of_file(why, judge, within=within): n for why, n in kept.left_out.items()},
        },
        aside=() if within else kept.others,
        held=holding(whose, conditions, len(kept.rows), len(judge.rows)),
    )


def _of_file(reason: str, judge: Judge, *, within: bool) -> str:
    """Why rows of a file are left out, which are no texts where it is a judge's own."""
    return reason if within else f"rows of {judge.name} of which {reason}"


def _alike(row: Row, other: Row, fields: Sequence[str]) -> bool:
    """Whether two rows are of the same judge."""
    return all(value_in(row, field) == value_in(other, field) for field in fields)


def _as_in_data(
    rows: Sequence[Row], name: str, words: Sequence[str], data: Sequence[Row], match: Match
) -> Sequence[Row]:
    """The rows with names as the data has them, where judge and order have to be taken out of theirs for that."""
    check_field(rows, name, "on=...")
    check_field(data, match.data, "on=...")
    known = {label_in(row, match.data) for row in data}
    if any(label_in(row, name) in known for row in rows):
        return rows
    bare = without_words(rows, name, words)
    return bare if any(label_in(row, name) in known for row in bare) else rows


def by_rater(rows: Sequence[Row], rater: str, on: Sequence[str]) -> Sequence[Row]:
    """A row a text, of rows a person: what differs between the people of any text is a list, an entry a person.

    Where every text has the same people, each has the same place in all lists, by name. `on` are the fields that name a text.
    Raises UsageError without these, and DataError where a person has two rows of one text.
    """
    check_field(rows, rater, "rater=...")
    if not on:
        raise UsageError("rater=...: on=... says by which fields the rows of a text are put together")
    for name in on:
        check_field(rows, name, "on=...")
    texts = _by_item(rows, rater, on)
    fields = dict.fromkeys(name for row in rows for name in row.data)
    listed = [
        name
        for name in fields
        if any(len({repr(row.data.get(name)) for row in people.values()}) > 1 for people in texts.values())
    ]
    return Frame.of(_of_raters(people, listed) for people in texts.values())


def _of_raters(people: Mapping[str, Row], listed: Sequence[str]) -> Row:
    first, names = next(iter(people.values())), sorted(people)
    return Row(
        first.path,
        first.line,
        {**first.data, **{name: [people[who].data.get(name) for who in names] for name in listed}},
    )
