"""agentdebate sweep."""

import csv
import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own
from stopped_debates import stop_debates
from typed import NOBODY, Typed, numbered, typed, write

import agentdebate as ad
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.composition import Around
from agentdebate.models.function import Function
from agentdebate.models.registry import compose
from agentdebate.usage import Usage

SWEEP = ("data.jsonl", "--task", "summarization", "--aspects", "coherence", "--resamples", "20")
PEOPLE = ("--human", "coherence=coherence")

SCORED = [
    {**row, "coherence": 1 + place % 5, "near": place % 5 / 4, "far": 0.5 if place % 2 else 0.25}
    for place, row in enumerate(numbered(6))
]
"""Items with a column of scores that follows people, and one that does not."""
COLUMNS = (
    "--evidence",
    "near=near,far=far",
    "--set",
    "evaluators=[]",
    "--set",
    'ranges={"near": "0-1", "far": "0-1"}',
)


@pytest.fixture(autouse=True)
def _data() -> None:
    write([{**row, "coherence": 1 + place % 3} for place, row in enumerate(numbered(4))])


def swept(capsys: pytest.CaptureFixture[str], *options: str, strategy: str = "debate") -> Typed:
    return typed(capsys, "sweep", strategy, *SWEEP, *options)


def lines(told: Typed) -> list[dict[str, Any]]:
    (said,) = told.json
    return list(said["rows"])


