"""The numbers of agreement that are asked for: statistics, levels, intervals, tests of a difference, people's ceiling."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import cast

from agentdebate.datasets.named_values import names
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.bootstrap import Bootstrap, Resampling
from agentdebate.meta.calibration import Calibration, CalibrationSettings, calibration
from agentdebate.meta.comparison import Comparison, compare
from agentdebate.meta.conventions import CONVENTIONS, Convention, convention
from agentdebate.meta.imputation import Missing, missing_as
from agentdebate.meta.judgements import Choices, Entry
from agentdebate.meta.levels import LEVELS, Level
from agentdebate.meta.measures import OF_CHOICES, OF_SCORES, ON_ONE_SCALE, STATISTICS
from agentdebate.meta.people import People, PeopleSettings, evened
from agentdebate.meta.reliability import Ceiling, ceiling, reliability, usual_reliability
from agentdebate.meta.request import Gathered
from agentdebate.meta.selective import Selective, selective

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
    resampling: Resampling = Resampling()
    missing: str = "left-out"
    dataset: str | None = None
    """The published dataset that the data is, whose paper says what is computed where nothing else does."""
    compare: bool = False
    test: str = "permutation"
    permutations: int = 1000
    risk: float = 0.1

    @property
    def chosen(self) -> Convention | None:
        """The convention. Raises UsageError."""
        return convention(self.convention) if self.convention else None

    @property
    def of_dataset(self) -> Convention | None:
        """The convention of the dataset's own paper, where neither a convention nor a statistic or level is asked for."""
        if self.convention or self.statistic or self.level or self.dataset is None:
            return None
        return next((one for one in CONVENTIONS.values() if one.dataset == self.dataset and one.own), None)

    @property
    def missing_as(self) -> Missing:
        """Value that a missing judgement counts as. Raises UsageError."""
        return missing_as(self.missing)

    @property
    def needs_scales(self) -> bool:
        """True if scales matter: where a missing score is wrong or a number, where errors are shown, and where judges are compared."""
        asked = {name for text in self.statistic for name in names(text)}
        return self.missing_as not in ("left-out", "tie") or self.compare or bool(asked & ON_ONE_SCALE)

    @property
    def besides(self) -> tuple[str, ...]:
        """The options that change what a convention says of statistics and levels."""
        given = {"statistic": self.statistic, "level": self.level}
        return tuple(f"{option}='{value}'" for option, values in given.items() for value in values)

    @property
    def bootstrap(self) -> Bootstrap | None:
        """Settings of the bootstrap; None where no intervals are wanted. Raises UsageError."""
        return self.resampling.bootstrap

    def agreements(self, gathered: Sequence[Gathered]) -> tuple[Agreement, ...]:
        """Every number that is asked for. Raises UserError."""
        self._check_people(gathered)
        scored: list[Entry] = [one for each in gathered for one in each.judgements]
        chosen: list[Entry] = [one for each in gathered for one in each.choices]
        return tuple(
            agree(one, statistic, level, bootstrap=self.bootstrap, missing=self.missing_as)
            for one in (*scored, *chosen)
            for statistic, level in self._asked(choices=isinstance(one, Choices))
        )

    def comparisons(self, gathered: Sequence[Gathered]) -> tuple[Comparison, ...]:
        """The difference of each two judges on each aspect, where that was asked for. Raises UserError."""
        if self.test not in TESTS:
            raise UsageError(f"test=...: there is no {self.test!r}. {nearest(self.test, TESTS)}")
        if not self.compare:
            return ()
        if len(gathered) < 2:  # noqa: PLR2004 - one is compared with another
            raise UsageError(
                "compare=... is for two judges or more: name several runs, scores=... or replies=..."
            )
        choices = any(one.choices for one in gathered)
        return tuple(
            self._difference(*pair, statistic, level)
            for statistic, levels in self._by_statistic(choices=choices)
            for first, second in combinations(gathered, 2)
            for level in levels
            for pair in _same_aspects(first, second)
        )

    def human_ceiling(self, people: People, asked: PeopleSettings) -> HumanCeiling:
        """People as one more judge, and how far they agree among themselves. Raises UserError."""
        ceilings = [
            ceiling(evened(one), statistic, level, bootstrap=self.bootstrap)
            for one in (people.ratings if asked.ceiling else ())
            for statistic, level in self._asked(choices=people.choose)
        ]
        among = [
            reliability(one, statistic, bootstrap=self.bootstrap)
            for one in people.ratings
            for statistic in asked.reliabilities(usual_reliability(one))
        ]
        return HumanCeiling(people, tuple(ceilings), tuple(among))

    def selective(self, gathered: Sequence[Gathered]) -> tuple[Selective, ...]:
        """Compute the accuracy of judges by confidence, where confidences were asked for. Raises UsageError."""
        entries = [one for each in gathered for one in each.entries]
        return tuple(
            selective(one, risk=self.risk, confidence=self.resampling.confidence)
            for one in entries
            if any(row.confidence is not None for row in one.rows)
        )

    def calibrations(
        self, gathered: Sequence[Gathered], asked: CalibrationSettings
    ) -> tuple[Calibration, ...]:
        """The reliability tables, where they are asked for. Raises UsageError."""
        if not asked.calibration:
            return ()
        if any(one.choices or one.alone for one in gathered):
            raise UsageError("calibration=... is for scores; a choice has no bias and no bins")
        if not gathered:
            raise UsageError("calibration=... is for a judge: name a run, scores=... or replies=...")
        judgements = [one for each in gathered for one in each.judgements]
        return tuple(calibration(one, asked.bins, missing=self.missing_as) for one in judgements)

    def _check_people(self, gathered: Sequence[Gathered]) -> None:
        """Raise UsageError for options about agreement with people, where choice=... names no people."""
        if not any(one.alone for one in gathered) or any(one.choices for one in gathered):
            return
        given = {"statistic=...": self.statistic, "compare=...": self.compare, "level=...": self.level}
        for option, value in given.items():
            if value:
                raise UsageError(
                    f"{option} is about agreement with people, and before the = of choice=... there are none: leave it out, or name "
                    "people's choice there"
                )

    def _asked(self, *, choices: bool) -> Iterator[tuple[str, Level]]:
        """Every statistic with every level."""
        return (
            (statistic, level)
            for statistic, levels in self._by_statistic(choices=choices)
            for level in levels
        )

    def _by_statistic(self, *, choices: bool) -> Iterator[tuple[str, list[Level]]]:
        """Every statistic with its levels. Raises UsageError for a level that it does not have."""
        levels = self.levels
        other = next((level for level in levels if level != "pooled"), None)
        if choices and other:
            raise UsageError(
                f"choices have one level, pooled; there is nothing to correlate at the level {other}"
            )
        for statistic in self.statistics(choices=choices):
            if statistic not in OF_SCORES and other:
                raise UsageError(
                    f"{statistic} takes all texts together: level='pooled', not {', '.join(levels)}"
                )
            yield statistic, levels

    def _difference(self, first: Entry, second: Entry, statistic: str, level: Level) -> Comparison:
        return compare(
            first,
            second,
            statistic,
            level,
            bootstrap=self.resampling.of_differences,
            permutations=self.permutations,
            missing=self.missing_as,
            williams_test=self.test == "williams",
        )

    def statistics(self, *, choices: bool) -> list[str]:
        """The statistics that are asked for. Raises UsageError for one that does not suit what there is."""
        known, usual, of = (
            (OF_CHOICES, USUAL_OF_CHOICES, "choices") if choices else (STATISTICS, USUAL_OF_SCORES, "scores")
        )
        asked = [name for text in self.statistic for name in names(text)]
        for name in asked:
            if name not in STATISTICS:
                raise UsageError(f"statistic=...: there is no {name!r}. {nearest(name, STATISTICS)}")
            if name not in known:
                raise UsageError(
                    f"statistic=...: {name} is not a statistic of {of}; of {of} there are {', '.join(known)}"
                )
        chosen = self.chosen or self.of_dataset
        of_convention = [name for name in (chosen.statistics if chosen else ()) if name in known]
        return list(dict.fromkeys(asked or of_convention or usual))

    @property
    def levels(self) -> list[Level]:
        """The levels that are asked for. Raises UsageError."""
        asked = [name for text in self.level for name in names(text)]
        for name in asked:
            if name not in LEVELS:
                raise UsageError(f"level=...: there is no {name!r}. {nearest(name, LEVELS)}")
        chosen = self.chosen or self.of_dataset
        found = asked or (chosen.levels if chosen else ()) or ["pooled"]
        return [cast(Level, name) for name in dict.fromkeys(found)]


def _same_aspects(first: Gathered, second: Gathered) -> Iterator[tuple[Entry, Entry]]:
    """Pair the judgements of two judges on the same aspects."""
    theirs = {one.aspect: one for one in second.entries}
    return ((one, theirs[one.aspect]) for one in first.entries if one.aspect in theirs)
