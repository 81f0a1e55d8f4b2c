"""Ballots out of replies that score a text."""

from collections.abc import Sequence

from agentdebate.ballots.ballot import Ballot, How, Rating, Reading
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.replies.scores import read_scores
from agentdebate.tasks import Aspect


def read_ballot(
    text: str,
    aspects: Sequence[Aspect],
    *,
    structured: bool = False,
    cut_off: bool = False,
    partial: bool = False,
    patterns: bool = True,
) -> Ballot | Problem:
    """Read a ballot with a rating for each of the aspects, or for some where it may be `partial`; else say why there is none."""
    read = read_scores(text, aspects, structured=structured, cut_off=cut_off, patterns=patterns)
    if read.problem is not None and not (partial and read.scores):
        return read.problem
    ratings = tuple(Rating(aspect=name, score=score) for name, score in read.scores.items())
    how: How = "schema" if structured and read.rule == "json" else "text"
    return Ballot(ratings=ratings, reason=read.reason, reading=Reading(how=how, rule=read.rule))
