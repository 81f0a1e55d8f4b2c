"""agentdebate score: one item, and the talk as it happens."""

from pathlib import Path

import pytest
from typed import FIELDS, ITEM, SCORE, typed, write

from agentdebate.debates.record import OFFLINE_NOTE

Capsys = pytest.CaptureFixture[str]


def test_the_debate_is_printed_and_the_scores_come_last(capsys: Capsys) -> None:
    came = typed(capsys, "score", "debate", *SCORE[2:], *FIELDS)
    assert came.code == 0
    assert "scorer: coherence " in came.out
    assert "critic, round 1: " in came.out
    name, _, score = came.out.splitlines()[-1].partition("\t")
    assert (name, score in "12345") == ("coherence", True)
    assert OFFLINE_NOTE in came.err


def test_quiet_leaves_only_the_scores(capsys: Capsys) -> None:
    came = typed(capsys, *SCORE[:-1], "coherence,fluency", *FIELDS, "--quiet")
    assert [line.split("\t")[0] for line in came.out.splitlines()] == ["coherence", "fluency"]


def test_json_has_the_verdict_on_standard_output_and_the_talk_on_standard_error(
    capsys: Capsys,
) -> None:
    came = typed(capsys, *SCORE, *FIELDS, "--json")
    (row,) = came.json
    assert row["verdict"]["ballots"]
    assert row["scores"]["coherence"] == row["verdict"]["ratings"][0]["score"]
    assert "scorer: coherence" in came.err
    assert OFFLINE_NOTE in came.err


def test_a_debate_in_which_nobody_sits_says_what_it_is_about_and_names_no_model(
    capsys: Capsys,
) -> None:
    """The mean of evaluators: nobody gets a brief, and no model speaks."""
    words = ("--also", f"reference={ITEM['summary']}", "--set", 'evaluators=["rouge-1"]')
    came = typed(capsys, "score", "avg", *SCORE[2:], *FIELDS, *words)
    assert came.code == 0
    heading, *rest = [line for line in came.out.splitlines() if line]
    assert heading.startswith("item: coherence ─")
    assert rest.index("source") < rest.index("summary")
    (verdict,) = [line for line in rest if line.startswith("verdict: ")]
    assert verdict == "verdict: coherence 5 (settled: computed, rounds: 0)"


def test_a_field_is_read_from_a_file(capsys: Capsys) -> None:
    Path("article.txt").write_text(f"\ufeff{ITEM['source']}", encoding="utf-8")
    words = ("-f", "source=@article.txt", "-f", f"summary={ITEM['summary']}, with a=b")
    assert typed(capsys, *SCORE, *words).code == 0


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


def test_arguments_go_before_the_items_fields(capsys: Capsys) -> None:
    write([ITEM], "item.json")
    came = typed(capsys, *SCORE, "--item", "item.json", "-f", "summary= ")
    assert (came.code, "no text here to judge" in came.err) == (2, True)
