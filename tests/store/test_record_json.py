"""JSON that is made by hand is what pydantic's fields come to when their texts are taken out of them, to the byte."""

import math
from typing import Any, get_args

import pytest
from agentdebate.store.encoding import compact_json
from agentdebate.store.pieces import LEAST, PLACE, take_texts
from agentdebate.store.record_json import Texts, completion_json, message_json
from agentdebate.store.record_rows import dumped
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agentdebate.ballots.ballot import Ballot, Confidence, OtherGiven, Rating, Reading, Source
from agentdebate.frozen import made
from agentdebate.models.base import Completion, TokenLogprob
from agentdebate.talk.messages import (
    Ask,
    Brief,
    CastBallot,
    Critique,
    Message,
    Ruling,
    Score,
    Statement,
    Summary,
    Tell,
    Verdict,
)
from agentdebate.usage import Spent, Usage

LONG = "The summary names the main point of the article, and leaves out what it will cost."
TEXTS = st.sampled_from(
    ["", "Fine.", LONG, f'"{LONG}"', f"{LONG}\n{LONG}", "x" * (LEAST - 1), "x" * LEAST, PLACE, f"{PLACE} 3"]
) | st.text(alphabet=st.sampled_from('ab"\\\n§\0\ud800é'), max_size=LEAST + 9)
SHORT = st.sampled_from(["critic", "scorer", "coherence", "openai/tiny at 127.0.0.1:8080"])
NAMES = st.one_of(SHORT, SHORT, SHORT, TEXTS)
LISTED = st.lists(NAMES, max_size=3).map(tuple)
COUNTS = st.integers(0, 400)
SEQS = st.lists(COUNTS, max_size=30).map(tuple)
SHARES = st.floats(0, 1)
SCORES = SHARES | st.floats(allow_nan=False) | st.sampled_from([1, True, 1e16, -0.0])


