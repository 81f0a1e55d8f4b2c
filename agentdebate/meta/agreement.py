"""Agreement of a judge's scores with people's: one statistic at one level, and all that has to be said with the number."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from math import isnan
from typing import Any

from agentdebate.errors import DataError, UsageError, nearest
from agentdebate.meta import measures
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.bootstrap import (
    NO_INTERVAL,
    Bootstrap,
    Interval,
    Method,
    interval_of_kappa,
    interval_of_share,
)
from agentdebate.meta.columns import NO_CHOICE, NO_HUMAN, NO_HUMAN_CHOICE, NO_SCORE, Columns, columns, named
from agentdebate.meta.imputation import LEFT_OUT, Missing, check_for_scores, imputed
from agentdebate.meta.judgements import Choices, Entry, Judgements, as_labels, is_score
from agentdebate.meta.levels import Level, Point, compared, drawn_value, point
from agentdebate.meta.measures import (
    ALL_EQUAL,
    KAPPAS,
    OF_CHOICES,
    OF_SCORES,
    ORDERED,
    TOO_FEW,
    Measure,
    calibrated,
    crossed,
    measure,
    pairs_in,
)
from agentdebate.tables.column import Column
from agentdebate.tables.table import Table
from agentdebate.tables.tabular import Tabular
from agentdebate.visible import shortened

_LONGEST = 40
"""Characters of a name in a `repr`."""


COLUMNS = (
    *(Column(name) for name in ("judge", "aspect", "statistic", "level")),
    *(Column(name, "number") for name in ("value", "low", "high")),
    *(Column(name, "integer") for name in ("n", "groups", "left_out", "missing", "imputed")),
    Column("epsilon", "number"),
    Column("reasons"),
)
"""The columns of a table of agreement: `left_out` counts groups that have no value and no part in the mean."""


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
    """The lower end of the interval: Wilson's of accuracy, by the standard error of kappa, and else of the bootstrap; None where
    there is none.
    """
    high: float | None = None
    """Its upper end."""
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
    error: float | None = None
    """The standard error; None for Wilson's interval."""
    method: Method = ""
    """Method of the interval; empty where there is none."""
    sources: int = 0
    """Sources that the resamples are drawn from; where nothing is drawn, those that the rows are of."""
    resamples: int = 0
    """Bootstrap resamples that were drawn; 0 where no interval was asked for, nothing could vary or none are needed."""
    degenerate: int = 0
    """Resamples in which the statistic is not defined; the interval is without them."""
    epsilon: float | None = None
    """For pairwise accuracy: difference of scores up to which two texts are tied. The interval holds it fixed."""
    pairs: int = 0
    """For pairwise accuracy: number of pairs drawn as a sample of all; 0 where all count."""
    labels: tuple[str, ...] = ()
    """For a statistic of choices that asks how far apart two labels are: the labels in their order."""

    def __repr__(self) -> str:
        value = "not defined" if self.value is None else f"{self.value:.4f}"
        ends = "" if self.low is None or self.high is None else f" [{self.low:.4f}, {self.high:.4f}]"
        judge, aspect = (shortened(name, _LONGEST) for name in (self.judge, self.aspect))
        return f"<Agreement of {judge} on {aspect}: {self.statistic}, {self.level} {value}{ends}, n {self.n}>"

    @property
    def groups_left_out(self) -> int:
        """Number of sources that a mean over sources leaves out, since the statistic is not defined for them."""
        return sum(count for reason, count in self.left_out.items() if reason.startswith(_GROUPS))

    def to_table(self) -> Table[dict[str, Any]]:
        """The number as a table of one row."""
        return agreement_rows([self])

    def within(self, spread: Interval) -> "Agreement":
        """The same with an interval."""
        return replace(self, **asdict(spread))


_GROUPS = "groups with "
"""Prefix of the reasons for which a source is left out (see meta/levels.py)."""


def agreement_rows(agreements: Iterable[Agreement]) -> Table[dict[str, Any]]:
    """Numbers of agreement as a table, a row each."""
    return Table.of("agreement with people", COLUMNS, map(_row, agreements))


def _row(one: Agreement) -> dict[str, Any]:
    plain = {column.name: getattr(one, column.name) for column in COLUMNS if hasattr(one, column.name)}
    reasons = "; ".join(f"{reason}: {count}" for reason, count in one.left_out.items())
    return {**plain, "left_out": one.groups_left_out, "reasons": reasons or None}


NOTHING_SCORED = "all rows: the judge has scored none of them"
NOTHING = "all rows: there are none"
CERTAIN = "all rows: both always choose the same label, so nothing is left to chance"
_OF_NOTHING = frozenset({"mean-absolute-error", "root-mean-square-error"})
"""Statistics that say something of a judge that has scored nothing, where missing scores count as something."""
_OF_LABELS = {NO_HUMAN_CHOICE: NO_HUMAN, NO_CHOICE: NO_SCORE}
"""Reasons for a missing label, each with that for a missing score, so that the same rows are not counted twice."""
_OF_CHOICES = {f"all rows: {ALL_EQUAL}": CERTAIN, f"all rows: {TOO_FEW}": NOTHING}


