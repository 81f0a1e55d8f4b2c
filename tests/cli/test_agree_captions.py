"""agentdebate agree and ad.agree: captions that say how many sources, which interval, which rows; words that stand for nothing."""

import json
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest  # type: ignore[import-untyped]  # it has no types of its own
from typed import typed, write

import agentdebate as ad
from agentdebate.errors import DataError, UsageError


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def found(*words: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What `agentdebate agree --json` says."""
    done = typed(capsys, "agree", *words, "--json")
    assert done.code in (0, 1), done.err
    return dict(json.loads(done.out))


PAIRS: list[dict[str, Any]] = [
    {"id": n, "group": f"s{n // 3}", "label": "AB"[n % 2], "judge": "AB"[n % 2]} for n in range(30)
]


class TestWilson:
    @pytest.mark.parametrize("wrong", [0, 1, 15, 30])
    def test_accuracy_has_the_interval_of_wilson(
        self, capsys: pytest.CaptureFixture[str], wrong: int
    ) -> None:
        write([{**row, "judge": "BA"[n % 2] if n < wrong else row["judge"]} for n, row in enumerate(PAIRS)])
        given = ("--data", "data.jsonl", "--choice", "label=judge", "--statistic", "accuracy")
        said = found(*given, "--confidence", "0.9", capsys=capsys)
        (row,) = said["rows"]
        theirs = binomtest(30 - wrong, 30).proportion_ci(0.9, method="wilson")
        assert (row["low"], row["high"]) == pytest.approx((theirs.low, theirs.high), abs=1e-6)
        assert (
            "In brackets: of accuracy 90% Wilson intervals, which take texts to be independent."
            in said["caption"]
        )
        assert "resamples" not in said["caption"]

    def test_an_interval_without_width_is_not_printed(self, capsys: pytest.CaptureFixture[str]) -> None:
        write(PAIRS)
        done = typed(capsys, "agree", "--data", "data.jsonl", "--choice", "label=judge")
        assert "[1.000, 1.000]" not in done.out
        assert "[.886, 1.000]" in done.out
        assert "1 figure without an interval: too little varies between resamples." in " ".join(
            done.out.split()
        )

    def test_what_it_takes_texts_of_one_source_for_is_said(self) -> None:
        write([{**row, "judge": "A" if n % 5 else row["judge"]} for n, row in enumerate(PAIRS)])
        table = ad.agree(data="data.jsonl", choice="label=judge", group="group")
        assert "texts that share a source (10 sources) to count as fewer" in table.caption
        assert (
            "of Cohen's kappa, unweighted 95% bootstrap intervals (bias-corrected and accelerated), 1,000 resamples of 10 sources"
            in table.caption
        )

    def test_where_all_are_right_a_source_counts_once(self) -> None:
        write(PAIRS)
        row = ad.agree(data="data.jsonl", choice="label=judge", group="group", statistic="accuracy").rows()[0]
        assert row["low"] == pytest.approx(binomtest(10, 10).proportion_ci(method="wilson").low, abs=0.07)

    def test_shares_of_both_orders_have_it_too(self) -> None:
        write([{"label": "A", "one": "A", "two": "B"} for _ in range(30)])
        (orders,) = ad.agree(data="data.jsonl", choice="label=one+flip(two)").to_dict()["orders"]
        one = binomtest(30, 30).proportion_ci(method="wilson").low
        for name in (
            "accuracy_first",
            "accuracy_second",
            "accuracy_mean",
            "accuracy_both",
            "positional_agreement",
        ):
            assert orders[name]["low"] == pytest.approx(one, abs=0.01), name


class TestDrawn:
    def test_the_sources_are_counted_that_are_drawn_from(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Of 120 sources 10 are constant to people, and of 6 the judge has scored nothing."""
        chance = random.Random(0)
        write(
            [
                {"doc": doc, "x": 3 if doc < 10 else k, "y": "NA" if doc >= 114 else k + chance.gauss(0, 2)}
                for doc, k in product(range(120), range(4))
            ]
        )
        given = (
            "--data",
            "data.jsonl",
            "--human",
            "q=x",
            "--score",
            "q=y",
            "--group",
            "doc",
            "--statistic",
            "spearman",
        )
        for level, sources in (("group", "104"), ("pooled", "114"), ("group,pooled", "104 to 114")):
            caption = found(*given, "--level", level, "--resamples", "50", capsys=capsys)["caption"]
            assert f"50 resamples of {sources} sources, each with all its texts" in caption

    def test_a_difference_says_what_its_interval_is_drawn_from(self) -> None:
        chance = random.Random(0)
        rows = [{"id": n, "x": chance.random(), "y": chance.random()} for n in range(40)]
        write(rows)
        write(rows[:30], "a.jsonl")
        write([{**row, "y": chance.random()} for row in rows], "b.jsonl")
        table = ad.agree(
            data="data.jsonl", scores=["a.jsonl", "b.jsonl"], on="id", human="q=x", score="q=y", compare=True,
            statistic="pearson", resamples=50, permutations=20,
        )  # fmt: skip
        assert (
            "bootstrap interval (bias-corrected and accelerated, 50 resamples of 30 sources, seed 0)"
            in table.caption
        )
        assert "50 resamples of 30 to 40 sources" in table.caption

    def test_intervals_of_the_tables_below_are_told_too(self) -> None:
        """Errors have a bootstrap's, and accuracy has not; and both orders have some where there are no people."""
        chance = random.Random(0)
        write(
            [
                {"x": chance.randint(1, 5), "y": chance.randint(1, 5), "one": "A", "two": chance.choice("AB")}
                for _ in range(40)
            ]
        )
        table = ad.agree(
            data="data.jsonl",
            human="q=x",
            score="q=y",
            statistic="accuracy",
            calibration=True,
            scale="1-5",
            resamples=50,
        )
        assert (
            "of bias and mean absolute error 95% bootstrap intervals (bias-corrected and accelerated), 50 resamples of 40 sources"
            in table.caption
        )
        assert (
            "of accuracy 95% Wilson intervals" in ad.agree(data="data.jsonl", choice="=one+flip(two)").caption
        )


def rated(count: int = 30) -> Iterator[dict[str, Any]]:
    """Texts that three people rated."""
    chance = random.Random(1)
    for number in range(count):
        one, two, three = (chance.randint(1, 5) for _ in range(3))
        mean = round((one + two + three) / 3, 2)
        yield {
            "id": number,
            "r1": one,
            "r2": two,
            "r3": three,
            "mean": mean,
            "other": chance.randint(1, 5),
            "judge": chance.random(),
        }


ALONE = "A judge is compared with annotator 2 alone: its row is not like people's. human='ASPECT=mean(FIELD,FIELD)'"
ALL = "A judge is compared with all of them, one more than each of them is, so it can come out above people."
EACH = "A judge is compared with each of them alone, a row each: its row is not like people's."
OTHER = "A judge is compared with something else than what these come to: its row is not like people's."


def test_a_missing_score_has_one_reason_under_statistics_of_scores_and_of_labels() -> None:
    write([{"x": n % 5, "y": None if n == 3 else n % 4} for n in range(20)])
    table = ad.agree(
        data="data.jsonl", human="q=x", score="q=y", statistic=["spearman", "kappa"], resamples=0
    )
    assert "Left out: rows without a predicted score (1)." in table.caption


NOTHING = ("NA", "N/A", "n/a", "nan", "NaN", "null", "None", "-", "", ".", " NA ", "#N/A", None, float("nan"))


class TestNothing:
    @pytest.mark.parametrize("word", NOTHING)
    @pytest.mark.parametrize("statistic", ["spearman", "kappa", "accuracy"])
    @pytest.mark.parametrize("side", ["x", "y"])
    def test_it_is_a_missing_score(self, word: object, statistic: str, side: str) -> None:
        rows: list[dict[str, Any]] = [{"x": n % 5, "y": n % 4} for n in range(20)]
        rows[7][side] = word
        write(rows)
        (row,) = ad.agree(
            data="data.jsonl", human="q=x", score="q=y", statistic=statistic, resamples=0
        ).rows()
        assert (row["n"], row["missing"]) == (19, 1)

    @pytest.mark.parametrize("word", [word for word in NOTHING if word not in ("-", ".")])
    @pytest.mark.parametrize("statistic", ["accuracy", "kappa"])
    def test_it_is_a_missing_choice(self, word: object, statistic: str) -> None:
        rows: list[dict[str, Any]] = [{"x": "AB"[n % 2], "y": "BA"[n % 3 % 2]} for n in range(20)]
        rows[7]["y"] = word
        write(rows)
        (row,) = ad.agree(data="data.jsonl", choice="x=y", statistic=statistic, resamples=0).rows()
        assert (row["n"], row["missing"]) == (19, 1)

    @pytest.mark.parametrize("word", ["missing", "unknown", "none given"])
    def test_no_advice_makes_a_score_of_another_word(self, word: str) -> None:
        write([{"x": 1, "y": word}, {"x": 2, "y": 2}])
        with pytest.raises(DataError) as raised:
            ad.agree(data="data.jsonl", human="q=x", score="q=y")
        assert f"{word}=" not in str(raised.value)

    def test_it_cannot_be_named_as_a_label(self) -> None:
        write([{"x": "A", "y": "A"}, {"x": "B", "y": "NA"}])
        with pytest.raises(UsageError, match="NA in a column of labels is a missing choice; missing="):
            ad.agree(data="data.jsonl", choice="x=y", labels="A=A,B=NA")

    def test_items_of_a_run_may_lack_people_s_score_so(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{"source": f"One {n}.", "summary": "One.", "score": "n/a" if n else 3} for n in range(3)])
        words = ("--task", "summarization", "--aspects", "coherence", "--human", "coherence=score")
        assert typed(capsys, "run", "solo", "data.jsonl", *words).code == 0
        assert found("last", capsys=capsys)["coverage"][0]["people_judged"] == 1


