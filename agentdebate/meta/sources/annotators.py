"""What single people said of the data's texts, gathered from the fields that hold it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.choosing import Choosing
from agentdebate.meta.fields import check_field, has, values_in
from agentdebate.meta.judgements import Raters, Ratings, Votes
from agentdebate.meta.predicted import Joined, Naming, Scored, name_of
from agentdebate.meta.single import evened, single_ratings, single_votes
from agentdebate.meta.sources.pairing import Pairing
from agentdebate.meta.sources.people_settings import PeopleSettings
from agentdebate.meta.sources.published_data import SINGLE, PublishedData

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
