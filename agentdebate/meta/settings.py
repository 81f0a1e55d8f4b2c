"""The numbers of agreement that are asked for: statistics, levels, intervals, tests of a difference, people's ceiling."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import cast

from agentdebate.datasets.named_values import names
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.alt_test import AltTest, alt_test
from agentdebate.meta.calibration import Calibration, calibration
from agentdebate.meta.comparison import Comparison, compare
from agentdebate.meta.conventions import CONVENTIONS, Convention, convention
from agentdebate.meta.figure import LEVELS, Bootstrap, Level
from agentdebate.meta.imputation import missing_as
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.label_correction import Correction, corrections
from agentdebate.meta.people_data import People
from agentdebate.meta.plan import AgreementOptions
from agentdebate.meta.reliability import Ceiling, ceiling, reliability, usual_reliability
from agentdebate.meta.selective import Selective, of_stages
from agentdebate.meta.talk import grouped

USUAL_OF_SCORES = ("pearson", "spearman", "kendall-b")
USUAL_OF_CHOICES = ("accuracy", "kappa")
TESTS = ("permutation", "williams")


@dataclass(frozen=True)
class HumanCeiling:
    """People as judges of one another."""

    people: People
    ceilings: tuple[Ceiling, ...]
    reliabilities: tuple[Agreement, ...]


@dataclass(frozen=True)
class Measures:
    """Statistics to compute, with their options."""

    statistic: tuple[str, ...] = ()
    level: tuple[str, ...] = ()
    convention: str | None = None
    bootstrap: Bootstrap = Bootstrap()
    missing: str = "left-out"
    dataset: str | None = None
    """The published dataset that the data is, whose paper says what is computed where nothing else does."""
    compare: bool = False
    test: str = "permutation"
    permutations: int = 1000
    risk: float = 0.1
    stages: bool = False
    """True if the judges are stages of a cascade, in their order."""
    calibration: bool = False
    correct: bool = False
    bins: int = 10

    @property
    def chosen(self) -> Convention | None:
        """The convention. Raises UsageError."""
        return convention(self.convention) if self.convention else None

    @property
    def of_dataset(self) -> Convention | None:
        """The convention of the dataset's own paper, where no convention is asked for, nor both statistic and level."""
        if self.convention or (self.statistic and self.level):
            return None
        return next((one for one in CONVENTIONS.values() if one.dataset == self.dataset and one.own), None)

    def agreements(self, entries: Sequence[Judgements]) -> tuple[Agreement, ...]:
        """Every number that is asked for. Raises UserError."""
        return tuple(
            agree(one, statistic, level, bootstrap=self.bootstrap, missing=missing_as(self.missing))
            for one in entries
            for statistic, level in self.figures(choices=one.labels is not None)
        )

    def comparisons(self, entries: Sequence[Judgements]) -> tuple[Comparison, ...]:
        """The difference of each two judges on each aspect, where that was asked for. Raises UserError."""
        if self.test not in TESTS:
            raise UsageError(f"test=...: there is no {self.test!r}. {nearest(self.test, TESTS)}")
        if not self.compare:
            return ()
        if len({one.judge for one in entries}) < 2:  # noqa: PLR2004 - one is compared with another
            raise UsageError(
                "compare=... is for two judges or more: name several runs, scores=... or replies=..."
            )
        choices = any(one.labels is not None for one in entries)
        return tuple(
            compare(
                first,
                second,
                statistic,
                level,
                bootstrap=self.bootstrap,
                permutations=self.permutations,
                missing=missing_as(self.missing),
                williams_test=self.test == "williams",
            )
            for (statistic, level), (first, second) in product(
                self.figures(choices=choices), combinations(entries, 2)
            )
            if first.aspect == second.aspect
        )

    def corrections(self, entries: Sequence[Judgements]) -> tuple[Correction, ...]:
        """Figures corrected by people's labels, where they are asked for. Raises UsageError."""
        some = entries if self.correct else ()
        return tuple(line for one in some for line in corrections(one, confidence=self.bootstrap.confidence))

    def alt_tests(
        self, entries: Sequence[Judgements], people: People, asked: AgreementOptions
    ) -> tuple[AltTest, ...]:
        """Test whether judges may replace annotators, where that is asked for. Raises UsageError."""
        q = round(1 - self.bootstrap.confidence, 12)
        return tuple(
            alt_test(one, ratings, epsilon=asked.epsilon, q=q)
            for one in (entries if asked.alt_test else ())
            for ratings in people.ratings
            if ratings.aspect == one.aspect
        )

    def human_ceiling(self, people: People, asked: AgreementOptions) -> HumanCeiling:
        """People as one more judge, and how far they agree among themselves. Raises UserError."""
        ceilings = [
            ceiling(one, statistic, level, bootstrap=self.bootstrap)
            for one in (people.ratings if asked.ceiling else ())
            for statistic, level in self.figures(choices=one.labels is not None)
        ]
        among = [
            reliability(one, statistic, bootstrap=self.bootstrap)
            for one in people.ratings
            for statistic in dict.fromkeys(_names(asked.reliability)) or [usual_reliability(one)]
        ]
        return HumanCeiling(people, tuple(ceilings), tuple(among))

    def selective(self, entries: Sequence[Judgements]) -> tuple[Selective, ...]:
        """Compute the accuracy of judges by confidence, where confidences were asked for. Raises UsageError."""
        known = [one for one in entries if any(row.confidence is not None for row in one.rows)]
        if lacking := [one.judge for one in entries if self.stages and one not in known]:
            raise UsageError(f"stages=...: {lacking[0]} has no confidence to decide by")
        apart = grouped(known, lambda one: one.aspect if self.stages else (one.aspect, one.judge))
        return tuple(
            one
            for some in apart.values()
            for one in of_stages(some, risk=self.risk, confidence=self.bootstrap.confidence)
        )

    def calibrations(self, entries: Sequence[Judgements]) -> tuple[Calibration, ...]:
        """The reliability tables, where they are asked for. Raises UsageError."""
        if not self.calibration:
            return ()
        scores = [one for one in entries if one.labels is None]
        if not scores:
            raise UsageError("calibration=... is for a judge's scores: name a run, scores=... or replies=...")
        return tuple(calibration(one, self.bins, missing=missing_as(self.missing)) for one in scores)

    def figures(self, *, choices: bool) -> list[tuple[str, Level]]:
        """Every statistic that is asked for with every level. Raises UsageError for a level that is not known."""
        chosen = self.chosen or self.of_dataset
        usual = USUAL_OF_CHOICES if choices else USUAL_OF_SCORES
        statistics = _names(self.statistic) or (chosen.statistics if chosen else usual)
        levels = _names(self.level) or (chosen.levels if chosen else ()) or ("pooled",)
        for name in levels:
            if name not in LEVELS:
                raise UsageError(f"level=...: there is no {name!r}. {nearest(name, LEVELS)}")
        return [*product(dict.fromkeys(statistics), cast("dict[Level, None]", dict.fromkeys(levels)))]


def _names(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for text in texts for name in names(text))
