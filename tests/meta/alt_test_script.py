"""The alternative annotator test as a script of its own: from the description in arXiv 2501.10970, with nothing of the package."""

from collections.abc import Mapping
from fractions import Fraction

from scipy.stats import ttest_1samp  # type: ignore[import-untyped]  # it has no types of its own

Said = Mapping[str, str | float]
"""What somebody says of each text."""


def score(said: str | float, others: list[str | float]) -> Fraction:
    """Agreement with others on one text; of scores less the mean square distance, which orders as its root does."""
    if isinstance(said, str):
        return Fraction(sum(one == said for one in others), len(others))
    return -Fraction(sum((int(one) - int(said)) ** 2 for one in others), len(others))


def alternative_annotator_test(
    judge: Said, people: list[Said], epsilon: float, q: float
) -> tuple[float, float, list[float]]:
    """The winning rate, the mean advantage, and the p of each annotator."""
    p_values, advantages = [], []
    for left_out, annotator in enumerate(people):
        judge_wins, annotator_wins = [], []
        for text in annotator.keys() & judge.keys():
            others = [one[text] for place, one in enumerate(people) if place != left_out and text in one]
            if others:
                ours, theirs = score(judge[text], others), score(annotator[text], others)
                judge_wins.append(int(ours >= theirs))
                annotator_wins.append(int(theirs >= ours))
        differences = [lost - won for won, lost in zip(judge_wins, annotator_wins, strict=True)]
        p_values.append(float(ttest_1samp(differences, epsilon, alternative="less").pvalue))
        advantages.append(sum(judge_wins) / len(judge_wins))
    count = len(p_values)
    harmonic = sum(1 / rank for rank in range(1, count + 1))
    held = [rank for rank, p in enumerate(sorted(p_values), 1) if p <= rank * q / (count * harmonic)]
    return max(held, default=0) / count, sum(advantages) / count, p_values
