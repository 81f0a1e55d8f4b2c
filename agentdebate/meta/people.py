"""Single people's judgements of the data's texts, and what judges are held against beside them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any, Literal, TypeVar

from agentdebate.datasets.named_values import free_pairs, names
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.ceiling import chosen
from agentdebate.meta.choosing import Choosing
from agentdebate.meta.expression import majority
from agentdebate.meta.fields import (
    all_scores_in,
    check_field,
    entries_in,
    has,
    score_in,
    scores_in,
    values_in,
)
from agentdebate.meta.joining import Joined, Naming, Pair, Scored, name_of
from agentdebate.meta.judgements import Rated, Raters, Ratings, Voted, Votes
from agentdebate.meta.labels import in_order, one_of, sorted_labels, tie_of
from agentdebate.meta.pairing import Pairing
from agentdebate.meta.published_data import SINGLE, PublishedData
from agentdebate.meta.reliability import OTHER_COUNT, RELIABILITY

OfPeople = TypeVar("OfPeople", bound=Ratings | Votes)

NO_RATINGS = "rows without single ratings"
"""Why a row has no part in what is said of people."""


def single_ratings(
    aspect: str, joined: Joined, fields: Sequence[str], naming: Naming, *, alone: bool = False
) -> Ratings:
    """The single ratings of one aspect, a list in one field or a field a person. Rows without any are counted.

    `alone` says that a number may stand where a list is expected: a single rating. Raises DataError for what is no number,
    and no list of numbers.
    """
    rows, lacking = [], 0
    read = all_scores_in if alone else scores_in
    for number, pair in enumerate(joined.pairs, 1):
        given = read(pair.data, fields)
        if any(rating is not None for rating in given):
            rows.append(Rated(*name_of(pair.data, naming, number), given))
        else:
            lacking += 1
    return Ratings(aspect, tuple(rows), _left_out(joined, lacking))


def single_votes(joined: Joined, choosing: Choosing, fields: Sequence[str], naming: Naming) -> Votes:
    """Each person's choice of the best, in people's words: labels, or objects with a number for each label.

    Raises DataError for a label that is not among those of the choice.
    """
    rows, lacking = [], 0
    for number, pair in enumerate(joined.pairs, 1):
        votes = tuple(_vote(pair, entry, choosing, fields) for entry in entries_in(pair.data, fields))
        name, source, _ = name_of(pair.data, naming, number)
        if any(votes):
            rows.append(Voted(name, source, votes))
        else:
            lacking += 1
    seen = {label for row in rows for vote in row.votes for label in vote or {}}
    labels = tuple(dict.fromkeys(one_of(choosing.labels).values())) or sorted_labels(seen, choosing.tie)
    tie = tie_of(choosing.labels, labels)
    return Votes(choosing.aspect, in_order(labels, tie), tie, tuple(rows), _left_out(joined, lacking))


def evened(people: OfPeople) -> OfPeople:
    """The rows that have as many ratings as most have, so that each place is an annotator; the others are counted."""
    sizes = [len(row.ratings if isinstance(row, Rated) else row.votes) for row in people.rows]
    usual = Counter(sizes).most_common(1)[0][0] if sizes else 0
    kept = tuple(row for row, size in zip(people.rows, sizes, strict=True) if size == usual)
    lost = {OTHER_COUNT: len(sizes) - len(kept)} if len(kept) < len(sizes) else {}
    return replace(people, rows=kept, left_out={**people.left_out, **lost})  # type: ignore[arg-type]  # of its kind


def _vote(pair: Pair, entry: Any, choosing: Choosing, fields: Sequence[str]) -> Mapping[str, float] | None:
    """One person's vote: a number for each label that has one, or a whole vote for one label."""
    if entry is None:
        return None
    row = pair.data
    if isinstance(entry, Mapping):
        inner = replace(row, data=entry)
        given = {label: score_in(inner, label) for label in entry}
        vote = {label: score for label, score in given.items() if score is not None}
    else:
        vote = {entry: 1.0}
    for label in vote:
        if choosing.labels and label not in choosing.labels:
            raise row.error(
                f"this is none of people's labels: {label!r}. {nearest(label, choosing.labels)}",
                ",".join(fields),
            )
    same = one_of(choosing.labels)
    merged = Counter[str]()
    for label, weight in vote.items():
        merged[same.get(label, label)] += weight  # type: ignore[assignment]  # a vote may be split
    return dict(merged) or None


def _left_out(joined: Joined, lacking: int) -> dict[str, int]:
    return {**joined.left_out, **({NO_RATINGS: lacking} if lacking else {})}


