"""Arithmetic of verdicts: one ballot, the merge of several, the mean of samples or of several sittings."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge import MergeContext, Merged, Rule, Shortage, merge, shortage
from agentdebate.ballots.winners import alike, most_often, winners
from agentdebate.errors import StrategyError, TooFewBallots
from agentdebate.talk.messages import CastBallot, Reply, Samples, Verdict
from agentdebate.tasks import Aspect

VOTES = "votes"
"""Merge of a verdict whose winner is the text that most ballots put first."""
WEIGHTED_VOTES = "weighted votes"
"""Merge of such a verdict where each vote counted with its ballot's weight."""

By = Literal["scores", "votes"]
"""Basis on which a winner is chosen, where texts are compared."""

Carriers = Sequence[Reply | CastBallot | None]
"""Ballots by what carries them; None stands for one that is missing."""


def of_ratings(ratings: Sequence[Rating], aspects: Sequence[Aspect], *, settled: bool, merge: str) -> Verdict:
    """The verdict with these ratings; how the debate stands is still to be said."""
    return Verdict(
        ratings=tuple(ratings),
        winners=best(ratings, aspects),
        settled=settled,
        merge=merge,
        ended="",
        rounds=0,
        ballots=(),
    )


def of_ballots(
    ballots: Sequence[Ballot | None],
    context: MergeContext,
    rule: Rule,
    *,
    by: By = "scores",
    weights: Sequence[float] | None = None,
    quorum: int = 1,
) -> Verdict:
    """The merge of ballots (see ballots/merge.py), which is settled where all of them come to the same.

    By votes, a ballot has one vote, or as many as it weighs where weights are given. Raises TooFewBallots.
    """
    aspects, lowest = context.aspects, _ranked(context.aspects)
    result = _there(merge(ballots, rule, weights=weights, quorum=quorum, context=context))
    there = [_deciding(ballot.ratings, aspects) for ballot in ballots if ballot]
    settled = not result.missing and alike(there, lowest=lowest)
    verdict = of_ratings(result.ratings, aspects, settled=settled, merge=str(rule))
    verdict = replace(verdict, spread=result.spread, missing=result.missing)
    if by == "scores" or not verdict.winners:
        return verdict
    counting = context.counting(ballots, weights, quorum)
    short = shortage(counting, len(there))
    if short is not None:
        raise TooFewBallots(str(short))
    chosen = most_often([winners(ratings, lowest=lowest) for ratings in there], counting.weights or None)
    return replace(verdict, winners=chosen, merge=WEIGHTED_VOTES if weights else VOTES, by="votes")


def of_samples(samples: Samples, aspects: Sequence[Aspect]) -> Verdict:
    """The mean of samples of one judgement, each rating over those that have it. Raises TooFewBallots where there is none."""
    means = _there(merge(samples.ballots, partial=True))
    places = [aspect.name for aspect in aspects]
    ratings = sorted(means.ratings, key=lambda rating: places.index(rating.aspect))
    how = f"mean of {samples.asked} samples" if samples.asked > 1 else "single score"
    verdict = of_ratings(ratings, aspects, settled=True, merge=how)
    return replace(verdict, spread=means.spread, missing=samples.asked - len(samples.ballots))


def of_sittings(verdicts: Sequence[Verdict], aspects: Sequence[Aspect], how: str, missing: int) -> Verdict:
    """The mean of the verdicts of several sittings, each score added back to the text that it is of.

    Where the sittings chose their winners by votes, the winner is the one that most of them chose. A sitting that abstained
    is missing, and agrees with none; where all did, there are no ratings. Raises TooFewBallots where there are no verdicts.
    """
    judged = [verdict for verdict in verdicts if not verdict.abstained]
    if verdicts and not judged:
        whys = "; ".join(dict.fromkeys(verdict.abstained for verdict in verdicts))
        return replace(of_ratings((), aspects, settled=False, merge="none"), abstained=whys)
    means = _there(merge([Ballot(ratings=verdict.ratings) for verdict in judged]))
    missing += len(verdicts) - len(judged)
    chosen = [verdict.winners for verdict in judged]
    ratings = [_deciding(verdict.ratings, aspects) for verdict in judged]
    same = len(set(chosen)) == 1 if any(chosen) else alike(ratings, lowest=_ranked(aspects))
    agreed = same and len(judged) == len(verdicts)
    settled = agreed and not missing and all(verdict.settled for verdict in judged)
    found = of_ratings(means.ratings, aspects, settled=settled, merge=how)
    lost = missing + sum(verdict.missing for verdict in judged)
    found = replace(found, spread=means.spread, missing=lost, agreed=agreed)
    if any(verdict.by != "votes" for verdict in judged):
        return found
    return replace(found, winners=most_often(chosen), merge=f"{how}, {VOTES}", by="votes")


def _there(result: Merged | Shortage) -> Merged:
    """What was merged. Raises TooFewBallots where nothing was."""
    if isinstance(result, Shortage):
        raise TooFewBallots(str(result))
    return result


def weighed(
    ballots: Sequence[CastBallot], cast: Sequence[CastBallot | None], weights: Sequence[float]
) -> tuple[CastBallot, ...]:
    """The ballots of a debate, those that were cast with what each weighed."""
    left, found = list(zip(cast, weights, strict=True)), list[CastBallot]()
    for ballot in ballots:
        place = next((at for at, (one, _) in enumerate(left) if one == ballot), None)
        found.append(ballot if place is None else replace(ballot, weight=left.pop(place)[1]))
    return tuple(found)


def cast_ballot(said: Reply | CastBallot | None) -> CastBallot | None:
    """The ballot that something carries. Raises StrategyError for a message that carries several, or none."""
    if not isinstance(said, Reply):
        return said
    if len(said.carried) != 1:
        what = f"message {said.seq}, a {said.kind} of {said.sender}, carries {len(said.carried)} ballots"
        raise StrategyError(f"{what}: merge what carries one, or its .carried")
    return said.carried[0]


def _ranked(aspects: Sequence[Aspect]) -> bool:
    """Tell whether the lowest number is the best."""
    return all(aspect.rank for aspect in aspects)


def _deciding(ratings: Sequence[Rating], aspects: Sequence[Aspect]) -> tuple[Rating, ...]:
    """The ratings that choose a winner: places and scores cannot be added, and where there are both, scores count."""
    places = set() if _ranked(aspects) else {aspect.name for aspect in aspects if aspect.rank}
    return tuple([rating for rating in ratings if rating.aspect not in places])


def best(ratings: Sequence[Rating], aspects: Sequence[Aspect]) -> tuple[str, ...]:
    """The candidates that these ratings put first."""
    return winners(_deciding(ratings, aspects), lowest=_ranked(aspects))
