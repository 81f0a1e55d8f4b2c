"""Test of whether one judge agrees with people better than another does, over the texts that both judged."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import isnan, sqrt
from typing import Literal

from agentdebate.errors import DataError, UsageError
from agentdebate.extras import optional
from agentdebate.meta.agreement import check, measured
from agentdebate.meta.arrays import EXTRA, Array, np, stats
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.columns import Columns, columns, texts_of
from agentdebate.meta.imputation import LEFT_OUT, Missing, imputed
from agentdebate.meta.judgements import Choices, Entry
from agentdebate.meta.labels import sorted_labels
from agentdebate.meta.levels import Level, drawn_value, of_sources, point
from agentdebate.meta.measures import CORRELATIONS, RANKED, Measure

ONLY_ONE = "rows that only one of the judges scored"
NEITHER = "rows that neither judge scored"
UNDEFINED = "groups in which one of the judges has no value"
"""Counts of what a comparison leaves out, by reason."""

Swapped = Literal["scores", "ranks", "choices", ""]
_LEAST = 4
"""The rows from which on Williams' test has a degree of freedom."""
_ONE = 1 - 1e-9
"""A correlation beyond it is 1: one judge's scores are the other's."""
_ROUNDING = 1e-12
"""Differences less than this apart are the same difference, summed in another order."""


@dataclass(frozen=True)
class Comparison:
    """The difference of two judges' agreement, the first less the second, over what both have."""

    first: str
    second: str
    aspect: str
    statistic: str
    level: str
    difference: float | None = None
    """Difference of the agreements; None where either judge's agreement is not defined."""
    low: float | None = None
    """The lower end of the bootstrap interval of the difference, both judges on the same resamples."""
    high: float | None = None
    p: float | None = None
    """Two-sided, of the test that `test` names; None where none is made."""
    williams: float | None = None
    """Two-sided p of Williams' test: Pearson and Spearman, pooled and over systems. It takes rows to be independent, and is made
    where each text is a source of its own, or where it is asked for.
    """
    n: int = 0
    groups: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    resamples: int = 0
    degenerate: int = 0
    sources: int = 0
    """Sources that the resamples are drawn from."""
    permutations: int = 0
    test: Literal["permutation", "mcnemar", ""] = ""
    """Test that gave `p`: the permutation test that swaps the judges source by source, or McNemar's exact test (of accuracy, where
    every item is a source of its own); empty where there is no p.
    """
    swapped: Swapped = ""
    """Values that the permutation test swaps: scores as they are, or their ranks among all texts where not the same scale is declared for
    both judges; of judges that choose, choices. Empty where there is no such test.
    """
    texts: int = 0
    """Texts that people judged, of those that either judge has a row of."""
    missing: tuple[int, int] = (0, 0)
    """Numbers of texts without a judgement of the first judge and of the second, whatever a missing one counts as."""
    shared: bool = False
    """True if Williams' test takes texts to be independent that share a source."""


def compare(
    first: Entry,
    second: Entry,
    statistic: str,
    level: Level = "pooled",
    *,
    bootstrap: Bootstrap = Bootstrap(),
    permutations: int = 1000,
    missing: Missing = LEFT_OUT,
    williams_test: bool = False,
) -> Comparison:
    """The difference of two judges' agreement with people on one aspect, and how sure it is.

    Only rows that both judged count, or that count as judged by `missing`, and at the group level only sources in which both have
    a value, so the difference can be another than that of the judges' own tables. The permutation test asks how often a difference
    at least as large comes about when the two judges' scores are swapped at random for all texts of a source (Deutsch, Dror and
    Roth 2021, PERM-INPUTS). Where the same scale is declared for both, scores are swapped as they are; where it is not, their ranks
    among all texts are, and the test is of the difference that these give. It is not made for pooled pairwise accuracy. Of accuracy
    where every item is a source of its own it is McNemar's exact test, the permutation test over all swaps.

    Raises UsageError as `agree` does, and DataError where the judges' rows have different human scores.
    """
    if permutations < 0:
        raise UsageError(f"a permutation test takes no fewer than 0 permutations, not {permutations}")
    for one in (first, second):
        check(one, statistic, level)
    people = texts_of(first, judged=False) | texts_of(second, judged=False)
    tables, left_out = _shared(first, second, statistic, level, missing)
    measures = [measured(table, statistic, level) for table in tables]
    points = [point(table, asked, level) for table, asked in zip(tables, measures, strict=True)]
    found = Comparison(
        first.judge, second.judge, first.aspect, statistic, level, n=points[0].n, groups=points[0].groups,
        left_out=left_out, texts=len(people), missing=(len(people - texts_of(first)), len(people - texts_of(second))),
    )  # fmt: skip
    difference = points[0].value - points[1].value
    if isnan(difference):
        return found
    values = [drawn_value(table, asked, level) for table, asked in zip(tables, measures, strict=True)]
    places = tables[0].places
    spread = bootstrap.interval(places.sources, lambda drawn: values[0](drawn) - values[1](drawn), difference)
    found = replace(
        found,
        difference=difference,
        low=spread.low,
        high=spread.high,
        resamples=spread.resamples,
        degenerate=spread.degenerate,
        sources=spread.sources,
    )
    independent = level == "system" or places.sources == len(tables[0])
    if independent or williams_test:
        found = replace(found, williams=_williams(tables, statistic, level), shared=not independent)
    return _tested(
        found,
        Swaps(*tables, statistic, level, choices=isinstance(first, Choices)),
        permutations,
        bootstrap.seed,
    )


