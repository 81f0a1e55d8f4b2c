"""The options of `agentdebate agree`, which are the words of the library's `agree`, and those of a single question of agreement."""

from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Group, Parameter

from agentdebate.meta.figure import Bootstrap, Level
from agentdebate.meta.imputation import missing_as
from agentdebate.meta.talks import RoundFields

JUDGES = Group("The judges", sort_key=1)
FIELDS = Group("People's judgements, and which fields hold what", sort_key=2)
FIGURES = Group("Which figures", sort_key=3)
MORE = Group("Beside the table", sort_key=4)
AGREEMENT = Group("Agreement with people", sort_key=4)
RoundOptions = Annotated[RoundFields, Parameter(name="*", group=Group("The fields of --data"))]


@Parameter(name="*", group=FIGURES)
@dataclass(frozen=True)
class MeasureOptions:
    """The figures of the table."""

    statistic: tuple[str, ...] = ()
    """pearson, spearman, kendall-b, accuracy, kappa, ...; several with commas. Also kendall-c, pairwise-accuracy, kappa-linear,
    kappa-quadratic, alpha, alpha-nominal, alpha-ordinal, bias, mean-absolute-error and root-mean-square-error [of scores pearson, spearman and
    kendall-b; of choices accuracy and kappa]."""
    level: tuple[str, ...] = ()
    """pooled (over all texts), group (the mean over sources) or system."""
    convention: str | None = None
    """The settings of published tables, by name (agentdebate list conventions)."""
    missing: str = "left-out"
    """Count a missing judgement as left-out, wrong, tie (choices only) or a number. It is missing of a text without a row or a
    readable reply, and where the debate failed. A wrong choice is never right; a wrong score is the end of the scale that is farthest
    from people's."""
    resamples: int = 1000
    """Bootstrap resamples of an interval; 0 for none."""
    confidence: float = 0.95
    """The confidence of an interval."""
    bootstrap_seed: int = 0
    """The seed of resamples, and of permutations."""


@Parameter(name="*", group=MORE)
@dataclass(frozen=True)
class FurtherOptions:
    """Further tables: differences of judges, calibration."""

    compare: bool = False
    """Test the difference of each two judges."""
    test: str = "permutation"
    """For --compare: permutation, or williams, which adds Williams' test of correlations where texts share a source."""
    permutations: int = 1000
    """For --compare: the permutations of the test."""
    risk: float = 0.1
    """For --confidences: the share of wrong judgements that is not to be exceeded, as sure as --confidence."""
    stages: bool = False
    """For --confidences: the judges are stages of a cascade, in their order; each has the texts that those before it leave."""
    correct: bool = False
    """Correct means, shares and differences by people's judgements of some of the texts; the others have none in the data."""
    calibration: bool = False
    """For each judge and aspect, print bias, mean absolute error, and people's scores of texts that the judge scores alike."""
    bins: int = 10
    """For --calibration: the bins of the judge's scores."""


@Parameter(name="*", group=AGREEMENT)
@dataclass(frozen=True)
class QuestionOptions:
    """One question of agreement, and its interval."""

    statistic: str | None = None
    """spearman, kendall-b, pearson, ... [of scores spearman; of choices accuracy]."""
    level: Annotated[Level, Parameter(show_choices=False)] = "pooled"
    """pooled (over all texts), group (the mean over sources) or system (over the means of systems)."""
    missing: str = "left-out"
    """Count a missing judgement, or a debate that failed, as left-out, wrong, tie (choices only) or a number."""
    resamples: int = 1000
    """Bootstrap resamples of an interval; 0 for none."""
    confidence: float = 0.95
    """The confidence of an interval."""
    bootstrap_seed: int = 0
    """The seed of resamples."""

    @property
    def arguments(self) -> dict[str, Any]:
        """Options as the library takes them. Raises UsageError."""
        return {
            "statistic": self.statistic,
            "level": self.level,
            "missing": missing_as(self.missing),
            "bootstrap": Bootstrap(self.resamples, self.confidence, self.bootstrap_seed),
        }
