"""agentdebate agree where judgements are missing: what is said of them, and what they count as."""

import csv
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from typed import Typed, typed, write

from agentdebate.models.base import Model
from agentdebate.testing import replying

CHANCE = random.Random(1)
TEXTS: list[dict[str, Any]] = [
    {"id": str(number), "kind": "odd" if number % 2 else "even", "coherence": 1 + number % 5}
    for number in range(100)
]
REPLIES = [
    {
        "id": text["id"],
        "way": way,
        "out": (text["coherence"] > 2 and way == "a" and f"Coherence: {text['coherence']}") or "No.",
    }
    for way in ("a", "b")
    for text in TEXTS
]
PAIRS = [
    {"id": number, "best": best, "pick": pick}
    for number, (best, pick) in enumerate([("X", "1"), ("Y", "2"), ("T", None), ("X", None), ("Y", "1")])
]
QUICK = ("--resamples", "0")
READ = (
    "--data", "data.jsonl", "--replies", "j=raw.jsonl", "--on", "id", "--reply", "out", "--scale", "1-5", "--aspects",
    "coherence", "--statistic", "mean-absolute-error", "--where", "way=a",
)  # fmt: skip
CHOICE = (
    "--data",
    "pairs.jsonl",
    "--choice",
    "best=pick",
    "--labels",
    "X=1,Y=2,T=tie",
    "--statistic",
    "accuracy",
)


@pytest.fixture(autouse=True)
def _files() -> None:
    write(TEXTS)
    write(REPLIES, "raw.jsonl")
    write(PAIRS, "pairs.jsonl")


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[Typed, dict[str, Any]]:
    done = typed(capsys, "agree", *words, "--json", *QUICK)
    return done, json.loads(done.out)


