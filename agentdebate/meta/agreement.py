"""Agreement of a judge's scores with people's: one statistic at one level, and all that has to be said with the number."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from math import isnan
from typing import Any

from agentdebate.errors import DataError, UsageError, nearest
from agentdebate.meta.arrays import np
from agentdebate.meta.columns import columns
from agentdebate.meta.figure import NO_RESAMPLES, Bootstrap, Figure, Interval, Level, Method
from agentdebate.meta.imputation import LEFT_OUT, WRONG, Missing, imputed
from agentdebate.meta.judgements import Judgements, is_judgement
from agentdebate.meta.measures import (
    OF_CHOICES,
    OF_SCORES,
    ORDERED,
    PAIRWISE,
    STATISTICS,
    sampled_pairs,
)
from agentdebate.tables.column import Column
from agentdebate.tables.table import Table, Tabular

COLUMNS = (
    *(Column(name) for name in ("judge", "aspect", "statistic", "level")),
    *(Column(name, "number") for name in ("value", "low", "high")),
    *(Column(name, "integer") for name in ("n", "groups", "left_out", "missing", "imputed")),
    Column("epsilon", "number"),
    Column("reasons"),
)
"""The columns of a table of agreement: `left_out` counts groups that have no value and no part in the mean."""

NOTHING_JUDGED = "all rows: the judge has judged none of them"
_GRADES = 1000
"""Largest spread of scores that count as grades."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Agreement(Tabular):
    """One number of agreement, with what it was computed from."""

    judge: str
    aspect: str
    statistic: str
    level: str
    value: float | None
    """Value of the statistic; None where it is not defined; `left_out` says why."""
    low: float | None = None
    """The lower end of the interval: Wilson's of accuracy and kappa, and else of the bootstrap; None where
    there is none.
    """
    high: float | None = None
    """Upper end."""
    n: int
    """Rows that the value is computed from."""
    groups: int
    """Sources that it is the mean over (group level), systems that it ranks (system level), or 1 (pooled)."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Counts of what is left out of the value, by reason: groups that are constant, and rows that nothing is known of."""
    missing: int = 0
    """Rows without a human or a predicted score, or with one that is not a finite number. `left_out` says how many of each."""
    imputed: int = 0
    """Rows of `n` whose judgement is missing and counts as wrong, as a tie or as a value."""
    method: Method = ""
    """Method of the interval; empty where there is none."""
    sources: int = 0
    """Number of sources, of which rows without a name are one each."""
    resamples: int = 0
    """Bootstrap resamples that were drawn; 0 where there is no interval or none are needed."""
    epsilon: float | None = None
    """For pairwise accuracy: difference of scores up to which two texts are tied. The interval holds it fixed."""
    pairs: int = 0
    """For pairwise accuracy: number of pairs drawn as a sample of all; 0 where all count."""
    labels: tuple[str, ...] = ()
    """For a statistic of choices that asks how far apart two labels are: the labels in their order."""

    def __repr__(self) -> str:
        return f"<Agreement: {self.statistic}, {self.level} {self.value}, n {self.n}>"

    @property
    def groups_left_out(self) -> int:
        """Number of sources that a mean over sources leaves out, since the statistic is not defined for them."""
        return sum(count for reason, count in self.left_out.items() if reason.startswith("groups with "))

    def to_table(self) -> Table[dict[str, Any]]:
        """The number as a table of one row."""
        return agreement_rows([self])

    def within(self, spread: Interval) -> "Agreement":
        """Copy with an interval."""
        return replace(self, **asdict(spread))


def agreement_rows(agreements: Iterable[Agreement]) -> Table[dict[str, Any]]:
    """Numbers of agreement as a table, a row each."""
    return Table.of("agreement with people", COLUMNS, map(_row, agreements))


def _row(one: Agreement) -> dict[str, Any]:
    reasons = "; ".join(f"{reason}: {count}" for reason, count in one.left_out.items())
    more = {"left_out": one.groups_left_out, "reasons": reasons or None}
    return {column.name: more.get(column.name, getattr(one, column.name, None)) for column in COLUMNS}


