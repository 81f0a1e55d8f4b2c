"""The rounds of one sitting, the ballots that were cast in them, and the verdicts that can be drawn up of these."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agentdebate.agents.debate import FEWER_ROUNDS, Debate
from agentdebate.agents.seat import Seats
from agentdebate.agents.subject import Subject
from agentdebate.ballots.ballot import Rating
from agentdebate.ballots.merge import Merge, MergeContext, MergeFunction, Rule, rule_of
from agentdebate.errors import StrategyError, TooFewBallots, UsageError
from agentdebate.models.wrapper import unsent
from agentdebate.strategies.stops import StopContext, StopRule, ballots_by_round
from agentdebate.strategies.turns import Turns
from agentdebate.strategies.verdicts import (
    By,
    Carriers,
    cast_ballot,
    of_ballots,
    of_ratings,
    of_samples,
    of_sittings,
    weighed,
)
from agentdebate.talk.messages import CastBallot, Lost, Reply, Ruling, Samples, Score, Verdict

ROUND_LIMIT = "round limit"
"""Reason for the end of a debate that used all its rounds, or all that it may take."""


class RoundTally:
    """Counts the rounds of one sitting, knows what was said and cast in them, and what it comes to."""

    def __init__(self, debate: Debate, subject: Subject, turns: Turns) -> None:
        self.aspects = subject.aspects
        self.purse = debate.purse
        """Tokens, money and time that the debate may still use."""
        self.round = 0
        """The round that is being held; 0 before the first."""
        self.rehearsal = debate.settings.rehearsal
        """True in a rehearsal: then nothing is measured, loaded or written."""
        self.last_round = False
        """True in the last round, by the strategy's rounds or by the debate's limits.

        A stop rule may make another one the last; that is known when its ballots are cast (`stopped`).
        """
        self.stop: StopRule | None = None
        """The stop rule of the rounds that are being held, or were last."""
        self.lost: list[Lost] = []
        """Agents that the debate went on without."""
        self._debate, self._bus, self._subject, self._turns = debate, debate.bus, subject, turns
        self._roles: dict[str, Seats] = {}

    def rounds(self, limit: int, *, stop: StopRule | None = None) -> Iterator[int]:
        """Count rounds from 1 to `limit`; what is asked meanwhile belongs to them.

        There are fewer where the debate may not take enough for all of them, where all of a panel are lost, and where `stop`, which
        sees the ballots so far after each round, says that the debate ends: then the verdict says why. Raises StrategyError where
        there is a stop rule and no agent casts a ballot in a round.
        """
        self.stop = stop
        end = self.round + limit
        for number in range(self.round + 1, end + 1):
            if number > 1 and not self.purse.has_room(1) and self.ballots:
                self.purse.shorten(FEWER_ROUNDS)
                return
            self.last_round = number == end or not self.purse.has_room(2)
            self.purse.begin_round()
            self.round = number
            yield number
            if self._ends_here():
                return
            if self.last_round and number < end:
                self.purse.shorten(FEWER_ROUNDS)
                return

    @property
    def stopped(self) -> str:
        """Return the stop rule's reason to end the debate, by the ballots so far; empty where it goes on.

        A rehearsal uses all rounds: it shows the most that a debate takes.
        """
        if self.stop is None or self.rehearsal:
            return ""
        cast = ballots_by_round(self.ballots, self.lost)
        return (self.stop(cast, StopContext(self.aspects)) or "") if cast else ""

    def _ends_here(self) -> bool:
        """Tell whether the round that was held is the last one: the panel is empty, or the stop rule says so."""
        lost = {one.agent for one in self.lost}
        if any(
            lost.issuperset(seat.name for seat in seats) for seats in self._roles.values() if len(seats) > 1
        ):
            return True
        if self.stop is None:
            return False
        if not (self.lost or any(cast.round == self.round for cast in self.ballots)):
            raise StrategyError(
                f"a stop rule looks at the ballots of every round, and none was cast in round {self.round}: ask for "
                "ballots in every round (GroupTalk.wanted does), or hold the rounds without a stop rule"
            )
        return bool(self.stopped)

    @property
    def tokens(self) -> int:
        """Tokens that the debate has taken so far, in all its sittings."""
        return self._debate.ledger.total.tokens

    @property
    def talk(self) -> tuple[Reply, ...]:
        """Replies of this sitting's cast so far, in order.

        What somebody only carried from one to another is left out, and what came too late.
        """
        return tuple([reply for seat, reply in self._turns.said if not seat.plan.carries])

    @property
    def ballots(self) -> tuple[CastBallot, ...]:
        """Every ballot that this sitting's cast has cast so far, in order."""
        return tuple([cast for said in self.talk for cast in said.carried])

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
        found = of_ratings(deciding.ballot.ratings, self.aspects, settled=settled, merge=merge)
        return self._stands(replace(found, deciding=deciding.seq), ended)

    def merged(
        self,
        cast: Carriers,
        how: Merge | MergeFunction = "average",
        *,
        by: By = "scores",
        weights: Sequence[float] | None = None,
        quorum: int = 1,
        ended: str = ROUND_LIMIT,
    ) -> Verdict:
        """The verdict that merges one ballot of each agent (see ballots/merge.py); None stands for a missing one.

        `how` names a merge, is a table of its name, under `rule`, and its options, or merges by itself: a function of the ballots and
        their context that gives one rating for each of `context.columns(ballots)`. Where texts are compared, the winner is
        the one with the best merged scores, or, by votes, the one that most ballots put first, each vote counting what its
        ballot weighs. It is settled where all ballots come to the same. Raises TooFewBallots below the quorum, which says who
        was lost and why, MergeFailed where the merge does not give a rating, and StrategyError for weights that are none, and
        for ballots that do not rate the same things.
        """
        given = [cast_ballot(said) for said in cast]
        ballots = [one.ballot if one else None for one in given]
        agents = tuple(one.agent if one else "" for one in given)
        rule = Rule(getattr(how, "__name__", "own merge"), how) if callable(how) else rule_of(how)
        context = MergeContext(aspects=self.aspects, agents=agents, rounds=self.round)
        try:
            found = of_ballots(ballots, context, rule, by=by, weights=weights, quorum=quorum)
        except UsageError as error:  # of the ballots of this debate, which ends no other one
            raise StrategyError(f"the ballots cannot be merged: {error}") from error
        except TooFewBallots as error:
            gone = "".join(f"; {lost.agent} ({lost.error}): {lost.reason}" for lost in self.lost)
            raise TooFewBallots(f"{error}{gone}") from error
        counted = found.by == "votes" or rule.weights != "unused"
        shares = weighed(self.ballots, given, weights) if weights and counted else None
        return self._stands(found, ended, shares)

    def sampled(self, samples: Samples, *, ended: str = "one opinion") -> Verdict:
        """The verdict that takes the mean of several samples of one judgement, each rating over those that have it."""
        return self._stands(of_samples(samples, self.aspects), ended)

    def computed(self, ratings: Sequence[Rating], *, how: str) -> Verdict:
        """The verdict of computed scores: `how` says what computed them."""
        return self._stands(of_ratings(ratings, self.aspects, settled=True, merge=how), "computed")

    def abstained(self, why: str) -> Verdict:
        """The verdict of a debate that declines to judge: it has no ratings, and counts neither as a score nor as a failure.

        `why` says in a sentence what kept it from judging: "the judges are not sure enough". Raises StrategyError where it does not.
        """
        if not (isinstance(why, str) and why.strip()):
            raise StrategyError(
                f"floor.abstained({why!r}): say in a sentence why the debate declines to judge"
            )
        found = of_ratings((), self.aspects, settled=False, merge="none")
        return self._stands(replace(found, abstained=why), "abstained")

    def combined(self, verdicts: Sequence[Verdict], *, how: str, missing: int = 0) -> Verdict:
        """The verdict over several sittings: the mean of their scores, each added back to the text that it is of.

        Where the sittings chose their winners by votes, the winner is the one that most of them chose.
        `how` names what was done, `missing` counts sittings that came to no verdict. Raises TooFewBallots where none did. A
        sitting that abstained is missing too; where all of them did, so does the whole.
        """
        found = of_sittings(verdicts, self.aspects, how, missing)
        ended = ", ".join(dict.fromkeys(verdict.ended for verdict in verdicts))
        return replace(
            self._stands(found, ended, [cast for verdict in verdicts for cast in verdict.ballots]),
            rounds=max(verdict.rounds for verdict in verdicts),
            models=tuple(dict.fromkeys(model for verdict in verdicts for model in verdict.models)),
            lost=tuple(lost for verdict in verdicts for lost in verdict.lost),
        )

    def _stands(self, found: Verdict, ended: str, ballots: Sequence[CastBallot] | None = None) -> Verdict:
        """The verdict with how the debate stands: what ended it, its ballots, and what it took."""
        return replace(
            found,
            round=self.round,
            ended=(self.purse.ended or self.stopped or ended) if ended == ROUND_LIMIT else ended,
            rounds=self.round,
            curtailed=self.purse.curtailed,
            lost=tuple(self.lost),
            ballots=tuple(self.ballots if ballots is None else ballots),
            usage=self._debate.ledger.entries(),
            models=tuple(dict.fromkeys(reply.model for _, reply in self._turns.said)),
            unsent=self._unsent(),
        )

    def _unsent(self) -> tuple[str, ...]:
        """List what was asked of this debate's models and not sent, as far as they say so."""
        asked = (seat for seat in self._debate.cast.seats if not seat.plan.relay)
        told = (f"{seat.model.name}: {one}" for seat in asked for one in unsent(seat.model, seat.sampling))
        return tuple(dict.fromkeys(told))
