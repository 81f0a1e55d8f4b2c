"""Intervals of agreement over all of SummEval: four aspects, three levels, three statistics, 1,000 resamples (aim: ten
seconds on one core).
"""

import random
import time
from collections.abc import Sequence

from agentdebate.meta.agreement import agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.levels import Level
from agentdebate.meta.measures import Statistic

LEVELS: tuple[Level, ...] = ("pooled", "group", "system")
STATISTICS: tuple[Statistic, ...] = ("pearson", "spearman", "kendall-b")


def main() -> None:
    """Print the seconds for each level."""
    aspects = [judged(number) for number in range(4)]
    agree(aspects[0], "pearson", "pooled")  # scipy is imported once
    print("".join(f"{level:>9}" for level in LEVELS) + f"{'all':>9}   seconds of CPU")
    taken = [measure(aspects, level, Bootstrap()) for level in LEVELS]
    print("".join(f"{seconds:>9.2f}" for seconds in (*taken, sum(taken))))


def measure(aspects: Sequence[Judgements], level: Level, bootstrap: Bootstrap) -> float:
    """CPU seconds, which are those of one core alone however many there are."""
    started = time.process_time()
    for statistic in STATISTICS:
        for aspect in aspects:
            agree(aspect, statistic, level, bootstrap=bootstrap)
    return time.process_time() - started


def judged(seed: int) -> Judgements:
    """1,600 rows of SummEval's shape: 100 articles, 16 systems, means of three ratings, a judge who scores in tenths."""
    chance = random.Random(seed)
    rows = []
    for source in range(100):
        for system in range(16):
            human = sum(chance.randint(1, 5) for _ in range(3)) / 3
            score = round(human + chance.gauss(0, 1), 1)
            rows.append(Judged(f"{source}/{system}", f"s{source}", f"m{system}", human, score))
    return Judgements("judge", f"aspect {seed}", tuple(rows))
