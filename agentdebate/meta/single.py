"""What single people said of texts, from the fields of rows that hold it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from agentdebate.errors import nearest
from agentdebate.meta.choosing import Choosing
from agentdebate.meta.fields import all_scores_in, entries_in, score_in, scores_in
from agentdebate.meta.judgements import Rated, Ratings, Voted, Votes
from agentdebate.meta.labels import in_order, one_of, sorted_labels, tie_of
from agentdebate.meta.predicted import Joined, Naming, Pair, name_of
from agentdebate.meta.reliability import OTHER_COUNT

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