def some(kind: Any, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Values of a kind as the engine makes them, without a check."""
    return st.fixed_dictionaries(fields).map(lambda values: made(kind, **values))


READINGS = st.just(Reading(how="text")) | some(
    Reading,
    how=st.sampled_from(["schema", "text", "expected"]),
    rule=st.just("") | NAMES,
    attempts=st.sampled_from([1, 2]),
    problems=st.just(()) | LISTED,
    mass=st.none() | SHARES,
    ends=st.none() | st.tuples(COUNTS, COUNTS),
    repeated=st.sampled_from([0, 1]),
)
BALLOTS = some(
    Ballot,
    ratings=st.lists(some(Rating, aspect=NAMES, score=SCORES, candidate=st.none() | NAMES), max_size=3).map(
        tuple
    ),
    reason=TEXTS,
    reading=READINGS,
    given=st.just(()) | st.just((OtherGiven.model_validate({"kind": "marks", "aspect": "a", "why": LONG}),)),
    confidence=st.none() | some(Confidence, value=SHARES, source=st.sampled_from(get_args(Source))),
)
SENT = {"seq": COUNTS, "sender": SHORT, "to": LISTED, "round": COUNTS, "time": st.floats(0, 2e9)}
SAID = {**SENT, "answers": COUNTS, "text": TEXTS, "model": st.just("") | NAMES}
GIVEN = st.dictionaries(
    TEXTS, TEXTS | COUNTS | st.booleans() | st.none() | SHARES | LISTED.map(list), max_size=3
)
USAGES = some(Usage, **{name: st.sampled_from([0, 1, 10**12]) for name in Usage.model_fields})
MESSAGES: st.SearchStrategy[Message] = st.one_of(
    some(Brief, **SENT, task=NAMES, aspects=LISTED, item=TEXTS, candidates=LISTED, text=TEXTS),
    some(Ask, **SENT, purpose=NAMES, reply=NAMES, hearing=SEQS, given=GIVEN, confidence=st.sampled_from([None, "asked"])),
    some(Tell, **SENT, heard=SEQS),
    some(Summary, **SAID),
    some(
        Critique,
        **SAID,
        no_issue=st.booleans(),
        reading=st.sampled_from(["clear", "unclear"]),
        ends=st.none() | st.tuples(COUNTS, COUNTS),
    ),
    some(Statement, **SAID, ballot=st.none() | BALLOTS),
    some(Score, **SAID, ballot=BALLOTS),
    some(Ruling, **SAID, ballot=BALLOTS),
    some(
        Verdict,
        seq=COUNTS,
        ratings=st.lists(some(Rating, aspect=NAMES, score=SCORES), max_size=2).map(tuple),
        settled=st.booleans(),
        ended=NAMES,
        rounds=COUNTS,
        merge=NAMES,
        ballots=st.lists(
            some(CastBallot, agent=NAMES, round=COUNTS, message=COUNTS, model=NAMES, ballot=BALLOTS, weight=SCORES),
            max_size=3,
        ).map(tuple),
        usage=st.lists(some(Spent, agent=NAMES, round=COUNTS, usage=USAGES), max_size=3).map(tuple),
        models=LISTED,
        abstained=TEXTS,
    ),
)  # fmt: skip
COMPLETIONS = some(
    Completion,
    text=TEXTS,
    model=NAMES,
    usage=USAGES,
    finish=st.sampled_from(["stop", "length"]),
    structured=st.booleans(),
    logprobs=st.none() | st.just((TokenLogprob(token="a", logprob=-math.inf),)),
    latency=SCORES,
    request_id=st.none() | TEXTS,
    others=st.just(()) | LISTED,
    cached=st.booleans(),
)


def by_pydantic(data: dict[str, Any]) -> tuple[str, Texts]:
    texts: Texts = []
    take_texts(data, texts)
    return compact_json(data), texts


@given(MESSAGES)
def test_a_message_is_written_as_pydantic_would_or_is_left_to_it(message: Message) -> None:
    texts: Texts = []
    written = message_json(message, texts, {})
    if written is None:
        assert texts == []
    else:
        assert (written, texts) == by_pydantic(dumped(message))


@given(COMPLETIONS)
def test_a_completion_is_written_as_pydantic_would_or_is_left_to_it(completion: Completion) -> None:
    texts: Texts = []
    written = completion_json(completion, texts)
    if written is None:
        assert texts == []
        return
    data = completion.model_dump(mode="json", exclude={"usage"}, exclude_defaults=True)
    data["usage"] = completion.usage.model_dump(exclude_defaults=True)
    assert (written, texts) == by_pydantic(data)


HEARD: dict[str, Any] = {"seq": 4, "sender": "critic", "to": ("floor",), "round": 1, "time": 1.5}
REPLY: dict[str, Any] = {**HEARD, "answers": 3, "text": LONG, "model": "openai/tiny"}
BALLOT = Ballot(
    ratings=(Rating(aspect="coherence", score=4.0),),
    reason=LONG,
    reading=Reading(how="text", rule="exact", attempts=2, problems=(LONG, "short")),
    confidence=Confidence(value=0.5, source="asked"),
)
USUAL = [
    Brief(**HEARD, task="summarization", aspects=("coherence",), item="one", text=LONG),
    Ask(**HEARD, purpose="score", reply="score", hearing=(1, 2), given={"to": "critic", "n": 3}),
    Tell(**HEARD, heard=(1, 2)),
    Statement(**REPLY),
    Summary(**REPLY),
    Critique(**REPLY, no_issue=False, reading="unclear", ends=(9, 8)),
    Score(**REPLY, ballot=BALLOT),
    Ruling(**REPLY, ballot=BALLOT),
]


@pytest.mark.parametrize("message", USUAL, ids=lambda one: one.kind)
def test_what_is_usual_is_not_left_to_pydantic(message: Message) -> None:
    texts: Texts = []
    assert (message_json(message, texts, {}), texts) == by_pydantic(dumped(message))


def test_a_usual_completion_is_not_left_to_pydantic() -> None:
    usual = Completion(text="Fine.\nNO ISSUE", model="tiny", finish="length", latency=0.25, request_id="a-1")
    assert completion_json(usual, []) == (
        '{"text":"Fine.\\nNO ISSUE","model":"tiny","finish":"length","latency":0.25,"request_id":"a-1","usage":{"calls":1}}'
    )


def verdict(*ballots: Ballot, reason: str = "agreement") -> Verdict:
    casts = [
        CastBallot(agent="scorer", round=1, message=number, model="tiny", ballot=one, weight=0.5)
        for number, one in enumerate(ballots, start=1)
    ]
    spent = Spent(agent="scorer", round=1, usage=Usage(calls=1, prompt_tokens=9))
    rated = BALLOT.ratings
    return Verdict(
        seq=9, ratings=rated, settled=True, ended=reason, rounds=1, merge="mean", ballots=tuple(casts), usage=(spent,)
    )  # fmt: skip


def test_a_verdict_repeats_the_ballots_as_they_were_written() -> None:
    other = BALLOT.model_copy(update={"reason": f"{LONG} Twice."})
    said, written = Score(**{**REPLY, "seq": 1}, ballot=BALLOT), dict[int, Any]()
    message_json(said, [], written)
    for ended in (
        verdict(BALLOT, other),
        verdict(other, BALLOT),
    ):  # a number alone does not make it the same ballot
        texts: Texts = []
        assert (message_json(ended, texts, written), texts) == by_pydantic(dumped(ended))
    assert list(written) == [1]


REPLIED = {"answers", "text", "model"}
WRITTEN: dict[type[BaseModel], set[str]] = {
    Brief: {"task", "aspects", "item", "candidates", "text"},
    Ask: {"purpose", "reply", "hearing", "given", "confidence"},
    Tell: {"heard"},
    Summary: REPLIED,
    Critique: {*REPLIED, "no_issue", "reading", "ends"},
    Statement: {*REPLIED, "ballot"},
    Score: {*REPLIED, "ballot"},
    Ruling: {*REPLIED, "ballot"},
    CastBallot: {"agent", "round", "message", "model", "ballot", "weight"},
    Ballot: {"ratings", "reason", "reading", "given", "confidence"},
    Rating: {"aspect", "score", "candidate"},
    Reading: {"how", "rule", "attempts", "problems", "mass", "ends", "repeated"},
    Spent: {"agent", "round", "usage"},
    Completion: {
        "text",
        "model",
        "usage",
        "finish",
        "structured",
        "logprobs",
        "latency",
        "request_id",
        "others",
        "lost",
        "cached",
        "cut",
    },
}


@pytest.mark.parametrize("kind", WRITTEN, ids=lambda kind: kind.__name__)
def test_every_field_of_what_is_written_by_hand_is_known(kind: type[BaseModel]) -> None:
    """A field that comes to one of these is written in record_json.py, and then named here."""
    of_all = Message.model_fields.keys() if issubclass(kind, Message) else set()
    assert kind.model_fields.keys() - of_all == WRITTEN[kind]
