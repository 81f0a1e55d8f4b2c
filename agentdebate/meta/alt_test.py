"""The alternative annotator test: may a judge stand in for one of the people who annotate?

After Calderon, Reichart and Dror 2025, "The Alternative Annotator Test for LLM-as-a-Judge" (arXiv 2501.10970, section 3). Each annotator is left
out in turn, and judge and annotator are compared on each text with the others: by the share of them who choose the same, or by the root
mean square distance from their scores. The judge may stand in for the annotator where a one-sided t-test shows that it is nearer less seldom
than the annotator, by less than epsilon, what people cost more. Benjamini and Yekutieli's procedure (2001) keeps the share of false findings.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import nan, sqrt
from statistics import fmean

from agentdebate.errors import UsageError
from agentdebate.meta.arrays import Array, multitest, np, stats
from agentdebate.meta.judgements import Judged, Judgements, Rated, Ratings, is_judgement

EPSILON = 0.2
"""Usual epsilon: that of experts; .15 is for skilled annotators, .1 for crowd workers (section 3)."""
FEWEST_ANNOTATORS, FEWEST_TEXTS = 3, 30
"""Annotators, and texts of each that others annotated too, below which the test is refused."""
ENOUGH = 0.5
"""Winning rate from which on the judge may replace annotators."""
UNMATCHED = "rated texts without the judge's judgement"
TOO_FEW = f"annotators of fewer than {FEWEST_TEXTS} texts"
"""Reasons why something has no part in the test."""
_DIGITS = 9
"""Decimals of a distance that count: what is beyond is rounding."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """The judge in the place of one annotator."""

    annotator: int
    """Place of the annotator among the ratings, from 1."""
    n: int
    """Texts that the annotator, another one and the judge judged."""
    advantage: float
    """Share of them on which the judge is as near to the others as the annotator, or nearer."""
    of_annotator: float
    """Share on which the annotator is as near as the judge, or nearer."""
    p: float
    """One-sided p of the t-test, uncorrected."""
    replaced: bool
    """True if the judge may stand in, by the corrected test."""


@dataclass(frozen=True)
class AltTest:
    """The outcome of the test for a judge on an aspect."""

    judge: str
    aspect: str
    epsilon: float
    q: float
    """The share of false findings that is kept."""
    winning_rate: float
    """Share of the annotators that the judge may stand in for."""
    advantage: float
    """The mean of the judge's advantages."""
    passed: bool
    """True if the winning rate is a half or more."""
    annotators: tuple[Replacement, ...]
    left_out: Mapping[str, int]
    """Counts of what has no part: texts, and annotators of too few texts."""


def alt_test(entry: Judgements, people: Ratings, *, epsilon: float = EPSILON, q: float = 0.05) -> AltTest:
    """Test whether a judge may stand in for single annotators of an aspect.

    `epsilon` lies from 0 to 1, `q` is the share of false findings. An annotator of fewer than 30 texts is compared with, and not
    replaced. Raises UsageError where fewer than 3 remain to be replaced, and for an epsilon or q that means nothing.
    """
    if not 0 <= epsilon <= 1 or not 0 < q < 1:
        raise UsageError(f"epsilon=... lies from 0 to 1, and q between 0 and 1, not at {epsilon:g} and {q:g}")
    judged = {(row.id, row.source, row.system): row for row in entry.rows if is_judgement(row.score)}
    rows = [(one, judged[key]) for one in people.rows if (key := (one.id, one.source, one.system)) in judged]
    tested = list(_tested(rows, epsilon, choices=entry.labels is not None))
    kept = [one for one in tested if one.n >= FEWEST_TEXTS]
    if len(kept) < FEWEST_ANNOTATORS:
        raise UsageError(
            f"the alternative annotator test takes {FEWEST_ANNOTATORS} annotators or more of {FEWEST_TEXTS} texts each, which "
            f"{entry.judge} judged too: {entry.aspect} has {len(kept)} ({', '.join(f'{one.n} texts' for one in tested) or 'none'}); "
            "have more texts rated by each"
        )
    found = multitest.multipletests([one.p for one in kept], alpha=q, method="fdr_by")[0].tolist()
    replaced = tuple(replace(one, replaced=shown) for one, shown in zip(kept, found, strict=True))
    rate = sum(found) / len(found)
    lost = {UNMATCHED: len(people.rows) - len(rows), TOO_FEW: len(tested) - len(kept)}
    return AltTest(
        entry.judge,
        entry.aspect,
        epsilon,
        q,
        winning_rate=rate,
        advantage=fmean(one.advantage for one in kept),
        passed=rate >= ENOUGH,
        annotators=replaced,
        left_out={reason: count for reason, count in lost.items() if count},
    )


def _tested(rows: Sequence[tuple[Rated, Judged]], epsilon: float, *, choices: bool) -> Iterator[Replacement]:
    """The judge beside each annotator, with the test's p."""
    judge, *annotators = _numbers(rows) if rows else [np.empty(0)]
    for place, annotator in enumerate(annotators):
        others = np.array([*annotators[:place], *annotators[place + 1 :]]).reshape(-1, len(rows))
        both = ~np.isnan(annotator) & ~np.isnan(others).all(axis=0)
        ours, theirs = (_nearness(one[both], others[:, both], choices=choices) for one in (judge, annotator))
        won, lost, n = ours >= theirs, theirs >= ours, int(both.sum())
        if n:
            p = _p(lost.astype(float) - won, epsilon)
            yield Replacement(place + 1, n, float(won.mean()), float(lost.mean()), p, replaced=False)


def _numbers(rows: Sequence[tuple[Rated, Judged]]) -> Array:
    """What the judge and each annotator say, a line each: scores, or the numbers of labels; NaN where there is nothing."""
    said = [(judged.score, *rated.ratings) for rated, judged in rows]
    labels = {
        one: place for place, one in enumerate({one for row in said for one in row if isinstance(one, str)})
    }
    known = [[labels.get(str(one), one) if is_judgement(one) else nan for one in row] for row in said]
    return np.array(list(zip_longest(*known, fillvalue=nan)), dtype=float).reshape(-1, len(rows))


def _nearness(values: Array, others: Array, *, choices: bool) -> Array:
    """How near values are to those of others of the same texts: the share that is the same, or less the root mean square distance."""
    if choices:
        return np.round((others == values).sum(axis=0) / (~np.isnan(others)).sum(axis=0), _DIGITS)
    return -np.round(np.sqrt(np.nanmean((others - values) ** 2, axis=0)), _DIGITS)


def _p(lost: Array, epsilon: float) -> float:
    """The one-sided p of a t-test that the judge loses less often than it wins, or by less than epsilon: 1 of -1, 0 and 1 by text."""
    spread, apart = float(lost.std(ddof=1)) if len(lost) > 1 else 0.0, float(lost.mean()) - epsilon
    if spread == 0:
        return float(apart >= 0)
    return float(stats.t.cdf(apart / (spread / sqrt(len(lost))), len(lost) - 1))
