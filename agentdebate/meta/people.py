"""Single people's judgements of the data's texts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agentdebate.datasets.named_values import free_pairs, names
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.expression import Term
from agentdebate.meta.fields import any_has, check_field, choice_of, entries_in, score_of
from agentdebate.meta.joining import Joined
from agentdebate.meta.judgements import Rated, Raters, Ratings
from agentdebate.meta.labels import Labels, is_tie
from agentdebate.meta.long_table import rated
from agentdebate.meta.published_data import SINGLE, PublishedData
from agentdebate.meta.readers import Choosing, Scored, people_rows
from agentdebate.meta.reliability import OTHER_COUNT, RELIABILITY
from agentdebate.meta.talk import TIE

NO_RATINGS = "rows without single ratings"
"""Reason why the statistics of people leave out a row."""
KIND = "annotator"
"""Default name of people."""


def single_ratings(
    aspect: str,
    joined: Joined,
    fields: Sequence[str],
    grades: Mapping[str, float] = {},
) -> Ratings:
    """The single ratings of one aspect, a list in one field or a field a person. Rows without any are counted."""

    def read(row: Row, place: str, value: Any) -> float | None:
        return score_of(row, place, value, grades)

    table = (
        row
        for text, pair in zip(joined.texts, joined.pairs, strict=True)
        for row in people_rows(text, pair.data, aspect, fields, read)
    )
    rows = rated(table)
    return Ratings(aspect, rows, _left_out(joined, len(joined.pairs) - len(rows)))


def single_choices(joined: Joined, choosing: Choosing, fields: Sequence[str]) -> Ratings:
    """Each person's choice of the best, in people's words: labels, or objects with a score for each label.

    Raises DataError for a label that is not among those of the choice.
    """
    given = [[_choice(pair.data, *entry) for entry in entries_in(pair.data, fields)] for pair in joined.pairs]
    words = {word for choices in given for word in choices if word is not None}
    labels = Labels.given(choosing.labels) if choosing.labels else Labels.seen(words, ())
    rows = []
    for text, pair, choices in zip(joined.texts, joined.pairs, given, strict=True):
        for word in choices:
            problem = labels.unknown(word, of_people=True) if word and not is_tie(word) else ""
            if problem:
                raise pair.data.error(problem, ",".join(fields))
        if any(choices):
            own = tuple(word and (labels.tie if is_tie(word) else labels.of_people(word)) for word in choices)
            rows.append(Rated(text.item, text.source, "", own))
    used = [str(label) for row in rows for label in row.ratings if label is not None]
    ordered, tie = labels.ordered(used, several=False)
    return Ratings(choosing.aspect, tuple(rows), _left_out(joined, len(given) - len(rows)), ordered, tie)


def evened(people: Ratings) -> Ratings:
    """The rows that have as many ratings as most have, so that each place is an annotator; the others are counted."""
    sizes = [len(row.ratings) for row in people.rows]
    usual = Counter(sizes).most_common(1)[0][0] if sizes else 0
    kept = tuple(row for row in people.rows if len(row.ratings) == usual)
    lost = {OTHER_COUNT: len(sizes) - len(kept)} if len(kept) < len(sizes) else {}
    return replace(people, rows=kept, left_out={**people.left_out, **lost})


def _choice(row: Row, _: str, place: str, entry: Any) -> str | None:
    """One person's word for the best, which of an object is the label with the greatest score, or a tie."""
    if not isinstance(entry, Mapping):
        return choice_of(row, place, entry)
    scores = {label: score_of(row, place, value) for label, value in entry.items()}
    known = {label: score for label, score in scores.items() if score is not None}
    best = [label for label, score in known.items() if score == max(known.values())]
    return (best[0] if len(best) == 1 else TIE) if best else None


def _left_out(joined: Joined, lacking: int) -> dict[str, int]:
    return {**joined.left_out, **({NO_RATINGS: lacking} if lacking else {})}


@dataclass(frozen=True)
class PeopleSettings:
    """Options for the agreement of people with one another."""

    ceiling: bool = False
    annotators: tuple[str, ...] = ()
    reliability: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise UsageError for options that stand alone, or say nothing."""
        if self.annotators and not self.asked:
            raise UsageError(
                "annotators=... is for ceiling=..., which takes people as judges, and reliability=..."
            )
        for name in self._reliabilities():
            if name not in RELIABILITY:
                raise UsageError(f"reliability=...: there is no {name!r}. {nearest(name, RELIABILITY)}")

    @property
    def asked(self) -> bool:
        """Tell whether single people's judgements are of use."""
        return self.ceiling or bool(self.reliability)

    def reliabilities(self, usual: str) -> list[str]:
        """The statistics of people's agreement among themselves, `usual` where none is named."""
        return list(dict.fromkeys(self._reliabilities())) or [usual]

    @property
    def fields(self) -> Mapping[str, tuple[str, ...]]:
        """The fields of single ratings by aspect. Raises UsageError."""
        pairs = free_pairs([text for text in self.annotators if "=" in text], "annotators=...")
        return {aspect: names(value) for aspect, value in pairs.items()}

    @property
    def kind(self) -> str | None:
        """The people whose ratings of a published dataset are meant, where that was named. Raises UsageError for several."""
        kinds = [text for text in self.annotators if "=" not in text]
        if len(kinds) > 1 or (kinds and self.fields):
            raise UsageError(
                f"annotators=... takes one kind of people, or ASPECT=FIELD, not {', '.join(self.annotators)}"
            )
        return kinds[0] if kinds else None

    def _reliabilities(self) -> list[str]:
        return [name for text in self.reliability for name in names(text)]


