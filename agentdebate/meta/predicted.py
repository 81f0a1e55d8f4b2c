"""A judge's scores, from whatever file, beside people's: rows of two files put together by the fields that name a text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.expression import EACH, MEAN, Term
from agentdebate.meta.fields import all_scores_in, check_field, has, known_fields, label_in, score_in
from agentdebate.meta.judged import Judged, Judgements
from agentdebate.meta.reply_counts import counted_in

NO_DATA = "scored texts that the data does not have"
"""Why a judge's rows are left out."""
ASIDE = "texts whose rows of the judge do not fulfil the conditions"
"""Why texts of the data are left out."""

_SHOWN = 3


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
                raise UsageError(f"--on takes FIELD, or FIELD=FIELD of the judge's file, not {text!r}")
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

    pairs: tuple[Pair, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def unscored(self) -> int:
        """How many rows of the data the judge has no row about."""
        return sum(pair.scores is None for pair in self.pairs)

    @property
    def scored(self) -> tuple[Row, ...]:
        """The judge's rows, as far as they are about texts that remain."""
        return tuple(pair.scores for pair in self.pairs if pair.scores is not None)

    def with_scored(self, rows: Iterable[Row]) -> "Joined":
        """The same with these in the place of the judge's rows, in their order."""
        found = iter(rows)
        return replace(
            self,
            pairs=tuple(
                pair if pair.scores is None else replace(pair, scores=next(found)) for pair in self.pairs
            ),
        )


@dataclass(frozen=True, slots=True)
class Scored:
    """An aspect, and the fields of people's score of it and of the judge's."""

    aspect: str
    human: str
    score: str
    people: Term | None = None
    """What is made of several people's scores: then `human` names what they come to."""


@dataclass(frozen=True, slots=True)
class Naming:
    """The fields that say which text a row of the data is about. Where no group is named, no source is known."""

    id: tuple[str, ...] = ()
    group: str | None = None
    system: str | None = None


def beside(rows: Sequence[Row]) -> Joined:
    """Rows that hold people's scores and the judge's."""
    return Joined(tuple(Pair(row, row) for row in rows))


def check_once(rows: Sequence[Row], on: Sequence[Match]) -> None:
    """Raise DataError where the same values in the fields `on` name two rows."""
    if on:
        _by_key(rows, [match.data for match in on])


def join_scores(
    rows: Sequence[Row],
    scores: Sequence[Row],
    on: Sequence[Match],
    others: Sequence[Row] = (),
    aside: Sequence[Row] = (),
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
    known = {tuple(_named(row, match.data) for match in on) for row in others}
    unknown = len(found.keys() - ours.keys() - known)
    gone = {tuple(label_in(row, match.scores) for match in on) for row in aside}
    pairs = tuple(Pair(row, found.get(key)) for key, row in ours.items() if key in found or key not in gone)
    left_out = {NO_DATA: unknown, ASIDE: len(ours) - len(pairs)}
    return Joined(pairs, {reason: count for reason, count in left_out.items() if count})


def judgements(
    judge: str, joined: Joined, aspects: Sequence[Scored], naming: Naming
) -> tuple[Judgements, ...]:
    """One judge's scores of each aspect beside people's. Raises DataError for a score that is no number."""
    return tuple(
        Judgements(
            judge,
            one.aspect,
            tuple(
                row
                for number, pair in enumerate(joined.pairs, 1)
                for row in _judged(pair, one, naming, number)
            ),
            joined.left_out,
        )
        for one in aspects
    )


def name_of(row: Row, naming: Naming, number: int) -> tuple[str, str, str]:
    """The id, the source and the system of a row; the id is its `number` where no field is named that holds it."""
    name = "/".join(_named(row, field) for field in naming.id) or f"row {number}"
    source = _named(row, naming.group) if naming.group else ""
    return name, source, _named(row, naming.system) if naming.system else ""


def _judged(pair: Pair, fields: Scored, naming: Naming, number: int) -> Iterator[Judged]:
    """What is said of one row; a row each where every person counts for themselves."""
    name, source, system = name_of(pair.data, naming, number)
    score, counts = None, (0, 0)
    if pair.scores is not None:
        score, counts = score_in(pair.scores, fields.score), counted_in(pair.scores, (fields.score,))
    people = fields.people
    if people is None:
        yield Judged(name, source, system, score_in(pair.data, fields.human), score, *counts)
        return
    known = [one for one in all_scores_in(pair.data, people.fields) if one is not None]
    if people.function != EACH:
        yield Judged(name, source, system, _together(known, people), score, *counts)
        return
    for place, human in enumerate(known or (None,), 1):
        yield Judged(f"{name}, person {place}", source or name, system, human, score, *counts, text=number)


def _together(known: Sequence[float], people: Term) -> float | None:
    """The mean of people's scores, or the most frequent one: none where several are as frequent."""
    if not known:
        return None
    if people.function == MEAN:
        return fmean(known)
    (best, count), *others = Counter(known).most_common()
    return None if others and others[0][1] == count else best


def _named(row: Row, field: str) -> str:
    label = label_in(row, field)
    if label is None:
        raise row.error(
            "this row has nothing in the field that names its text, its source or its system", field
        )
    return label


def _by_key(rows: Sequence[Row], fields: Sequence[str]) -> dict[tuple[str, ...], Row]:
    found: dict[tuple[str, ...], Row] = {}
    for row in rows:
        key = tuple(_named(row, field) for field in fields)
        if key in found:
            shown = ", ".join(f"{field} = {value}" for field, value in zip(fields, key, strict=True))
            raise row.error(
                f"{shown} is on line {found[key].line} too; name all fields that tell texts apart with --on"
            )
        found[key] = row
    return found


def _check(rows: Sequence[Row], scores: Sequence[Row], on: Sequence[Match]) -> None:
    if not on:
        both = [field for field in known_fields(rows) if any(has(row, field) for row in scores)]
        raise UsageError(
            f"--on says by which fields rows are matched; {rows[0].path} and {scores[0].path} both have "
            f"{', '.join(both) or 'none'}"
        )
    for match in on:
        check_field(rows, match.data, "--on")
        check_field(scores, match.scores, "--on")


def _nothing_joins(
    rows: Sequence[Row],
    scores: Sequence[Row],
    on: Sequence[Match],
    ours: Mapping[tuple[str, ...], Row],
    theirs: Mapping[tuple[str, ...], Row],
) -> str:
    """What to say where not one row matches: what both files have there, and a field that would match better."""
    shown = [", ".join("/".join(key) for key in list(keys)[:_SHOWN]) for keys in (ours, theirs)]
    fields = "/".join(match.data for match in on)
    better = [_better(rows, scores, match) for match in on]
    hints = "".join(f" {hint}" for hint in better if hint)
    return (
        f"--on {fields}: no row of {scores[0].path} ({shown[1]}, ...) is about a text of {rows[0].path} "
        f"({shown[0]}, ...).{hints}"
    )


def _better(rows: Sequence[Row], scores: Sequence[Row], match: Match) -> str:
    """The field of the judge's file whose values are most often those of the data's; nothing where none are."""
    wanted = {label_in(row, match.data) for row in rows}
    if wanted & {label_in(row, match.scores) for row in scores}:
        return ""
    shares = {name: sum(_is_among(row, name, wanted) for row in scores) for name in known_fields(scores)}
    best = max(shares, key=lambda name: shares[name], default="")
    if best and shares[best]:
        return f"The values of {match.data} are those of {best!r} there: --on {match.data}={best}"
    return nearest(match.data, known_fields(scores)) if match.data != match.scores else ""


def _is_among(row: Row, name: str, wanted: set[str | None]) -> bool:
    value = row.data.get(name)
    return (
        isinstance(value, str | int | float) and not isinstance(value, bool) and label_in(row, name) in wanted
    )
