"""What ballots come to, and how a verdict says which of them it rests on."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import anyio
import pytest
from engine_cases import OVERALL, end, hold, said, scoring

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge import MergeContext, rule_of
from agentdebate.errors import StrategyError, TurnTimeout
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.verdicts import cast_ballot, of_ballots, of_sittings, weighed
from agentdebate.talk.envelope import message_in, message_line
from agentdebate.talk.messages import FLOOR, CastBallot, Critique, Poll, Samples, Score, Verdict
from agentdebate.talk.purposes import SCORE, VOTE
from agentdebate.testing import replying, run_jumping


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


async def test_a_verdict_by_one_ballot_names_its_message_and_a_merge_names_none() -> None:
    async def everyone(floor: Floor) -> Verdict:
        return floor.merged(await floor.ask_all(floor.cast("debaters"), VOTE))

    one = (await hold(end, replying(scoring(4)))).verdict
    several = (await hold(everyone, replying(scoring(4)))).verdict
    assert one is not None
    assert several is not None
    assert [cast.message for cast in one.ballots] == [one.deciding]
    assert (several.deciding, len(several.ballots)) == (None, 3)
    assert message_in(message_line(one)) == one


def test_who_is_late_has_cast_no_ballot_even_where_the_words_still_come() -> None:
    """They are in the transcript. The agent may be asked again, and answers that."""

    async def late_at_first(request: ModelRequest) -> str:
        assert request.context
        await anyio.sleep(15 if not request.context.heard else 1)
        return scoring(2 if not request.context.heard else 4)

    async def play(floor: Floor) -> Verdict:
        ann = floor.cast("debaters")[0]
        with pytest.raises(TurnTimeout):
            await floor.ask(ann, SCORE)
        return floor.merged([await floor.ask(ann, SCORE)])

    record = run_jumping(hold(play, Function("late", late_at_first), deadline=10))
    assert record.verdict is not None
    assert [message.seq for message in said(record, "score")] == [4, 5]
    assert [(cast.message, cast.ballot.ratings[0].score) for cast in record.verdict.ballots] == [(5, 4.0)]
