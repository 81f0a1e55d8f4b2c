"""DEBATE as the paper has it: Algorithm 1 and Appendix B.1, step by step."""

from collections.abc import Sequence

import pytest
from engine_cases import OBJECTION, hold, scoring

from agentdebate.debates.record import Record
from agentdebate.models.scripted import Scripted
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from agentdebate.strategies.load import strategy
from agentdebate.talk.messages import Ask, Reply

Turn = tuple[str, str, int]


def turns(record: Record) -> list[Turn]:
    """Who was asked for what in which round, in order; each was answered before the next."""
    transcript = record.transcript
    assert [m.kind for m in transcript[:1]] == ["brief"]
    pairs = list(zip(transcript[1:-1:2], transcript[2:-1:2], strict=True))
    found = []
    for ask, reply in pairs:
        assert isinstance(ask, Ask)
        assert isinstance(reply, Reply)
        assert (reply.answers, reply.sender, reply.round) == (ask.seq, ask.to[0], ask.round)
        found.append((reply.sender, ask.purpose, ask.round))
    return found


def script(scores: Sequence[float], critiques: Sequence[str]) -> Scripted:
    return Scripted({"scorer": map(scoring, scores), "critic": critiques})


OPENING: list[Turn] = [("commander", "open", 0), ("scorer", "score", 0)]


def objected(round_: int) -> list[Turn]:
    """Lines 6, 7, 11 and 12 of the algorithm."""
    return [
        ("commander", "forward", round_),
        ("critic", "criticise", round_),
        ("commander", "forward", round_),
        ("scorer", "revise", round_),
    ]


def agreed(round_: int) -> list[Turn]:
    """Lines 6 to 9."""
    return [("commander", "forward", round_), ("critic", "criticise", round_)]


@pytest.mark.parametrize("rounds", [1, 2, 4])
async def test_without_agreement_the_last_score_stands_after_n_rounds(rounds: int) -> None:
    """The last objection is still answered (Algorithm 1: the scorer revises in the n-th iteration too)."""
    scores = [5, 4, 3, 2, 1][: rounds + 1]
    chosen = strategy("debate", rounds=rounds)
    record = await hold(chosen, script(scores, [OBJECTION] * rounds))
    assert turns(record) == OPENING + [turn for number in range(1, rounds + 1) for turn in objected(number)]
    assert len(record.calls) == 1 + 2 * rounds
    verdict = record.verdict
    assert verdict is not None
    assert (verdict.score, verdict.settled, verdict.ended) == (scores[-1], False, "round limit")
    assert verdict.rounds == rounds


async def test_by_the_paper_s_search_the_words_agree_anywhere() -> None:
    record = await hold(DevilsAdvocate(agreement="literal"), script([4], ["I cannot say NO ISSUE here."]))
    assert turns(record) == OPENING + agreed(1)