class TestShares:
    def test_json_has_names_counts_shares_and_both_means(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, found = shown(capsys, *READ)
        (one,) = found["coverage"]
        assert {name: one[name] for name in ("judge", "aspect", "rows", "judged", "missing", "share")} == {
            "judge": "j", "aspect": "coherence", "rows": 100, "judged": 60, "missing": 40, "share": 0.4,
        }  # fmt: skip
        assert (one["people_mean_judged"], one["people_mean_missing"]) == (4, 1.5)
        assert (one["replies"], one["unread"], one["unread_share"]) == (100, 40, 0.4)

    def test_up_to_five_percent_it_stands_in_the_table_alone(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([{**text, "mine": None if int(text["id"]) < 5 else 3} for text in TEXTS])
        words = ("agree", "--data", "data.jsonl", "--score", "coherence=mine", "--statistic", "bias", *QUICK)
        done = typed(capsys, *words)
        assert (done.code, done.err) == (0, "")
        assert ["data,", "coherence", "100", "5", "5.0%"] in [
            line.split()[:5] for line in done.out.splitlines()
        ]

    @pytest.mark.parametrize("format", ["text", "markdown", "latex"])
    def test_every_form_with_tables_has_the_share(
        self, capsys: pytest.CaptureFixture[str], format: str
    ) -> None:
        done = typed(capsys, "agree", *READ, *QUICK, "--format", format)
        assert "Missing judgements" in done.out
        assert "40.0" in done.out

    def test_csv_has_columns_of_its_own_for_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        done = typed(capsys, "agree", *READ, *QUICK, "--format", "csv")
        (row,) = csv.DictReader(done.out.splitlines())
        assert (row["coverage_share"], row["coverage_people_mean_missing"]) == ("0.4", "1.5")
        assert "40.0%" in done.err


class TestNothing:
    def test_nor_is_it_a_judgement_where_all_of_them_count_as_something(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done, found = shown(capsys, *READ[:-1], "way=b", "--missing", "3")
        assert (done.code, found["rows"][0]["n"]) == (1, 100)

    def test_a_file_of_nulls_is_no_judge(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{**text, "mine": None} for text in TEXTS])
        done = typed(
            capsys,
            "agree",
            "--data",
            "data.jsonl",
            "--score",
            "coherence=mine",
            "--statistic",
            "bias",
            *QUICK,
        )
        assert done.code == 1

    def test_choices_that_cannot_be_read_are_told_with_the_first(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([{**pair, "pick": "Hm."} for pair in PAIRS], "pairs.jsonl")
        done, _ = shown(capsys, *CHOICE, "--read", "auto")
        assert done.code == 1
        assert "The first is 'Hm.'" in done.err

    @pytest.mark.parametrize(
        "asked", [("--choice", "label=decision"), ("--human", "label=label", "--score", "label=score")]
    )
    def test_without_a_judgement_of_peoples_there_is_nothing_to_compare_with(
        self, capsys: pytest.CaptureFixture[str], asked: tuple[str, ...]
    ) -> None:
        write([{"id": k, "label": None, "decision": "A", "score": 3} for k in range(4)])
        done = typed(capsys, "agree", "--data", "data.jsonl", *asked, *QUICK)
        assert done.code == 1
        assert (
            "people have judged none of the 4 texts on label, so there is nothing to compare with" in done.err
        )

    def test_one_aspect_that_people_have_not_judged_is_said_beside_the_others(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([{"id": k, "a": k, "b": None, "mine": k} for k in range(1, 5)])
        asked = ("--human", "a=a", "--human", "b=b", "--score", "a=mine", "--score", "b=mine")
        done = typed(capsys, "agree", "--data", "data.jsonl", *asked, *QUICK)
        assert done.code == 0
        assert "people have judged none of the 4 texts on b" in done.err
        assert "texts on a," not in done.err


class TestWhere:
    def test_a_text_whose_only_row_a_condition_takes_away_is_not_missing(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([one for one in REPLIES if one["way"] == ("a" if int(one["id"]) < 10 else "b")], "raw.jsonl")
        done, found = shown(capsys, *READ, "--missing", "wrong")
        assert (found["coverage"][0]["rows"], found["rows"][0]["n"]) == (10, 10)
        assert found["rows"][0]["reasons"] == {
            "texts whose rows of the judge do not fulfil the conditions": 90
        }
        assert done.code == 0


class TestCountsAs:
    def test_a_file_of_scores_takes_a_scale_for_wrong(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{**text, "mine": None if text["id"] == "0" else text["coherence"]} for text in TEXTS])
        words = (
            "--data",
            "data.jsonl",
            "--score",
            "coherence=mine",
            "--statistic",
            "bias",
            "--missing",
            "wrong",
        )
        refused = typed(capsys, "agree", *words, *QUICK)
        assert refused.code == 2
        assert "--scale 1-5" in refused.err
        _, found = shown(capsys, *words, "--scale", "1-5")
        assert found["rows"][0]["value"] == pytest.approx(0.04)

    def test_failed_debates_of_a_run_count_so_too(
        self, capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
    ) -> None:
        speaks(replying("I would rather not.", name="mute"))
        write(
            [
                {"id": text["id"], "source": "a", "summary": "b", "people": text["coherence"]}
                for text in TEXTS[:4]
            ]
        )
        hold = (
            "run",
            "solo",
            "data.jsonl",
            "--task",
            "summarization",
            "--aspects",
            "coherence",
            "--human",
            "coherence=people",
        )
        typed(capsys, *hold, "--model", "mute")
        done, found = shown(capsys, "last", "--statistic", "mean-absolute-error", "--missing", "wrong")
        (row,) = found["rows"]
        assert (done.code, row["n"], row["imputed"], row["value"]) == (1, 4, 4, pytest.approx(3))


def test_a_judge_of_whom_nothing_was_read_has_no_figure_whatever_missing_counts_as(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write([{"id": n, "h": n, "s": None} for n in (1, 2, 4)], "none.jsonl")
    words = (
        "--data",
        "none.jsonl",
        "--human",
        "q=h",
        "--score",
        "q=s",
        "--statistic",
        "bias",
        "--scale",
        "1-5",
    )
    done, found = shown(capsys, *words, "--missing", "wrong")
    assert (done.code, found["rows"][0]["value"]) == (1, None)
