"""A talk as a chat: what an agent said is the assistant's, what it was asked and heard is the user's."""

from itertools import pairwise

import pytest
from engine_cases import ANN, BEN, CAT, PAIR, hold, overall, scoring
from hypothesis import given
from hypothesis import strategies as st

import agentdebate as ad
from agentdebate.agents.chat import SILENCE, Chat
from agentdebate.models.base import Call
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.solo import Solo
from agentdebate.strategies.summarized_talk import SimultaneousTalkWithSummarizer
from agentdebate.strategies.swapped_positions import SwappedPositions
from agentdebate.testing import replying
from agentdebate.visible import is_blank

CAST = {"debaters": (ANN, BEN, CAT)}
WORDS = {"speak": "I think so.", "vote": scoring(4), "summarise": "They agree."}


def roles(call: Call) -> list[str]:
    return [message.role for message in call.request.messages]


def of(record: ad.Record, agent: str) -> list[Call]:
    return [call for call in record.calls if call.agent == agent]


async def test_what_an_agent_said_is_the_assistant_s_and_all_else_the_user_s() -> None:
    record = await hold(OneByOne(cast=CAST, conversation="chat"), replying(WORDS))
    first, second = of(record, "ben")
    assert roles(first) == ["system", "user"]
    assert roles(second) == ["system", "user", "assistant", "user"]
    _, asked, said, now = second.request.messages
    assert asked.content.startswith("Ann:\n~~~~\nI think so.")
    assert said.content == "I think so."
    assert now.content.startswith("Cat:\n~~~~\nI think so.\n~~~~\n\nAnn:\n")


async def test_a_chat_says_once_whose_words_stand_between_lines_of_tildes() -> None:
    record = await hold(OneByOne(cast=CAST, conversation="chat"), replying(WORDS))
    for call in record.calls:
        system, *rest = (message.content for message in call.request.messages)
        assert "somebody whose name stands above it, and nobody else" in system
        assert not any("nobody else" in said for said in rest)


async def test_each_request_of_an_agent_goes_on_where_the_one_before_ended() -> None:
    """So that a provider's prefix cache serves a chat as it does a prompt."""
    record = await hold(OneByOne(cast=CAST, rounds=4, conversation="chat"), replying(WORDS))
    for agent in ("ann", "ben", "cat"):
        calls = of(record, agent)
        assert len(calls) == 4
        for before, after in pairwise(calls):
            kept = before.request.messages
            assert after.request.messages[: len(kept)] == kept
            assert after.request.messages[len(kept)].role == "assistant"


async def test_without_the_option_the_talk_is_in_one_message() -> None:
    record = await hold(OneByOne(cast=CAST), replying(WORDS))
    assert {tuple(roles(call)) for call in record.calls} == {("system", "user")}


async def test_both_ways_show_the_same_messages_and_ask_the_same() -> None:
    one = await hold(OneByOne(cast=CAST, conversation="message"), replying(WORDS))
    other = await hold(OneByOne(cast=CAST, conversation="chat"), replying(WORDS))
    assert [call.shown for call in one.calls] == [call.shown for call in other.calls]
    for left, right in zip(one.calls, other.calls, strict=True):
        asked = left.request.messages[-1].content.rpartition("I think so.")[2].strip()
        assert right.request.messages[-1].content.endswith(asked.lstrip("~\n"))


async def test_messages_that_were_forgotten_are_told_of_first() -> None:
    record = await hold(OneByOne(cast=CAST, rounds=3, conversation="chat", history=1), replying(WORDS))
    last = of(record, "ben")[-1]
    assert last.request.messages[1].content.startswith("(")
    assert "left out here.)" in last.request.messages[1].content


async def test_a_wrapper_says_it_for_everybody_inside() -> None:
    inside = OneByOne(cast=CAST)
    swapped, words = (
        SwappedPositions(around=inside, conversation="chat"),
        {"speak": "Hm.", "vote": overall(4, 3)},
    )
    record = await hold(swapped, replying(words), item=PAIR, aspects="overall")
    assert any("assistant" in roles(call) for call in record.calls)
    kept = SwappedPositions(around=inside.model_copy(update={"conversation": "chat"}))
    seats = kept.seats()["debaters"]
    assert {seat.conversation for seat in seats} == {"chat"}


@pytest.mark.parametrize("name", sorted(ad.Project().names("strategies")))
def test_every_strategy_has_the_option(name: str) -> None:
    made = ad.strategy(name, conversation="chat")
    seats = [seat for some in made.seats().values() for seat in some]
    assert {seat.conversation for seat in seats} <= {"chat"}


async def test_one_who_sums_up_hears_others_only_and_is_asked_in_one_message() -> None:
    cast = {**CAST, "summarizer": (ANN.model_copy(update={"name": "minutes", "title": "Minutes"}),)}
    record = await hold(SimultaneousTalkWithSummarizer(cast=cast, conversation="chat"), replying(WORDS))
    assert roles(of(record, "summarizer")[0]) == ["system", "user"]


async def test_a_reply_that_cannot_be_read_is_asked_for_again_at_the_end_of_the_chat() -> None:
    replies = iter(["no score", scoring(4)])
    record = await hold(Solo(conversation="chat"), replying({"score": lambda _: next(replies)}))
    assert roles(record.calls[1]) == ["system", "user", "assistant", "user"]


@given(st.lists(st.tuples(st.booleans(), st.text(max_size=5)), max_size=20))
def test_no_two_neighbours_have_one_role_and_nothing_is_lost(parts: list[tuple[bool, str]]) -> None:
    chat = Chat()
    for own, text in parts:
        (chat.say if own else chat.hear)(text)
    found = list(chat.messages)
    assert all(one.role != two.role for one, two in pairwise(found))
    whole = "\n\n".join(message.content for message in found)
    assert whole == "\n\n".join(SILENCE if is_blank(text) else text.strip() for _, text in parts)