@dataclass(frozen=True)
class PeopleSettings:
    """How well people agree with one another."""

    ceiling: bool = False
    annotators: tuple[str, ...] = ()
    reliability: tuple[str, ...] = ()

    def check(self, *, listed: bool = False) -> None:
        """Raise UsageError for options that stand alone, or say nothing. `listed` says that people's field has lists."""
        for option, given in (("annotators=...", self.annotators), ("reliability=...", self.reliability)):
            if given and not self.ceiling and not (listed and option == "reliability=..."):
                raise UsageError(f"{option} is for ceiling=..., which takes people as judges")
        for name in self._reliabilities():
            if name not in RELIABILITY:
                raise UsageError(f"reliability=...: there is no {name!r}. {nearest(name, RELIABILITY)}")

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
        """Whose ratings, where that was named. Raises UsageError for several kinds."""
        kinds = [text for text in self.annotators if "=" not in text]
        if len(kinds) > 1 or (kinds and self.fields):
            raise UsageError(
                f"annotators=... takes one kind of people, or ASPECT=FIELD, not {', '.join(self.annotators)}"
            )
        return kinds[0] if kinds else None

    def _reliabilities(self) -> list[str]:
        return [name for text in self.reliability for name in names(text)]


KIND = "annotator"
"""What people are called where nobody says who they are."""


@dataclass(frozen=True)
class People:
    """What single people said, of each aspect or of what is best."""

    raters: Raters
    ratings: tuple[Ratings, ...] = field(default=(), repr=False)
    votes: tuple[Votes, ...] = field(default=(), repr=False)


def people(
    pairing: Pairing, options: PeopleSettings, aspects: Sequence[str], data: PublishedData | None
) -> People:
    """What single people said of the rows of a pairing, whose judge is people.

    `aspects` are those that judges are compared on, none where there is no judge; `data` is the dataset as which the rows
    were read. Raises UsageError where there are no single ratings.
    """
    kind = _kind(options, data)
    choosing = pairing.fields.choosing(pairing.convention)
    asked = [choosing.aspect] if choosing else _aspects(pairing, options, aspects, kind)
    found = _fields(pairing, options, asked, kind)
    joined, naming = pairing.joined(pairing.rows), pairing.naming
    if choosing:
        votes = tuple(single_votes(joined, choosing, fields, naming) for fields in found.values())
        rated = [(row.id, "", len(row.votes)) for one in votes for row in evened(one).rows]
        return People(_raters(rated, len(joined.pairs), 0, found, (kind, data)), votes=votes)
    ratings = tuple(single_ratings(aspect, joined, fields, naming) for aspect, fields in found.items())
    rated = [
        (f"{row.source}\n{row.id}", row.system, len(row.ratings))
        for one in ratings
        for row in evened(one).rows
    ]
    systems = {name_of(pair.data, naming, number)[2] for number, pair in enumerate(joined.pairs)}
    return People(_raters(rated, len(joined.pairs), len(systems), found, (kind, data)), ratings=ratings)


def people_in_lists(
    joined: Joined, naming: Naming, choosing: Choosing | None, scored: Sequence[Scored] = ()
) -> People | None:
    """What single people said, where people's own field holds it; None where it holds what they say together.

    Where a list stands for its mean, a number among the lists is a single rating. Raises DataError for what else is no list
    with an entry a person.
    """
    joined = replace(joined, left_out={})
    if choosing is not None:
        if choosing.people is None:
            return None
        fields = {choosing.aspect: choosing.people.fields}
        votes = (single_votes(joined, choosing, choosing.people.fields, naming),)
        counts = [(row.id, "", len(row.votes)) for one in votes for row in one.rows]
        return People(_raters(counts, len(joined.pairs), 0, fields, (None, None)), votes=votes)
    fields = {one.aspect: one.people.fields for one in scored if one.people is not None}
    plain = {one.aspect for one in scored if one.people is None and _holds_lists(joined, one.human)}
    fields |= {one.aspect: (one.human,) for one in scored if one.aspect in plain}
    if not fields:
        return None
    ratings = tuple(
        single_ratings(aspect, joined, names, naming, alone=aspect in plain)
        for aspect, names in fields.items()
    )
    rated = [(f"{row.source}\n{row.id}", row.system, len(row.ratings)) for one in ratings for row in one.rows]
    return People(_raters(rated, len(joined.pairs), 0, fields, (None, None)), ratings=ratings)


def _holds_lists(joined: Joined, field: str) -> bool:
    """Whether people's field holds several ratings of a text."""
    return any(isinstance(value, list) and len(value) > 1 for value in values_in(joined.data, field))


def _kind(options: PeopleSettings, data: PublishedData | None) -> str | None:
    """Whose ratings a dataset's rows hold; None where fields of the data are named."""
    asked = options.kind
    if options.fields:
        return None
    if data is not None:
        return data.kind(asked)
    if asked is not None:
        raise UsageError(
            f"annotators='{asked}' is for a published dataset, dataset=...; ASPECT=FIELD says which field has the ratings"
        )
    raise UsageError(
        "ceiling=... takes the single ratings of people, and annotators=... says where they are: ASPECT=FIELD"
    )


def _aspects(
    pairing: Pairing, options: PeopleSettings, aspects: Sequence[str], kind: str | None
) -> Sequence[str]:
    """The judges' aspects; without a judge those that are named anywhere, or all that people rated."""
    if aspects:
        for name in options.fields:
            if name not in aspects:
                raise UsageError(
                    f"annotators=...: no judge is compared on {name!r}. {nearest(name, aspects)}"
                )
        return aspects
    named = pairing.fields.named_aspects(tuple(options.fields))
    if named or kind is None:
        return named
    usual = pairing.convention.aspects if pairing.convention else ()
    return usual or _rated(pairing, kind)


