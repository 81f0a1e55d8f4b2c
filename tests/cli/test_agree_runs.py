"""agentdebate agree on runs of the store."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from typed import ITEM, typed, write

from agentdebate.datasets.goyal2022 import best_is_first
from agentdebate.debates.record import OFFLINE_NOTE
from agentdebate.models.base import Model
from agentdebate.testing import replying

TEXTS = [
    {
        "id": f"t{number}",
        "article": f"a{number // 3}",
        "made_by": f"s{number % 3}",
        "people": 1.0 + number % 4,
        **ITEM,
    }
    for number in range(9)
]
COLUMNS = ("--group", "article", "--system", "made_by", "--human", "coherence=people")
PAIR = {
    "question": "How long is the bridge at Kelby shut?",
    "answer_1": "For eleven weeks.",
    "answer_2": "No.",
}
BEST_SHOWN_FIRST = sum(best_is_first(f"cnn-{number}") for number in range(8))
COMPARE = ("--task", "comparison", "--aspects", "overall")


def hold(capsys: pytest.CaptureFixture[str], strategy: str, *words: str) -> None:
    """Hold a run over the texts."""
    write(TEXTS)
    done = typed(
        capsys, "run", strategy, "data.jsonl", "--task", "summarization", "--aspects", "coherence", *words
    )
    assert done.code in (0, 1), done.err


def agreed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What the command prints as JSON."""
    done = typed(capsys, "agree", *words, "--json", "--resamples", "20")
    found: dict[str, Any] = json.loads(done.out)
    assert done.code == (1 if any(one["missing"] == one["rows"] for one in found["coverage"]) else 0)
    assert bool(done.err) == any(max(one["share"], one["unread_share"]) > 0.05 for one in found["coverage"])
    return found


