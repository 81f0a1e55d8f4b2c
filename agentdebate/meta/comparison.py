"""Test of whether one judge agrees with people better than another does, over the texts that both judged."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import isnan, sqrt

from agentdebate.errors import DataError
from agentdebate.meta.agreement import figure_of
from agentdebate.meta.arrays import Array, multitest, np, stats
from agentdebate.meta.figure import Bootstrap, Figure, Level, known_mean
from agentdebate.meta.imputation import LEFT_OUT, Missing, imputed
from agentdebate.meta.judgements import Judged, Judgements, is_judgement, reasons
from agentdebate.meta.labels import sorted_labels
from agentdebate.meta.measures import CORRELATIONS, PAIRWISE

ONE_SIDED = "rows that not both judges scored"
UNDEFINED = "groups in which one of the judges has no value"
"""Counts of what a comparison leaves out, by reason."""

_ROUNDING = 1e-12
"""Differences less than this apart are the same difference, summed in another order."""
_LEAST = 4
"""The rows from which on Williams' test has a degree of freedom."""


@dataclass(frozen=True)
class Comparison:
    """The difference of two judges' agreement, the first less the second, over what both have."""

    first: str
    second: str
    aspect: str
    statistic: str
    level: str
    difference: float | None
    """Difference of the agreements; None where either judge's agreement is not defined."""
    low: float | None
    """The lower end of the bootstrap interval of the difference, both judges on the same resamples."""
    high: float | None
    p: float | None
    """Two-sided, of the permutation test that swaps the judges source by source; None where none is made."""
    williams: float | None
    """Two-sided p of Williams' test: Pearson and Spearman, pooled and over systems. It takes rows to be independent, and is made
    where each text is a source of its own, or where it is asked for.
    """
    n: int
    groups: int
    left_out: Mapping[str, int]
    resamples: int
    sources: int
    """Sources that the resamples are drawn from."""


