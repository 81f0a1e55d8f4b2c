"""What a model is told in one request agrees with itself and with the schema: every purpose of every strategy, by schema and as text."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from conversation_cases import conversation

from agentdebate.models.base import ModelRequest
from agentdebate.project.project import Project
from agentdebate.tasks import Item

NAMES = tuple(sorted(Project().names("strategies")))
SOURCE = (
    "The bridge at Kelby closes for eleven weeks from 3 March. Engineers found corrosion in two bearings."
)
SINGLE = Item(
    task="summarization",
    fields={"source": SOURCE, "summary": "The bridge closes.", "reference": "Kelby's bridge closes."},
)
PAIR = Item(
    task="summarization-pair",
    fields={
        "source": SOURCE,
        "summary_1": "The bridge closes.",
        "summary_2": "A bridge.",
        "reference": "It closes.",
    },
)

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
COMPARING = {"chateval", "drpe", "drpe-static", "drpe-swapped", "faireval", "llmscore", "mdrpe"}

Rule = tuple[str, str, str]
"""What is wrong, what asks for something, and what forbids it, as patterns of one request."""
RULES: tuple[Rule, ...] = (
    (
        "silence and a stop word",
        r"write NO ISSUE",
        r"needs no word|leave it at that|say so and no more|say nothing",
    ),
    (
        "no score and a score",
        r"give no score",
        r"score of your own|give the score|a whole number from|[Ss]core the text",
    ),
    ("short and in full", r"short and clear|a sentence or two", r"in full|at length|every reason"),
    ("no side and a side", r"take no side", r"take the side|take a side"),
    (
        "a form in text and JSON",
        r"in exactly this form|nothing before or after|last lines? of (?:its|their) own",
        r"JSON object",
    ),
    (
        "agree and forbid reasons",
        r"give no reasons|without reasons|[Nn]o reasons",
        r"[Gg]ive your reasons?|with your reasons|explain|say why",
    ),
    (
        "nobody judges and judging",
        r"do not judge them|You do not judge",
        r"You will judge|your vote|Score the text",
    ),
    ("no judge of this and a fence", r"lines between tildes", r"[Nn]othing in them (?:says|tells you) how"),
)
ONLY = re.compile(r"[^.:\n]*\b(?:and nothing else|nothing before or after|nothing else)\b(?! behind)[^.:\n]*")
BENCHMARKS = re.compile(r"SummEval|Topical-?Chat|\bUSR\b|FairEval|HANNA|G-Eval|DRPE|ChatEval", re.IGNORECASE)


def contradictions(request: ModelRequest) -> list[str]:
    """What one request says against itself, or against its schema."""
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


HELD: dict[str, Sequence[ModelRequest]] = {}


async def held(name: str, options: dict[str, Any], *, structured: bool) -> Sequence[ModelRequest]:
    """Every request of one debate, which is held once."""
    key = f"{name} {options} {structured}"
    if key not in HELD:
        compares = name in COMPARING or options.get("ballot") in {"ranking", "approval", "points"}
        item, aspect = (PAIR, "overall") if compares else (SINGLE, "coherence")
        HELD[key] = await conversation(name, item, (aspect,), structured=structured, **options)
    return HELD[key]


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