class TestTruth:
    @pytest.mark.parametrize(
        "people", [(True, False), ("true", "false"), ("True", "False"), ("TRUE", "FALSE")]
    )
    @pytest.mark.parametrize("judge", [(True, False), ("true", "false"), ("True", "False")])
    def test_true_and_false_are_labels(self, people: tuple[Any, Any], judge: tuple[Any, Any]) -> None:
        write([{"x": people[n % 2], "y": judge[n % 3 % 2]} for n in range(30)])
        table = ad.agree(data="data.jsonl", choice="x=y", statistic="accuracy", resamples=0)
        (row,) = table.rows()
        assert (row["n"], row["missing"]) == (30, 0)
        assert row["value"] == pytest.approx(sum(n % 2 == n % 3 % 2 for n in range(30)) / 30)

    def test_they_are_not_1_and_0(self) -> None:
        write([{"x": n % 2 == 0, "y": int(n % 2 == 0)} for n in range(10)])
        with pytest.raises((UsageError, DataError), match="labels="):
            ad.agree(data="data.jsonl", choice="x=y")
        table = ad.agree(
            data="data.jsonl", choice="x=y", labels="True=1,False=0", statistic="accuracy", resamples=0
        )
        assert table.rows()[0]["value"] == 1

    def test_they_vote(self) -> None:
        write([{"x": [True, True, False], "y": n % 2 == 0} for n in range(10)])
        table = ad.agree(data="data.jsonl", choice="majority(x)=y", statistic="accuracy", resamples=0)
        assert table.rows()[0]["value"] == 0.5


SUMMEVAL = ("coherence", "consistency", "fluency", "relevance")


class TestConventions:
    def test_a_part_of_the_dataset_is_not(self) -> None:
        rows = [
            {"article_id": a, "system_id": s, **dict.fromkeys(SUMMEVAL, (a + int(s[1:])) % 5)}
            for a, s in product(range(9), ("M0", "M17", "M23"))
        ]
        write(rows)
        write(rows, "judge.jsonl")
        table = ad.agree(data="data.jsonl", scores="judge.jsonl", convention="summeval-summary", resamples=0)
        assert "It is over 1,600 texts, and here there are 27." in table.caption
