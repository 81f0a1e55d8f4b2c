"""Judgements as columns of numbers, and what is missing in them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from agentdebate.errors import UsageError
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.judged import Judged, Judgements
from agentdebate.meta.places import Places, places, source_of
from agentdebate.tasks import Scale

NO_HUMAN = "rows without a human score"
NO_SCORE = "rows without a predicted score"
NOT_FINITE = "rows with a score that is no finite number"
"""Why a row has no place in a statistic. Numbers beyond LARGEST are none: their squares are more than a number can hold."""

LARGEST = 1e100


@dataclass(frozen=True)
class Columns:
    """The rows that have both scores, in an order that is theirs: by source, system and id."""

    rows: tuple[Judged, ...]
    human: Array
    """People's scores, n."""
    score: Array
    """The judge's, n."""
    places: Places
    missing: dict[str, int]
    """Rows that are not among them: reason to count."""
    scale: Scale | None = None
    """The scale that the judge's scores are declared to be on, where that is known."""

    def groups(self) -> Iterator[Array]:
        """The places of each source's rows, in the order of the sources."""
        edges = np.flatnonzero(np.diff(self.places.source)) + 1
        return iter(np.split(np.arange(len(self.rows)), edges) if self.rows else ())


def columns(judgements: Judgements) -> Columns:
    """The columns of judgements. The order of the rows decides nothing, to the last digit."""
    missing: Counter[str] = Counter()
    kept = []
    for row in judgements.rows:
        reason = why_missing(row)
        if reason is None:
            kept.append(row)
        else:
            missing[reason] += 1
    rows = tuple(sorted(kept, key=_identity))
    return Columns(
        rows,
        np.array([row.human for row in rows], dtype=float),
        np.array([row.score for row in rows], dtype=float),
        places(rows),
        dict(missing),
        judgements.scale,
    )


def why_missing(row: Judged) -> str | None:
    """Why a row cannot count; None where it can."""
    if row.human is None:
        return NO_HUMAN
    if row.score is None:
        return NO_SCORE
    return None if is_score(row.human) and is_score(row.score) else NOT_FINITE


def is_score(score: float | None) -> bool:
    """Whether this is a score that a statistic can take: a finite number, not beyond LARGEST."""
    return score is not None and isfinite(score) and abs(score) <= LARGEST


def named(judgements: Judgements, field: Literal["source", "system"], level: str) -> None:
    """Raise UsageError where rows lack what a level needs: their source or system."""
    lacking = sum(not getattr(row, field) for row in judgements.rows)
    if lacking:
        raise UsageError(
            f"{level} needs the {field} of every row, and {lacking} of {len(judgements.rows)} rows have none. Say which "
            f"field holds it ({'--system' if field == 'system' else '--group'} FIELD), or ask for something else"
        )


def _identity(row: Judged) -> tuple[tuple[str, str], str, str, float, float]:
    return source_of(row), row.system, row.id, row.human or 0.0, row.score or 0.0
