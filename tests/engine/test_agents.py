"""Agents: what they remember, what their models are shown, and what happens to replies that cannot be used."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import pytest
from engine_cases import (
    ANN,
    BEN,
    FLUENCY,
    ITEM,
    NO_ISSUE,
    OBJECTION,
    UNREADABLE,
    Played,
    card,
    end,
    hold,
    said,
    scoring,
)  # fmt: skip

from agentdebate.agents.memory import Memory
from agentdebate.agents.seat import SeatPlan
from agentdebate.ballots.sheet import ballot_schema
from agentdebate.errors import UnreadableReply
from agentdebate.models.base import Completion, Finish, ModelRequest, Sampling
from agentdebate.models.function import Function
from agentdebate.models.scripted import Scripted
from agentdebate.strategies.base import Cards, Strategy
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Critique, Score, Statement, Verdict
from agentdebate.talk.purposes import CRITICISE, FORWARD, RULE, SCORE, SUMMARISE
from agentdebate.testing import replying, transcript_memories


def statement(seq: int) -> Statement:
    return Statement(seq=seq, sender="ann", to=(), answers=0, text="x")


def test_a_memory_holds_a_message_once_where_it_was_first_heard() -> None:
    memory = Memory()
    for seq in (4, 2, 4, 3):
        memory.keep(statement(seq))
    assert memory.numbers == (4, 2, 3)


async def test_an_agent_is_shown_the_brief_and_what_it_heard_and_said() -> None:
    async def play(floor: Floor) -> Verdict:
        ann, ben, _ = floor.cast("debaters")
        first = await floor.ask(ann)
        await floor.tell(first, to=ben)
        await floor.ask(ben, hearing=[first])
        await floor.ask(ben)
        return await end(floor)

    record = await hold(
        play, replying({"speak": lambda r: f"I am {r.context.agent if r.context else ''}", "score": "4"})
    )
    again = record.calls[2].request.messages[-1].content
    assert again.count("Ann:\n~~~~\nI am ann\n") == 1
    assert again.index("Ann:\n~~~~\nI am ann") < again.index("Ben:\n~~~~\nI am ben")
    assert record.calls[0].request.messages[-1].content.count("I am") == 0


async def test_what_a_call_was_shown_is_the_agents_memory_at_that_time() -> None:
    async def play(floor: Floor) -> Verdict:
        ann, ben, cat = floor.cast("debaters")
        one = await floor.ask(ann)
        two = await floor.ask(ben, hearing=[one])
        await floor.tell([two, one], to=[ann, cat])
        await floor.ask(cat)
        return await end(floor)

    record = await hold(play, replying({"speak": "x", "score": "4"}))
    assert [(call.agent, call.shown) for call in record.calls] == [
        ("ann", (1,)),
        ("ben", (1, 3)),
        ("cat", (1, 5, 3)),
        ("ann", (1, 5, 3)),
    ], "in the order in which they were told"
    for call in record.calls:
        assert transcript_memories(record.transcript[: call.ask])[call.agent] == call.shown


async def test_a_reply_that_cannot_be_read_is_asked_for_again_with_what_was_wrong() -> None:
    record = await hold(end, Scripted([UNREADABLE, scoring(9), scoring(4)]))
    first, second, third = record.calls
    assert [call.attempt for call in record.calls] == [1, 2, 3]
    assert [(m.role, m.content) for m in second.request.messages[: len(first.request.messages)]] == [
        (m.role, m.content) for m in first.request.messages
    ]
    reply, problem = second.request.messages[-2:]
    assert (reply.role, reply.content) == ("assistant", UNREADABLE)
    assert problem.role == "user"
    assert "no score for fluency (1 to 5)" in problem.content
    assert "not on its scale" in third.request.messages[-1].content
    assert third.request.messages[:-2] == first.request.messages, (
        "the third try has one question back, not two"
    )
    assert (first.shown, second.shown) == (third.shown, third.shown)
    assert record.verdict is not None
    reading = record.verdict.ballots[0].ballot.reading
    assert (reading.attempts, len(reading.problems)) == (3, 2)
    assert "no score" in reading.problems[0]


LOOP = "Fluent it is. " + "The summary is as fluent as the source, and the source is fluent. " * 12


async def test_a_reply_that_repeats_itself_is_left_out_of_the_question_back_and_asked_for_at_a_higher_temperature() -> (
    None
):
    scripted = Scripted([LOOP, LOOP, scoring(4)])
    record = await hold(end, scripted, sampling=Sampling(temperature=0))
    first, second, third = (call.request for call in record.calls)
    assert [r.sampling.temperature for r in (first, second, third)] == [0, 0.4, 0.8]
    assert [len(r.messages) for r in (first, second, third)] == [len(first.messages)] * 3
    for again in (second, third):
        assert "as fluent as the source" not in again.messages[-1].content
        assert again.messages[-1].content.startswith(first.messages[-1].content)
        assert "again and again" in again.messages[-1].content
    assert len({r.key() for r in (first, second, third)}) == 3
    assert record.verdict is not None
    reading = record.verdict.ballots[0].ballot.reading
    assert reading.attempts == 3
    assert all("It repeats itself" in problem for problem in reading.problems)


async def test_a_reply_that_was_cut_at_its_longest_is_left_out_of_the_question_back() -> None:
    """A model at a temperature of 0 that sees its long reply writes it once more."""
    said: list[tuple[str, Finish]] = [("A long reply that comes to no", "length"), (scoring(4), "stop")]
    replies = iter(said)

    async def answer(request: ModelRequest) -> Completion:
        text, finish = next(replies)
        return Completion(text=text, model="m", finish=finish)

    record = await hold(end, Function("cut", answer), sampling=Sampling(temperature=0))
    first, second = (call.request for call in record.calls)
    assert len(second.messages) == len(first.messages)
    assert second.messages[-1].content.startswith(first.messages[-1].content)
    assert "was cut off" in second.messages[-1].content
    assert "A long reply" not in second.messages[-1].content
    assert second.sampling == first.sampling
    assert record.verdict is not None
    reading = record.verdict.ballots[0].ballot.reading
    assert reading.attempts == 2
    assert "cut off" in reading.problems[0]


@pytest.mark.parametrize("patience", [1, 3])
async def test_patience_ends_in_a_failure_that_names_the_agent(patience: int) -> None:
    record = await hold(end, replying(UNREADABLE), patience=patience)
    assert (record.verdict, len(record.calls)) == (None, patience)
    assert record.failure is not None
    assert (record.failure.error, record.failure.agent) == ("UnreadableReply", "ann")
    assert isinstance(record.error, UnreadableReply)
    assert len(record.error.problems) == patience
    assert f"{patience} replies could not be read" in record.failure.reason


async def criticised(model: Scripted, patience: int = 3) -> tuple[Critique, int]:
    async def play(floor: Floor) -> Verdict:
        await floor.ask(floor.cast("debaters")[1], CRITICISE)
        return await end(floor)

    record = await hold(play, model, patience=patience)
    assert record.verdict, record.failure
    (critique,) = said(record, "critique")
    assert isinstance(critique, Critique)
    return critique, sum(call.agent == "ben" for call in record.calls)


QUOTED = 'The form asks for "NO ISSUE".'


async def test_a_critic_that_only_quotes_the_stop_word_is_asked_and_counts_as_objecting_if_it_keeps_to_that() -> (
    None
):
    model = Scripted([*[QUOTED] * 2, scoring(4)])
    critique, calls = await criticised(model)
    assert (critique.no_issue, critique.reading, calls) == (False, "unclear", 2)
    assert "does not say whether the score may stand" in model.requests[1].messages[-1].content


CUT_CRITIQUES = ["NO ISSUE", "The score is fine. NO ISSUE", "The dates are wrong, and the order of the"]
LOOPING = ["NO ISSUE\n" * 40, "The dates are wrong. " * 20, LOOP]


@pytest.mark.parametrize(
    ("text", "finish"),
    [*((text, "length") for text in CUT_CRITIQUES), *((text, "stop") for text in LOOPING)],
)
async def test_a_critique_that_was_cut_or_loops_is_asked_for_again_and_then_unreadable(
    text: str, finish: Literal["length", "stop"]
) -> None:
    broken = Completion(text=text, model="m", finish=finish)
    critique, calls = await criticised(Scripted([broken, OBJECTION, scoring(4)]))
    assert (critique.no_issue, critique.text, calls) == (False, OBJECTION, 2)

    async def play(floor: Floor) -> Verdict:
        await floor.ask(floor.cast("debaters")[1], CRITICISE)
        return await end(floor)

    record = await hold(play, Scripted([broken] * 3))
    assert record.verdict is None
    assert record.failure is not None
    assert record.failure.error == "UnreadableReply"


async def criticised_twice(critic: Callable[[ModelRequest], str]) -> tuple[list[str], int]:
    """What ben says of ann's score and, having heard it, of it again; and how often he was asked."""

    async def play(floor: Floor) -> Verdict:
        ann, ben, _ = floor.cast("debaters")
        score = await floor.ask(ann, SCORE)
        for _ in range(2):
            await floor.ask(ben, CRITICISE, hearing=[score])
        return floor.verdict(score, settled=False, ended="round limit")

    record = await hold(play, replying({"score": scoring(4), "criticise": critic}))
    assert record.verdict, record.failure
    critiques = [one.text for one in said(record, "critique") if isinstance(one, Critique)]
    return critiques, sum(call.agent == "ben" for call in record.calls)


