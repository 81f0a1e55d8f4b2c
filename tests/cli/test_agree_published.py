"""Published numbers, recomputed by agentdebate agree from the benchmark data to the printed digit."""

import json
from pathlib import Path
from typing import Any

import pytest
from typed import typed

from agentdebate.report.figures import figure

FOUR = ("naturalness", "coherence", "engagingness", "groundedness")
REFERENCE = "system_id!=Original Ground Truth"


def unieval(shared: Path) -> tuple[str, ...]:
    """UniEval's predictions beside people's scores."""
    folder = shared / "topical_chat"
    scores = f"unieval={folder / 'unieval_predictions.jsonl'}"
    return ("--data", str(folder / "responses.jsonl"), "--scores", scores)


def agreed(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    """The rows of the table, without intervals."""
    done = typed(capsys, "agree", *words, "--json", "--resamples", "0")
    found = json.loads(done.out)
    assert done.code == 0
    assert bool(done.err) == any(one["share"] > 0.05 for one in found["coverage"])
    rows: list[dict[str, Any]] = found["rows"]
    return rows


def printed(rows: list[dict[str, Any]], statistic: str) -> list[str]:
    """The values of a statistic as they are printed."""
    return [figure(row["value"]) for row in rows if row["statistic"] == statistic]


def test_unieval_on_topical_chat_pooled(capsys: pytest.CaptureFixture[str], shared: Path) -> None:
    """UniEval's own table, and Fusion-Eval Table 3."""
    rows = agreed(capsys, *unieval(shared), "--convention", "topicalchat-pooled")
    assert [row["aspect"] for row in rows] == [*FOUR, "understandability", "overall"]
    assert printed(rows, "spearman") == [".514", ".613", ".605", ".575", ".468", ".663"]
    assert {(row["n"], row["groups"], row["left_out"], row["missing"]) for row in rows} == {(360, 1, 0, 0)}


@pytest.mark.parametrize("name", ["debate-table1", "chateval-table2"])
def test_unieval_on_topical_chat_without_the_references(
    capsys: pytest.CaptureFixture[str], shared: Path, name: str
) -> None:
    """The UniEval row of DEBATE Table 1 and ChatEval Table 2: Spearman and Kendall's tau-b over 300 responses."""
    rows = agreed(capsys, *unieval(shared), "--convention", name)
    assert printed(rows, "spearman") == [".455", ".602", ".573", ".577"]
    assert printed(rows, "kendall-b") == [".330", ".455", ".430", ".453"]
    assert {row["n"] for row in rows} == {300}


def test_a_convention_is_the_options_that_it_stands_for(
    capsys: pytest.CaptureFixture[str], shared: Path
) -> None:
    words = (
        "--on", "dialogue_id,system_id", "--group", "dialogue_id", "--system", "system_id", "--where", REFERENCE,
        "--aspects", ",".join(FOUR), "--statistic", "pearson,spearman,kendall-b", "--level", "pooled",
    )  # fmt: skip
    assert agreed(capsys, *unieval(shared), *words) == agreed(
        capsys, *unieval(shared), "--convention", "debate-table1"
    )


def test_unieval_on_topical_chat_by_dialogue(capsys: pytest.CaptureFixture[str], shared: Path) -> None:
    rows = agreed(capsys, *unieval(shared), "--convention", "topicalchat-dialogue")
    assert printed(rows, "pearson") == [".493", ".507", ".571", ".571"]
    assert printed(rows, "spearman") == [".515", ".560", ".575", ".614"]
    used = {row["aspect"]: (row["groups"], row["left_out"]) for row in rows}
    assert used == {**dict.fromkeys(FOUR, (60, 0)), "groundedness": (54, 6)}


def test_constant_articles_of_summeval_are_left_out_and_counted(
    capsys: pytest.CaptureFixture[str], shared: Path
) -> None:
    """Experts against themselves: perfect, over the articles whose scores are not constant."""
    summaries = str(shared / "summeval" / "summaries.jsonl")
    aspects = ("coherence", "consistency", "fluency", "relevance")
    words = ("--data", summaries, "--score", ",".join(f"{name}={name}" for name in aspects))
    rows = agreed(capsys, *words, "--convention", "summeval-summary")
    assert [row["left_out"] for row in rows if row["statistic"] == "kendall-b"] == [0, 4, 2, 0]
    assert [row["groups"] for row in rows if row["statistic"] == "spearman"] == [100, 96, 98, 100]
    assert {round(row["value"], 9) for row in rows} == {1.0}


def test_systems_of_summeval_with_equal_means_tie(capsys: pytest.CaptureFixture[str], shared: Path) -> None:
    """Two fluency means are equal, and would be ranked by the last digit of their sums if they were not rounded."""
    summaries = str(shared / "summeval" / "summaries.jsonl")
    words = (
        "--data",
        summaries,
        "--score",
        "fluency=fluency",
        "--aspects",
        "fluency",
        "--convention",
        "summeval-system",
    )
    (row,) = agreed(capsys, *words)
    assert (row["groups"], row["n"], figure(row["value"])) == (16, 1600, "1.000")


@pytest.mark.parametrize(("label", "share"), [("1", ".513"), ("2", ".313"), ("tie", ".175")])
def test_labels_of_faireval(
    capsys: pytest.CaptureFixture[str], shared: Path, tmp_path: Path, label: str, share: str
) -> None:
    """A judge that always says the same is right as often as people say so: 41, 25 and 14 of 80, and kappa is 0."""
    scores = tmp_path / "same.jsonl"
    scores.write_text(
        "".join(json.dumps({"question_id": n, "human_label": label}) + "\n" for n in range(1, 81))
    )
    data = str(shared / "faireval" / "faireval.jsonl")
    accuracy, kappa = agreed(capsys, "--data", data, "--scores", str(scores), "--convention", "faireval")
    assert (figure(accuracy["value"]), accuracy["n"], figure(kappa["value"])) == (share, 80, ".000")


def test_a_run_of_the_offline_judge_under_a_convention(
    capsys: pytest.CaptureFixture[str], shared: Path
) -> None:
    """A run over the first ten dialogues, compared with people's scores that came along and those of the file."""
    data = str(shared / "topical_chat" / "responses.jsonl")
    columns = ("--id", "dialogue_id,system_id", "--group", "dialogue_id", "--system", "system_id")
    words = (
        "--task",
        "dialogue",
        "--aspects",
        "naturalness",
        "--human",
        "naturalness=naturalness",
        "--limit",
        "60",
    )
    assert typed(capsys, "run", "solo", data, *columns, *words).code == 0
    own = agreed(capsys, "last", "--convention", "debate-table1")
    assert {(row["aspect"], row["n"], row["missing"]) for row in own} == {("naturalness", 50, 0)}
    theirs = agreed(capsys, "last", "--data", data, "--convention", "debate-table1")
    assert [row["value"] for row in theirs] == pytest.approx([row["value"] for row in own])
    assert {(row["n"], row["missing"]) for row in theirs} == {(50, 250)}


def test_data_may_be_read_as_it_is_published(capsys: pytest.CaptureFixture[str], shared: Path) -> None:
    """Whatever a dataset's form calls its fields, its rows have a group and a system."""
    words = (*unieval(shared), "--as", "topical-chat")
    rows = agreed(capsys, *words, "--convention", "debate-table1")
    assert printed(rows, "spearman") == [".455", ".602", ".573", ".577"]
    words = (
        *words,
        "--on",
        "group=dialogue_id,system=system_id",
        "--aspects",
        "coherence",
        "--statistic",
        "spearman",
    )
    assert printed(agreed(capsys, *words), "spearman") == [".613"]


def test_pairs_of_a_run_are_compared_with_those_of_a_published_dataset(
    capsys: pytest.CaptureFixture[str], shared: Path
) -> None:
    data = str(shared / "faireval" / "faireval.jsonl")
    words = ("--as", "faireval", "--aspects", "overall", "--limit", "12")
    assert typed(capsys, "run", "solo", data, *words).code == 0
    own = agreed(capsys, "last")
    assert [row["n"] for row in own] == [12, 12]
    for more in ((), ("--convention", "faireval")):
        theirs = agreed(capsys, "last", "--data", data, "--as", "faireval", *more)
        assert [row["value"] for row in theirs] == [row["value"] for row in own]
        assert [row["missing"] for row in theirs] == [68, 68]


@pytest.mark.parametrize(
    ("name", "path"),
    [("hanna", "hanna"), ("topical-chat", "topical_chat/responses.jsonl"), ("faireval", "faireval")],
)
def test_data_without_single_ratings_says_so(
    capsys: pytest.CaptureFixture[str], shared: Path, name: str, path: str
) -> None:
    done = typed(capsys, "agree", "--data", str(shared / path), "--as", name, "--ceiling")
    assert (done.code, done.out) == (2, "")
    assert f"--ceiling takes the single ratings of people, and this form of {name} (" in done.err


def test_a_dataset_has_the_statistic_and_level_of_its_own_paper(
    capsys: pytest.CaptureFixture[str], shared: Path
) -> None:
    folder = shared / "summeval"
    words: tuple[str, ...] = (
        "--data",
        str(folder),
        "--as",
        "summeval",
        "--scores",
        f"x={folder / 'summaries.jsonl'}",
    )
    words = (
        *words,
        "--on",
        "group=article_id,system=system_id",
        "--aspects",
        "fluency",
        "--resamples",
        "0",
        "--json",
    )
    found = json.loads(typed(capsys, "agree", *words).out)
    assert [(row["statistic"], row["level"]) for row in found["rows"]] == [("kendall-b", "system")]
    assert "Statistic and level are those of summeval's own paper" in found["caption"]
    asked = json.loads(typed(capsys, "agree", *words, "--statistic", "pearson").out)
    assert [(row["statistic"], row["level"]) for row in asked["rows"]] == [("pearson", "pooled")]
    assert "own paper" not in asked["caption"]
