"""How often intervals of 95 % hold the true value, over many data sets that are drawn from a known world.

Fourteen settings: shares and kappas, whose intervals have closed forms, and correlations, whose intervals are of 400 resamples; of
texts that share nothing, and of texts that share 10, 15, 40 or 150 sources. Then means and shares of 900 texts that are corrected by
100 labels. `--runs` says how many data sets are drawn of each.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from agentdebate.meta.agreement import agree
from agentdebate.meta.figure import Bootstrap, Level
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.label_correction import Corrected, corrections

RUNS = 1000
RESAMPLES = 400
SOUND = (0.93, 0.97)
"""Where coverage lies that is about what is said."""
LABELS = ("A", "B", "tie")
_MANY = 200_000
"""Texts from which the true value of a correlation is taken."""


@dataclass(frozen=True)
class Setting:
    """A world from which data sets are drawn."""

    name: str
    statistic: str
    level: Level
    draw: Callable[[np.random.Generator], Judgements]
    true: float


def main() -> None:
    """Print the coverage of each setting."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=RUNS)
    runs = parser.parse_known_args()[0].runs  # the name of the part goes before
    print(f"{runs} data sets of each setting; {RESAMPLES} resamples where there are any")
    print(f"{'setting':<52}{'true':>8}{'coverage':>10}{'seconds':>9}")
    for setting in settings():
        started = time.process_time()
        told(setting.name, setting.true, coverage(setting, runs), started)
    started = time.process_time()
    for name, (true, share) in corrected(runs).items():
        told(name, true, share, started)


def told(name: str, true: float, share: float, started: float) -> None:
    """Print a line."""
    off = "" if SOUND[0] <= share <= SOUND[1] else "   OFF"
    taken = time.process_time() - started
    print(f"{name:<52}{true:>8.3f}{share:>10.3f}{taken:>9.0f}{off}", flush=True)


def corrected(runs: int) -> dict[str, tuple[float, float]]:
    """The true value of corrected figures, and the share of data sets whose interval holds it."""
    generator = np.random.default_rng(2)
    true = {"PPI++, mean": 3.0, "PPI++, share": 0.6, "Rogan-Gladen, share": 0.6, "PPI++, difference": 0.2}
    held = dict.fromkeys(true, 0)
    for _ in range(runs):
        (mean,) = corrections(labelled_scores(generator))
        good, _, difference = corrections(labelled_choices(generator))
        for name, one in zip(
            true, (mean.corrected, good.corrected, good.rogan_gladen, difference.corrected), strict=True
        ):
            held[name] += isinstance(one, Corrected) and one.low <= true[name] <= one.high
    return {name: (true[name], count / runs) for name, count in held.items()}


def labelled_scores(generator: np.random.Generator) -> Judgements:
    """Texts of which people scored 100, and a judge that explains half of what they say."""
    human = generator.normal(3, 1, 1000)
    score = 0.5 * human + generator.normal(1, 0.5, 1000)
    rows = (
        Judged(f"t{k}", "", "", float(human[k]) if k < 100 else None, float(score[k])) for k in range(1000)
    )
    return Judgements("judge", "x", tuple(rows))


def labelled_choices(generator: np.random.Generator) -> Judgements:
    """Texts of which people labelled 100, and a judge with a sensitivity of .85 and a specificity of .75."""
    good = generator.random(1000) < 0.6
    said = np.where(generator.random(1000) < np.where(good, 0.85, 0.75), good, ~good)
    rows = (
        Judged(f"t{k}", "", "", "BA"[int(good[k])] if k < 100 else None, "BA"[int(said[k])])
        for k in range(1000)
    )
    return Judgements("judge", "x", tuple(rows), labels=("A", "B"))


def coverage(setting: Setting, runs: int) -> float:
    """The share of data sets whose interval holds the true value; one without an interval does not."""
    generator, held = np.random.default_rng(1), 0
    for _ in range(runs):
        found = agree(
            setting.draw(generator), setting.statistic, setting.level, bootstrap=Bootstrap(RESAMPLES)
        )
        if found.low is not None and found.high is not None:
            held += found.low <= setting.true <= found.high
    return held / runs


def settings() -> list[Setting]:
    """The fourteen settings."""
    shares = [
        Setting(f"accuracy {share}, {n} texts", "accuracy", "pooled", choices(n, share), share)
        for n, share in ((30, 0.5), (100, 0.8), (400, 0.97))
    ]
    kappas = [
        Setting(
            f"kappa, accuracy {share}, {n} texts", "kappa", "pooled", choices(n, share), (share - 1 / 3) * 1.5
        )
        for n, share in ((30, 0.97), (60, 0.95), (100, 0.97))
    ]
    clustered = [
        Setting(
            f"accuracy {share}, {n} sources of 4 texts", "accuracy", "pooled", choices(n, share, 4), share
        )
        for n, share in ((10, 0.97), (15, 0.8), (15, 0.95))
    ]
    kappas.append(
        Setting("kappa, accuracy 0.95, 15 sources of 4 texts", "kappa", "pooled", choices(15, 0.95, 4), 0.925)
    )
    true = _true("spearman", scores(_MANY // 4))
    correlations = [
        Setting(f"Spearman's rho, {n} sources of 4 texts", "spearman", "pooled", scores(n), true)
        for n in (15, 40, 150)
    ]
    own = _true("pearson", scores(_MANY // 40), "group")
    by_source = Setting("Pearson's r by source, 40 sources of 4 texts", "pearson", "group", scores(40), own)
    return [*shares, *kappas, *clustered, *correlations, by_source]


def choices(n: int, share: float, texts: int = 1) -> Callable[[np.random.Generator], Judgements]:
    """People choose each label as often, and the judge is right with this probability; of several texts, some sources are hard."""

    def draw(generator: np.random.Generator) -> Judgements:
        human = generator.integers(0, 3, (n, texts))
        wrong = (human + generator.integers(1, 3, (n, texts))) % 3
        right = generator.beta(4 * share, 4 * (1 - share), (n, 1)) if texts > 1 else share
        choice = np.where(generator.random((n, texts)) < right, human, wrong)
        rows = [
            Judged(f"t{at}", f"s{at[0]:04}", "", LABELS[human[at]], LABELS[choice[at]])
            for at in np.ndindex(n, texts)
        ]
        return Judgements("judge", "best", rows, labels=LABELS)

    return draw


def scores(n: int) -> Callable[[np.random.Generator], Judgements]:
    """Sources of four texts with something in common for people and for the judge."""

    def draw(generator: np.random.Generator) -> Judgements:
        human = generator.normal(size=(n, 4)) + generator.normal(size=(n, 1))
        score = human + generator.normal(size=(n, 4)) + generator.normal(size=(n, 1))
        rows = (
            Judged(f"t{s}/{k}", f"s{s:06}", "", float(human[s, k]), float(score[s, k]))
            for s in range(n)
            for k in range(4)
        )
        return Judgements("judge", "coherence", tuple(rows))

    return draw


def _true(
    statistic: str, draw: Callable[[np.random.Generator], Judgements], level: Level = "pooled"
) -> float:
    return agree(draw(np.random.default_rng(0)), statistic, level).value or 0.0


if __name__ == "__main__":
    main()