PIECES = {"all of it": slice(None), "its end": slice(-500, None), "its middle": slice(40, -200)}


@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
async def test_a_critique_that_is_a_piece_of_the_prompt_is_asked_for_again(piece: slice) -> None:
    asked: list[ModelRequest] = []

    def critic(request: ModelRequest) -> str:
        asked.append(request)
        prompt = "\n\n".join(message.content for message in request.messages)
        return prompt[piece] if len(asked) == 1 else OBJECTION

    assert await criticised_twice(critic) == ([OBJECTION] * 2, 3)
    assert "repeats what was asked" in asked[1].messages[-1].content


@pytest.mark.parametrize("words", [OBJECTION, "It reads well, as far as I can tell."])
async def test_a_critic_that_repeats_what_was_said_in_the_debate_objects(words: str) -> None:
    assert await criticised_twice(lambda _: words) == ([words] * 2, 2)


SCHEMA = ballot_schema([FLUENCY])


@pytest.mark.parametrize(
    ("form", "structured", "schema"),
    [("auto", True, SCHEMA), ("auto", False, None), ("schema", False, SCHEMA), ("schema", True, SCHEMA),
     ("text", True, None), ("text", False, None)],
)  # fmt: skip
async def test_a_schema_is_sent_as_the_form_says(
    form: str, structured: bool, schema: dict[str, Any] | None
) -> None:
    async def play(floor: Floor) -> Verdict:
        await floor.ask(floor.cast("debaters")[0])
        await floor.ask(floor.cast("debaters")[1], CRITICISE)
        await floor.ask(floor.cast("debaters")[2], RULE)
        return await end(floor)

    reply = '{"reason": "Fine.", "fluency": 4}'
    words = {"speak": "x", "criticise": NO_ISSUE, "score": reply, "rule": reply}
    record = await hold(play, replying(words, structured=structured), form=form)
    assert [call.request.schema for call in record.calls] == [None, None, schema, schema]
    assert ("JSON" in record.calls[-1].request.messages[-1].content) == (schema is not None)
    assert record.verdict is not None
    how = "schema" if schema and structured else "text"
    assert {cast.ballot.reading.how for cast in record.verdict.ballots} == {how}


