"""Every statistic of agreement that can be asked for, by name."""

from typing import get_args

from agentdebate.meta.choices import ChoiceStatistic
from agentdebate.meta.measures import Statistic

OF_SCORES: tuple[str, ...] = get_args(Statistic)
OF_CHOICES: tuple[str, ...] = get_args(ChoiceStatistic)
STATISTICS = tuple(dict.fromkeys((*OF_SCORES, *OF_CHOICES)))
"""Every statistic that can be asked for."""

ON_ONE_SCALE = frozenset({"bias", "mean-absolute-error", "root-mean-square-error", "alpha"})
"""The statistics that take judge and people to score on one scale."""
