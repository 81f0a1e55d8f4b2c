"""agentdebate dynamics."""

import pytest
from typed import numbered, typed, write

TALK = ("chateval-simultaneous", "data.jsonl", "--task", "summarization", "--aspects", "coherence")


def held(capsys: pytest.CaptureFixture[str], *options: str) -> None:
    write([{**row, "coherence": score} for row, score in zip(numbered(3), (2, 4, 5), strict=True)])
    assert typed(capsys, "run", *TALK, "--human", "coherence=coherence", *options).code == 0


def test_json_has_the_same_figures(capsys: pytest.CaptureFixture[str]) -> None:
    held(capsys, "--set", "ballots=every", "--set", "rounds=2")
    (told,) = typed(capsys, "dynamics", "last", "--json").json
    assert (told["debates"], told["debates_failed"], told["debates_not_ended"]) == (3, 0, 0)
    assert [one["n"] for one in told["movement"]] == [3, 3, 3]
    assert [(one["round"], one["n"]) for one in told["convergence"]] == [(1, 3), (2, 3)]


def test_without_a_second_ballot_it_says_that_nobody_can_be_seen_to_move(
    capsys: pytest.CaptureFixture[str],
) -> None:
    held(capsys)
    assert "Moves: nothing to count" in typed(capsys, "dynamics").out


def test_a_distance_below_zero_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    told = typed(capsys, "dynamics", "--within", "-1")
    assert (told.code, told.out) == (2, "")
    assert "--within" in told.err


def test_a_run_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    held(capsys)
    assert typed(capsys, "dynamics", "nothing").code == 2