async def test_the_others_hear_a_reply_in_json_as_prose() -> None:
    async def play(floor: Floor) -> Verdict:
        ann, ben, _ = floor.cast("debaters")
        score = await floor.ask(ann, SCORE)
        await floor.ask(ben, hearing=[score])
        return floor.verdict(score, settled=True, ended="agreement")

    model = replying({"score": '{"reason": "Reads well.", "fluency": 4}', "speak": "x"}, structured=True)
    record = await hold(play, model)
    (score,) = said(record, "score")
    assert isinstance(score, Score)
    assert score.text == "Reads well.\n\nFluency: 4"
    assert "{" not in record.calls[1].request.messages[-1].content


async def test_a_request_says_in_structure_what_it_is_about() -> None:
    async def play(floor: Floor) -> Verdict:
        ann, ben, _ = floor.cast("debaters")
        for _ in floor.rounds(1):
            score = await floor.ask(ann, SCORE)
            await floor.ask(ben, SUMMARISE, hearing=[score])
        return floor.verdict(score, settled=True, ended="agreement")

    record = await hold(play, replying({"score": scoring(4), "summarise": "They agree."}))
    context = record.calls[1].request.context
    assert context is not None
    assert (context.item, context.aspects, context.round) == (ITEM, (FLUENCY,), 1)
    assert (context.purpose, context.reply, context.agent, context.card) == (
        "summarise",
        "summary",
        "ben",
        "ben",
    )
    assert [(h.sender, h.kind, h.scores) for h in context.heard] == [("ann", "score", {"fluency": 4.0})]