def _rated(pairing: Pairing, kind: str) -> tuple[str, ...]:
    """The aspects of which a dataset has ratings by people of a kind."""
    found = (aspect for row in pairing.rows for aspect in row.data.get(SINGLE, {}).get(kind, {}))
    return tuple(dict.fromkeys(found))


def _fields(
    pairing: Pairing, options: PeopleSettings, aspects: Sequence[str], kind: str | None
) -> dict[str, tuple[str, ...]]:
    """The fields of single ratings of those aspects that have some. Raises UsageError where none has."""
    if kind is None:
        found = {aspect: options.fields[aspect] for aspect in aspects if aspect in options.fields}
        for fields in found.values():
            for name in fields:
                check_field(pairing.rows, name, "annotators=...")
    else:
        human = pairing.fields.human_fields
        named = {aspect: f"{SINGLE}.{kind}.{human.get(aspect, aspect)}" for aspect in aspects}
        found = {
            aspect: (name,) for aspect, name in named.items() if any(has(row, name) for row in pairing.rows)
        }
    if not found:
        known = options.fields if kind is None else _rated(pairing, kind)
        raise UsageError(
            f"ceiling=...: there are no single ratings of {', '.join(aspects)}. {nearest(next(iter(aspects), ''), known)}"
        )
    return found


def _raters(
    rated: Sequence[tuple[str, str, int]],
    texts: int,
    systems: int,
    fields: Mapping[str, tuple[str, ...]],
    who: tuple[str | None, PublishedData | None],
) -> Raters:
    """Who rated, and how much of the data: each rated text with its system and number of ratings."""
    kind, data = who
    own = data.kinds[0] if data is not None and data.kinds else kind
    return Raters(
        kind=kind or KIND,
        count=max((count for _, _, count in rated), default=0),
        named=all(len(one) > 1 for one in fields.values()),
        texts=texts,
        rated=len({(name, system) for name, system, _ in rated}),
        systems=systems,
        rated_systems=len({system for _, system, _ in rated}),
        other=own if kind is not None and own is not None and own != kind else "",
    )


Together = Mapping[tuple[str, str, str], float | str]
"""What judges are compared with, by the id, the source and the system of a text."""

_ROUNDED = 1 / 80
"""Numbers are the same that differ by no more than this share of how far ratings lie apart: means are written with few digits."""


@dataclass(frozen=True)
class HeldAgainst:
    """What judges are held against on one aspect."""

    aspect: str
    what: Literal["all", "one", "others"]
    annotator: int = 0
    """The annotator that it is, from 1, where it is one."""


def held_against(people: Ratings | Votes, together: Together) -> HeldAgainst | None:
    """What judges are held against, seen by its values; None where no text of theirs is among those that people rated."""
    pairs = list(_of_votes(people, together) if isinstance(people, Votes) else _of_ratings(people, together))
    if not pairs:
        return None
    if any(all(each) for each in zip(*(whole for whole, _ in pairs), strict=True)):
        return HeldAgainst(people.aspect, "all")
    count = min(len(single) for _, single in pairs)
    alone = (place for place in range(count) if all(single[place] for _, single in pairs))
    place = next(alone, None)
    return (
        HeldAgainst(people.aspect, "others")
        if place is None
        else HeldAgainst(people.aspect, "one", place + 1)
    )


_Same = tuple[Sequence[bool], Sequence[bool]]
"""Whether a text's score is what all come to, in each way to put them together; and whether it is that of each annotator."""


def _of_ratings(people: Ratings, together: Together) -> Iterator[_Same]:
    known = [rating for row in people.rows for rating in row.ratings if rating is not None]
    apart = (max(known) - min(known)) * _ROUNDED + 1e-9 if known else 0.0
    for row in people.rows:
        score = together.get((row.id, row.source, row.system))
        given = [rating for rating in row.ratings if rating is not None]
        if isinstance(score, int | float) and given:
            near = _near(score, apart)
            most = majority([repr(rating) for rating in given], "")
            yield (near(fmean(given)), repr(score) == most), [near(rating) for rating in row.ratings]


def _near(score: float, apart: float) -> Callable[[float | None], bool]:
    return lambda other: other is not None and abs(score - other) <= apart


def _of_votes(people: Votes, together: Together) -> Iterator[_Same]:
    for row in people.rows:
        label = together.get((row.id, row.source, ""))
        if label is not None:
            single = [chosen([vote], people.tie) == label for vote in row.votes]
            yield (chosen(row.votes, people.tie) == label,), single


def each_against(
    people: Iterable[Ratings | Votes], together: Callable[[str], Together]
) -> tuple[HeldAgainst, ...]:
    """What judges are held against on each aspect that people rated and judges are compared on."""
    found = (held_against(one, together(one.aspect)) for one in people)
    return tuple(one for one in found if one is not None)