def runs(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [row["run"] for row in typed(capsys, "list", "runs", "--json").json]


def test_every_cell_has_its_two_controls_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    told = swept(capsys, *PEOPLE, "--vary", "rounds=1,2", "--json")
    assert told.code == 0
    assert [(row["cell"], row["kind"]) for row in lines(told)] == [
        (cell, kind) for cell in ("rounds=1", "rounds=2") for kind in ("run", "openings", "same calls")
    ]
    assert all(row["agreement"][0]["n"] == 4 for row in lines(told))


def test_the_single_judge_is_sampled_as_often_as_the_debate_called(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = swept(capsys, "--vary", "rounds=1,3", "--control-temperature", "0.7", "--json")
    for debate, control in zip(lines(told)[::3], lines(told)[2::3], strict=True):
        assert control["calls_each"] == round(debate["calls_each"])
        assert control["judge"] == f"solo x{round(debate['calls_each'])}, T=0.7"
    assert "at temperature 0.7" in told.json[0]["caption"]


def test_the_vote_of_the_openings_takes_the_calls_that_were_made_for_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = swept(
        capsys, "--vary", "agents=2,3", "--set", "ballots=every", "--json", strategy="chateval-simultaneous"
    )
    assert [row["calls_each"] for row in lines(told)[1::3]] == [2, 3]
    assert [row["failures"] for row in lines(told)[1::3]] == [0, 0]


def test_without_ballots_before_the_talk_there_is_no_vote_of_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = swept(capsys, *PEOPLE, "--vary", "agents=2", "--json", strategy="chateval-one-by-one")
    openings = lines(told)[1]
    assert (openings["failures"], openings["calls"], openings["agreement"][0]["n"]) == (4, 0, 0)
    assert "no ballot was cast before the talk" in openings["note"]
    assert told.code == 0


def test_a_sweep_that_is_called_again_holds_nothing_again(capsys: pytest.CaptureFixture[str]) -> None:
    first = swept(capsys, "--vary", "rounds=1,2", "--json")
    held = runs(capsys)
    again = swept(capsys, "--vary", "rounds=1,2", "--json")
    assert runs(capsys) == held
    assert lines(again) == lines(first)
    assert again.err.count("has ended") == 4


def test_a_sweep_with_more_values_holds_those_alone(capsys: pytest.CaptureFixture[str]) -> None:
    before = swept(capsys, "--vary", "rounds=1", "--json")
    after = swept(capsys, "--vary", "rounds=1,2", "--json")
    assert before.json[0]["sweep"] == after.json[0]["sweep"]
    assert lines(after)[:3] == lines(before)


def test_other_data_or_another_judge_is_another_run(capsys: pytest.CaptureFixture[str]) -> None:
    swept(capsys, "--vary", "rounds=1")
    held = len(runs(capsys))
    write(numbered(3))
    swept(capsys, "--vary", "rounds=1")
    assert len(runs(capsys)) == 2 * held


def test_a_run_that_was_killed_goes_on_where_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    swept(capsys, "--vary", "rounds=1,2")
    held = runs(capsys)
    before = ad.store_info("agentdebate.db").calls
    stop_debates("agentdebate.db", "i2/%", held[0])
    again = swept(capsys, "--vary", "rounds=1,2")
    assert f"run {held[0]} taken up again" in again.err
    assert runs(capsys) == held
    store = sqlite3.connect("agentdebate.db")
    assert ad.store_info("agentdebate.db").calls == before
    assert store.execute("SELECT count(*) FROM runs WHERE ended IS NULL").fetchone() == (0,)
    store.close()


def test_a_cell_can_be_taken_up_by_itself_and_says_where_it_belongs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = swept(capsys, "--vary", "rounds=1", "--json").json[0]["sweep"]
    first = runs(capsys)[0]
    store = sqlite3.connect("agentdebate.db")
    store.execute("UPDATE runs SET ended = NULL WHERE id = ?", (first,))
    store.commit()
    store.close()
    assert typed(capsys, "resume", first).code == 0
    assert f"sweep: name={name}, cell=rounds=1" in typed(capsys, "show", first).out
    assert f"rounds=1: run {first} has ended" in swept(capsys, "--vary", "rounds=1").err


def test_a_cache_is_shared_by_the_cells(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write([{**row, "summary": f"Text {place}."} for place, row in enumerate(numbered(4))])
    asked = 0

    def words(_: ModelRequest) -> str:
        nonlocal asked
        asked += 1
        return "NO ISSUE\n\nCoherence: 3"

    def opener(_: int, around: Around, *__: object) -> Callable[[str], Model]:
        return lambda _name: compose(Function("tiny", words), around)

    monkeypatch.setattr("agentdebate.runs.run.opener", opener)
    told = swept(capsys, "--vary", "rounds=1,2", "--cache", "on", *NOBODY, "--json")
    first, _, control, second, *_ = lines(told)
    assert told.code == 0
    assert (first["cached"], second["calls"], second["cached"]) == (0, 8, 8)
    assert control["cached"] == 0
    assert asked == first["calls"] + control["calls"]


def test_the_table_is_csv_too(capsys: pytest.CaptureFixture[str]) -> None:
    told = swept(capsys, *PEOPLE, "--vary", "rounds=1", "--csv")
    rows = list(csv.DictReader(io.StringIO(told.out)))
    assert [row["kind"] for row in rows] == ["run", "openings", "same calls"]
    assert {row["coherence_n"] for row in rows} == {"4"}
    assert {row["rounds"] for row in rows} == {"1"}


def test_the_table_says_what_its_figures_are(capsys: pytest.CaptureFixture[str]) -> None:
    told = swept(capsys, *PEOPLE, "--vary", "persona=critic-weak,critic-strict")
    assert "critic-strict" in told.out
    assert "no 95% intervals, as nothing varies between resamples" in " ".join(told.out.split())
    assert "openings' vote" in told.out
    assert "it is a baseline" in told.out


def test_a_plot_of_the_sweep_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    told = swept(capsys, *PEOPLE, "--vary", "rounds=1,2", "-o", "rounds.svg", "--json")
    assert told.code == 0
    assert Path("rounds.svg").read_text(encoding="utf-8").startswith("<?xml")
    name = told.json[0]["sweep"]
    (said,) = typed(capsys, "plot", "cost", name, "-o", "c.svg", "--json", "--resamples", "0").json
    assert [row["kind"] for row in said["rows"]].count("same calls") >= 1


def test_the_single_judge_is_sampled_by_tokens_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(request: ModelRequest) -> Completion:
        scorer = request.context is not None and request.context.purpose == "score"
        usage = Usage(calls=1, prompt_tokens=100 if scorer else 500, completion_tokens=0)
        return Completion(text="NO ISSUE\n\nCoherence: 3", model="tiny", usage=usage)

    def opener(_: int, around: Around, *__: object) -> Callable[[str], Model]:
        return lambda _name: compose(Function("tiny", answer), around)

    monkeypatch.setattr("agentdebate.runs.run.opener", opener)
    told = swept(capsys, "--vary", "rounds=1", "--by-tokens", *NOBODY, "--json")
    debate, _, by_calls, by_tokens = lines(told)
    assert [by_calls["kind"], by_tokens["kind"]] == ["same calls", "same tokens"]
    assert by_calls["calls_each"] == debate["calls_each"]
    assert by_tokens["prompt_tokens"] == debate["prompt_tokens"] > by_calls["prompt_tokens"]
    assert by_tokens["judge"].endswith("same tokens")
    assert "as many tokens" in told.json[0]["caption"]
    again = swept(capsys, "--vary", "rounds=1", "--by-tokens", *NOBODY, "--json")
    assert [row["run"] for row in lines(again)] == [row["run"] for row in lines(told)]


def test_a_run_with_evaluators_and_people_has_corrw_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    write(SCORED)
    told = swept(capsys, *PEOPLE, *COLUMNS, "--vary", "strategy=avg,avg-with-judge", "--json")
    assert [row["kind"] for row in lines(told)] == [
        *("run", "openings", "corrw", "same calls"),
        *("run", "openings", "corrw", "same calls"),
    ]
    weighted = lines(told)[2]
    assert (weighted["calls"], weighted["money"], weighted["failures"]) == (0, 0, 0)
    assert (weighted["agreement"][0]["n"], weighted["agreement"][0]["value"]) == (6, pytest.approx(1.0))
    assert "other sources" in weighted["note"]
    assert told.code == 0


def test_corrw_is_a_cell_of_its_own_where_it_is_named_like_a_strategy(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(SCORED)
    beside = lines(swept(capsys, *PEOPLE, *COLUMNS, "--vary", "strategy=avg", "--json"))[2]
    told = swept(capsys, *PEOPLE, *COLUMNS, "--vary", "strategy=corrw,avg-with-judge", "--json")
    weighted, control, *_ = lines(told)
    assert (weighted["kind"], weighted["varied"]) == ("corrw", {"strategy": "corrw"})
    assert control["kind"] == "same calls"
    assert weighted["agreement"][0]["value"] == pytest.approx(beside["agreement"][0]["value"])
    assert weighted["run"] == beside["run"], "the run of AVG, which is not held twice"
    shown = swept(capsys, *PEOPLE, *COLUMNS, "--vary", "strategy=corrw", "--csv").out
    first, below = csv.DictReader(io.StringIO(shown))
    assert (first["strategy"], first["judge"], first["debates"]) == ("corrw", "strategy=corrw", "6")
    assert below["judge"] == "solo x1, T=1"


def test_corrw_without_people_is_refused_before_anything_is_held(capsys: pytest.CaptureFixture[str]) -> None:
    write([{key: value for key, value in row.items() if key != "human"} for row in SCORED])
    told = swept(capsys, *COLUMNS, "--vary", "strategy=corrw")
    assert told.code == 2
    assert "corrw learns from people's scores" in told.err
    assert not Path("agentdebate.db").exists()


def test_corrw_has_the_scores_of_aggregate(capsys: pytest.CaptureFixture[str]) -> None:
    write(SCORED)
    weighted = lines(swept(capsys, *PEOPLE, *COLUMNS, "--vary", "strategy=avg", "--json"))[2]
    typed(capsys, "aggregate", weighted["run"], "--how", "corrw", "--json", "-o", "rows.jsonl")
    rows = [json.loads(line) for line in Path("rows.jsonl").read_text(encoding="utf-8").splitlines()]
    rated = stats.spearmanr([row["score"] for row in rows], [row["human"] for row in rows]).statistic
    assert weighted["agreement"][0]["value"] == pytest.approx(rated)


def test_without_other_sources_corrw_says_so_and_the_sweep_is_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write([{**row, "group": "one"} for row in SCORED])
    told = swept(capsys, *PEOPLE, *COLUMNS, "--group", "group", "--vary", "strategy=avg", "--json")
    weighted = lines(told)[2]
    assert (weighted["kind"], weighted["failures"]) == ("corrw", 6)
    assert weighted["note"]
    assert told.code == 0


def test_a_dry_run_counts_the_controls_and_calls_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    told = swept(capsys, "--vary", "rounds=1,2", "--dry-run", "--json")
    (said,) = told.json
    assert [row["kind"] for row in said["rows"]] == ["debate", "control", "debate", "control"]
    assert said["calls"] == sum(row["calls"] for row in said["rows"]) == 4 * (3 + 3 + 5 + 5)
    assert not Path("agentdebate.db").exists()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "--vary rounds=1,2,3"),
        (("--vary", "rounds"), "NAME=VALUE"),
        (("--vary", "rounds=1,1"), "twice"),
        (("--vary", "rounds=1", "--vary", "rounds=2"), "twice"),
        (("--vary", "round=1"), "Did you mean 'rounds'?"),
        (("--vary", "rounds=0"), "rounds"),
        (("--vary", "strategy=debat"), "Did you mean 'debate'?"),
        (("--vary", "cast.critc=critic-weak"), "Did you mean 'critic'?"),
        (("--vary", "temperature=warm"), "is not a number"),
        (("--vary", "agents=2"), "has no panel"),
        (("--vary", "rounds=1", "--set", "rounds=2"), "both say it"),
        (("--vary", "cast.critic=critic-weak", "--cast", "critic=critic-strict"), "both say"),
        (("--vary", "rounds=1", "--control", "nobody"), "nobody"),
        (("--vary", "rounds=1", "-o", "plot.svg"), "--human"),
        (("--vary", "rounds=1", "--json", "--csv"), "one of them"),
    ],
)
def test_what_makes_no_sweep_is_refused_before_anything_is_held(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], why: str
) -> None:
    told = swept(capsys, *options)
    assert (told.code, told.out) == (2, "")
    assert why in told.err
    assert not Path("agentdebate.db").exists()


@pytest.mark.parametrize(
    ("varied", "why"),
    [
        ("persona=critic-weak,critic-week", "Did you mean 'critic-weak'?"),
        ("cast.scorer=scorer,scorrer", "Did you mean 'scorer'?"),
        ("model=offline,openai/x", "OPENAI_API_KEY"),
        ("model=offline,opnai/x", "Did you mean 'openai'?"),
    ],
)
def test_what_is_wrong_with_the_last_cell_is_said_before_the_first_is_held(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, varied: str, why: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    told = swept(capsys, "--vary", varied)
    assert (told.code, told.out) == (2, "")
    assert why in told.err
    assert not Path("agentdebate.db").exists()


def test_standard_input_cannot_be_read_twice(capsys: pytest.CaptureFixture[str]) -> None:
    told = typed(capsys, "sweep", "debate", "-", *SWEEP[1:], "--vary", "rounds=1")
    assert told.code == 2
