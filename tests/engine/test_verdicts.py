"""What ballots come to, how a verdict says which of them it rests on, how debates end, and debates that abstain."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from engine_cases import ANN, OVERALL, hold, scoring

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge import MergeContext, rule_of
from agentdebate.debates.outcome import ABSTAINED, CURTAILED, FAILURE, VERDICT, outcome_of
from agentdebate.errors import StrategyError
from agentdebate.strategies.base import Cards, Strategy
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.repetition import Repeated
from agentdebate.strategies.verdicts import cast_ballot, of_ballots, of_sittings, weighed
from agentdebate.talk.envelope import message_in, message_line
from agentdebate.talk.messages import FLOOR, CastBallot, Critique, Poll, Samples, Score, Verdict
from agentdebate.talk.purposes import SCORE
from agentdebate.testing import replying


def ballot(score: float, reason: str = "") -> Ballot:
    return Ballot(ratings=(Rating(aspect="fluency", score=score),), reason=reason)


def score(seq: int, sender: str, value: float) -> Score:
    return Score(
        seq=seq, sender=sender, to=(FLOOR,), answers=seq - 1, text="x", model="m", ballot=ballot(value)
    )


def cast_in(said: Sequence[Score | Poll]) -> tuple[CastBallot, ...]:
    return tuple(cast for one in said for cast in one.carried)


def test_a_weight_stays_with_its_ballot_where_two_agents_said_the_same_word_for_word() -> None:
    """Told apart by the message, and not by which object it is: copies do as well."""
    said = [score(2, "ann", 4), score(4, "ben", 4)]
    copies = [replace(one) for one in reversed(said)]
    shares = weighed(cast_in(said), cast_in(copies), [0.25, 0.75])
    assert [(cast.agent, cast.weight) for cast in shares] == [("ann", 0.75), ("ben", 0.25)]


def test_what_carries_no_single_ballot_cannot_be_merged() -> None:
    about: dict[str, Any] = {
        "seq": 7,
        "sender": "ann",
        "to": (FLOOR,),
        "answers": 6,
        "text": "x",
        "model": "m",
    }
    with pytest.raises(StrategyError, match="message 7, a critique of ann, carries 0 ballots"):
        cast_ballot(Critique(**about, no_issue=True))
    with pytest.raises(StrategyError, match="a samples of ann, carries 2 ballots"):
        cast_ballot(Samples(**about, ballots=(ballot(1), ballot(2)), asked=2))
    assert cast_ballot(None) is None


def candidates(first: float, second: float) -> Ballot:
    fields = {"answer_1": first, "answer_2": second}
    return Ballot(
        ratings=tuple(Rating(aspect="overall", candidate=name, score=value) for name, value in fields.items())
    )


def test_a_winner_by_votes_says_so_and_is_counted_so_over_several_sittings() -> None:
    """Whatever the words for it are."""
    ballots = [candidates(9, 1), candidates(4, 5), candidates(4, 5)]
    by_votes = of_ballots(ballots, MergeContext(aspects=(OVERALL,)), rule_of("average"), by="votes")
    by_scores = of_ballots(ballots, MergeContext(aspects=(OVERALL,)), rule_of("average"))
    assert (by_votes.by, by_votes.winners) == ("votes", ("answer_2",))
    assert (by_scores.by, by_scores.winners) == ("scores", ("answer_1",))
    verdicts = [replace(by_votes, merge="otherwise named"), by_votes]
    together = of_sittings(verdicts, [OVERALL], "samples", 0)
    assert (together.by, together.winners, together.merge) == ("votes", ("answer_2",), "samples, votes")
    mixed = of_sittings([*verdicts, replace(by_scores, merge="votes")], [OVERALL], "samples", 0)
    assert (mixed.by, mixed.winners, mixed.merge) == ("scores", ("answer_1",), "samples")


WHY = "the judge is not sure enough"


class Hesitant(Strategy):
    """One judge, whose verdict is given only where its first score is high."""

    at_least: float = 3
    cast: Mapping[str, Cards] = {"scorer": (ANN,)}

    async def debate(self, floor: Floor) -> Verdict:
        score = await floor.ask(floor.one("scorer"), SCORE)
        if score.ballot.ratings[0].score < self.at_least:
            return floor.abstained(WHY)
        return floor.verdict(score, settled=True, ended="one opinion")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"failure": None}, VERDICT),
        ({"failure": None, "curtailed": "fewer rounds"}, CURTAILED),
        ({"failure": {"error": "TurnTimeout"}, "curtailed": ""}, FAILURE),
        ({"failure": None, "outcome": ""}, VERDICT),
        ({"failure": None, "outcome": "abstained"}, ABSTAINED),
        ({"failure": None, "curtailed": "fewer rounds", "outcome": "verdict"}, VERDICT),
    ],
)
def test_a_row_says_how_its_debate_ended_and_one_of_an_earlier_version_is_read_as_it_was(
    row: dict[str, Any], expected: object
) -> None:
    assert outcome_of(row) is expected


async def test_a_verdict_that_abstains_says_why_and_what_it_cost_and_has_no_score() -> None:
    record = await hold(Hesitant(), replying(scoring(1)))
    verdict = record.verdict
    assert verdict is not None
    assert (verdict.abstained, verdict.ratings) == (WHY, ())
    assert (verdict.settled, verdict.ended) == (False, "abstained")
    assert [cast.ballot.ratings[0].score for cast in verdict.ballots] == [1]
    assert verdict.usage
    assert message_in(message_line(verdict)) == verdict
    with pytest.raises(ValueError, match="since it abstained: "):
        _ = verdict.score


async def test_samples_that_abstain_are_missing_and_where_all_do_so_does_the_whole() -> None:
    replies = iter([scoring(4), scoring(1), scoring(5)])
    record = await hold(Repeated(around=Hesitant(), samples=3), replying(lambda _: next(replies)))
    verdict = record.verdict
    assert verdict is not None, record.failure
    assert (verdict.score, verdict.missing, verdict.agreed, verdict.settled) == (4.5, 1, False, False)
    assert (record.outcome, len(verdict.ballots)) == (VERDICT, 3)
    record = await hold(Repeated(around=Hesitant(), samples=3), replying(scoring(1)))
    assert record.verdict is not None, record.failure
    assert (record.outcome, record.verdict.abstained, record.verdict.ratings) == (ABSTAINED, WHY, ())
    assert len(record.verdict.ballots) == 3
