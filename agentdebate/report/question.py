"""Which agreement is asked for of runs, and how it is said in a caption."""

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
from agentdebate.report.agreement_caption import intervals_told, missing_told, question_told

USUAL: Statistic = "spearman"
USUAL_OF_CHOICES: ChoiceStatistic = "accuracy"


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
        for name, given, known in (
            ("statistic", self.statistic or USUAL, STATISTICS),
            ("level", self.level, get_args(Level)),
        ):
            if given not in known:
                raise UsageError(f"there is no {name} {given!r}. {nearest(given, known)}")

    def ask(self, entry: Judgements | Choices) -> Agreement:
        """The agreement of a judge with people. Raises UserError."""
        if isinstance(entry, Choices):
            name = self.statistic or USUAL_OF_CHOICES
            return agree(entry, name, bootstrap=self.bootstrap, missing=self.missing)
        return agree(
            entry, self.statistic or USUAL, self.level, bootstrap=self.bootstrap, missing=self.missing
        )

    def told(self, found: Sequence[Agreement]) -> str:
        """Statistic, level, n, intervals and missing judgements of figures, as a caption says them."""
        counts = sorted({one.n for one in found})
        n = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
        intervals = f" In brackets: {intervals_told(self.bootstrap, found)}." if self.bootstrap else ""
        lacking = any(one.missing or one.imputed for one in found)
        missing = f" {missing_told(found, self.missing)}" if lacking else ""
        return f"{question_told(found)}; n = {n}.{intervals}{missing}"
