"""Which agreement is asked for, and how it is said in a caption."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import get_args

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.judgements import Choices, Judgements
from agentdebate.meta.levels import Level
from agentdebate.meta.measures import STATISTICS, ChoiceStatistic, Statistic
from agentdebate.report.coverage_table import missing_caption
from agentdebate.report.figures import prose_name
from agentdebate.report.intervals import intervals_told

USUAL: Statistic = "spearman"
USUAL_OF_CHOICES: ChoiceStatistic = "accuracy"

_LEVELS = {
    "pooled": "pooled over all rows",
    "group": "computed for each source, and the mean over sources",
    "system": "over the means of the systems",
}


@dataclass(frozen=True)
class Question:
    """A statistic at a level, with an interval unless `bootstrap` is None. Raises UsageError for an unknown one."""

    statistic: str | None = None
    """None: Spearman's rho, and accuracy where texts are compared."""
    level: Level = "pooled"
    bootstrap: Bootstrap | None = field(default_factory=Bootstrap)
    missing: Missing = LEFT_OUT
    """What a missing judgement counts as."""

    def __post_init__(self) -> None:
        if self.statistic is not None and self.statistic not in STATISTICS:
            raise UsageError(
                f"there is no statistic {self.statistic!r}. {nearest(self.statistic, STATISTICS)}"
            )
        if self.level not in get_args(Level):
            raise UsageError(f"there is no level {self.level!r}. {nearest(self.level, get_args(Level))}")

    def ask(self, entry: Judgements | Choices) -> Agreement:
        """The agreement of a judge with people. Raises UserError."""
        name = self.named(entry)
        if isinstance(entry, Choices):
            return agree(entry, name, bootstrap=self.bootstrap, missing=self.missing)
        return agree(entry, name, self.level, bootstrap=self.bootstrap, missing=self.missing)

    def named(self, entry: Judgements | Choices) -> str:
        """The statistic that is asked of this."""
        usual = USUAL_OF_CHOICES if isinstance(entry, Choices) else USUAL
        return self.statistic or usual

    def told(self, entry: Judgements | Choices, found: Sequence[Agreement]) -> str:
        """Statistic, level and the intervals of what was found as a caption says them."""
        name = self.named(entry)
        level = "pooled" if isinstance(entry, Choices) else self.level
        return f"{prose_name(name)}, {_LEVELS[level]}{self.intervals(found)}"

    def of_missing(self, found: Sequence[Agreement], *, choices: bool) -> str:
        """What a missing judgement counts as, for a caption; nothing where none is missing. `choices`: texts are compared."""
        if any(one.missing or one.imputed for one in found):
            return f" {missing_caption(found, self.missing, choices=choices)}"
        return ""

    def intervals(self, found: Sequence[Agreement]) -> str:
        """The intervals of figures as a caption says them; nothing where none are asked for."""
        return f"; {intervals_told(self.bootstrap, found)}" if self.bootstrap and found else ""


def shown(agreement: Agreement) -> str:
    """A value with its interval and n, as it stands in a plot."""
    if agreement.value is None:
        return f"not defined, n = {agreement.n}"
    ends = f" [{agreement.low:.2f}, {agreement.high:.2f}]" if _has_ends(agreement) else ""
    filled = f" ({agreement.imputed} missing)" if agreement.imputed else ""
    return f"{agreement.value:.3f}{ends}, n = {agreement.n}{filled}"


def _has_ends(agreement: Agreement) -> bool:
    return agreement.low is not None and agreement.high is not None
