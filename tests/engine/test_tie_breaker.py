"""The tie-breaker around a debate (DEBATE, Appendix C.3)."""

from dataclasses import replace

import pytest
from engine_cases import ANN, NO_ISSUE, OBJECTION, Played, end, hold, said, scoring

from agentdebate.errors import StrategyError
from agentdebate.models.scripted import Scripted
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from agentdebate.strategies.load import strategy
from agentdebate.strategies.tie_breaker import TieBreaker
from agentdebate.talk.messages import Ask, Critique, Reply, Ruling, Score
from agentdebate.testing import replying, transcript_memories

STUBBORN = {"scorer": scoring(4), "critic": OBJECTION, "tie-breaker": scoring(2, "The critic is right.")}


async def test_the_ruling_is_the_verdict_where_there_is_no_agreement() -> None:
    record = await hold("debate-tiebreaker", replying(STUBBORN))
    verdict = record.verdict
    assert verdict is not None
    assert (verdict.score, verdict.settled, verdict.ended, verdict.merge) == (2.0, False, "ruling", "ruling")
    assert (verdict.rounds, len(record.calls)) == (4, 10)
    (ruling,) = said(record, "ruling")
    assert isinstance(ruling, Ruling)
    assert (verdict.ballots[-1].agent, verdict.ballots[-1].message) == ("tie-breaker", ruling.seq)


async def test_nobody_rules_where_there_is_agreement() -> None:
    model = Scripted({"scorer": [scoring(4), scoring(3)], "critic": [OBJECTION, NO_ISSUE]})
    record = await hold("debate-tiebreaker", model)
    assert record.verdict is not None
    assert (record.verdict.score, record.verdict.settled, record.verdict.ended) == (3.0, True, "agreement")
    assert {call.agent for call in record.calls} == {"scorer", "critic"}


@pytest.mark.parametrize("commander", ["relay", "model"])
async def test_the_tie_breaker_hears_every_score_and_critique_in_order(commander: str) -> None:
    """Once each: what the commander passed on is not repeated, and what it says to the scorer is not for the tie-breaker."""
    words = {**STUBBORN, "commander": "I pass it on."}
    record = await hold(strategy("debate-tiebreaker", rounds=3, commander=commander), replying(words))
    ask = said(record, "ask")[-1]
    assert isinstance(ask, Ask)
    assert (ask.to, ask.purpose) == (("tie-breaker",), "rule")
    spoken = [m for m in record.transcript[: ask.seq] if isinstance(m, Reply) and m.model]
    judged = [m.seq for m in spoken if isinstance(m, Score | Critique)]
    assert len(judged) == 1 + 2 * 3
    assert list(ask.hearing) == judged
    assert ("commander" in {m.sender for m in spoken}) == (commander == "model")
    ruling = record.transcript[-2].seq
    assert transcript_memories(record.transcript)["tie-breaker"] == (1, *ask.hearing, ruling)


async def test_options_go_through_the_wrapper_to_the_debate_inside() -> None:
    chosen = strategy("debate-tiebreaker", rounds=2)
    assert isinstance(chosen, TieBreaker)
    assert isinstance(chosen.around, DevilsAdvocate)
    record = await hold(chosen, replying(STUBBORN))
    assert record.verdict is not None
    assert (record.verdict.rounds, len(record.calls), record.strategy) == (2, 6, "debate-tiebreaker")


async def test_it_goes_around_any_strategy() -> None:
    async def play(floor: object) -> object:
        verdict = await end(floor)  # type: ignore[arg-type]
        return replace(verdict, settled=False)

    chosen = TieBreaker(around=Played(play=play))
    record = await hold(chosen, replying({"score": scoring(4), "rule": scoring(1)}))
    assert record.verdict is not None
    assert (record.verdict.score, record.strategy) == (1.0, "TieBreaker")


def test_a_role_that_is_taken_inside_is_an_error() -> None:
    chosen = TieBreaker(around=Played(play=end, cast={"tie-breaker": (ANN,)}))
    with pytest.raises(StrategyError, match="has a role 'tie-breaker' too"):
        chosen.seats()
