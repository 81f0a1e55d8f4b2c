"""The numbers of a human ceiling, under the statistics and levels that judges are measured by."""

from dataclasses import dataclass
from typing import cast

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.agreement_measures import Measures
from agentdebate.meta.ceiling import Ceiling, ceiling
from agentdebate.meta.choice_ceiling import as_ratings, as_votes, choice_ceiling
from agentdebate.meta.choices import ChoiceStatistic
from agentdebate.meta.measures import Statistic
from agentdebate.meta.rated import Ratings, Votes
from agentdebate.meta.reliability import ReliabilityStatistic, reliability
from agentdebate.meta.single import evened, evened_votes
from agentdebate.meta.sources.annotators import People
from agentdebate.meta.sources.people_settings import PeopleSettings
from agentdebate.meta.statistic_names import OF_SCORES


@dataclass(frozen=True)
class HumanCeiling:
    """People as judges of one another."""

    people: People
    ceilings: tuple[Ceiling, ...]
    reliabilities: tuple[Agreement, ...]


def human_ceiling(people: People, options: PeopleSettings, measures: Measures) -> HumanCeiling:
    """People as one more judge, and how far they agree among themselves. Raises UserError."""
    found: list[list[Ceiling]] = []
    if options.ceiling:
        found = _ceilings(people, measures)
    usual = "alpha" if options.ceiling and not people.votes else "fleiss-kappa"
    single = [*people.ratings, *map(as_ratings, people.votes)]
    among = [
        reliability(one, cast(ReliabilityStatistic, statistic), bootstrap=measures.bootstrap)
        for statistic in options.reliabilities(usual)
        for one in single
    ]
    return HumanCeiling(people, tuple(one for several in found for one in several), tuple(among))


def _ceilings(people: People, measures: Measures) -> list[list[Ceiling]]:
    found = [
        _of_scores(one, statistic, measures) for one in people.ratings for statistic in measures.of_scores
    ]
    found += [
        [_of_choices(one, statistic, measures)] for one in people.votes for statistic in measures.of_choices
    ]
    return found


def _of_scores(ratings: Ratings, statistic: str, measures: Measures) -> list[Ceiling]:
    if statistic not in OF_SCORES:
        measures.check_pooled(statistic)
        return [_of_choices(as_votes(ratings), statistic, measures)]
    return [
        ceiling(evened(ratings), cast(Statistic, statistic), level, bootstrap=measures.bootstrap)
        for level in measures.levels
    ]


def _of_choices(votes: Votes, statistic: str, measures: Measures) -> Ceiling:
    return choice_ceiling(evened_votes(votes), cast(ChoiceStatistic, statistic), bootstrap=measures.bootstrap)
