"""agentdebate sweep."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from stopped_debates import stop_debates
from typed import Typed, numbered, typed, write

import agentdebate as ad

Capsys = pytest.CaptureFixture[str]
SWEEP = ("data.jsonl", "--task", "summarization", "--aspects", "coherence", "--resamples", "20")
PEOPLE = ("--human", "coherence=coherence")


@pytest.fixture(autouse=True)
def _data() -> None:
    write([{**row, "coherence": 1 + place % 3} for place, row in enumerate(numbered(4))])


def swept(capsys: Capsys, *options: str, strategy: str = "debate") -> Typed:
    return typed(capsys, "sweep", strategy, *SWEEP, *options)


def lines(told: Typed) -> list[dict[str, Any]]:
    (said,) = told.json
    return list(said["rows"])


def runs(capsys: Capsys) -> list[str]:
    return [row["run"] for row in typed(capsys, "list", "runs", "--json").json]


def test_where_nothing_varies_all_controls_are_held_each_run_is_shown_once_and_compared(
    capsys: Capsys,
) -> None:
    words = ("chateval-simultaneous", *SWEEP[:5], *PEOPLE, "--set", "ballots=every")
    (said,) = typed(capsys, "sweep", *words, "--json").json
    kinds = {row["kind"]: row for row in said["rows"]}
    assert list(kinds) == ["run", "openings", "same calls", "same tokens", "one judge", "hearing nobody"]
    assert kinds["hearing nobody"]["calls"] == kinds["same calls"]["calls"] == kinds["run"]["calls"] == 4 * 6
    assert [one["n"] for one in said["differences"]] == [4] * 4  # by calls and by tokens it is the same run
    assert said["worth"]["chateval-simultaneous"]["n"] == 4
    held, shown = runs(capsys), typed(capsys, "run", *words, "--controls").out
    assert runs(capsys) == held
    assert shown.count("\nsolo x6") == 1
    assert "Whether people agree more often with vote or debate cannot be told with n = 4." in shown
    assert "(control: hearing nobody)" in typed(capsys, "agree", "last").out
    assert "(control: hearing nobody)" in typed(capsys, "show", "last").out


def test_a_control_that_is_not_held_says_why_and_the_legend_has_those_that_are(capsys: Capsys) -> None:
    told = " ".join(swept(capsys, *PEOPLE, "--controls").out.split())
    assert "hearing nobody: not held of debate; the talk needs somebody to hear" in told
    assert "thinks longer: not held of debate; no effort of its own is named" in told
    assert "are averaged: openings' vote; single judge; single judge, same tokens; one judge." in told
    assert "Without an interval: the same in every resample" in told


def test_a_judge_that_cannot_think_longer_is_refused_before_anything_is_held(capsys: Capsys) -> None:
    for asked in (
        ("run", "debate", *SWEEP[:5], "--control-effort", "high"),
        ("sweep", "debate", *SWEEP, "--vary", "effort=low,high"),
    ):
        told = typed(capsys, *asked)
        assert (told.code, "the offline judge has no effort" in told.err) == (2, True)
    assert not Path("agentdebate.db").exists()


def test_a_cell_has_settings_of_its_own(capsys: Capsys) -> None:
    told = swept(capsys, "--cell", "chateval-simultaneous:ballots=every,rounds=1", "--json")
    assert [row["cell"] for row in lines(told) if row["kind"] == "run"] == [
        "strategy=debate", "strategy=chateval-simultaneous, ballots=every, rounds=1",
    ]  # fmt: skip
    assert "is there twice" in swept(capsys, "--cell", "debate").err
    assert "--cell takes a strategy and what it sets" in swept(capsys, "--cell", "").err
    assert "--stop most: '{bad' is not JSON" in typed(capsys, "replay-stops", "--stop", "most={bad").err
    graph = swept(capsys, "--cell", 'society:rounds=1,hearing={"edges":[[1,2],[2,3]]}', "--json")
    assert [row["cell"] for row in lines(graph) if "[[1, 2], [2, 3]]" in row["cell"]]


def test_a_sweep_that_is_called_again_holds_nothing_again(capsys: Capsys) -> None:
    first = swept(capsys, "--vary", "rounds=1,2", "--json")
    held = runs(capsys)
    again = swept(capsys, "--vary", "rounds=1,2", "--json")
    assert runs(capsys) == held
    assert lines(again) == lines(first)


def test_a_run_that_was_killed_goes_on_where_it_was(capsys: Capsys) -> None:
    swept(capsys, "--vary", "rounds=1,2")
    held = runs(capsys)
    before = ad.store.store_info("agentdebate.db").calls
    stop_debates("agentdebate.db", "i2/%", held[0])
    again = swept(capsys, "--vary", "rounds=1,2")
    assert f"run {held[0]} resumed" in again.err
    assert runs(capsys) == held
    store = sqlite3.connect("agentdebate.db")
    assert ad.store.store_info("agentdebate.db").calls == before
    assert store.execute("SELECT count(*) FROM runs WHERE ended IS NULL").fetchone() == (0,)
    store.close()


def test_evaluators_weighted_by_people_are_a_control_and_a_cell_that_call_nobody(capsys: Capsys) -> None:
    write(
        [
            {
                **row,
                "coherence": 1 + place % 3,
                "good": place % 3 / 2,
                "noise": place % 2,
                "group": str(place),
            }
            for place, row in enumerate(numbered(6))
        ]
    )
    evidence = ("--evidence", "good=good,noise=noise", "--set", "evaluators=[]", "--group", "group")
    ranges = ("--set", 'ranges={"good": "0-1", "noise": "0-1"}')
    told = swept(
        capsys, *PEOPLE, *evidence, *ranges, "--vary", "strategy=avg,corrw", "--json", strategy="avg"
    )
    value = {(row["cell"], row["kind"]): row["agreement"][0]["value"] for row in lines(told)}
    weighted = value["strategy=avg", "corrw"]
    assert weighted == value["strategy=corrw", "corrw"] > value["strategy=avg", "run"]
    assert [row["calls"] for row in lines(told) if row["kind"] == "corrw"] == [0, 0]


def test_a_dry_run_counts_the_controls_and_calls_nobody(capsys: Capsys) -> None:
    told = swept(capsys, "--vary", "rounds=1,2", "--dry-run", "--json")
    (said,) = told.json
    assert [row["kind"] for row in said["rows"]] == ["debate", "control", "debate", "control"]
    assert said["calls"] == sum(row["calls"] for row in said["rows"]) == 4 * (3 + 3 + 5 + 5)
    assert not Path("agentdebate.db").exists()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--vary", "rounds"), "NAME=VALUE"),
        (("--vary", "rounds=1,1"), "twice"),
        (("--vary", "rounds=1", "--vary", "rounds=2"), "twice"),
        (("--vary", f"rounds={'1' * 5000}"), "a number of too many digits"),
        (("--vary", "round=1"), "Did you mean 'rounds'?"),
        (("--vary", "cast.critc=critic-weak"), "Did you mean 'critic'?"),
        (("--vary", "rounds=1", "--set", "rounds=2"), "both say it"),
        (("--vary", "cast.critic=critic-weak", "--cast", "critic=critic-strict"), "both say"),
    ],
)
def test_what_makes_no_sweep_is_refused_before_anything_is_held(
    capsys: Capsys, options: tuple[str, ...], why: str
) -> None:
    told = swept(capsys, *options)
    assert (told.code, told.out) == (2, "")
    assert why in told.err
    assert not Path("agentdebate.db").exists()
