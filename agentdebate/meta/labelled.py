"""Scores taken as labels, for statistics of choices: whole numbers, with all between the least and the greatest."""

from agentdebate.errors import UsageError
from agentdebate.meta.judged import Choices, Chosen, Judgements

_MOST = 1000
"""Labels beyond which scores are no grades."""


def labelled(judgements: Judgements) -> Choices:
    """The scores as labels, so that neighbours are one apart. Raises UsageError for scores that are no whole numbers."""
    scores = [score for row in judgements.rows for score in (row.human, row.score) if score is not None]
    broken = next((score for score in scores if not float(score).is_integer()), None)
    if broken is not None or (scores and max(scores) - min(scores) > _MOST):
        found = (
            f"{broken:g} is among them"
            if broken is not None
            else f"they reach from {min(scores):g} to {max(scores):g}"
        )
        raise UsageError(
            f"accuracy and kappa take scores as labels, so they have to be whole numbers; of {judgements.aspect} of "
            f"{judgements.judge}, {found}"
        )
    labels = tuple(str(label) for label in range(int(min(scores)), int(max(scores)) + 1)) if scores else ()
    rows = tuple(
        Chosen("/".join(filter(None, (row.id, row.system))), row.source, _label(row.human), _label(row.score))
        for row in judgements.rows
    )
    return Choices(judgements.judge, judgements.aspect, labels, rows, judgements.left_out)


def _label(score: float | None) -> str | None:
    return None if score is None else str(int(score))
