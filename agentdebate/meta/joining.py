"""A judge's scores, from whatever file, beside people's: rows of two files put together by the fields that name a text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from statistics import fmean
from typing import Any

from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.expression import EACH, MEAN, Term
from agentdebate.meta.fields import (
    all_of,
    all_scores_in,
    check_field,
    has,
    known_fields,
    label_in,
    label_of,
    sample_counts_of,
    score_in,
    value_in,
    whole,
)
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.replies import COUNTS, counted_in

NO_DATA = "scored texts that the data does not have"
"""Why a judge's rows are left out."""
ASIDE = "texts whose rows of the judge do not fulfil the conditions"
"""Why texts of the data are left out."""

_SHOWN = 3
_LOOKED_AT = 20
"""Rows whose names are looked at for words of other fields."""


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
class Pair:
    """A row of the data, and the judge's row about the same text; None where there is none."""

    data: Row
    scores: Row | None


@dataclass(frozen=True)
class Joined:
    """The rows of the data with the judge's, and what was left out: reason to count."""

    pairs: Sequence[Pair] = field(repr=False)
    left_out: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def data(self) -> Sequence[Row]:
        """The rows of the data."""
        return [pair.data for pair in self.pairs]

    @cached_property
    def scored(self) -> Sequence[Row]:
        """The judge's rows, as far as there are some."""
        return [pair.scores for pair in self.pairs if pair.scores is not None]

    @property
    def unscored(self) -> int:
        """How many rows of the data the judge has no row about."""
        return len(self.pairs) - len(self.scored)

    def with_scored(self, rows: Iterable[Row]) -> "Joined":
        """The same with these in the place of the judge's rows, in their order."""
        found = iter(rows)
        pairs = [Pair(pair.data, None if pair.scores is None else next(found)) for pair in self.pairs]
        return replace(self, pairs=pairs)


@dataclass(frozen=True, slots=True)
class Scored:
    """An aspect, and the fields of people's score of it and of the judge's."""

    aspect: str
    human: str
    score: str
    people: Term | None = None
    """What is made of several people's scores: then `human` names what they come to."""
    confidence: str | None = None
    """The field of how sure the judge is."""


@dataclass(frozen=True, slots=True)
class Naming:
    """The fields that say which text a row of the data is about. Where no group is named, no source is known."""

    id: tuple[str, ...] = ()
    group: str | None = None
    system: str | None = None


def beside(rows: Sequence[Row]) -> Joined:
    """Rows that hold people's scores and the judge's."""
    return Joined([Pair(row, row) for row in rows])


def check_once(rows: Sequence[Row], on: Sequence[Match]) -> None:
    """Raise DataError where the same values in the fields `on` name two rows, UsageError for a field that none has."""
    for match in on if rows else ():
        check_field(rows, match.data, "on=...")
    if on:
        _by_key(rows, [match.data for match in on])


def join_scores(
    rows: Sequence[Row],
    scores: Sequence[Row],
    on: Sequence[Match],
    others: Sequence[Row] = (),
    aside: Sequence[Sequence[Row]] = (),
) -> Joined:
    """Every row of the data with the judge's row that has the same values in the fields `on`.

    Numbers and texts that read the same are the same. The data's `others` are not looked at: the judge may have rows about
    them, which are not counted as texts that nobody knows. The judge's rows `aside` are not looked at either: a text that has
    only such a row is left out and not missing. Raises UsageError for an unknown field and where nothing matches,
    DataError where the same values name two rows of one file, or a row has none.
    """
    _check(rows, scores, on)
    found = _by_key(scores, [match.scores for match in on])
    ours = _by_key(rows, [match.data for match in on])
    if not ours.keys() & found.keys():
        raise UsageError(_nothing_joins(rows, scores, on, ours, found))
    known = set(_keys(others, [match.data for match in on]))
    unknown = sum(key not in ours and key not in known for key in found)
    gone = {key for some in aside for key in _keys_or_none(some, [match.scores for match in on])}
    pairs = [
        Pair(row, scores[found[key]] if key in found else None)
        for key, row in zip(ours, rows, strict=True)
        if key in found or key not in gone
    ]
    left_out = {NO_DATA: unknown, ASIDE: len(ours) - len(pairs)}
    return Joined(pairs, {reason: count for reason, count in left_out.items() if count})


