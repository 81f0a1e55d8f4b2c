"""Judgements as columns of numbers, and what is missing in them."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from agentdebate.datasets.picked import Picked
from agentdebate.errors import UsageError
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.judged import Judged, JudgedRows, Judgements
from agentdebate.meta.places import Places
from agentdebate.tasks import Scale

NO_HUMAN = "rows without a human score"
NO_SCORE = "rows without a predicted score"
NOT_FINITE = "rows with a score that is not a finite number, or beyond 1e100"
"""Why a row has no place in a statistic. Numbers beyond LARGEST are none: their squares are more than a number can hold."""

LARGEST = 1e100


@dataclass(frozen=True)
class Columns:
    """The rows that have both scores, in an order that is theirs: by source, system and id."""

    rows: Sequence[Judged]
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
    rows = JudgedRows.of(judgements.rows)
    human, score = (np.frombuffer(one.numbers) if rows else np.zeros(0) for one in (rows.human, rows.score))
    kept, missing = _sound(rows, human, score)
    source, system, name = (
        np.frombuffer(one, dtype=np.int64)[kept] if rows else kept
        for one in (rows.names.source_numbers, rows.names.system_numbers, rows.names.id_numbers)
    )
    order = np.lexsort((score[kept], human[kept], name, system, source))
    chosen = kept[order]
    return Columns(
        Picked(rows, array("q", chosen.tobytes())),
        human[chosen],
        score[chosen],
        Places(*(np.unique(one[order], return_inverse=True)[1] for one in (source, system))),
        missing,
        judgements.scale,
    )


def _sound(rows: JudgedRows, human: Array, score: Array) -> tuple[Array, dict[str, int]]:
    """The places of rows that count, and why others do not."""
    known = [np.frombuffer(one.known, dtype=bool) if rows else human > 0 for one in (rows.human, rows.score)]
    finite = [np.abs(one) <= LARGEST for one in (human, score)]  # which what is no number is not
    counts = {
        NO_HUMAN: ~known[0],
        NO_SCORE: known[0] & ~known[1],
        NOT_FINITE: known[0] & known[1] & ~(finite[0] & finite[1]),
    }
    missing = {reason: int(which.sum()) for reason, which in counts.items() if which.any()}
    return np.flatnonzero(finite[0] & finite[1] & known[0] & known[1]), missing


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
            f"field holds it ({'system' if field == 'system' else 'group'}='FIELD'), or ask for something else"
        )
