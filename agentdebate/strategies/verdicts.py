"""Arithmetic of verdicts: one ballot, the merge of several, the mean of samples or of several sittings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Literal

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge import Merge, MergeContext, Rule, Shortage, Spread, merge, rule_of, shortage
from agentdebate.ballots.winners import alike, most_often, winners
from agentdebate.errors import StrategyError
from agentdebate.talk.messages import CastBallot, Reply, Verdict
from agentdebate.tasks import Aspect

VOTES = "votes"
"""Merge of a verdict whose winner is the text that most ballots put first."""
WEIGHTED_VOTES = "weighted votes"
"""Merge of such a verdict where each vote counted with its ballot's weight."""

_ranks = attrgetter("rank")

By = Literal["scores", "votes"]
"""Basis on which a winner is chosen, where texts are compared."""

Carriers = Sequence[Reply | CastBallot | None]
"""Ballots by what carries them; None stands for one that is missing."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Outcome of a ballot; ballots with the same outcome have equal ones."""

    best: tuple[str, ...] = ()
    """Field of the text that it puts first, or of all that tie, where texts are compared."""
    scores: tuple[tuple[str, float], ...] = ()
    """Elsewhere: every score by its name, in the order of the names."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Outcome of several ballots."""

    ratings: tuple[Rating, ...]
    winners: tuple[str, ...]
    """Field of the best text, or of all that tie, where texts are compared."""
    settled: bool
    """True if the ballots agreed."""
    merge: str
    """Way in which they became the scores, in words."""
    spread: tuple[Spread, ...] = ()
    missing: int = 0
    deciding: int | None = None
    """Number of the message with the ballot that alone decided, if one did."""
    by: By = "scores"
    agreed: bool | None = None
    weighed: bool = False
    """True if the weights of the ballots counted."""


def of_ratings(
    ratings: Sequence[Rating],
    aspects: Sequence[Aspect],
    *,
    settled: bool,
    merge: str,
    deciding: int | None = None,
) -> Decision:
    """Decide by the ratings alone."""
    return Decision(tuple(ratings), _best(ratings, aspects), settled, merge, deciding=deciding)


def of_ballots(
    ballots: Sequence[Ballot | None],
    context: MergeContext,
    how: Merge | Rule,
    *,
    by: By = "scores",
    weights: Sequence[float] | None = None,
    quorum: int = 1,
) -> Decision | Shortage:
    """The merge of ballots (see ballots/merge.py), which is settled where all of them come to the same.

    By votes, a ballot has one vote, or as many as it weighs where weights are given.
    """
    rule, aspects = rule_of(how), context.aspects
    result = merge(ballots, rule, weights=weights, quorum=quorum, context=context)
    if isinstance(result, Shortage):
        return result
    there = [_deciding(ballot.ratings, aspects) for ballot in ballots if ballot]
    decision = Decision(
        result.ratings,
        _best(result.ratings, aspects),
        settled=not result.missing and alike(there, lowest=_ranked(aspects)),
        merge=str(rule),
        spread=result.spread,
        missing=result.missing,
        weighed=rule.weights != "unused",
    )
    if by == "scores" or not decision.winners:
        return decision
    return _voted(
        decision, there, context.counting(ballots, weights, quorum), told=WEIGHTED_VOTES if weights else VOTES
    )


def _voted(
    decision: Decision, there: Sequence[Sequence[Rating]], context: MergeContext, told: str
) -> Decision | Shortage:
    """The same with the winner that the votes choose."""
    short = shortage(context, len(there))
    if short is not None:
        return short
    lowest = _ranked(context.aspects)
    chosen = most_often([winners(ratings, lowest=lowest) for ratings in there], context.weights or None)
    return replace(decision, winners=chosen, merge=told, by="votes", weighed=True)


def of_samples(ballots: Sequence[Ballot], aspects: Sequence[Aspect], asked: int) -> Decision | Shortage:
    """The mean of samples of one judgement, each rating over those that have it; so many were asked for."""
    means = merge(ballots, partial=True)
    if isinstance(means, Shortage):
        return means
    places = [aspect.name for aspect in aspects]
    return Decision(
        tuple(sorted(means.ratings, key=lambda rating: places.index(rating.aspect))),
        _best(means.ratings, aspects),
        settled=True,
        merge=f"mean of {asked} samples" if asked > 1 else "single score",
        spread=means.spread,
        missing=asked - len(ballots),
    )