def _tested(one: Comparison, swaps: "Swaps", permutations: int, seed: int) -> Comparison:
    """The comparison with the p of its test."""
    if swaps.exact:
        return replace(one, p=swaps.mcnemar(), test="mcnemar")
    p = swaps.permuted(permutations, seed)
    if p is None:
        return one
    return replace(one, p=p, test="permutation", permutations=permutations, swapped=swaps.swapped)


def _shared(
    first: Entry, second: Entry, statistic: str, level: Level, missing: Missing
) -> tuple[tuple[Columns, Columns], dict[str, int]]:
    """The rows that both judged, in the same order, and why others have no part."""
    if isinstance(first, Choices) and isinstance(second, Choices) and first.labels != second.labels:
        labels = sorted_labels(
            (*first.labels, *second.labels), first.tie or second.tie
        )  # which were not given
        first, second = replace(first, labels=labels), replace(second, labels=labels)
    whole = [columns(imputed(one, missing, statistic)[0]) for one in (first, second)]
    known = [_by_key(table, one) for table, one in zip(whole, (first, second), strict=True)]
    keys = [key for key in known[0] if key in known[1]]
    ours, theirs = (
        table.take(np.array([place[key] for key in keys], dtype=int))
        for table, place in zip(whole, known, strict=True)
    )
    for place in np.flatnonzero(ours.human != theirs.human)[:1]:
        raise DataError(
            f"of item {keys[place][0]!r} people do not say the same with {first.judge} and with {second.judge}; both have to be "
            "compared with the same people"
        )
    either = {*known[0], *known[1]}
    seen = texts_of(first, judged=False) | texts_of(second, judged=False)
    left_out = {ONLY_ONE: len(either) - len(keys), NEITHER: len(seen) - len(either)}
    if level == "group":
        lost = _undefined(ours, statistic) | _undefined(theirs, statistic)
        left_out[UNDEFINED] = int(lost.sum())
        kept = ~lost[ours.places.source]
        ours, theirs = ours.take(kept), theirs.take(kept)
    return (ours, theirs), {reason: count for reason, count in left_out.items() if count}


def _by_key(table: Columns, entry: Entry) -> dict[tuple[str, ...], int]:
    """The places of rows by their names. Raises DataError where a row stands twice."""
    keys: list[tuple[str, ...]] = [(row.id, row.source, row.system) for row in table.rows]
    found = {key: place for place, key in enumerate(keys)}
    if len(found) < len(keys):
        twice = next(key for key, count in Counter(keys).items() if count > 1)
        rows = "choices" if isinstance(entry, Choices) else "rows"
        raise DataError(f"item {twice[0]!r} stands twice among the {rows} of {entry.judge}")
    return found


def _undefined(table: Columns, statistic: str) -> Array:
    """Tell for each source whether the judge's agreement is undefined in it."""
    asked = Measure(statistic)
    return np.array(
        [bool(asked.undefined(table.human[rows], table.score[rows])) for rows in table.groups()], dtype=bool
    )