def compare(
    first: Judgements,
    second: Judgements,
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
    Roth 2021, PERM-INPUTS); for correlations and pairwise accuracy each judge's scores are standardised before. It is not made for
    pooled pairwise accuracy.

    Raises UsageError as `agree` does, and DataError where the judges' rows have different human scores.
    """
    ours, theirs, one_sided = _aligned(first, second, statistic, level, missing)
    places, apart = ours.columns.places, ours.values - theirs.values
    defined, by_source = ~np.isnan(apart), level == "group"

    def drawn(sources: Array) -> float:
        return known_mean(apart[sources]) if by_source else ours.drawn(sources) - theirs.drawn(sources)

    difference = known_mean(apart)
    spread = bootstrap.interval(places.sources, drawn, difference)
    lost = {ONE_SIDED: one_sided, UNDEFINED: int((~defined).sum()) if by_source else 0}
    tested = williams_test or level == "system" or places.sources == len(ours.columns)
    return Comparison(
        first.judge,
        second.judge,
        first.aspect,
        statistic,
        level,
        difference=None if isnan(difference) else difference,
        low=spread.low,
        high=spread.high,
        p=_permuted(ours, theirs, difference, permutations, bootstrap.seed),
        williams=_williams(ours, theirs) if tested and not by_source else None,
        n=int(defined[places.source].sum()) if by_source else len(ours.columns),
        groups=int(defined.sum()) if by_source else ours.groups,
        left_out=reasons(lost),
        resamples=spread.resamples,
        sources=spread.sources,
    )


def _aligned(
    first: Judgements, second: Judgements, statistic: str, level: Level, missing: Missing
) -> tuple[Figure, Figure, int]:
    """The figures of the rows that both judged, in the same order, and how many others people have judged."""
    labels = sorted_labels((*(first.labels or ()), *(second.labels or ())), first.tie or second.tie)
    alike = (one if one.labels is None else replace(one, labels=labels) for one in (first, second))
    pair = [imputed(one, missing)[0] for one in alike]
    rows = [_by_key(one) for one in pair]
    seen = rows[0].keys() | rows[1].keys()
    keys = sorted(
        key for key in seen if all(key in known and is_judgement(known[key].score) for known in rows)
    )
    for key in keys:
        if rows[0][key].human != rows[1][key].human:
            raise DataError(
                f"people do not say the same of item {key[0]!r} with {first.judge} and {second.judge}"
            )
    ours, theirs = (
        figure_of(replace(one, rows=[known[key] for key in keys]), statistic, level)
        for one, known in zip(pair, rows, strict=True)
    )
    return ours, theirs, len(seen) - len(keys)


def _by_key(entry: Judgements) -> dict[tuple[str, str, str], Judged]:
    """The rows that people have judged, by their names. Raises DataError where one stands twice."""
    found: dict[tuple[str, str, str], Judged] = {}
    for row in entry.rows:
        if row.key in found:
            raise DataError(f"item {row.id!r} stands twice among the rows of {entry.judge}")
        found[row.key] = row
    return {key: row for key, row in found.items() if is_judgement(row.human)}


def _permuted(ours: Figure, theirs: Figure, difference: float, permutations: int, seed: int) -> float | None:
    """The two-sided p of the permutation test: the share of swaps with a difference at least as large.

    The difference as it is counts as one of the swaps, so p is never 0. None where there are no permutations, where
    there is but one source or no difference, and for pooled pairwise accuracy, whose epsilon would have to be found anew each time.
    """
    sources = ours.columns.places.sources
    of_pairs = ours.statistic == PAIRWISE and ours.level == "pooled"
    if isnan(difference) or of_pairs or permutations < 1 or sources < 2:  # noqa: PLR2004 - two can be swapped apart
        return None
    apart = _swapped(ours, theirs)
    generator = np.random.default_rng(seed)
    found = np.array([apart(generator.integers(0, 2, sources).astype(bool)) for _ in range(permutations)])
    extreme = ~(np.abs(found) < abs(difference) - _ROUNDING)  # what is not defined after a swap included
    return float((1 + extreme.sum()) / (1 + permutations))


def _swapped(ours: Figure, theirs: Figure) -> Callable[[Array], float]:
    """The difference with the scores of some sources swapped, which turns around that of a source alone."""
    if ours.level == "group":
        own = ours.values - theirs.values
        return lambda turned: known_mean(np.where(turned, -own, own))
    first, second = ours.columns.score, theirs.columns.score
    if ours.statistic in CORRELATIONS or ours.statistic == PAIRWISE:
        first, second = stats.zscore(first), stats.zscore(second)

    def apart(turned: Array) -> float:
        rows = turned[ours.columns.places.source]
        mixed = np.where(rows, second, first), np.where(rows, first, second)
        one, other = (replace(ours, columns=replace(ours.columns, score=some)).value for some in mixed)
        return one - other

    return apart


def _williams(ours: Figure, theirs: Figure) -> float | None:
    if ours.statistic not in ("pearson", "spearman"):
        return None
    between = replace(ours, columns=replace(ours.columns, human=theirs.columns.score))
    n = ours.groups if ours.level == "system" else len(ours.columns)
    return williams(ours.value, theirs.value, between.value, n)


def williams(first: float, second: float, between: float, n: int) -> float | None:
    """The two-sided p of Williams' test (1959): do two correlations with the same scores differ?

    `first` and `second` are two judges' correlations with people, `between` is that of the judges with each other, over
    `n` independent rows. None where the rows are too few, and where the judges say the same. It is exact for
    Pearson's r of normal scores, and usual for Spearman's rho (Graham and Baldwin 2014).
    """
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    below = 2 * determinant * (n - 1) / max(n - 3, 1) + (first + second) ** 2 / 4 * (1 - between) ** 3
    if n < _LEAST or not below > _ROUNDING:
        return None
    t = (first - second) * sqrt((n - 1) * (1 + between) / below)
    return float(2 * stats.t.sf(abs(t), n - 3))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """The p-values adjusted for being several, by name (Holm 1979): each is to be compared with the level itself.

    The chance of any false finding among all of them stays below the level, however they depend on each other.
    """
    adjusted = multitest.multipletests(list(p_values.values()), method="holm")[1] if p_values else ()
    return dict(zip(p_values, map(float, adjusted), strict=True))