def agree(
    entry: Entry,
    statistic: str,
    level: Level = "pooled",
    *,
    bootstrap: Bootstrap | None = None,
    missing: Missing = LEFT_OUT,
) -> Agreement:
    """The agreement of one judge with people on one aspect. A tie of choices is a label like any other.

    Rows that lack people's judgement are left out and counted; those that lack the judge's count as `missing` says. At the group
    level a source whose human or predicted scores are constant has no correlation, and is left out of numerator and
    denominator; its resamples are too. Scores are taken as labels where the statistic is one of choices. Raises UsageError for an
    unknown statistic or level, where rows lack the source or system that the level needs, and for a `missing` that says nothing of
    scores; DataError for an unknown label; and MissingExtra.

    Where the judge has scored nothing at all, only the absolute and the squared error have a value: they say what missing
    scores cost, and everything else would be a figure of the scores that stand for them.
    """
    if isinstance(entry, Judgements) and statistic not in OF_SCORES and statistic in OF_CHOICES:
        check_for_scores(missing)
        of_labels = agree(
            as_labels(entry, missing=missing), statistic, level, bootstrap=bootstrap, missing=missing
        )
        left_out = {_OF_LABELS.get(why, why): count for why, count in of_labels.left_out.items()}
        return replace(of_labels, left_out=left_out)
    check(entry, statistic, level)
    judged = isinstance(entry, Choices) or any(is_score(row.score) for row in entry.rows)
    filled, imputed_rows = imputed(entry, missing, statistic)
    table = columns(filled)
    asked = measured(table, statistic, level)
    found = point(table, asked, level)
    if imputed_rows and not judged and statistic not in _OF_NOTHING:
        found = replace(found, value=float("nan"), left_out={NOTHING_SCORED: len(table)})
    defined, choices = not isnan(found.value), isinstance(entry, Choices)
    spread = _spread(table, asked, level, found, bootstrap) if bootstrap and defined else NO_INTERVAL
    of_pairs = defined and statistic == "pairwise-accuracy"
    undefined = {
        _OF_CHOICES.get(why, why) if choices else why: count for why, count in found.left_out.items()
    }
    return Agreement(
        judge=entry.judge,
        aspect=entry.aspect,
        statistic=statistic,
        level=level,
        value=found.value if defined else None,
        n=found.n,
        groups=found.groups,
        left_out={**entry.left_out, **table.missing, **undefined},
        missing=sum(table.missing.values()),
        imputed=imputed_rows,
        epsilon=asked.epsilon if of_pairs else None,
        pairs=_drawn_pairs(table, level) if of_pairs else 0,
        labels=filled.labels if isinstance(filled, Choices) and statistic in ORDERED else (),
    ).within(spread)


def check(entry: Entry, statistic: str, level: Level) -> None:
    """Raise UsageError for an unknown statistic and for names that rows lack, DataError for a label that is not known."""
    if not isinstance(entry, Choices):
        measure(statistic)
        if level == "group":
            named(entry, "source", "the group level")
        if level == "system":
            named(entry, "system", "the system level")
        return
    measure(statistic, known=OF_CHOICES, of="choices")
    if level != "pooled":
        raise UsageError(
            f"choices have one level, pooled; there is nothing to correlate at the level {level}"
        )
    for row in entry.rows:
        for label, field_ in ((row.human, "human"), (row.score, "choice")):
            if isinstance(label, str) and label not in entry.labels:
                raise DataError(
                    f"item {row.id!r} has the label {label!r}. {nearest(label, entry.labels)}", field=field_
                )


def measured(table: Columns, statistic: str, level: Level) -> Measure:
    """The statistic; pairwise accuracy with the epsilon that it is largest at."""
    if statistic != "pairwise-accuracy":
        return Measure(statistic)
    return Measure(statistic, calibrated(list(compared(table, level))))


def value_over_draws(table: Columns, statistic: str, level: Level) -> Callable[[Array], float]:
    """The statistic over sources that are drawn, by their numbers."""
    return drawn_value(table, measured(table, statistic, level), level)


def confusion(choices: Choices) -> dict[tuple[str, str], int]:
    """Count how often people chose one label and the judge another: (people's, the judge's) to a count, in the labels' order."""
    counted = Counter((row.human, row.score) for row in choices.rows)
    return {(human, choice): counted[human, choice] for human in choices.labels for choice in choices.labels}


def _spread(table: Columns, asked: Measure, level: Level, found: Point, bootstrap: Bootstrap) -> Interval:
    """The interval: of a share or of kappa where rows are independent as it is known, and else of resamples."""
    if asked.name == "accuracy":
        return interval_of_share(table.human == table.score, table.places.source, bootstrap.confidence)
    if asked.name in KAPPAS and table.places.sources == len(table):
        return interval_of_kappa(crossed(table.human, table.score), KAPPAS[asked.name], bootstrap.confidence)
    if level == "group":  # sources without a value are not drawn from
        values = found.values[~np.isnan(found.values)]
        return bootstrap.interval(len(values), lambda sources: float(values[sources].mean()), found.value)
    return bootstrap.interval(table.places.sources, drawn_value(table, asked, level), found.value)


def _drawn_pairs(table: Columns, level: Level) -> int:
    """Number of pairs to draw where there are too many."""
    count = pairs_in([len(human) for human, _ in compared(table, level)])
    return measures.MOST if count > measures.MOST else 0