def of_sittings(
    verdicts: Sequence[Verdict], aspects: Sequence[Aspect], how: str, missing: int
) -> Decision | Shortage:
    """The mean of the verdicts of several sittings, each score added back to the text that it is of.

    Where the sittings chose their winners by votes, the winner is the one that most of them chose. A sitting that abstained
    is missing, and agrees with none; where all did, there are no ratings.
    """
    judged = [verdict for verdict in verdicts if not verdict.abstained]
    if verdicts and not judged:
        return of_ratings((), aspects, settled=False, merge="none")
    if len(judged) < len(verdicts):
        found = of_sittings(judged, aspects, how, missing + len(verdicts) - len(judged))
        return replace(found, agreed=False) if isinstance(found, Decision) else found
    means = merge([Ballot(ratings=verdict.ratings) for verdict in verdicts])
    if isinstance(means, Shortage):
        return means
    chosen = [verdict.winners for verdict in verdicts]
    ratings = [_deciding(verdict.ratings, aspects) for verdict in verdicts]
    agreed = len(set(chosen)) == 1 if any(chosen) else alike(ratings, lowest=_ranked(aspects))
    by_votes = all(verdict.by == "votes" for verdict in verdicts)
    return Decision(
        means.ratings,
        most_often(chosen) if by_votes else _best(means.ratings, aspects),
        settled=agreed and not missing and all(verdict.settled for verdict in verdicts),
        merge=f"{how}, {VOTES}" if by_votes else how,
        spread=means.spread,
        missing=missing + sum(verdict.missing for verdict in verdicts),
        by="votes" if by_votes else "scores",
        agreed=agreed,
    )


def declined(verdicts: Sequence[Verdict]) -> str:
    """Say why all of several sittings abstained; empty where one did not."""
    whys = [verdict.abstained for verdict in verdicts]
    return "; ".join(dict.fromkeys(whys)) if all(whys) else ""


def weighed(
    ballots: Sequence[CastBallot], cast: Sequence[CastBallot | None], weights: Sequence[float]
) -> tuple[CastBallot, ...]:
    """The ballots of a debate, those that were cast with what each weighed."""
    left, changed = dict(enumerate(ballots)), dict(enumerate(ballots))
    for sought, weight in zip(cast, weights, strict=True):
        place = next((at for at, one in left.items() if one == sought), None)
        if place is not None:
            changed[place] = replace(left.pop(place), weight=weight)
    return tuple(changed.values())


def cast_ballot(said: Reply | CastBallot | None) -> CastBallot | None:
    """The ballot that something carries. Raises StrategyError for a message that carries several, or none."""
    if not isinstance(said, Reply):
        return said
    if len(said.carried) != 1:
        what = f"message {said.seq}, a {said.kind} of {said.sender}, carries {len(said.carried)} ballots"
        raise StrategyError(f"{what}: merge what carries one, or its .carried")
    return said.carried[0]


def stand_of(ballot: Ballot, aspects: Sequence[Aspect]) -> Stand:
    """Return the outcome of a ballot: a winner where texts are compared, and its scores elsewhere."""
    best = _best(ballot.ratings, aspects)
    return Stand(best=best) if best else Stand(scores=tuple(sorted(ballot.scores.items())))


def _ranked(aspects: Sequence[Aspect]) -> bool:
    """Tell whether the lowest number is the best."""
    return all(map(_ranks, aspects))


def _deciding(ratings: Sequence[Rating], aspects: Sequence[Aspect]) -> tuple[Rating, ...]:
    """The ratings that choose a winner: places and scores cannot be added, and where there are both, scores count."""
    places = set() if _ranked(aspects) else {aspect.name for aspect in aspects if aspect.rank}
    return tuple([rating for rating in ratings if rating.aspect not in places])


def _best(ratings: Sequence[Rating], aspects: Sequence[Aspect]) -> tuple[str, ...]:
    """The candidates that these ratings put first."""
    return winners(_deciding(ratings, aspects), lowest=_ranked(aspects))
