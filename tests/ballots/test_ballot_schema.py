"""Ballots in JSON: whole, embedded, nested, broken."""

import json
from typing import Any

import pytest
from agentdebate.ballots.schema import read_json
from agentdebate.ballots.text import Problem, read_ballot
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.ballot import Ballot
from agentdebate.tasks import Aspect, Scale


def aspect(name: str, low: float = 1, high: float = 5, step: float | None = 1) -> Aspect:
    return Aspect(name=name, scale=Scale(low=low, high=high, step=step), criterion="-")


COHERENCE = aspect("coherence")
FACTUAL = aspect("factual_consistency")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"reason": "x", "coherence": 4}', (4, "text")),
        ('{"Coherence": 4.0}', (4, "text")),
        ('{"COHERENCE SCORE": "4"}', (4, "text")),
        ('{"score": "4/5"}', (4, "text")),
        ('{"rating": "four"}', (4, "text")),
        ('```json\n{"score": 4}\n```', (4, "text")),
        ('Here:\n{"score": 4}\nThat is {all}.', (4, "text")),
        ('{"scores": {"coherence": 4}}', (4, "text")),
        (
            '{"ratings": [{"aspect": "coherence", "score": 4}, {"aspect": "relevance", "score": 1}]}',
            (4, "text"),
        ),
        ('{"coherence": {"score": 4, "reason": "x"}}', (4, "text")),
        ('{"initial_score": 2, "final_score": 4}', (4, "text")),
        ('{"score": 2, "final_score": 4}', (4, "text")),
        ('{"score": 4} and again {"score": 4}', (4, "text")),
        ('{ {"score": 4}', (4, "text")),
        ("{'score': 4, 'reason': 'x'}", (4, "repaired")),
        ("{score: 4, reason: fine}", (4, "repaired")),
        ('{"score": 4,}', (4, "repaired")),
        ('{"score": 4', (4, "repaired")),
        ('{"score": "4" "reason": "x"}', (4, "repaired")),
        ('{"score": 4, "reason": "it is "good" as it is"}', (4, "repaired")),
        ('{"reason": "a\nb", "score": 4}', (4, "text")),
        ('{"score": 4 or 5}', "off_scale"),
        ('{"score": 1 000}', "off_scale"),
        ('{"score": "4-5"}', "several"),
        ('{"score": 4-5}', "several"),
        ('{"score": 3} {"score": 4}', "several"),
        ('{"score": 3, "score": 4}', "several"),
        ('{"coherence": 3, "scores": {"coherence": 4}}', "several"),
        ('{"score": 6}', "off_scale"),
        ('{"score": 4.5}', "off_scale"),
        ('{"score": true}', "off_scale"),
        ('{"score": NaN}', "off_scale"),
        ('{"score": Infinity}', "off_scale"),
        ('{"score": ' + "1" * 5000 + "}", "off_scale"),
        ('{"score": "good"}', "off_scale"),
        ('{"score": [4]}', "off_scale"),
        ('{"score": "8/10"}', "off_scale"),
        ('{"score": null}', "missing"),
        ('{"coherence": null, "reason": "x"}', "missing"),
        ("The score is 4.", None),
        ('{"reason": "x"}', None),
        ("", None),
        ('{"score":' * 2000, None),
        ("{score}", None),
    ],
)
def test_json_is_read_where_it_gives_one_number_and_is_a_problem_where_it_does_not(
    reply: str, expected: Any
) -> None:
    read = read_json(reply, [COHERENCE], structured=False, cut_off=False)
    if isinstance(read, Ballot):
        assert expected == (read.scores["coherence"], read.reading.how)
    else:
        assert expected == (None if read is None else read.kind)


@pytest.mark.parametrize(
    "key", ["factual_consistency", "Factual Consistency", "factual-consistency", "FACTUAL_CONSISTENCY"]
)
def test_keys_are_folded(key: str) -> None:
    read = read_json(
        json.dumps({key: 4, "coherence": 2}), [COHERENCE, FACTUAL], structured=False, cut_off=False
    )
    assert isinstance(read, Ballot)
    assert read.scores == {"coherence": 2, "factual_consistency": 4}


@pytest.mark.parametrize("key", ["reason", "reasons", "explanation", "Rationale", "analysis"])
def test_the_reason_is_taken_from_the_keys_that_judges_use(key: str) -> None:
    read = read_json(
        json.dumps({key: " It flows. ", "score": 4}), [COHERENCE], structured=False, cut_off=False
    )
    assert isinstance(read, Ballot)
    assert read.reason == "It flows."


def test_only_whole_json_of_an_endpoint_that_enforced_it_counts_as_read_by_schema() -> None:
    replies = {
        '{"reason": "x", "coherence": 4}': "schema",
        '{"coherence": 4': "repaired",
        "Coherence: 4": "text",
    }
    read = {reply: read_ballot(reply, [COHERENCE], structured=True) for reply in replies}
    assert {reply: one.reading.how for reply, one in read.items() if isinstance(one, Ballot)} == replies


def test_json_on_other_aspects_alone_is_missing_ours_and_is_not_read_as_prose() -> None:
    read = read_ballot('{"aspect": "relevance", "score": 2}', [COHERENCE])
    assert isinstance(read, Problem)
    assert read.kind == "missing"


def test_braces_in_prose_do_not_hide_the_score_that_the_prose_gives() -> None:
    read = read_ballot('You want {"score": <1-5>}. Score: 4', [COHERENCE])
    assert isinstance(read, Ballot)
    assert read.scores == {"coherence": 4}


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.text(max_size=10)
    | st.sampled_from(["4", "4/5", "four"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["score", "coherence", "Rating", "scores", "aspect", "reason", "x"]), inner
        )
    ),
    max_leaves=8,
)


@given(JSON, st.integers(0, 80))
@settings(max_examples=200, deadline=None)
def test_any_json_whole_or_cut_anywhere_gives_a_score_on_the_scale_or_none(value: Any, length: int) -> None:
    whole = json.dumps(value)
    for reply in (whole, whole[:length]):
        read = read_json(reply, [COHERENCE], structured=False, cut_off=False)
        if isinstance(read, Ballot):
            assert read.scores["coherence"] in COHERENCE.scale


@given(st.text(), st.integers(1, 5), st.integers(1, 5))
@settings(deadline=None)
def test_a_reply_that_keeps_to_the_schema_comes_back(reason: str, coherence: int, factual: int) -> None:
    reply = json.dumps({"reason": reason, "coherence": coherence, "factual_consistency": factual})
    read = read_json(reply, [COHERENCE, FACTUAL], structured=False, cut_off=False)
    assert isinstance(read, Ballot)
    assert read.scores == {"coherence": coherence, "factual_consistency": factual}
    assert read.reason == reason.strip()
