"""The tie-breaker around a debate (DEBATE, Appendix C.3)."""

import pytest
from engine_cases import ANN, OBJECTION, Played, end, hold, said, scoring

from agentdebate.errors import StrategyError
from agentdebate.strategies.load import strategy
from agentdebate.strategies.tie_breaker import TieBreaker
from agentdebate.talk.messages import Ask, Critique, Reply, Score
from agentdebate.testing import replying, transcript_memories

STUBBORN = {"scorer": scoring(4), "critic": OBJECTION, "tie-breaker": scoring(2, "The critic is right.")}


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


def test_a_role_that_is_taken_inside_is_an_error() -> None:
    chosen = TieBreaker(around=Played(play=end, cast={"tie-breaker": (ANN,)}))
    with pytest.raises(StrategyError, match="has a role 'tie-breaker' too"):
        chosen.seats()