async def test_sampling_parameters_of_a_card_go_before_the_strategys_and_the_calls_before_both() -> None:
    seated = {"debaters": (card("ann", sampling=Sampling(temperature=0.5, seed=5)), BEN)}
    strategy = Played(play=both, cast=seated, sampling=Sampling(temperature=0.1, top_p=0.1, seed=1))
    plain = await hold(strategy, replying("4"))
    assert [call.request.sampling for call in plain.calls] == [
        Sampling(temperature=0.5, top_p=0.1, seed=5),
        Sampling(temperature=0.1, top_p=0.1, seed=1),
    ]
    over = await hold(strategy, replying("4"), sampling=Sampling(seed=9))
    assert [call.request.sampling for call in over.calls] == [
        Sampling(temperature=0.5, top_p=0.1, seed=9),
        Sampling(temperature=0.1, top_p=0.1, seed=9),
    ]


async def both(floor: Floor) -> Verdict:
    """Have both debaters score; the first one's stands."""
    first, _ = await floor.ask_all(floor.cast("debaters"), SCORE)
    return floor.verdict(first, settled=True, ended="agreement")


class Relayed(Strategy):
    """Ann speaks, and a relay passes it on."""

    cast: Mapping[str, Cards] = {"speaker": (ANN,), "carrier": (BEN,)}
    purpose: Any = FORWARD

    def seats(self) -> dict[str, tuple[SeatPlan, ...]]:
        return {
            role: (SeatPlan(card=cards[0], relay=role == "carrier"),) for role, cards in self.cast.items()
        }

    async def debate(self, floor: Floor) -> Verdict:
        score = await floor.ask(floor.one("speaker"), SCORE)
        await floor.ask(floor.one("carrier"), self.purpose, hearing=[score])
        return floor.verdict(score, settled=True, ended="agreement")


async def test_a_relay_says_what_it_heard_and_calls_no_model() -> None:

    record = await hold(Relayed(), replying(scoring(4)))
    (carried,) = said(record, "statement")
    assert isinstance(carried, Statement)
    assert carried.text == scoring(4)
    assert (carried.model, [call.agent for call in record.calls]) == ("", ["speaker"])


async def test_a_relay_cannot_be_asked_for_a_judgement(tmp_path: Path) -> None:
    relays = tmp_path / "prompts" / "relays"
    relays.mkdir(parents=True)
    (relays / "score.md").write_text("---\nname: score\nabout: x\n---\nI score.\n")
    record = await hold(Relayed(purpose=SCORE), replying(scoring(4)))
    assert record.failure is not None
    assert record.failure.error == "StrategyError"
    assert record.failure.reason.endswith("a reply of the kind 'score' is a Statement")
