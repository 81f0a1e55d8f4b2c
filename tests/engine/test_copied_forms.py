"""A reply that only copies what its writer was told, as small models do, is read as no judgement: every purpose of every strategy."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from conversation_cases import conversation
from test_contradictions import COMPARING, PAIR, SINGLE, VARIANTS

from agentdebate.agents.replies import reply_kind
from agentdebate.agents.reply_kind import Doubt, read_reply
from agentdebate.ballots.lineup import ReplySpec
from agentdebate.ballots.repetition import copies
from agentdebate.ballots.replies.critic import read_critic
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.models.base import Completion, Context, ModelRequest

TALK = {"statement", "summary"}
"""Kinds of which anything may be said."""


def instruction_of(request: ModelRequest) -> str:
    """What stands behind the role and the persona."""
    return request.messages[-1].content.rpartition("Your role: ")[2].partition("\n\n")[2]


def given_back(instruction: str) -> Iterator[str]:
    """An instruction as a small model gives it back: all of it, its end, single lines, and lines that look filled in."""
    lines = [line for line in instruction.splitlines() if line.strip()]
    form = [line for line in lines if line.startswith(('"', "Role "))]
    yield instruction
    yield from instruction.split("\n\n")
    yield from lines
    for shape in (r"\1:", r"\1: \2", r'"\1: \2"', r"\1: [\2]", r"**\1:** a \2"):
        yield "\n".join(re.sub(r'^"(.+):" and behind it a (.+)$', shape, line) for line in form)


def spec_of(context: Context) -> ReplySpec:
    return ReplySpec(
        context.aspects,
        context.lines,
        context.candidates,
        context.players,
        context.given,
        text=str(context.item.fields.get(context.task.judged, "")),
    )


def accepts_nothing(read: Mapping[str, object] | Problem | Doubt) -> bool:
    """A reply that is asked about, or objects: it would not be taken for agreement if it stayed as it is."""
    fields = read.fields if isinstance(read, Doubt) else read
    return isinstance(fields, Mapping) and fields.get("no_issue") is False


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=str)
async def test_no_copy_of_an_instruction_is_read_as_an_answer_to_it(
    name: str, options: dict[str, Any]
) -> None:
    compares = name in COMPARING or options.get("ballot") in {"ranking", "approval", "points"}
    asked = 0
    item, aspect = (PAIR, "overall") if compares else (SINGLE, "coherence")
    for request in await conversation(name, item, aspect, **options):
        context, instruction = request.context, instruction_of(request)
        assert context is not None
        if context.reply in TALK:
            continue
        for copy in given_back(instruction):
            read = read_reply(reply_kind(context.reply), Completion(text=copy, model="m"), spec_of(context))
            assert isinstance(read, Problem) or accepts_nothing(read), (
                f"{context.purpose} reads {copy!r} as {read}"
            )
            asked += 1
    assert asked or name == "avg"


TOLD = "Where you object, say why, point by point.\n\nIf you have nothing to object to, write NO ISSUE on a line of its own."


def test_twelve_words_in_a_row_of_what_a_critic_was_told_are_neither_agreement_nor_objection() -> None:
    for own in ("NO ISSUE", "The score is far too high: the dates are wrong."):
        read = read_critic(f"{TOLD}\n\n{own}", prompt=[TOLD])
        assert (read.agrees, read.rule) == (None, "nothing")


def test_what_a_critic_quotes_of_the_judged_text_is_no_copy() -> None:
    text = "The council met on Tuesday and agreed on the repairs of the old bridge over the river."
    prompt = f"Review the score.\n\n{text}"
    assert copies(text, [prompt])
    assert not copies(text, [prompt], [text])
    assert not copies(f'The scorer overlooks "{text}"', [prompt])