def judgements(
    judge: str, joined: Joined, aspects: Sequence[Scored], naming: Naming
) -> tuple[Judgements, ...]:
    """One judge's scores of each aspect beside people's. Raises DataError for a score that is no number."""
    recorded = not (joined.scored and has(joined.scored[0], COUNTS))
    names = [name_of(row, naming, number) for number, row in enumerate(joined.data, 1)]
    return tuple(
        Judgements(
            judge,
            one.aspect,
            tuple(
                row
                for number, (pair, name) in enumerate(zip(joined.pairs, names, strict=True), 1)
                for row in _judged(pair, one, name, number)
            ),
            joined.left_out,
            recorded=recorded,
        )
        for one in aspects
    )


def name_of(row: Row, naming: Naming, number: int) -> tuple[str, str, str]:
    """The id, the source and the system of a row; the id is its `number` where no field is named that holds it."""
    name = "/".join(_named(row, field) for field in naming.id) or f"row {number}"
    source = _named(row, naming.group) if naming.group else ""
    return name, source, _named(row, naming.system) if naming.system else ""


def _judged(pair: Pair, fields: Scored, of: tuple[str, str, str], number: int) -> Iterator[Judged]:
    """What is said of one row; a row each where every person counts for themselves."""
    name, source, system = of
    score, sure, counts = None, None, (0, 0)
    if pair.scores is not None:
        score, counts = score_in(pair.scores, fields.score), counted_in(pair.scores, (fields.score,))
        if not has(pair.scores, COUNTS):
            counts = sample_counts_of(pair.scores, fields.score, value_in(pair.scores, fields.score))
    if pair.scores is not None and fields.confidence:
        sure = score_in(pair.scores, fields.confidence)
    if fields.people is None:
        yield Judged(name, source, system, score_in(pair.data, fields.human), score, *counts, confidence=sure)
        return
    known = [one for one in all_scores_in(pair.data, fields.people.fields) if one is not None]
    if fields.people.function != EACH:
        yield Judged(name, source, system, _together(known, fields.people), score, *counts, confidence=sure)
        return
    for place, human in enumerate(known or (None,), 1):
        yield Judged(
            f"{name}, person {place}",
            source or name,
            system,
            human,
            score,
            *counts,
            text=number,
            confidence=sure,
        )


def _together(known: Sequence[float], people: Term) -> float | None:
    """The mean of people's scores, or the most frequent one: none where several are as frequent."""
    if not known:
        return None
    if people.function == MEAN:
        return fmean(known)
    (best, count), *others = Counter(known).most_common()
    return None if others and others[0][1] == count else best


def _named(row: Row, field: str) -> str:
    return _name_in(row, field, value_in(row, field))


def _labels(rows: Sequence[Row], field: str) -> Iterator[str]:
    """What names each row. Raises DataError for one with nothing there."""
    return all_of(rows, field, _name_in)


def _name_in(row: Row, field: str, value: Any) -> str:
    label = label_of(row, field, value)
    if label is None:
        raise row.error(
            "this row has nothing in the field that names its text, its source or its system", field
        )
    return label


Key = str | tuple[str | None, ...] | None
"""The values in the fields by which rows are matched: the one, or all of several."""


def _keys(rows: Sequence[Row], fields: Sequence[str]) -> Iterator[Key]:
    """The key of each row. Raises DataError where one has nothing in such a field."""
    each = [_labels(rows, field) for field in fields]
    return each[0] if len(each) == 1 else zip(*each, strict=True)


def _keys_or_none(rows: Sequence[Row], fields: Sequence[str]) -> Iterator[Key]:
    """The key of each row, be there nothing in some field."""
    each = [all_of(rows, field, label_of) for field in fields]
    return each[0] if len(each) == 1 else zip(*each, strict=True)


