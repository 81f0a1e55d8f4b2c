"""Verdicts drawn up from what was said: one ballot's, the merge of several, or the mean of several sittings."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Literal

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge import Merge, Shortage, Spread, alike, merge, most_often, vote, winners
from agentdebate.errors import TooFewBallots
from agentdebate.messages import (
    CastBallot,
    Lost,
    Poll,
    Reply,
    Ruling,
    Samples,
    Score,
    Statement,
    Verdict,
    Vote,
)
from agentdebate.purse import Purse
from agentdebate.tasks import Aspect
from agentdebate.usage import Ledger

ROUND_LIMIT = "round limit"
"""What ends a debate that used all its rounds, or all that it may take."""

VOTES = "votes"
"""How a verdict says that the winner is the text that most ballots put first."""


class Clerk(ABC):
    """Keeps count of a debate and draws up its verdict."""

    def __init__(self, aspects: tuple[Aspect, ...], ledger: Ledger, purse: Purse) -> None:
        self.aspects, self.purse = aspects, purse
        self.round = 0
        """The round that is being held; 0 before the first."""
        self.lost: list[Lost] = []
        """Agents that the debate went on without."""
        self._ledger = ledger

    @property
    @abstractmethod
    def talk(self) -> tuple[Reply, ...]:
        """What the cast has said so far, in order."""

    @property
    def ballots(self) -> tuple[CastBallot, ...]:
        """Every ballot that this floor's cast has cast so far, in order."""
        return tuple(cast for said in self.talk for cast in _cast_in(said))

    @property
    def latest(self) -> tuple[CastBallot, ...]:
        """The last ballot of everyone who cast one."""
        return tuple({cast.agent: cast for cast in self.ballots}.values())

    def verdict(
        self, deciding: Score | Ruling, *, settled: bool, ended: str, merge: str = "last score"
    ) -> Verdict:
        """The verdict that takes its scores from one ballot: `deciding` is the message that carries it.

        `ended` says in a word or two what ended the debate, `merge` how its ballots became the scores.
        """
        return self._verdict(
            deciding.ballot.ratings,
            winners=self._best(deciding.ballot.ratings),
            settled=settled,
            ended=ended,
            merge=merge,
        )

    def merged(
        self,
        cast: Sequence[Score | Vote | CastBallot | None],
        how: Merge = "average",
        *,
        by: Literal["scores", "votes"] = "scores",
        weights: Sequence[float] | None = None,
        quorum: int = 1,
        ended: str = ROUND_LIMIT,
    ) -> Verdict:
        """The verdict that merges one ballot of each agent (see ballots/merge.py); None stands for a missing one.

        Where texts are compared, the winner is the one with the best merged scores, or, by votes, the one that most
        ballots put first. It is settled where all ballots come to the same. Raises TooFewBallots below the quorum, which
        says who was lost and why.
        """
        ballots = [said.ballot if said else None for said in cast]
        result = merge(ballots, how, weights=weights, quorum=quorum)
        if isinstance(result, Shortage):
            gone = "".join(f"; {lost.agent} ({lost.error}): {lost.reason}" for lost in self.lost)
            raise TooFewBallots(f"{result}{gone}")
        deciding = [Ballot(ratings=self._deciding(ballot.ratings)) for ballot in ballots if ballot]
        best = vote(deciding, lowest=self._ranked) if by == "votes" else self._best(result.ratings)
        return self._verdict(
            result.ratings,
            winners=best,
            weights=_weights(cast, weights if how == "weighted" else None),
            settled=not result.missing and self._alike([ballot.ratings for ballot in ballots if ballot]),
            ended=ended,
            merge=how if by == "scores" or not best else VOTES,
            spread=result.spread,
            missing=result.missing,
        )

    def sampled(self, samples: Samples, *, ended: str = "one opinion") -> Verdict:
        """The verdict that takes the mean of several samples of one judgement, each rating over those that have it."""
        means = merge(samples.ballots, partial=True)
        if isinstance(means, Shortage):
            raise TooFewBallots(f"none of {samples.asked} samples could be read")
        asked, had = samples.asked, len(samples.ballots)
        places = [aspect.name for aspect in self.aspects]
        return self._verdict(
            tuple(sorted(means.ratings, key=lambda rating: places.index(rating.aspect))),
            winners=self._best(means.ratings),
            settled=True,
            ended=ended,
            merge=f"mean of {asked} samples" if asked > 1 else "single score",
            spread=means.spread,
            missing=asked - had,
        )

    def computed(self, ratings: Sequence[Rating], *, how: str) -> Verdict:
        """The verdict of scores that nobody gave: `how` says what computed them."""
        return self._verdict(
            tuple(ratings), winners=self._best(ratings), settled=True, ended="computed", merge=how
        )

    def combined(self, verdicts: Sequence[Verdict], *, how: str, missing: int = 0) -> Verdict:
        """The verdict over several sittings: the mean of their scores, each added back to the text that it is of.

        Where the sittings chose their winners by votes, the winner is the one that most of them chose.
        `how` names what was done, `missing` counts sittings that came to no verdict. Raises TooFewBallots where none did.
        """
        means = merge([Ballot(ratings=verdict.ratings) for verdict in verdicts])
        if isinstance(means, Shortage):
            raise TooFewBallots(f"none of {missing} sittings came to a verdict")
        chosen = [verdict.winners for verdict in verdicts]
        agreed = (
            len(set(chosen)) == 1 if any(chosen) else self._alike([verdict.ratings for verdict in verdicts])
        )
        by_votes = all(verdict.merge.endswith(VOTES) for verdict in verdicts)
        first = self._verdict(
            means.ratings,
            winners=most_often(chosen) if by_votes else self._best(means.ratings),
            settled=agreed and not missing and all(verdict.settled for verdict in verdicts),
            ended=", ".join(dict.fromkeys(verdict.ended for verdict in verdicts)),
            merge=f"{how}, {VOTES}" if by_votes else how,
            spread=means.spread,
            missing=missing + sum(verdict.missing for verdict in verdicts),
        )
        return first.model_copy(
            update={
                "agreed": agreed,
                "rounds": max(verdict.rounds for verdict in verdicts),
                "ballots": tuple(cast for verdict in verdicts for cast in verdict.ballots),
                "models": tuple(dict.fromkeys(model for verdict in verdicts for model in verdict.models)),
                "lost": tuple(lost for verdict in verdicts for lost in verdict.lost),
                "curtailed": self.purse.curtailed,
            }
        )

    @property
    def _ranked(self) -> bool:
        """Whether the lowest number is the best."""
        return all(aspect.rank for aspect in self.aspects)

    def _deciding(self, ratings: Sequence[Rating]) -> tuple[Rating, ...]:
        """The ratings that choose a winner: places and scores cannot be added, and where there are both, scores count."""
        places = {aspect.name for aspect in self.aspects if aspect.rank and not self._ranked}
        return tuple(rating for rating in ratings if rating.aspect not in places)

    def _best(self, ratings: Sequence[Rating]) -> tuple[str, ...]:
        """The candidates that these ratings put first."""
        return winners(self._deciding(ratings), lowest=self._ranked)

    def _alike(self, ratings: Sequence[Sequence[Rating]]) -> bool:
        """Whether these ratings come to the same."""
        return alike([self._deciding(some) for some in ratings], lowest=self._ranked)

    def _verdict(
        self,
        ratings: tuple[Rating, ...],
        *,
        winners: tuple[str, ...],
        settled: bool,
        ended: str,
        merge: str,
        spread: tuple[Spread, ...] = (),
        missing: int = 0,
        weights: Mapping[int, float] | None = None,
    ) -> Verdict:
        weighed = weights or {}
        return Verdict(
            round=self.round,
            ratings=ratings,
            winners=winners,
            settled=settled,
            ended=self.purse.ended if ended == ROUND_LIMIT and self.purse.ended else ended,
            rounds=self.round,
            merge=merge,
            spread=spread,
            missing=missing,
            curtailed=self.purse.curtailed,
            lost=tuple(self.lost),
            ballots=tuple(
                cast.model_copy(update={"weight": weighed[id(cast.ballot)]})
                if id(cast.ballot) in weighed
                else cast
                for cast in self.ballots
            ),
            usage=self._ledger.entries(),
            models=tuple(dict.fromkeys(reply.model for reply in self.talk)),
        )


def _cast_in(said: Reply) -> tuple[CastBallot, ...]:
    """The ballots that a message carries, with who cast them."""
    if isinstance(said, Poll):
        return tuple(_cast(said, vote.ballot, vote.player or said.sender) for vote in said.votes)
    if isinstance(said, Samples):
        return tuple(_cast(said, ballot, said.sender) for ballot in said.ballots)
    if isinstance(said, Score | Ruling | Statement) and said.ballot is not None:
        return (_cast(said, said.ballot, said.sender),)
    return ()


def _cast(said: Reply, ballot: Ballot, agent: str) -> CastBallot:
    return CastBallot(agent=agent, round=said.round, message=said.seq, model=said.model, ballot=ballot)


def _weights(
    cast: Sequence[Score | Vote | CastBallot | None], weights: Sequence[float] | None
) -> dict[int, float]:
    """What each ballot weighs, by the identity of the ballot; nothing where all weigh the same."""
    if weights is None:
        return {}
    return {id(said.ballot): weight for said, weight in zip(cast, weights, strict=True) if said is not None}