class TestScores:
    @pytest.fixture(autouse=True)
    def _held(self, capsys: pytest.CaptureFixture[str]) -> None:
        hold(capsys, "solo", *COLUMNS)

    def test_a_run_is_compared_with_the_scores_that_came_with_its_items(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        found = agreed(capsys, "last", "--statistic", "bias")
        (row,) = found["rows"]
        assert (row["judge"], row["aspect"], row["n"], row["missing"]) == ("solo", "coherence", 9, 0)
        assert "(strategy solo, model offline)" in found["caption"]

    def test_the_offline_judge_says_what_it_is(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert OFFLINE_NOTE in agreed(capsys, "last", "--statistic", "bias")["caption"]

    def test_a_runs_groups_and_systems_are_known(self, capsys: pytest.CaptureFixture[str]) -> None:
        words = ("--statistic", "bias", "--level", "group,system", "--where", "system!=s0")
        rows = agreed(capsys, "last", *words)["rows"]
        assert [(row["level"], row["groups"], row["n"]) for row in rows] == [
            ("group", 3, 6),
            ("system", 2, 6),
        ]

    def test_several_runs_are_several_judges(self, capsys: pytest.CaptureFixture[str]) -> None:
        hold(capsys, "multiagent", *COLUMNS)
        first = typed(capsys, "list", "runs", "--json").json[0]["run"]
        found = agreed(capsys, first, "again=last", "--statistic", "bias", "--compare")
        assert [row["judge"] for row in found["rows"]] == ["solo", "again"]
        assert found["comparisons"][0]["difference"] == 0

    def test_peoples_scores_may_be_in_a_file(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{"text": text["id"], "made_by": text["made_by"], "mean": 3} for text in TEXTS], "people.jsonl")
        words = ("--data", "people.jsonl", "--on", "text", "--human", "coherence=mean", "--statistic", "bias")
        (row,) = agreed(capsys, "last", *words, "--system", "made_by", "--level", "system")["rows"]
        assert (row["n"], row["groups"]) == (9, 3)

    def test_group_and_system_of_a_runs_items_match_those_of_a_file(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(
            [{"article": text["article"], "made_by": text["made_by"], "coherence": 3} for text in TEXTS],
            "people.jsonl",
        )
        words = (
            "--data",
            "people.jsonl",
            "--group",
            "article",
            "--system",
            "made_by",
            "--on",
            "article,made_by",
        )
        (row,) = agreed(capsys, "last", *words, "--statistic", "bias")["rows"]
        assert row["n"] == 9


def test_a_failed_debate_is_a_missing_score(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    speaks(replying("I would rather not.", name="openai/mine"))
    hold(capsys, "solo", *COLUMNS)
    (row,) = agreed(capsys, "last", "--statistic", "bias")["rows"]
    assert (row["value"], row["n"], row["missing"]) == (None, 0, 9)


class TestChoices:
    @pytest.fixture(autouse=True)
    def _held(self, capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]) -> None:
        speaks(replying("Answer A: 8\nAnswer B: 3", name="openai/mine"))
        write(
            [
                {"id": f"q{number}", **PAIR, "label": label}
                for number, label in enumerate(["ONE", "TWO", "TIE", "ONE"])
            ]
        )
        done = typed(capsys, "run", "solo", "data.jsonl", *COMPARE)
        assert done.code == 0, done.err

    def words(self, *labels: str) -> tuple[str, ...]:
        return ("last", "--data", "data.jsonl", "--on", "id", "--choice", "label=winner", "--labels", *labels)

    @pytest.mark.parametrize("labels", ["ONE=1,TWO=2,TIE=tie", "ONE=answer_1,TWO=answer_2,TIE=tie"])
    def test_the_winner_is_the_judges_choice(self, capsys: pytest.CaptureFixture[str], labels: str) -> None:
        accuracy, kappa = agreed(capsys, *self.words(labels))["rows"]
        assert (accuracy["value"], accuracy["n"]) == (0.5, 4)
        assert kappa["value"] == 0

    def test_a_label_that_no_verdict_can_have_is_an_error(self, capsys: pytest.CaptureFixture[str]) -> None:
        done = typed(capsys, "agree", *self.words("ONE=1,TWO=3,TIE=tie"))
        assert "the run's verdicts choose answer_1, answer_2 or tie; there is no '3'" in done.err

    def test_a_file_with_peoples_choice_has_to_say_in_which_field(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = typed(capsys, "agree", "last", "--data", "data.jsonl", "--on", "id")
        assert "--choice FIELD=winner" in done.err


def test_a_run_is_compared_with_the_choices_that_came_with_its_items(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    """The human study's pairs have scores of people's, 1 for the better text and 0 for the other."""
    speaks(replying("Summary A: 8\nSummary B: 3", name="openai/mine"))
    ticks = [{"best": ["a"], "worst": ["b"]}] * 3
    texts = {name: f"Summary {name}." for name in "abc"}
    write(
        [
            {"article_id": f"cnn-{number}", "article": "News.", "summaries": texts, "annotators": ticks}
            for number in range(8)
        ]
    )
    assert typed(capsys, "run", "solo", "data.jsonl", "--as", "goyal2022", "--subset").code == 0
    accuracy, _ = agreed(capsys, "last")["rows"]
    assert (accuracy["aspect"], accuracy["n"], accuracy["value"]) == ("overall", 8, BEST_SHOWN_FIRST / 8)


class TestManyAspects:
    @pytest.fixture(autouse=True)
    def _held(self, capsys: pytest.CaptureFixture[str]) -> None:
        write(TEXTS)
        aspects = ("--aspects", "fluency,coherence", "--human", "fluency=people")
        done = typed(capsys, "run", "solo", "data.jsonl", "--task", "summarization", *COLUMNS, *aspects)
        assert done.code == 0, done.err

    def test_debates_of_an_item_are_one_row_with_all_aspects_in_the_order_of_the_run(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        found = agreed(capsys, "last", "--statistic", "bias")
        assert [(row["aspect"], row["n"]) for row in found["rows"]] == [("fluency", 9), ("coherence", 9)]
