"""Judgements as columns of numbers, and what is missing in them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agentdebate.meta.arrays import Array, np
from agentdebate.meta.judgements import Judged, Judgements, Rated, is_judgement

NO_HUMAN = "rows without people's judgement"
NO_SCORE = "rows without the judge's judgement"
NOT_FINITE = "rows with a score that is not a finite number, or beyond 1e100"
"""Reason why a statistic leaves out a row."""


@dataclass(frozen=True)
class Places:
    """The number of each row's source and system, in the order of their names; rows are sorted by source."""

    source: Array
    """n."""
    system: Array
    """n; all the same where rows have no systems."""
    sources: int
    systems: int

    @classmethod
    def of(cls, rows: Sequence[Judged | Rated]) -> "Places":
        """The places of rows. A row whose source is not known is one of its own."""
        source, sources = _numbered([(row.source, "") if row.source else ("", row.id) for row in rows])
        system, systems = _numbered([(row.system, "") for row in rows])
        return cls(source, system, sources, systems)

    def drawn(self, sources: Array) -> Array:
        """The numbers of the rows of sources that are drawn, by their numbers."""
        if self.sources == len(self.source):
            return sources
        size = np.bincount(self.source, minlength=self.sources)[sources]
        first = np.searchsorted(self.source, sources)
        return np.arange(size.sum()) + np.repeat(first - np.cumsum(size) + size, size)


@dataclass(frozen=True)
class Columns:
    """The rows that have both scores, in an order that is theirs: by source, system, id and scores."""

    human: Array
    """People's scores, or the numbers of their labels, n."""
    score: Array
    """The judge's, n."""
    places: Places
    missing: dict[str, int]
    """Rows that are not among them: reason to count."""

    def __len__(self) -> int:
        return len(self.human)

    def groups(self) -> Iterator[Array]:
        """The numbers of each source's rows, in the order of the sources."""
        edges = np.flatnonzero(np.diff(self.places.source)) + 1
        return iter(np.split(np.arange(len(self)), edges) if len(self) else ())


def columns(entry: Judgements, *, lone: bool = True) -> Columns:
    """The columns of scores, or of choices as numbers of their labels. The order of the rows decides nothing, to the last digit.

    Sources of which no row counts have no number, unless not `lone`, so that several judges' sources have the same ones.
    """
    missing = Counter[str]()
    number = {label: place for place, label in enumerate(entry.labels or ())}
    rows, values = [], []
    for row in entry.rows:
        why, both = _why_missing(row), (row.human, row.score)
        missing.update([why] if why else [])
        if why is None or not lone:
            rows.append(row)
            values.append(
                [np.nan] * 2 if why else [number[one] if isinstance(one, str) else one for one in both]
            )
    human, score = np.array(values, dtype=float).reshape(-1, 2).T
    places = Places.of(rows)
    order = np.lexsort((score, human, _numbered([row.id for row in rows])[0], places.system, places.source))
    order = order[~np.isnan(human[order])]
    places = replace(places, source=places.source[order], system=places.system[order])
    return Columns(human[order], score[order], places, dict(missing))


def _why_missing(row: Judged) -> str | None:
    """The reason for which a row cannot count; None where it can."""
    if row.human is None or row.score is None:
        return NO_HUMAN if row.human is None else NO_SCORE
    return None if is_judgement(row.human) and is_judgement(row.score) else NOT_FINITE


def _numbered(names: Sequence[object]) -> tuple[Array, int]:
    """The number of each name in their order, and how many there are."""
    numbers = {name: number for number, name in enumerate(sorted(set(names)))}  # type: ignore[type-var]  # names are alike
    return np.array([numbers[name] for name in names], dtype=int), len(numbers)