class Swaps:
    """The judges with their scores swapped: what if, for all texts of a source, each judge's were the other's?"""

    def __init__(
        self, first: Columns, second: Columns, statistic: str, level: Level, *, choices: bool = False
    ) -> None:
        self._first, self._second, self._statistic, self._level = first, second, statistic, level
        self._choices = choices

    @property
    def exact(self) -> bool:
        """True if McNemar's test gives the same as all swaps would."""
        places = self._first.places
        return self._statistic == "accuracy" and places.sources == len(places.source)

    def mcnemar(self) -> float:
        """The two-sided p of McNemar's exact test ("Note on the sampling error of the difference between correlated
        proportions or percentages", 1947), from how often only the first, and only the second, is right.
        """
        ours, theirs = (table.score == table.human for table in (self._first, self._second))
        return mcnemar(int((ours & ~theirs).sum()), int((theirs & ~ours).sum()))

    @property
    def swapped(self) -> Swapped:
        """Scores, or their ranks where not the same scale is declared for both judges and neither is beyond it.

        Alpha and errors are about the scale itself, and within a source all scores are swapped at once, so that nothing of one
        scale comes among the other: both take scores as they are.
        """
        if self._choices:
            return "choices"
        if self._level == "group" or self._statistic not in RANKED | CORRELATIONS:
            return "scores"
        ends = _ends(self._first)
        return "scores" if ends is not None and ends == _ends(self._second) else "ranks"

    def permuted(self, permutations: int, seed: int) -> float | None:
        """The two-sided p of the permutation test: the share of swaps with a difference at least as large.

        The difference as it is counts as one of the swaps, so p is never 0. None where there are no permutations, where
        there is but one source, and for pooled pairwise accuracy, whose epsilon would have to be found anew each time.
        """
        pooled_pairs = self._statistic == "pairwise-accuracy" and self._level == "pooled"
        sources = self._first.places.sources
        if not permutations or pooled_pairs or sources < 2:  # noqa: PLR2004 - two can be swapped apart
            return None
        apart = self._of_sources() if self._level == "group" else self._of_all()
        swaps = np.random.default_rng(seed).integers(0, 2, size=(permutations, sources)).astype(bool)
        found = np.array([apart(turned) for turned in swaps])
        observed = apart(np.zeros(sources, dtype=bool))
        # What is not defined after a swap counts against a difference.
        extreme = np.isnan(found) | (np.abs(found) >= abs(observed) - _ROUNDING)
        return float((1 + extreme.sum()) / (1 + permutations))

    def _of_sources(self) -> Callable[[Array], float]:
        """A mean over sources: to swap a source's scores is to turn its difference around."""
        ours, theirs = (
            of_sources(table, measured(table, self._statistic, "group"))
            for table in (self._first, self._second)
        )
        apart = ours - theirs
        return lambda turned: float(np.where(turned, -apart, apart).mean())

    def _of_all(self) -> Callable[[Array], float]:
        ours, theirs = (
            stats.rankdata(table.score) if self.swapped == "ranks" else table.score
            for table in (self._first, self._second)
        )

        def apart(turned: Array) -> float:
            own = turned[self._first.places.source]
            return self._value(np.where(own, theirs, ours)) - self._value(np.where(own, ours, theirs))

        return apart

    def _value(self, score: Array) -> float:
        table = replace(self._first, score=score)
        return point(table, measured(table, self._statistic, self._level), self._level).value


def _ends(table: Columns) -> tuple[float, float] | None:
    """The ends of the declared scale; None where none is, or scores lie beyond it, so that it cannot be theirs."""
    scale, score = table.scale, table.score
    if scale is None or (len(score) and (score.min() < scale.low or score.max() > scale.high)):
        return None
    return scale.low, scale.high


def mcnemar(only_first: int, only_second: int) -> float:
    """The two-sided p of McNemar's exact test, from how often only the first, and only the second, is right."""
    test = optional("statsmodels.stats.contingency_tables", EXTRA).mcnemar
    return (
        float(test([[0, only_first], [only_second, 0]], exact=True).pvalue)
        if only_first + only_second
        else 1.0
    )


def _williams(tables: tuple[Columns, Columns], statistic: str, level: Level) -> float | None:
    if statistic not in ("pearson", "spearman") or level == "group":
        return None
    ours, theirs = tables
    asked = Measure(statistic)
    between = replace(ours, human=theirs.score)
    first, second, other = (point(table, asked, level).value for table in (ours, theirs, between))
    if isnan(first + second + other):
        return None
    return williams(first, second, other, ours.places.systems if level == "system" else len(ours))


def williams(first: float, second: float, between: float, n: int) -> float | None:
    """The two-sided p of Williams' test (1959): do two correlations with the same scores differ?

    `first` and `second` are two judges' correlations with people, `between` is that of the judges with each other, over
    `n` independent rows. None where the rows are too few or the correlations leave nothing to test. It is exact for
    Pearson's r of normal scores, and usual for Spearman's rho (Graham and Baldwin 2014).
    """
    for value in (first, second, between):
        if not -1 <= value <= 1:
            raise UsageError(f"a correlation lies from -1 to 1, not at {value:g}")
    if n < _LEAST:
        return None
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    below = 2 * determinant * (n - 1) / (n - 3) + (first + second) ** 2 / 4 * (1 - between) ** 3
    if below <= 0 or between > _ONE:
        return None
    t = (first - second) * sqrt((n - 1) * (1 + between) / below)
    return float(2 * stats.t.sf(abs(t), n - 3))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """The p-values adjusted for being several, by name (Holm 1979): each is to be compared with the level itself.

    The chance of any false finding among all of them stays below the level, however they depend on each other.
    """
    for name, p in p_values.items():
        if not 0 <= p <= 1:
            raise UsageError(f"a p-value lies from 0 to 1, not at {p:g} ({name})")
    if not p_values:
        return {}
    adjusted = optional("statsmodels.stats.multitest", EXTRA).multipletests(
        list(p_values.values()), method="holm"
    )[1]
    return dict(zip(p_values, map(float, adjusted), strict=True))