def agree(
    entry: Judgements,
    statistic: str,
    level: Level = "pooled",
    *,
    bootstrap: Bootstrap = NO_RESAMPLES,
    missing: Missing = LEFT_OUT,
) -> Agreement:
    """The agreement of one judge with people on one aspect. A tie of choices is a label like any other.

    Rows that lack people's judgement are left out and counted; those that lack the judge's count as `missing` says, but nothing has a
    value where the judge has judged no text at all. At the group level a source whose human or predicted scores are constant has no
    correlation, and is left out of numerator and denominator. Accuracy and kappa take scores that are whole numbers as labels. Raises
    UsageError for an unknown statistic or level, where rows lack the source or system that the level needs, and for a `missing` that
    means nothing; DataError for an unknown label; and MissingExtra.
    """
    filled, imputed_rows = imputed(entry, missing)
    figure = figure_of(filled, statistic, level)
    table, value, left_out = figure.columns, figure.value, figure.left_out
    if imputed_rows and not any(is_judgement(row.score) for row in entry.rows):
        value, left_out = float("nan"), {NOTHING_JUDGED: len(table)}
    defined = not isnan(value)
    of_pairs = defined and statistic == PAIRWISE
    found = Agreement(
        judge=entry.judge,
        aspect=entry.aspect,
        statistic=statistic,
        level=level,
        value=value if defined else None,
        n=figure.n,
        groups=figure.groups,
        left_out={**entry.left_out, **table.missing, **left_out},
        missing=sum(table.missing.values()),
        imputed=imputed_rows,
        epsilon=figure.measure.epsilon if of_pairs else None,
        pairs=sampled_pairs(*(len(human) for human, _ in figure.compared)) if of_pairs else 0,
        labels=(filled.labels or ()) if statistic in ORDERED else (),
    )
    return found.within(figure.interval(bootstrap)) if defined else found


def figure_of(entry: Judgements, statistic: str, level: Level, *, lone: bool = True) -> Figure:
    """A statistic of the rows that have both judgements; not `lone`, sources have the same numbers whatever rows lack one.

    Raises as `agree` does.
    """
    choices = entry.labels is not None
    known = OF_CHOICES if choices else STATISTICS
    if statistic not in known:
        raise UsageError(f"unknown statistic {statistic!r}. {nearest(statistic, known)}")
    if level != "pooled" and (choices or statistic not in OF_SCORES):
        raise UsageError(f"labels have one level, pooled, and not {level}")
    field = {"group": "source", "system": "system"}.get(level)
    if field and (lacking := sum(not getattr(row, field) for row in entry.rows)):
        raise UsageError(
            f"the {level} level needs the {field} of every row; {lacking} of {len(entry.rows)} have none: {level}='FIELD' names it"
        )
    _check_labels(entry, statistic)
    table = columns(entry, lone=lone)
    scores = np.concatenate([table.human, table.score])
    if statistic not in OF_SCORES and ((scores % 1).any() or (scores.size and np.ptp(scores) > _GRADES)):
        raise UsageError(
            f"{statistic} takes scores as labels: those of {entry.judge}, {entry.aspect} have to be whole numbers of one scale"
        )
    return Figure(table, statistic, level)


def _check_labels(entry: Judgements, statistic: str) -> None:
    labels = entry.labels or ()
    if statistic in ORDERED and WRONG in labels:
        raise UsageError(f"missing='wrong' has no place in an order of labels, and {statistic} asks for one")
    for row in entry.rows:
        for label in (row.human, row.score):
            if isinstance(label, str) and label not in labels:
                raise DataError(f"item {row.id!r} has the label {label!r}. {nearest(label, labels)}")


def confusion(choices: Judgements) -> dict[tuple[str, str], int]:
    """Count how often people chose one label and the judge another: (people's, the judge's) to a count, in the labels' order."""
    counted, labels = Counter((row.human, row.score) for row in choices.rows), choices.labels or ()
    return {(human, choice): counted[human, choice] for human in labels for choice in labels}
