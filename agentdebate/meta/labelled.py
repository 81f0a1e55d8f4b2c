"""Scores taken as labels, for statistics of choices: whole numbers, with all between the least and the greatest."""

from collections.abc import Sequence

from agentdebate.errors import UsageError
from agentdebate.meta.columns import is_score
from agentdebate.meta.imputation import LEFT_OUT, Missing, check_for_scores
from agentdebate.meta.judged import Choices, Chosen, Judgements

_MOST = 1000
"""Labels beyond which scores are no grades."""


def labelled(
    judgements: Judgements, other: Judgements | None = None, *, missing: Missing = LEFT_OUT
) -> Choices:
    """The scores as labels, so that neighbours are one apart; with those of an `other` judge among the labels, and the score
    that a missing one counts as.

    Raises UsageError for scores that are no whole numbers.
    """
    check_for_scores(missing)
    value = [] if isinstance(missing, str) else [float(missing)]
    labels = labels_of([*_scores(judgements), *value], f"{judgements.aspect} of {judgements.judge}")
    if other is not None:
        labels = labels_of([*_scores(other), *map(float, labels)], f"{other.aspect} of {other.judge}")
    rows = tuple(
        Chosen(
            "/".join(filter(None, (row.id, row.system))), row.source, label_of(row.human), label_of(row.score)
        )
        for row in judgements.rows
    )
    return Choices(judgements.judge, judgements.aspect, labels, rows, judgements.left_out)


def labels_of(scores: Sequence[float], of: str) -> tuple[str, ...]:
    """The labels of all whole numbers from the least score to the greatest; `of` says whose they are.

    Raises UsageError for scores that are no whole numbers, or too far apart to be grades.
    """
    broken = next((score for score in scores if not float(score).is_integer()), None)
    if broken is not None or (scores and max(scores) - min(scores) > _MOST):
        found = (
            f"{broken:g} is among them"
            if broken is not None
            else f"they reach from {min(scores):g} to {max(scores):g}"
        )
        raise UsageError(
            f"accuracy and kappa take scores as labels, so they have to be whole numbers; of {of}, {found}"
        )
    return tuple(str(label) for label in range(int(min(scores)), int(max(scores)) + 1)) if scores else ()


def label_of(score: float | None) -> str | None:
    """The label of a whole number; None where there is none, or one that is not finite."""
    return str(int(score)) if score is not None and is_score(score) else None


def _scores(judgements: Judgements) -> list[float]:
    return [
        score
        for row in judgements.rows
        for score in (row.human, row.score)
        if score is not None and is_score(score)
    ]
