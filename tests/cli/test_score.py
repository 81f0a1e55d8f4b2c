"""agentdebate score: one item, and the talk as it happens."""

from pathlib import Path

import pytest
from typed import FIELDS, ITEM, SCORE, typed

from agentdebate.debates.record import OFFLINE_NOTE

Capsys = pytest.CaptureFixture[str]


def test_json_has_the_verdict_on_standard_output_and_the_talk_on_standard_error(capsys: Capsys) -> None:
    came = typed(capsys, *SCORE, *FIELDS, "--json")
    (row,) = came.json
    assert row["verdict"]["ballots"]
    assert row["scores"]["coherence"] == row["verdict"]["ratings"][0]["score"]
    assert "scorer: coherence" in came.err
    assert OFFLINE_NOTE in came.err


def test_a_debate_in_which_nobody_sits_says_what_it_is_about_and_names_no_model(capsys: Capsys) -> None:
    """The mean of evaluators: nobody gets a brief, and no model speaks."""
    words = ("--also", f"reference={ITEM['summary']}", "--set", 'evaluators=["rouge-1"]')
    came = typed(capsys, "score", "avg", *SCORE[2:], *FIELDS, *words)
    assert came.code == 0
    heading, *rest = [line for line in came.out.splitlines() if line]
    assert heading.startswith("item: coherence ─")
    assert rest.index("source") < rest.index("summary")
    (verdict,) = [line for line in rest if line.startswith("verdict: ")]
    assert verdict == "verdict: coherence 5 (settled: computed, rounds: 0)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing in it"),
        ("[]", "an object is wanted here, not a list"),
        ('{"source": \n', "line 2"),
        ('{"source": {}, "summary": "a"}', "'source'"),
        ('{"source": null, "summary": "a"}', "'source'"),
    ],
)
def test_an_item_that_is_none_is_named(text: str, said: str, capsys: Capsys) -> None:
    Path("item.json").write_text(text, encoding="utf-8")
    came = typed(capsys, *SCORE, "--item", "item.json")
    assert (came.code, came.err.count("\n")) == (2, 1)
    assert said in came.err
