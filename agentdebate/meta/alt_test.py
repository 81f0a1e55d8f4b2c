"""The alternative annotator test: may a judge stand in for one of the people who annotate?

After Calderon, Reichart and Dror 2025, "The Alternative Annotator Test for LLM-as-a-Judge" (arXiv 2501.10970, section 3). Each annotator is left
out in turn, and judge and annotator are compared on each text with the others: by the share of them who choose the same, or by the root
mean square distance from their scores. The judge may stand in for the annotator where a one-sided t-test shows that it is nearer less seldom
than the annotator, by less than epsilon, what people cost more. Benjamini and Yekutieli's procedure (2001) keeps the share of false findings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.meta.arrays import multitest, np, stats
from agentdebate.meta.judgements import Judgements, Ratings, is_judgement, reasons

EPSILON = 0.2
"""Usual epsilon: that of experts; .15 is for skilled annotators, .1 for crowd workers (section 3)."""
FEWEST_ANNOTATORS, FEWEST_TEXTS = 3, 30
"""Annotators, and texts of each that others annotated too, below which the test is refused."""
ENOUGH = 0.5
"""Winning rate from which on the judge may replace annotators."""
UNMATCHED = "rated texts without the judge's judgement"
TOO_FEW = f"annotators of fewer than {FEWEST_TEXTS} texts"
"""Reasons why something has no part in the test."""
_Said = float | str | None
_Row = tuple[_Said, Sequence[_Said]]
"""Judgement of the judge on a text, and those of the annotators."""
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
    judged = {row.key: row.score for row in entry.rows if is_judgement(row.score)}
    texts = {(one.id, one.source, one.system): one.ratings for one in people.rows}
    rows = [(judged[key], ratings) for key, ratings in texts.items() if key in judged]
    most = max((len(ratings) for _, ratings in rows), default=0)
    tested = [_replacement(rows, place, epsilon) for place in range(most)]
    kept = [one for one in tested if one.n >= FEWEST_TEXTS]
    if len(kept) < FEWEST_ANNOTATORS:
        raise UsageError(
            f"the alternative annotator test takes {FEWEST_ANNOTATORS} annotators or more of {FEWEST_TEXTS} texts each, which "
            f"{entry.judge} judged too: {entry.aspect} has {len(kept)} ({', '.join(f'{one.n} texts' for one in tested) or 'none'})"
        )
    found = multitest.multipletests([one.p for one in kept], alpha=q, method="fdr_by")[0].tolist()
    lost = {UNMATCHED: len(texts) - len(rows), TOO_FEW: len(tested) - len(kept)}
    return AltTest(
        entry.judge,
        entry.aspect,
        epsilon,
        q,
        fmean(found),
        fmean(one.advantage for one in kept),
        fmean(found) >= ENOUGH,
        tuple(replace(one, replaced=shown) for one, shown in zip(kept, found, strict=True)),
        reasons(lost),
    )


def _replacement(rows: Sequence[_Row], place: int, epsilon: float) -> Replacement:
    """The judge beside an annotator: a t-test that it is farther from the others less often than it is nearer, or by less than epsilon."""
    gaps = np.array([gap for said, ratings in rows if (gap := _gap(said, ratings, place)) is not None])
    n, lost = len(gaps), np.sign(-gaps)
    spread, apart = float(lost.std(ddof=1)) if n > 1 else 0.0, float(lost.sum()) / max(n, 1) - epsilon
    p = float(stats.t.cdf(apart / (spread / sqrt(n)), n - 1)) if spread else float(apart >= 0)
    return Replacement(place + 1, n, float((gaps >= 0).sum()) / max(n, 1), p, replaced=False)


def _gap(said: _Said, ratings: Sequence[_Said], place: int) -> float | None:
    """Compute by how much the judge is nearer to the other annotators of a text than the one at a place; None where there is nothing to compare."""
    others = [one for other, one in enumerate(ratings) if other != place and is_judgement(one)]
    own = ratings[place] if place < len(ratings) else None
    if not (others and is_judgement(own)):
        return None
    return round(_nearness(said, others) - _nearness(own, others), _DIGITS)


def _nearness(said: Any, others: Sequence[Any]) -> float:
    """The share of others who say the same, or less the root mean square distance from their scores."""
    if isinstance(said, str):
        return fmean(one == said for one in others)
    return -sqrt(fmean((one - said) ** 2 for one in others))
