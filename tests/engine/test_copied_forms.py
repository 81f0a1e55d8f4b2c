"""A reply that only copies what its writer was told, as small models do, is read as no judgement: every purpose of every strategy."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from conversation_cases import conversation
from test_contradictions import COMPARING, PAIR, SINGLE, VARIANTS

from agentdebate.agents.reading import read_reply, reply_kind
from agentdebate.agents.reply_kind import Doubt
from agentdebate.ballots.lineup import ReplySpec
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.models.base import Completion, Context, ModelRequest

TALK = {"statement", "summary"}
"""Kinds of which anything may be said."""


def instruction_of(request: ModelRequest) -> str:
    """What stands behind the role and the persona."""
    return request.messages[-1].content.rpartition("Your role: ")[2].partition("\n\n")[2]


def copies(instruction: str) -> Iterator[str]:
    """An instruction as a small model gives it back: all of it, its end, single lines, and lines that look filled in."""
    lines = [line for line in instruction.splitlines() if line.strip()]
    form = [line for line in lines if line.startswith(('"', "Role "))]
    yield instruction
    yield from instruction.split("\n\n")
    yield from lines
    for shape in (r"\1:", r"\1: \2", r'"\1: \2"', r"\1: [\2]", r"**\1:** a \2"):
        yield "\n".join(re.sub(r'^"(.+):" and behind it a (.+)$', shape, line) for line in form)


def spec_of(context: Context, instruction: str) -> ReplySpec:
    return ReplySpec(
        context.aspects,
        context.lines,
        context.candidates,
        context.players,
        context.given,
        text=str(context.item.fields.get(context.task.judged, "")),
        instruction=instruction,
    )


def accepts_nothing(read: Mapping[str, object] | Problem | Doubt) -> bool:
    """Whether a reply is asked about, and would not be taken for agreement if it stayed as it is."""
    return isinstance(read, Doubt) and not read.fields.get("no_issue", False)


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
        for copy in copies(instruction):
            read = read_reply(
                reply_kind(context.reply), Completion(text=copy, model="m"), spec_of(context, instruction)
            )
            assert isinstance(read, Problem) or accepts_nothing(read), (
                f"{context.purpose} reads {copy!r} as {read}"
            )
            asked += 1
    assert asked or name == "avg"


def test_a_copy_that_the_instruction_is_not_known_for_would_be_found() -> None:
    """Without the instruction, a condition under which a critic agrees reads like its agreement."""
    text = "If, and only if, you have nothing to object to, write NO ISSUE on a line of its own."
    completion, spec = Completion(text=text, model="m"), ReplySpec()
    assert not accepts_nothing(read_reply(reply_kind("critique"), completion, spec))
    told = read_reply(reply_kind("critique"), completion, replace(spec, instruction=f"Review it.\n\n{text}"))
    assert isinstance(told, Problem)


def test_a_critic_that_says_something_of_its_own_beside_a_copy_is_read_by_that() -> None:
    told = "Where you object, say why, point by point.\n\nIf you have nothing to object to, write NO ISSUE on a line of its own."
    spec = ReplySpec(instruction=told)
    for own, agrees in (("NO ISSUE", True), ("The score is far too high: the dates are wrong.", False)):
        text = f"{told}\n\n{own}"
        read = read_reply(reply_kind("critique"), Completion(text=text, model="m"), spec)
        assert isinstance(read, Mapping)
        assert (read["no_issue"], read["reading"], read["text"]) == (agrees, "clear", text)
