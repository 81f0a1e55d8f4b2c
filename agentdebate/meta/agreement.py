"""How well a judge's scores agree with people's: one statistic at one level, and all that has to be said with the number."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from math import isnan
from typing import Any

from agentdebate.meta.arrays import Array
from agentdebate.meta.bootstrap import NO_INTERVAL, Bootstrap, Interval, Method, interval
from agentdebate.meta.columns import Columns, columns, is_score, named
from agentdebate.meta.draws import Draws
from agentdebate.meta.imputation import LEFT_OUT, Missing, imputed
from agentdebate.meta.judged import JudgedRows, Judgements
from agentdebate.meta.levels import Level, groups, point, resampled
from agentdebate.meta.measures import Measure, Statistic, measure
from agentdebate.meta.tie_calibration import calibrated
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
    """None where the statistic is not defined; `left_out` says why."""
    low: float | None = None
    """The lower end of the interval, Wilson's for accuracy and else of the percentile bootstrap; None where there is none. The
    bootstrap's is where resamples lie, and a statistic that ties pull down, or few units, can leave the value near an end or
    outside.
    """
    high: float | None = None
    """Its upper end."""
    n: int
    """Rows that the value is computed from."""
    groups: int
    """Sources that it is the mean over (group level), systems that it ranks (system level), or 1 (pooled)."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """What has no part in the value, reason to count: groups that are constant, and rows that nothing is known of."""
    missing: int = 0
    """Rows without a human or a predicted score, or with one that is no finite number. `left_out` says how many of each."""
    imputed: int = 0
    """Rows of `n` whose judgement is missing and counts as wrong, as a tie or as a value."""
    error: float | None = None
    """The bootstrap standard error; None for Wilson's interval."""
    method: Method = ""
    """How the interval was found; empty where there is none."""
    sources: int = 0
    """Sources that the resamples are drawn from; of Wilson's interval, those that the rows are of."""
    systems: int = 0
    """Systems that the resamples are drawn from."""
    resamples: int = 0
    """Bootstrap resamples that were drawn; 0 where no interval was asked for, nothing could vary or the interval is Wilson's."""
    degenerate: int = 0
    """Resamples in which the statistic is not defined; the interval is without them."""
    epsilon: float | None = None
    """Of pairwise accuracy: the difference of scores up to which two texts are tied. The interval holds it fixed."""
    labels: tuple[str, ...] = ()
    """Of a statistic of choices that asks how far apart two labels are: the labels in their order."""

    def __repr__(self) -> str:
        value = "not defined" if self.value is None else f"{self.value:.4f}"
        ends = "" if self.low is None or self.high is None else f" [{self.low:.4f}, {self.high:.4f}]"
        judge, aspect = (shortened(name, _LONGEST) for name in (self.judge, self.aspect))
        return f"<Agreement of {judge} on {aspect}: {self.statistic}, {self.level} {value}{ends}, n {self.n}>"

    @property
    def groups_left_out(self) -> int:
        """How many sources have no part in a mean over sources, since the statistic is not defined for them."""
        return sum(count for reason, count in self.left_out.items() if reason.startswith(_GROUPS))

    def to_table(self) -> Table[dict[str, Any]]:
        """The number as a table of one row."""
        return agreement_rows([self])

    def within(self, spread: Interval) -> "Agreement":
        """The same with an interval."""
        return replace(self, **asdict(spread))


_GROUPS = "groups with "
"""How the reasons begin for which a source is left out (see meta/levels.py)."""


def agreement_rows(agreements: Iterable[Agreement]) -> Table[dict[str, Any]]:
    """Numbers of agreement as a table, a row each."""
    return Table.of("agreement with people", COLUMNS, map(_row, agreements))


def _row(one: Agreement) -> dict[str, Any]:
    plain = {column.name: getattr(one, column.name) for column in COLUMNS if hasattr(one, column.name)}
    reasons = "; ".join(f"{reason}: {count}" for reason, count in one.left_out.items())
    return {**plain, "left_out": one.groups_left_out, "reasons": reasons or None}


NOTHING_SCORED = "all rows: the judge has scored none of them"
_OF_NOTHING = frozenset({"mean-absolute-error", "root-mean-square-error"})
"""Statistics that say something of a judge that has scored nothing, where missing scores count as something."""


def agree(
    judgements: Judgements,
    statistic: Statistic,
    level: Level,
    *,
    bootstrap: Bootstrap | None = None,
    missing: Missing = LEFT_OUT,
) -> Agreement:
    """The agreement of one judge with people on one aspect.

    Rows that lack people's score are left out and counted; those that lack the judge's count as `missing` says. At the group
    level a source whose human or predicted scores are constant has no correlation, and is left out of numerator and
    denominator; its resamples are too. Raises UsageError for an unknown statistic or level, where rows lack the source or
    system that the level needs, and for a `missing` that says nothing of scores; and MissingExtra.

    Where the judge has scored nothing at all, only the absolute and the squared error have a value: they say what missing
    scores cost, and everything else would be a figure of the scores that stand for them.
    """
    scored = any(map(is_score, JudgedRows.of(judgements.rows).score))
    judgements, filled = imputed(judgements, missing)
    _check(judgements, level, bootstrap)
    table = columns(judgements)
    asked, epsilon = _measure(table, statistic, level)
    found = point(table, asked, level)
    if filled and not scored and statistic not in _OF_NOTHING:
        found = replace(found, value=float("nan"), left_out={NOTHING_SCORED: len(table.rows)})
    spread = NO_INTERVAL
    if bootstrap is not None and not isnan(found.value) and bootstrap.can_vary(table.places):
        draws = bootstrap.draw(table.places)
        if level == "group" and bootstrap.over == "sources":
            draws = replace(draws, drawn_sources=found.groups)
        spread = interval(resampled(table, asked, level, draws), bootstrap.confidence, draws)
    return Agreement(
        judge=judgements.judge,
        aspect=judgements.aspect,
        statistic=statistic,
        level=level,
        value=None if isnan(found.value) else found.value,
        n=found.n,
        groups=found.groups,
        left_out={**judgements.left_out, **table.missing, **found.left_out},
        missing=sum(table.missing.values()),
        imputed=filled,
        epsilon=None if isnan(found.value) else epsilon,
    ).within(spread)


def resamples_of(
    judgements: Judgements, statistic: Statistic, level: Level, bootstrap: Bootstrap
) -> tuple[Array, Draws] | None:
    """The statistic in each resample, NaN where it is not defined, and how these were drawn; None where nothing can vary.

    Sources without a value are drawn too, and have no say, so that several judges of the same texts have the same draws.
    """
    _check(judgements, level, bootstrap)
    table = columns(judgements)
    if not bootstrap.can_vary(table.places):
        return None
    draws = bootstrap.draw(table.places)
    return resampled(table, _measure(table, statistic, level)[0], level, draws), draws


def _check(judgements: Judgements, level: Level, bootstrap: Bootstrap | None) -> None:
    if level == "group":
        named(judgements, "source", "the group level")
    if level == "system":
        named(judgements, "system", "the system level")
    if bootstrap is not None and bootstrap.over != "sources":
        named(judgements, "system", f"resampling {bootstrap.over.replace('both', 'sources and systems')}")


def _measure(table: Columns, statistic: Statistic, level: Level) -> tuple[Measure, float | None]:
    """The statistic; of pairwise accuracy, with the epsilon that it is largest at."""
    if statistic != "pairwise-accuracy":
        return measure(statistic), None
    epsilon = calibrated(groups(table, level))
    return measure(statistic, epsilon), epsilon
