"""Rows of two files put together by the fields that name a text, and rows of one file by those that they share."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from agentdebate.datasets.frame import Frame
from agentdebate.datasets.named_values import names
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.fields import Condition, any_has, check_field, known_fields, name_in, narrow, value_in

NO_DATA = "scored texts that the data does not have"
"""Reason why a judge's rows are left out."""
ASIDE = "texts whose rows of the judge do not fulfil the conditions"
"""Reason why texts of the data are left out."""
_SHOWN = 3

Key = tuple[str, ...]
"""The values in the fields that name a text."""


@dataclass(frozen=True, slots=True)
class Match:
    """A field by which rows are matched: its name in the data, and in the judge's file."""

    data: str
    scores: str

    @classmethod
    def parse(cls, texts: Sequence[str]) -> "tuple[Match, ...]":
        """Read FIELD, or DATA=SCORES where it has another name in the judge's file. Raises UsageError."""
        found = []
        for text in texts:
            data, equals, scores = text.partition("=")
            if not data or (equals and not scores):
                raise UsageError(f"on=... takes FIELD, or FIELD=FIELD of the judge's file, not {text!r}")
            found.append(cls(data, scores or data))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Naming:
    """The fields that say which text a row of the data is about. Where no group is named, no source is known."""

    id: tuple[str, ...] = ()
    group: str | None = None
    system: str | None = None


class Text(NamedTuple):
    """A text by its number, from 1, and its names."""

    number: int
    item: str
    source: str
    system: str

    @classmethod
    def of(cls, row: Row, naming: Naming, number: int) -> "Text":
        """The text of a row; it is called by its number where no field is named that holds its id."""
        item = "/".join(name_in(row, field) for field in naming.id) or f"row {number}"
        source, system = (name_in(row, field) if field else "" for field in (naming.group, naming.system))
        return cls(number, item, source, system)


@dataclass(frozen=True, slots=True)
class Pair:
    """A row of the data, and the judge's row about the same text; None where there is none."""

    data: Row
    scores: Row | None


@dataclass(frozen=True)
class Joined:
    """The rows of the data with the judge's, and what was left out: reason to count."""

    pairs: Sequence[Pair] = field(repr=False)
    naming: Naming = Naming()
    left_out: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def texts(self) -> Sequence[Text]:
        """The texts of the rows."""
        return [Text.of(pair.data, self.naming, number) for number, pair in enumerate(self.pairs, 1)]


def by_key(rows: Sequence[Row], fields: Sequence[str]) -> dict[Key, Row]:
    """The rows by what the fields hold. Raises DataError where two rows hold the same, or one holds nothing."""
    found: dict[Key, Row] = {}
    for number, row in enumerate(rows, 1):
        key = tuple(name_in(row, field) for field in fields)
        if key in found:
            shown = ", ".join(f"{field} = {value}" for field, value in zip(fields, key, strict=True))
            first = found[key].line
            if first == row.line:  # as in a list of JSON
                there = f"stands in row {list(found).index(key) + 1} and again in row {number}"
            else:
                there = f"is on line {first} too"
            raise row.error(
                f"{shown} {there}: leave one of them out, or name all fields that tell texts apart with on=..."
            )
        found[key] = row
    return found


def join(
    rows: Sequence[Row],
    scores: Sequence[Row],
    on: Sequence[Match],
    others: Sequence[Row] = (),
    aside: Sequence[Row] = (),
) -> tuple[list[Pair], dict[str, int]]:
    """Every row of the data with the judge's row that has the same values in the fields `on`, and what was left out.

    The data's `others` are not looked at: the judge may have rows about them, which are not counted as unknown texts.
    A text that has only a row of the judge's `aside` is left out and not missing. Raises UsageError for an unknown field and where
    nothing matches, DataError where the same values name two rows of one file, or a row has none.
    """
    if not on:
        both = [name for name in known_fields(rows) if name in known_fields(scores)]
        raise UsageError(
            f"on=... says by which fields rows are matched; {rows[0].path} and {scores[0].path} both have "
            f"{', '.join(both) or 'none'}"
        )
    for match in on:
        check_field(rows, match.data, "on=...")
        check_field(scores, match.scores, "on=...")
    ours, theirs = [match.data for match in on], [match.scores for match in on]
    data, found = by_key(rows, ours), by_key(scores, theirs)
    if data.keys().isdisjoint(found):
        raise UsageError(_nothing_joins(ours, (rows, data), (scores, found)))
    known = data.keys() | {_key(row, ours) for row in others}
    gone = {_key(row, theirs) for row in aside} - found.keys()
    pairs = [Pair(row, found.get(key)) for key, row in data.items() if key not in gone]
    left_out = {NO_DATA: len(found.keys() - known), ASIDE: len(data) - len(pairs)}
    return pairs, {reason: count for reason, count in left_out.items() if count}


def there(matches: Iterable[Match], rows: Sequence[Row], more: Mapping[str, str | None]) -> tuple[Match, ...]:
    """The matches with the names that a judge's rows have: its own, else that of the data, else one of `more`."""

    def found(match: Match) -> Match:
        known = (match.scores, match.data, more.get(match.data))
        return Match(match.data, next((one for one in known if one and any_has(rows, one)), match.scores))

    return tuple(map(found, matches))


