"""DEBATE as the paper has it: Algorithm 1 and Appendix B.1, step by step."""

from collections.abc import Sequence

import pytest
from engine_cases import NO_ISSUE, OBJECTION, TASKS, hold, said, scoring

from agentdebate.debates.record import Record
from agentdebate.models.base import Model
from agentdebate.models.scripted import Scripted
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from agentdebate.strategies.load import strategy
from agentdebate.talk.messages import Ask, Brief, Critique, Message, Reply, Score, Statement
from agentdebate.testing import replying, transcript_memories

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


async def test_agreement_at_once_takes_two_calls_and_one_round() -> None:
    record = await hold("debate", script([4], [NO_ISSUE]))
    assert turns(record) == OPENING + agreed(1)
    assert [call.agent for call in record.calls] == ["scorer", "critic"]
    verdict = record.verdict
    assert verdict is not None
    assert (verdict.score, verdict.settled, verdict.ended, verdict.rounds) == (4.0, True, "agreement", 1)
    assert verdict.merge == "last score"


async def test_agreement_in_the_second_round_lets_the_revised_score_stand() -> None:
    record = await hold("debate", script([4, 2], [OBJECTION, NO_ISSUE]))
    assert turns(record) == OPENING + objected(1) + agreed(2)
    verdict = record.verdict
    assert verdict is not None
    assert (verdict.score, verdict.settled, verdict.rounds) == (2.0, True, 2)
    assert [cast.ballot.scores["fluency"] for cast in verdict.ballots] == [4.0, 2.0]


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


async def test_four_rounds_are_the_papers_default() -> None:
    record = await hold("debate", replying({"scorer": scoring(3), "critic": OBJECTION}))
    assert record.verdict is not None
    assert (record.verdict.rounds, len(record.calls)) == (4, 9)


async def test_the_critic_is_shown_the_score_as_it_was_revised() -> None:
    model = script([5, 3, 2], [OBJECTION, "The first sentence is too long, and 3 hides it.", NO_ISSUE])
    await hold("debate", model)
    shown = [r.messages[-1].content for r in model.requests if r.context and r.context.agent == "critic"]
    latest = [max((text.rfind(f"Fluency: {n}"), n) for n in (5, 3, 2))[1] for text in shown]
    assert latest == [5, 3, 2]
    revising = [r.messages[-1].content for r in model.requests if r.context and r.context.purpose == "revise"]
    assert OBJECTION in revising[0]
    assert "3 hides it" in revising[1]


@pytest.mark.parametrize("commander", ["relay", "model"])
async def test_scorer_and_critic_never_hear_each_other(commander: str) -> None:
    """Their memories hold the brief, what they said themselves, and what the commander passed on."""
    words: Model = replying({"commander": "I pass it on.", "scorer": scoring(3), "critic": OBJECTION})
    record = await hold(strategy("debate", commander=commander), words)
    senders = {message.seq: message.sender for message in record.transcript}
    for agent, numbers in transcript_memories(record.transcript).items():
        heard = {senders[number] for number in numbers} - {agent}
        assert heard <= ({"floor", "scorer", "critic"} if agent == "commander" else {"floor", "commander"})


async def test_the_relay_passes_on_word_for_word_what_it_heard_last() -> None:
    record = await hold("debate", script([4, 2], [OBJECTION, NO_ISSUE]))
    opening, *carried = said(record, "statement")
    judged = [message for message in record.transcript if isinstance(message, Score | Critique)]
    assert isinstance(opening, Statement)
    assert opening.text.startswith("Please score the text on fluency.")
    for statement, message in zip(carried, judged[:3], strict=True):
        assert isinstance(statement, Statement)
        assert statement.text == message.text


async def test_a_commander_with_a_model_makes_calls_of_its_own() -> None:
    model = replying({"commander": "I pass it on.", "scorer": scoring(3), "critic": OBJECTION})
    chosen = strategy("debate", rounds=2, commander="model")
    record = await hold(chosen, model)
    assert turns(record) == OPENING + objected(1) + objected(2)
    assert [call.agent for call in record.calls] == [sender for sender, _, _ in turns(record)]
    assert len(record.calls) == 2 + 4 * 2
    (first, *_) = [r.messages[-1].content for r in (call.request for call in record.calls)]
    assert "Put the task to the Scorer" in first


async def test_a_stop_word_within_a_sentence_is_asked_about_once_and_is_an_objection_then() -> None:
    record = await hold("debate", script([4, 3], ["I cannot say NO ISSUE here."] * 2 + [NO_ISSUE]))
    assert turns(record) == OPENING + objected(1) + agreed(2)
    first, second = said(record, "critique")
    assert isinstance(first, Critique)
    assert isinstance(second, Critique)
    assert (first.no_issue, first.reading) == (False, "unclear")
    assert (second.no_issue, second.reading) == (True, "clear")


async def test_a_stop_word_that_is_a_sentence_of_its_own_agrees_whatever_follows() -> None:
    record = await hold("debate", script([4], ["NO ISSUE. The dates could be given, too."]))
    assert turns(record) == OPENING + agreed(1)


async def test_by_the_paper_s_search_the_words_agree_anywhere() -> None:
    record = await hold(DevilsAdvocate(agreement="literal"), script([4], ["I cannot say NO ISSUE here."]))
    assert turns(record) == OPENING + agreed(1)


async def test_everyone_is_shown_the_same_brief_first() -> None:
    record = await hold("debate", script([4], [NO_ISSUE]))
    brief = record.transcript[0]
    assert isinstance(brief, Brief)
    assert (brief.to, brief.task, brief.aspects) == (("commander", "scorer", "critic"), "text", ("fluency",))
    assert TASKS["text"].brief in brief.text


async def test_messages_carry_a_sequence_without_gaps_and_times_that_do_not_go_back() -> None:
    record = await hold("debate", script([4, 2], [OBJECTION, NO_ISSUE]))
    transcript: tuple[Message, ...] = record.transcript
    assert [m.seq for m in transcript] == list(range(1, len(transcript) + 1))
    assert all(m.time > 0 for m in transcript)


def test_at_least_one_round_is_held() -> None:
    with pytest.raises(ValueError, match="greater than or equal to 1"):
        DevilsAdvocate(rounds=0)