@dataclass(frozen=True)
class People:
    """The judgements of single people, of each aspect or of which text is best."""

    raters: Raters
    ratings: tuple[Ratings, ...] = field(default=(), repr=False)

    @property
    def choose(self) -> bool:
        """Tell whether they chose among texts, and did not rate them."""
        return any(one.labels for one in self.ratings)


def people(
    joined: Joined,
    options: PeopleSettings,
    asked: Choosing | Sequence[Scored],
    data: PublishedData | None,
    grades: Mapping[str, float] = {},
) -> People:
    """The judgements of single people on the aspects that are `asked` for, of the rows of the data.

    They stand in the fields that annotators=... names, in the dataset's own single ratings, or in the lists of people's own
    field. Raises UsageError where there are none.
    """
    if isinstance(asked, Choosing):
        terms: dict[str, Term | None] = {asked.aspect: asked.human}
    else:
        terms = {one.aspect: one.human for one in asked}
    fields = _fields(joined, options, terms, data)
    if isinstance(asked, Choosing):
        ratings = tuple(single_choices(joined, asked, names) for names in fields.values())
    else:
        ratings = tuple(single_ratings(aspect, joined, names, grades) for aspect, names in fields.items())
    counts = [
        (f"{row.source}\n{row.id}", row.system, len(row.ratings))
        for one in ratings
        for row in evened(one).rows
    ]
    return People(_raters(joined, counts, fields, options, data), ratings)


def _fields(
    joined: Joined,
    options: PeopleSettings,
    terms: Mapping[str, Term | None],
    data: PublishedData | None,
) -> dict[str, tuple[str, ...]]:
    """The fields of single ratings of those aspects that have some. Raises UsageError where none has."""
    rows = [pair.data for pair in joined.pairs]
    if options.fields:
        for name in (name for names in options.fields.values() for name in names):
            check_field(rows, name, "annotators=...")
        for aspect in options.fields:
            if terms and aspect not in terms:
                raise UsageError(
                    f"annotators=...: no judge is compared on {aspect!r}. {nearest(aspect, terms)}"
                )
        return dict(options.fields)
    if data is not None:
        kind = data.kind(options.kind)
        aspects = terms or {name: None for row in rows for name in row.data.get(SINGLE, {}).get(kind, {})}
        of = {
            aspect: f"{SINGLE}.{kind}.{term.fields[0] if term and len(term.fields) == 1 else aspect}"
            for aspect, term in aspects.items()
        }
        found: dict[str, tuple[str, ...]] = {
            aspect: (name,) for aspect, name in of.items() if any_has(rows, name)
        }
    else:
        found = {aspect: term.fields for aspect, term in terms.items() if term and _several(rows, term)}
    if not found or (options.kind and data is None):
        raise UsageError(
            f"ceiling=... and reliability=... take the single ratings of people, and there are none of {', '.join(terms) or 'any aspect'}: "
            "annotators=... says where they are, ASPECT=FIELD for a list or ASPECT=FIELD,FIELD for a field a person"
        )
    return found


def _several(rows: Sequence[Row], term: Term) -> bool:
    """Tell whether people's own fields hold several judgements of a text."""
    return any(len(list(entries_in(row, term.fields))) > 1 for row in rows)


def _raters(
    joined: Joined,
    counts: Sequence[tuple[str, str, int]],
    fields: Mapping[str, tuple[str, ...]],
    options: PeopleSettings,
    data: PublishedData | None,
) -> Raters:
    """The people who rated, and how much of the data: each rated text with its system and number of ratings."""
    published = data is not None and data.kinds and not options.fields
    kind, own = (data.kind(options.kind), data.kinds[0]) if published and data else (KIND, KIND)
    return Raters(
        kind=kind,
        count=max((count for _, _, count in counts), default=0),
        named=all(len(one) > 1 for one in fields.values()),
        texts=len(joined.pairs),
        rated=len({(name, system) for name, system, _ in counts}),
        other=own if own != kind else "",
    )
