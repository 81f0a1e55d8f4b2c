"""Which numbers of agreement are computed, and how: statistics, levels, intervals, tests of a difference."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar, cast, get_args

from agentdebate.datasets.named_values import names
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.choice_comparison import compare_choices
from agentdebate.meta.choices import NO_CHOICE, NO_HUMAN, ChoiceStatistic, agree_on_choices
from agentdebate.meta.columns import NO_HUMAN as NO_HUMAN_SCORE
from agentdebate.meta.columns import NO_SCORE
from agentdebate.meta.comparison import Comparison, compare
from agentdebate.meta.conventions import Convention, convention
from agentdebate.meta.imputation import Missing, missing_as
from agentdebate.meta.judged import Choices, Judgements
from agentdebate.meta.labelled import labelled
from agentdebate.meta.levels import Level
from agentdebate.meta.measures import Statistic
from agentdebate.meta.resampling import Resampling
from agentdebate.meta.sources.gathered import Gathered
from agentdebate.meta.statistic_names import OF_CHOICES, OF_SCORES, ON_ONE_SCALE, STATISTICS

LEVELS: tuple[str, ...] = get_args(Level)
USUAL_OF_SCORES = ("pearson", "spearman", "kendall-b")
USUAL_OF_CHOICES = ("accuracy", "kappa")
_OF_SCORES = {NO_HUMAN: NO_HUMAN_SCORE, NO_CHOICE: NO_SCORE}
"""Why rows of scores that are taken as labels are left out, so that the same rows are not told twice."""


@dataclass(frozen=True)
class Measures:
    """Which numbers are computed, and how."""

    statistic: tuple[str, ...] = ()
    level: tuple[str, ...] = ()
    convention: str | None = None
    resampling: Resampling = Resampling()
    missing: str = "left-out"
    compare: bool = False
    permutations: int = 1000
    power: float = 0.8

    @property
    def chosen(self) -> Convention | None:
        """The convention. Raises UsageError."""
        return convention(self.convention) if self.convention else None

    @property
    def missing_as(self) -> Missing:
        """What a missing judgement counts as. Raises UsageError."""
        return missing_as(self.missing)

    @property
    def needs_scales(self) -> bool:
        """Whether scales matter: where a missing score is wrong or a number, where errors are shown, and where judges are compared."""
        asked = {name for text in self.statistic for name in names(text)}
        return self.missing_as not in ("left-out", "tie") or self.compare or bool(asked & ON_ONE_SCALE)

    @property
    def besides(self) -> tuple[str, ...]:
        """The options that change what a convention says of statistics and levels."""
        given = {"statistic": self.statistic, "level": self.level}
        return tuple(f"{option}='{value}'" for option, values in given.items() for value in values)

    @property
    def bootstrap(self) -> Bootstrap | None:
        """How intervals come about; None where none are wanted. Raises UsageError."""
        return self.resampling.bootstrap

    def agreements(self, gathered: Sequence[Gathered]) -> tuple[Agreement, ...]:
        """Every number that is asked for. Raises UserError."""
        self._check_people(gathered)
        found = [self._of_scores(one) for each in gathered for one in each.judgements]
        found += [self._of_choices(one) for each in gathered for one in each.choices]
        return tuple(one for several in found for one in several)

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

    def comparisons(self, gathered: Sequence[Gathered]) -> tuple[Comparison, ...]:
        """The difference of each two judges on each aspect, where that was asked for. Raises UserError."""
        if not self.compare:
            return ()
        if len(gathered) < 2:  # noqa: PLR2004 - one is compared with another
            raise UsageError(
                "compare=... is for two judges or more: name several runs, scores=... or replies=..."
            )
        return tuple(self._compared(gathered))

    def _compared(self, gathered: Sequence[Gathered]) -> Iterable[Comparison]:
        of_choices = any(one.choices for one in gathered)
        for statistic in self.of_choices if of_choices else self.of_scores:
            for first, second in combinations(gathered, 2):
                for level in self.levels if statistic in OF_SCORES and not of_choices else ("pooled",):
                    for ours, theirs in _same_aspects(first.judgements, second.judgements):
                        yield self._difference(ours, theirs, statistic, cast(Level, level))
                for chosen, other in _same_aspects(first.choices, second.choices):
                    yield self._difference_of_choices(chosen, other, cast(ChoiceStatistic, statistic))

    def _difference(self, first: Judgements, second: Judgements, statistic: str, level: Level) -> Comparison:
        if statistic not in OF_SCORES:
            both = (
                labelled(first, second, missing=self.missing_as),
                labelled(second, first, missing=self.missing_as),
            )
            return self._difference_of_choices(*both, cast(ChoiceStatistic, statistic))
        return compare(
            first,
            second,
            cast(Statistic, statistic),
            level,
            bootstrap=self.resampling.of_differences,
            permutations=self.permutations,
            power=self.power,
            missing=self.missing_as,
        )

    def _difference_of_choices(
        self, first: Choices, second: Choices, statistic: ChoiceStatistic
    ) -> Comparison:
        return compare_choices(
            first,
            second,
            statistic,
            bootstrap=self.resampling.of_differences,
            permutations=self.permutations,
            power=self.power,
            missing=self.missing_as,
        )

    def _of_scores(self, judgements: Judgements) -> Iterable[Agreement]:
        for statistic in self.of_scores:
            if statistic not in OF_SCORES:
                yield self._as_labels(judgements, cast(ChoiceStatistic, statistic))
                continue
            for level in self.levels:
                yield agree(
                    judgements,
                    cast(Statistic, statistic),
                    level,
                    bootstrap=self.bootstrap,
                    missing=self.missing_as,
                )

    def _as_labels(self, judgements: Judgements, statistic: ChoiceStatistic) -> Agreement:
        self.check_pooled(statistic)
        found = self._agree_on(labelled(judgements, missing=self.missing_as), statistic)
        return replace(
            found, left_out={_OF_SCORES.get(why, why): count for why, count in found.left_out.items()}
        )

    def _of_choices(self, choices: Choices) -> Iterable[Agreement]:
        for statistic in self.of_choices:
            yield self._agree_on(choices, cast(ChoiceStatistic, statistic))

    def _agree_on(self, choices: Choices, statistic: ChoiceStatistic) -> Agreement:
        return agree_on_choices(choices, statistic, bootstrap=self.bootstrap, missing=self.missing_as)

    def check_pooled(self, statistic: str) -> None:
        """Raise UsageError for other levels, where scores are taken as labels."""
        if self.levels != ["pooled"]:
            raise UsageError(
                f"{statistic} takes all texts together: level='pooled', not {', '.join(self.levels)}"
            )

    @property
    def of_choices(self) -> list[str]:
        """The statistics of choices that are asked for. Raises UsageError for others, and for a level that is not theirs."""
        other = [level for level in self.levels if level != "pooled"]
        if other:
            raise UsageError(
                f"choices have one level, pooled; there is nothing to correlate at the level {other[0]}"
            )
        return self.statistics(OF_CHOICES, USUAL_OF_CHOICES, "choices")

    @property
    def of_scores(self) -> list[str]:
        """The statistics of scores that are asked for, those that take scores as labels too. Raises UsageError for others."""
        return self.statistics(STATISTICS, USUAL_OF_SCORES, "scores")

    def statistics(self, known: Sequence[str], usual: Sequence[str], of: str) -> list[str]:
        """The statistics that are asked for. Raises UsageError for one that does not suit what there is."""
        asked = [name for text in self.statistic for name in names(text)]
        for name in asked:
            if name not in STATISTICS:
                raise UsageError(f"statistic=...: there is no {name!r}. {nearest(name, STATISTICS)}")
            if name not in known:
                raise UsageError(
                    f"statistic=...: {name} is not a statistic of {of}; of {of} there are {', '.join(known)}"
                )
        chosen = self.chosen
        found = (
            asked or [name for name in (chosen.statistics if chosen else ()) if name in known] or list(usual)
        )
        return list(dict.fromkeys(found))

    @property
    def levels(self) -> list[Level]:
        """The levels that are asked for. Raises UsageError."""
        asked = [name for text in self.level for name in names(text)]
        for name in asked:
            if name not in LEVELS:
                raise UsageError(f"level=...: there is no {name!r}. {nearest(name, LEVELS)}")
        chosen = self.chosen
        found = asked or (chosen.levels if chosen else ()) or ["pooled"]
        return [cast(Level, name) for name in dict.fromkeys(found)]


Of = TypeVar("Of", Judgements, Choices)
"""What is compared on an aspect."""


def _same_aspects(first: Sequence[Of], second: Sequence[Of]) -> Iterable[tuple[Of, Of]]:
    """What two judges say of the same aspects."""
    theirs = {one.aspect: one for one in second}
    return ((one, theirs[one.aspect]) for one in first if one.aspect in theirs)
