"""The public test doubles."""

from dataclasses import replace

import pytest
from engine_cases import ITEM, Played, end, hold, scoring

from agentdebate.errors import ModelError
from agentdebate.models.base import ChatMessage, Model, ModelRequest
from agentdebate.talk.messages import FLOOR, Ask, Brief, Failure, Message, Score, Statement, Tell, Verdict
from agentdebate.testing import replying, run_jumping, transcript_memories

PLAIN = ModelRequest((ChatMessage("user", "Hi"),))


async def test_it_always_says_the_same_or_what_a_function_makes_of_the_request() -> None:
    model = replying("yes")
    assert isinstance(model, Model)
    assert [(await model.complete(PLAIN)).text for _ in range(3)] == ["yes"] * 3
    echo = replying(lambda request: request.messages[-1].content, name="echo")
    completion = await echo.complete(PLAIN)
    assert (completion.text, completion.model) == ("Hi", "echo")


async def test_an_agents_words_go_before_those_for_a_purpose() -> None:
    record = await hold(Played(play=end), replying({"score": scoring(2), "ann": scoring(4)}))
    assert record.scores == {"fluency": 4.0}


async def test_an_agent_without_words_fails() -> None:
    record = await hold(Played(play=end), replying({"rule": "x"}))
    assert isinstance(record.error, ModelError)
    assert str(record.error) == "replying: there are no words for 'ann' (score); there are for: rule"
    with pytest.raises(ModelError, match="no words for a request without a context"):
        await replying({"rule": "x"}).complete(PLAIN)


def transcript(*messages: Message) -> list[Message]:
    return [replace(message, seq=number) for number, message in enumerate(messages, 1)]


BRIEF = Brief(sender=FLOOR, to=("ann", "ben"), task="text", aspects=(), item=ITEM.id, text="x")


def ask(agent: str, *hearing: int) -> Ask:
    return Ask(sender=FLOOR, to=(agent,), purpose="speak", reply="statement", hearing=hearing)


def tell(*heard: int, to: str) -> Tell:
    return Tell(sender=FLOOR, to=(to,), heard=heard)


def reply(agent: str, answers: int) -> Statement:
    return Statement(sender=agent, to=(FLOOR,), answers=answers, text="x")


def test_memories_are_what_was_told_and_said() -> None:
    messages = transcript(
        BRIEF, ask("ann"), reply("ann", 2), tell(3, 3, to="ben"), ask("ben", 3), reply("ben", 5)
    )
    assert transcript_memories(messages) == {"ann": (1, 3), "ben": (1, 3, 6)}
    assert transcript_memories(messages[:4]) == {"ann": (1, 3), "ben": (1, 3)}
    assert transcript_memories([]) == {}


def test_what_arrives_while_an_agent_answers_waits_for_its_reply() -> None:
    messages = transcript(
        BRIEF,
        ask("ben"),
        reply("ben", 2),
        ask("ann"),
        tell(3, to="ann"),
        ask("ann", 1),
        reply("ann", 4),
        reply("ann", 6),
    )
    assert transcript_memories(messages)["ann"] == (1, 7, 3, 8)
    assert transcript_memories(messages[:6])["ann"] == (1,)


def failure(agent: str, answers: int) -> Failure:
    return Failure(
        sender=agent, to=(FLOOR,), answers=answers, error="ServerFailed", reason="down", agent=agent
    )


def test_an_agent_that_cannot_answer_reads_on_and_remembers_no_failure() -> None:
    messages = transcript(
        BRIEF, ask("ben"), reply("ben", 2), ask("ann"), tell(3, to="ann"), failure("ann", 4), ask("ann"),
        tell(3, to="ben"), reply("ann", 7),
    )  # fmt: skip
    assert transcript_memories(messages) == {"ann": (1, 3, 9), "ben": (1, 3)}
    assert transcript_memories(messages[:6]) == {"ann": (1, 3), "ben": (1, 3)}
    assert transcript_memories(messages[:5]) == {"ann": (1,), "ben": (1, 3)}


def test_an_agent_that_never_answers_reads_no_more() -> None:
    messages = transcript(BRIEF, ask("ben"), reply("ben", 2), ask("ann"), tell(3, to="ann"))
    assert transcript_memories(messages)["ann"] == (1,)


def test_every_sitting_has_memories_of_its_own() -> None:
    again = replace(BRIEF, to=("ann#2", "ben#2"))
    messages = transcript(BRIEF, ask("ann"), reply("ann", 2), again, ask("ann#2"), reply("ann#2", 5))
    assert transcript_memories(messages) == {"ann": (1, 3), "ben": (1,), "ann#2": (4, 6), "ben#2": (4,)}


def test_verdicts_and_failures_are_in_nobodys_memory() -> None:
    verdict = Verdict(ratings=(), settled=True, ended="x", rounds=0, merge="x", ballots=())
    assert transcript_memories(transcript(BRIEF, verdict)) == {"ann": (1,), "ben": (1,)}


def test_the_doubles_hold_a_debate_without_a_running_loop() -> None:
    record = run_jumping(hold(Played(play=end), replying(scoring(3))))
    assert [type(m) for m in record.transcript[2:]] == [Score, Verdict]