def _key(row: Row, fields: Sequence[str]) -> Key:
    return tuple(name_in(row, field) for field in fields)


def _nothing_joins(
    fields: Sequence[str],
    ours: tuple[Sequence[Row], Iterable[Key]],
    theirs: tuple[Sequence[Row], Iterable[Key]],
) -> str:
    shown = [", ".join("/".join(key) for key in list(keys)[:_SHOWN]) for _, keys in (ours, theirs)]
    return (
        f"on='{'/'.join(fields)}': no row of {theirs[0][0].path} ({shown[1]}, ...) is about a text of {ours[0][0].path} "
        f"({shown[0]}, ...). Fields of the first are {', '.join(known_fields(theirs[0]))}: on='FIELD=FIELD' says which is which"
    )


@dataclass(frozen=True)
class RecordLayout:
    """Layout of recorded judgements in a file: several judges in it, a row an order, words for scores."""

    by: str | None = None
    orders: str | None = None
    grades: tuple[str, ...] = ()

    @property
    def used(self) -> tuple[str, ...]:
        """The fields that tell judges and orders apart. Raises UsageError."""
        return (*names(self.by), *([self.order[0]] if self.orders else []))

    @property
    def order(self) -> tuple[str, str, str]:
        """The field that says which order a row is of, and its two values. Raises UsageError."""
        field, _, values = (self.orders or "").partition("=")
        both = names(values)
        if not field.strip() or len(set(both)) != 2:  # noqa: PLR2004 - two texts have two orders
            raise UsageError(f"orders=... takes FIELD=FIRST,SECOND, not {self.orders!r}")
        return field.strip(), *both  # type: ignore[return-value]  # they are two

    def judges(self, rows: Sequence[Row]) -> dict[str, Sequence[Row]]:
        """The rows of each judge of a file, by what the fields hold: "gpt-4 CoT". Raises UserError."""
        for name in names(self.by):
            check_field(rows, name, "by=...")
        found: dict[str, list[Row]] = {}
        for row in rows:
            found.setdefault(" ".join(name_in(row, name) for name in names(self.by)), []).append(row)
        return {**found}

    def side_by_side(self, rows: Sequence[Row], on: Sequence[str]) -> Sequence[Row]:
        """A row an item, where an order has one: what both have alike, and each order's fields under the order's name."""
        if not self.orders:
            return rows
        field, *orders = self.order
        kept = [row for row in rows if value_in(row, field) is not None and name_in(row, field) in orders]
        if not kept:
            raise UsageError(f"orders=...: no row of {rows[0].path} has {' or '.join(orders)} in {field!r}")
        return Frame.of(_nested(found) for found in _together(kept, field, on, "orders=..."))


@dataclass(frozen=True)
class ByRater:
    """A row a text, of rows a person, with what was left out of the latter."""

    rows: Sequence[Row]
    met: tuple[Condition, ...] = ()
    """The conditions on what is a person's own, which chose among people and not among texts."""
    left_out: Mapping[str, int] = field(default_factory=dict)


def by_rater(
    rows: Sequence[Row],
    rater: str,
    on: Sequence[str],
    of_people: Collection[str],
    conditions: Sequence[Condition],
) -> ByRater:
    """A row a text, of rows a person: `of_people` and what differs within any text are lists, an entry a person.

    Where every text has the same people, each has the same place in all lists, by name. Raises UserError.
    """
    texts = _together(rows, rater, on, "rater=...")
    listed = [
        name
        for name in dict.fromkeys(name for row in rows for name in row.data)
        if name in of_people
        or any(len({repr(row.data.get(name)) for row in people.values()}) > 1 for people in texts)
    ]
    met = tuple(one for one in conditions if one.field.partition(".")[0] in listed)
    kept = narrow(rows, met)
    texts = _together(kept.rows, rater, on, "rater=...") if met else texts
    left_out = {f"rows of people of which {why}": count for why, count in kept.left_out.items()}
    return ByRater(Frame.of(_listed(people, listed) for people in texts), met, left_out)


def _together(rows: Sequence[Row], field: str, on: Sequence[str], option: str) -> Sequence[Mapping[str, Row]]:
    """The rows of each text, by what a field holds."""
    if not on:
        raise UsageError(f"{option}: on=... says by which fields the rows of a text are put together")
    for name in (field, *on):
        check_field(rows, name, option if name == field else "on=...")
    found: dict[Key, dict[str, Row]] = {}
    for (*key, word), row in by_key(rows, [*on, field]).items():
        found.setdefault(tuple(key), {})[word] = row
    return list(found.values())


def _nested(orders: Mapping[str, Row]) -> Row:
    first, *others = orders.values()
    alike = {
        name: value
        for name, value in first.data.items()
        if all(name in other.data and other.data[name] == value for other in others)
    }
    return Row(first.path, first.line, {**alike, **{name: row.data for name, row in orders.items()}})


def _listed(people: Mapping[str, Row], listed: Sequence[str]) -> Row:
    first, who = next(iter(people.values())), sorted(people)
    lists = {name: [people[one].data.get(name) for one in who] for name in listed}
    return Row(first.path, first.line, {**first.data, **lists})
