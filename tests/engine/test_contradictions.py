"""What a model is told in one request agrees with itself and with its schema, and a copy of it is read as no judgement: every purpose of every strategy."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from conversation_cases import NEWS, SUMMARY, conversation

from agentdebate.agents.replies import reply_kind
from agentdebate.agents.reply_kind import Doubt, read_reply
from agentdebate.ballots.lineup import ReplySpec
from agentdebate.ballots.repetition import copies
from agentdebate.ballots.replies.critic import read_critic
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.project.project import Project

NAMES = tuple(sorted(Project().names("strategies")))
VARIANTS: tuple[tuple[str, dict[str, Any]], ...] = (
    *((name, {}) for name in NAMES),
    *((name, {"commander": "model"}) for name in ("debate", "multiagent", "debate-tiebreaker")),
    *(("geval", {"mode": mode}) for mode in ("single", "expected")),
    ("drpe", {"apart": True}),
    ("drpe", {"batch": False}),
    ("mdrpe", {"batch": False}),
    ("single-agent", {"confidence": "asked"}),
    ("chateval-summarizer", {"keep_talk": True, "rounds": 3}),
    *(("solo", {"ballot": kind}) for kind in ("ranking", "approval", "points", "spans")),
    *(
        (name, {"commander": "model", "ballot": kind, "rounds": 1})
        for name in ("debate", "debate-moderate", "debate-weak", "multiagent")
        for kind in ("ranking", "approval", "points", "spans")
    ),
)
NO_SCORE = {"ranking", "approval", "spans"}
"""Kinds of ballots that hold no score."""
COMPARING = {"chateval", "d3", "drpe", "drpe-static", "drpe-swapped", "faireval", "llmscore", "mdrpe"}

Rule = tuple[str, str, str]
"""What is wrong, what asks for something, and what forbids it, as patterns of one request."""
RULES: tuple[Rule, ...] = (
    ("silence and a stop word", r"write NO ISSUE", r"needs no word|leave it at that|say so and no more|say nothing"),
    ("no score and a score", r"give no score", r"score of your own|give the score|a whole number from|[Ss]core the text"),
    ("short and in full", r"short and clear|a sentence or two", r"in full|at length|every reason"),
    ("no side and a side", r"take no side", r"take the side|take a side"),
    ("text and JSON", r"in exactly this form|nothing before or after|last lines? of (?:its|their) own", r"JSON object"),
    ("no reasons and reasons", r"give no reasons|without reasons|[Nn]o reasons", r"[Gg]ive your reasons?|with your reasons|explain|say why"),
    ("nobody judges and judging", r"do not judge them|You do not judge", r"You will judge|your vote|Score the text"),
    ("no judge of this and a fence", r"lines between tildes", r"[Nn]othing in them (?:says|tells you) how"),
)  # fmt: skip
ONLY = re.compile(r"[^.:\n]*\b(?:and nothing else|nothing before or after|nothing else)\b(?! behind)[^.:\n]*")
BENCHMARKS = re.compile(r"SummEval|Topical-?Chat|\bUSR\b|FairEval|HANNA|G-Eval|DRPE|ChatEval", re.IGNORECASE)


def contradictions(request: ModelRequest) -> list[str]:
    """Return what one request says against itself, or against its schema."""
    text = "\n".join(message.content for message in request.messages)
    own = request.messages[-1].content
    found = [what for what, asks, forbids in RULES if re.search(asks, own) and re.search(forbids, own)]
    only = {" ".join(said.split()) for said in ONLY.findall(own)}
    if len(only) > 1:
        found.append(f"only this and only that: {only}")
    if BENCHMARKS.search(text):
        found.append(f"a benchmark by its name: {BENCHMARKS.findall(text)}")
    if re.search(r"You (?:will|are to) judge", text):
        found.append("everyone is told to judge, those who do not as well")
    return [*found, *(_against_schema(own, request.schema) if request.schema else _without_schema(own))]


def _without_schema(text: str) -> Iterator[str]:
    if "JSON" in text:
        yield "JSON is asked for where nothing holds the reply to it"


def _against_schema(text: str, schema: Any) -> Iterator[str]:
    keys = set(schema["properties"])
    if "reason" in keys and re.search(r"\bno reasons\b|without reasons", text):
        yield "the schema demands a reason and the text forbids it"
    if "reason" not in keys and re.search(r"with your reasons|Give your reason", text):
        yield "the text asks for a reason that the schema has no place for"
    if "JSON object" not in text:
        yield "nothing says that the reply is JSON"
    for key in keys:
        if f'"{key}"' not in text and not re.fullmatch(r"role_\d+", key):
            yield f"the schema demands {key!r}, of which the text says nothing"
    named = set(re.findall(r'^"([a-z_0-9]+)"', text, re.MULTILINE))
    if not named <= keys:
        yield f"the text asks for {sorted(named - keys)}, which the schema forbids"


def told_of_nobody(request: ModelRequest) -> list[str]:
    """Others who have not spoken, or are not there, in the instruction of a turn."""
    assert request.context is not None
    instruction = request.messages[-1].content.rpartition("Your role: ")[2]
    heard = [one for one in request.context.heard if one.sender not in {"floor", request.context.agent}]
    return [] if heard else re.findall(r"what the others\s+have said", instruction)


async def held(name: str, options: dict[str, Any], *, structured: bool) -> Sequence[ModelRequest]:
    """Every request of one debate, which is held once."""
    compares = name in COMPARING or options.get("ballot") in {"ranking", "approval", "points"}
    item, aspect = (NEWS, "overall") if compares else (SUMMARY, "coherence")
    key = f"{name} {options} {structured}"
    if key not in HELD:
        HELD[key] = await conversation(name, item, (aspect,), structured=structured, **options)
    return HELD[key]


HELD: dict[str, Sequence[ModelRequest]] = {}


@pytest.mark.parametrize("structured", [True, False], ids=["schema", "text"])
@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=str)
async def test_no_request_contradicts_itself_or_its_schema(
    name: str, options: dict[str, Any], structured: bool
) -> None:
    for request in await held(name, options, structured=structured):
        assert request.context is not None
        where = f"{request.context.agent}, {request.context.purpose}:\n{request.messages[-1].content}"
        assert contradictions(request) == [], where
        assert told_of_nobody(request) == [], where


@pytest.mark.parametrize("structured", [True, False], ids=["schema", "text"])
@pytest.mark.parametrize("commander", ["relay", "model"])
@pytest.mark.parametrize("kind", sorted(NO_SCORE))
async def test_nobody_is_asked_for_a_score_where_the_ballot_holds_none(
    kind: str, commander: str, structured: bool
) -> None:
    for name in ("debate", "debate-moderate", "debate-weak", "multiagent", "solo"):
        options = {"ballot": kind} | ({} if name == "solo" else {"commander": commander, "rounds": 1})
        for request in await held(name, options, structured=structured):
            own = request.messages[-1].content.rpartition("Your role: ")[2]
            assert re.findall(r"\bscor(?:e|es|ing)\b|this number|which number", own) == [], own
            assert "a number of its own" not in request.messages[0].content


TALK = {"statement", "summary"}
"""Kinds of which anything may be said."""


def instruction_of(request: ModelRequest) -> str:
    """Return what stands behind the role and the persona."""
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


def accepts_nothing(read: Mapping[str, object] | Problem | Doubt) -> bool:
    """A reply that is asked about, or objects: it would not be taken for agreement if it stayed as it is."""
    fields = read.fields if isinstance(read, Doubt) else read
    return isinstance(fields, Mapping) and fields.get("no_issue") is False


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=str)
async def test_no_copy_of_an_instruction_is_read_as_an_answer_to_it(
    name: str, options: dict[str, Any]
) -> None:
    asked = 0
    for request in await held(name, options, structured=False):
        context, instruction = request.context, instruction_of(request)
        assert context is not None
        if context.reply in TALK:
            continue
        for copy in given_back(instruction):
            text = str(context.item.fields.get(context.task.judged, ""))
            spec = ReplySpec(
                context.aspects, context.lines, context.candidates, context.players, context.given, text=text
            )
            read = read_reply(reply_kind(context.reply), Completion(text=copy, model="m"), spec)
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
