"""The pages of one debate: who said what, what they were shown, how ballots changed."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from viewing import Get

from agentdebate.talk.messages import Ask, Brief, Forget, Message, Statement, Tell
from agentdebate.viewer import debate_page
from agentdebate.viewer.ballots_page import word_changes
from agentdebate.viewer.conversation import Conversation, Section, shown_to
from agentdebate.viewer.quotes import Quotes


def said(*steps: tuple[str, str, int]) -> list[Message]:
    """A transcript: "ask", "say" and "tell" with an agent and a number."""
    found: list[Message] = [
        Brief(seq=1, sender="floor", to=("a", "b"), task="t", aspects=(), item="i", text="brief")
    ]
    for what, agent, number in steps:
        seq = len(found) + 1
        if what == "ask":
            found.append(
                Ask(seq=seq, sender="floor", to=(agent,), round=number, purpose="speak", reply="statement")
            )
        elif what == "say":
            found.append(
                Statement(
                    seq=seq, sender=agent, to=("floor",), round=1, answers=number, text=f"{agent} speaks"
                )
            )
        else:
            found.append(Tell(seq=seq, sender="floor", to=(agent,), round=1, heard=(number,)))
    return found


def sections(messages: Sequence[Message]) -> list[Section]:
    conversation = Conversation([], shown=shown_to(messages, []), quotes=Quotes({}))
    return conversation.sections(messages)


def cards(messages: Sequence[Message]) -> list[list[str]]:
    return [
        [card.agent for card in step.cards]
        for section in sections(messages)
        for step in section.steps
        if step.cards
    ]


def test_turns_that_were_asked_for_together_stand_side_by_side() -> None:
    messages = said(
        ("ask", "a", 1), ("ask", "b", 1), ("say", "b", 3), ("say", "a", 2), ("ask", "a", 1), ("say", "a", 6)
    )
    assert cards(messages) == [["b", "a"], ["a"]]


def test_what_was_forgotten_was_not_shown() -> None:
    messages = said(("ask", "a", 1), ("say", "a", 2), ("tell", "b", 3))
    messages.append(Forget(seq=5, sender="floor", to=("b",), round=1, dropped=(3,)))
    messages += [replace(message, seq=message.seq + 4) for message in said(("ask", "b", 1))[1:]]
    messages.append(Statement(seq=7, sender="b", to=("floor",), round=1, answers=6, text="b speaks"))
    assert shown_to(messages, [])[7] == {1}


def test_the_later_text_and_the_earlier_one_are_both_in_the_changes() -> None:
    before, after = "one two three four five six", "one 2 three four five 6 seven"
    changes = word_changes(before, after)
    assert "".join(one.text for one in changes if one.kind != "gone") == after
    assert "".join(one.text for one in changes if one.kind != "new") == before


def test_a_debate_of_very_many_messages_is_cut(page: Get, run: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debate_page, "MOST", 2)
    text = page("/debate", run=run, id="a04/coherence")
    assert "further messages are not on this page" in text
    assert "<article" not in text
