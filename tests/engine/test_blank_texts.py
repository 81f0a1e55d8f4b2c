"""Texts of blanks alone that Unicode counts as letters or signs: wherever one comes from, it is empty."""

from collections.abc import Callable
from typing import Any

import pytest
from engine_cases import ITEM, TASK

from agentdebate.agents.reading import read_critique, read_opinion, read_talk
from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.lineup import ReplySpec, ballot_lines
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.sheet import read_sheet
from agentdebate.errors import DataError
from agentdebate.models.base import ChatMessage, Completion
from agentdebate.models.dialects.dialect import turns

BLANKS = ["\u115f", "\u1160", "\u180e", "\u2800", "\u3164", "\uffa0", "\u200b", " \u2800\n\u3164 \ufeff"]
LINES = ballot_lines(TASK.aspects[:1], ())
SPEC = ReplySpec(TASK.aspects[:1], LINES)


@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize("read", [read_talk, read_critique, read_opinion])
def test_a_reply_of_them_is_empty(read: Callable[..., Any], blank: str) -> None:
    found = read(Completion(text=blank, model="tiny"), SPEC)
    assert isinstance(found, Problem)
    assert "empty" in found.text


@pytest.mark.parametrize("blank", BLANKS)
def test_an_item_whose_text_is_of_them_is_refused(blank: str) -> None:
    with pytest.raises(DataError, match="has no text here to judge"):
        TASK.check(ITEM.model_copy(update={"fields": {"text": blank}}))


@pytest.mark.parametrize("blank", BLANKS)
def test_a_protocol_that_takes_no_empty_text_is_sent_none_of_them(blank: str) -> None:
    said = ChatMessage("system", blank), ChatMessage("assistant", blank), ChatMessage("user", "Hi")
    assert turns(said) == ("", [ChatMessage("user", "Hi")])


@pytest.mark.parametrize("blank", BLANKS)
def test_a_form_line_with_them_in_it_is_read(blank: str) -> None:
    for text in (
        f"Fine.\nFluency:{blank} 4",
        f"Fine.\nFluency{blank}: 4{blank}",
        f"Fine.\n{blank}Fluency: 4",
    ):
        read = read_sheet(text, LINES)
        assert isinstance(read, Ballot), text
        assert read.scores == {"fluency": 4}
