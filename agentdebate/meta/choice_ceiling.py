"""How well people agree with one another on what is best: the ceiling for judges that choose."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean

from agentdebate.meta.arrays import Array, np
from agentdebate.meta.bootstrap import NO_INTERVAL, Bootstrap
from agentdebate.meta.ceiling import INCOMPLETE, Ceiling, annotators, averaged
from agentdebate.meta.choices import MANY, ChoiceStatistic, ChoiceTable, agree_on_choices, readable
from agentdebate.meta.columns import is_score
from agentdebate.meta.judged import Choices, Chosen
from agentdebate.meta.labelled import label_of, labels_of
from agentdebate.meta.places import Places, places
from agentdebate.meta.rated import Rated, Ratings, Voted, Votes
from agentdebate.meta.wilson import interval_of_share

SPLIT = "rows on which the other annotators are split"
"""Why a row says nothing of an annotator, where no label stands for a tie."""


def choice_ceiling(
    votes: Votes, statistic: ChoiceStatistic, *, bootstrap: Bootstrap | None = None
) -> Ceiling:
    """The leave-one-annotator-out ceiling of choices: each annotator's against that of the others together.

    The others choose what most of them are for. Where several labels have as much, that is a tie if a label says so, and the
    row is left out for this annotator if none does. Only rows that every annotator voted on count, and the others are
    counted. The interval draws the same sources for all annotators; that of accuracy is Wilson's. Raises UsageError and DataError as `agree_on_choices`
    does, and where there are fewer than two annotators.
    """
    count = annotators([len(row.votes) for row in votes.rows])
    complete = [row for row in votes.rows if all(row.votes)]
    lost = len(votes.rows) - len(complete)
    left_out = {**votes.left_out, **({INCOMPLETE: lost} if lost else {})}
    judged = [_choices(votes, complete, number, left_out) for number in range(count)]
    found = tuple(agree_on_choices(one, statistic) for one in judged)
    if bootstrap is None or any(one.value is None for one in found):
        return averaged(found, NO_INTERVAL)
    tables = [ChoiceTable.of(votes.labels, readable(one)[0]) for one in judged]
    drawn = places(complete)
    where = [_where(complete, one) for one in judged]
    if statistic == "accuracy":
        right = np.concatenate([table.human == table.choice for table in tables])
        share = fmean(one.value for one in found if one.value is not None)
        source = drawn.source[np.concatenate(where)]
        return averaged(found, interval_of_share(right, source, bootstrap.confidence, share=share))

    def mean(w: Array) -> Array:
        values = [MANY[statistic](table, w[:, rows]) for table, rows in zip(tables, where, strict=True)]
        return np.mean(np.stack(values), axis=0)

    return averaged(found, bootstrap.spread(Places(drawn.source, drawn.system), mean))


def as_votes(ratings: Ratings) -> Votes:
    """Ratings that are whole numbers as votes for labels, none of which is a tie. Raises UsageError for others."""
    known = [
        rating for row in ratings.rows for rating in row.ratings if rating is not None and is_score(rating)
    ]
    labels = labels_of(known, f"the single ratings of {ratings.aspect}")
    rows = tuple(
        Voted("/".join(filter(None, (row.id, row.system))), row.source, tuple(map(_vote, row.ratings)))
        for row in ratings.rows
    )
    return Votes(ratings.aspect, labels, None, rows, ratings.left_out)


def as_ratings(votes: Votes) -> Ratings:
    """Votes as numbers of labels, in their order, for reliability. A vote that is split has the label of a tie."""
    place = {label: float(number) for number, label in enumerate(votes.labels)}
    rows = tuple(
        Rated(row.id, row.source, "", tuple(place.get(chosen([one], votes.tie) or "") for one in row.votes))
        for row in votes.rows
    )
    return Ratings(votes.aspect, rows, votes.left_out)


def chosen(votes: Sequence[Mapping[str, float] | None], tie: str | None) -> str | None:
    """The label that most is for; where several have as much, that of a tie, which is None where there is none."""
    sums = Counter[str]()
    for vote in votes:
        sums.update(vote or {})
    best = [label for label, total in sums.items() if total == max(sums.values())]
    return best[0] if len(best) == 1 else tie if best else None


def _choices(votes: Votes, rows: Sequence[Voted], number: int, left_out: Mapping[str, int]) -> Choices:
    """One annotator's choices beside those of the others, without rows on which nothing can be said of them."""
    both = [
        Chosen(
            row.id,
            row.source,
            chosen([vote for place, vote in enumerate(row.votes) if place != number], votes.tie),
            chosen([row.votes[number]], votes.tie),
        )
        for row in rows
    ]
    kept = tuple(row for row in both if row.human is not None and row.choice is not None)
    split = {SPLIT: len(both) - len(kept)} if len(kept) < len(both) else {}
    return Choices(f"annotator {number + 1}", votes.aspect, votes.labels, kept, {**left_out, **split})


def _where(rows: Sequence[Voted], choices: Choices) -> Array:
    """The places among all rows of those that an annotator's table has, in its order."""
    place = {(row.source, row.id): number for number, row in enumerate(rows)}
    return np.array([place[row.source, row.id] for row in readable(choices)[0]], dtype=int)


def _vote(rating: float | None) -> dict[str, float] | None:
    label = label_of(rating)
    return None if label is None else {label: 1.0}