def _by_key(rows: Sequence[Row], fields: Sequence[str]) -> dict[Key, int]:
    """The place of each row by its key. Raises DataError where two have the same."""
    found: dict[Key, int] = {}
    for place, key in enumerate(_keys(rows, fields)):
        if key in found:
            shown = ", ".join(f"{field} = {value}" for field, value in zip(fields, _parts(key), strict=True))
            raise rows[place].error(
                f"{shown} {_where(rows, found[key], place)}: leave one of them out, or name all fields that tell texts apart "
                "with on=..."
            )
        found[key] = place
    return found


def _where(rows: Sequence[Row], first: int, second: int) -> str:
    """Where a key stands for the second time; by the numbers of both rows where these are on one line, as in a list of JSON."""
    if rows[first].line != rows[second].line:
        return f"is on line {rows[first].line} too"
    return f"stands in row {first + 1} and again in row {second + 1}"


def _parts(key: Key) -> tuple[str, ...]:
    parts = key if isinstance(key, tuple) else (key,)
    return tuple(part or "" for part in parts)


def _check(rows: Sequence[Row], scores: Sequence[Row], on: Sequence[Match]) -> None:
    if not on:
        theirs = known_fields(scores)
        both = [field for field in known_fields(rows) if field in theirs]
        raise UsageError(
            f"on=... says by which fields rows are matched; {rows[0].path} and {scores[0].path} both have "
            f"{', '.join(both) or 'none'}"
        )
    for match in on:
        check_field(rows, match.data, "on=...")
        check_field(scores, match.scores, "on=...")


def _nothing_joins(
    rows: Sequence[Row],
    scores: Sequence[Row],
    on: Sequence[Match],
    ours: Mapping[Key, int],
    theirs: Mapping[Key, int],
) -> str:
    """What to say where not one row matches: what both files have there, and a field that would match better."""
    shown = [", ".join("/".join(_parts(key)) for key in list(keys)[:_SHOWN]) for keys in (ours, theirs)]
    fields = "/".join(match.data for match in on)
    better = [_better(rows, scores, match) for match in on]
    hints = "".join(f" {hint}" for hint in better if hint)
    return (
        f"on='{fields}': no row of {scores[0].path} ({shown[1]}, ...) is about a text of {rows[0].path} "
        f"({shown[0]}, ...).{hints}"
    )


def _better(rows: Sequence[Row], scores: Sequence[Row], match: Match) -> str:
    """The field of the judge's file whose values are most often those of the data's; nothing where none are."""
    wanted = set(all_of(rows, match.data, label_of))
    if not wanted.isdisjoint(all_of(scores, match.scores, label_of)):
        return ""
    names = known_fields(scores)
    there = {name: set[str | None]() for name in names}
    for row in whole(scores):
        for name in names:
            if _is_among(row, name, wanted):
                there[name].add(label_in(row, name))
    best = max(names, key=lambda name: len(there[name]), default="")
    if best and len(there[best]) > min(len(wanted), len(scores)) / 2:  # and not the few labels of a choice
        return f"The values of {match.data} are those of {best!r} there: on='{match.data}={best}'"
    words = _words_in_names(scores, match.scores, names)
    if words:
        said = ", ".join(map(repr, words))
        return f"The names there hold values of {said}: by=... and orders=... take such words out of them"
    return nearest(match.data, known_fields(scores)) if match.data != match.scores else ""


def _words_in_names(rows: Sequence[Row], name: str, fields: Iterable[str]) -> list[str]:
    """The fields whose values stand in the names of texts, as those of a judge may."""
    some = [row.data for row in islice(whole(rows), _LOOKED_AT)]
    return [
        field
        for field in fields
        if field != name
        and all(
            isinstance(data.get(field), str) and data[field] and data[field] in str(data.get(name))
            for data in some
        )
    ]


def _is_among(row: Row, name: str, wanted: set[str | None]) -> bool:
    value = row.data.get(name)
    return (
        isinstance(value, str | int | float) and not isinstance(value, bool) and label_in(row, name) in wanted
    )
