"""agentdebate run: published datasets, further fields, evidence from elsewhere."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typed import ITEM, RUN, Typed, typed, write

from agentdebate.store.reader import read_store
from agentdebate.tasks import Item

STUDY = ("run", "solo", "study.jsonl", "--as", "goyal2022", "--subset")
SUMMARIES = {"a": "The bridge at Kelby is shut.", "b": "Nothing is known.", "c": "A bridge."}


def article(name: str, *ticks: tuple[str, str]) -> dict[str, Any]:
    """An article with three annotators who ticked one best and one worst summary each."""
    annotators = [{"best": [best], "worst": [worst]} for best, worst in ticks]
    return {"article_id": name, "article": ITEM["source"], "summaries": SUMMARIES, "annotators": annotators}


PAIR = article("cnn-1", ("a", "b"), ("a", "b"), ("c", "b"))
SPLIT = article("cnn-3", ("a", "b"), ("b", "b"), ("c", "b"))
SAME = article("cnn-4", ("a", "b"), ("a", "a"), ("c", "a"))
TURNED = article("cnn-2", ("a", "b"), ("a", "b"), ("a", "b"))


def kept(item: str) -> Item:
    """An item of the newest run, as the store holds it."""
    with read_store("agentdebate.db") as reader:
        return reader.item(reader.run("last").id, item)


@pytest.fixture
def judged(capsys: pytest.CaptureFixture[str]) -> Typed:
    write([PAIR, SPLIT, TURNED, SAME], "study.jsonl")
    return typed(capsys, *STUDY, "--json")


class TestPublishedDataset:
    def test_its_items_are_judged_by_its_own_task(self, judged: Typed) -> None:
        assert judged.code == 0
        rows = {row["id"]: row for row in judged.json}
        assert {name: row["system"] for name, row in rows.items()} == {"cnn-1": "a/b", "cnn-2": "b/a"}
        assert {row["task"] for row in rows.values()} == {"summarization-pair"}
        assert [row["aspects"] for row in rows.values()] == [["overall"]] * 2

    def test_people_have_a_score_for_each_candidate_of_the_aspect(self, judged: Typed) -> None:
        assert {row["id"]: row["human"] for row in judged.json} == {
            "cnn-1": {"overall.summary_1": 1.0, "overall.summary_2": 0.0},
            "cnn-2": {"overall.summary_1": 0.0, "overall.summary_2": 1.0},
        }

    def test_what_came_out_of_how_many_rows_and_why_is_said(self, judged: Typed) -> None:
        assert judged.err.splitlines()[:4] == [
            "goyal2022: 2 pairs from 4 articles",
            "2 of 4 articles give no pair:",
            "no best summary has 2 of 3 votes (1): cnn-3",
            "the same summary is best and worst (1): cnn-4",
        ]

    def test_the_run_keeps_what_was_left_out(self, judged: Typed, capsys: pytest.CaptureFixture[str]) -> None:
        (shown,) = typed(capsys, "show", "--json").json
        assert shown["configuration"]["data"] == {
            "path": str(Path("study.jsonl").absolute()),
            "sha256": sha256(Path("study.jsonl").read_bytes()).hexdigest(),
            "dataset": "goyal2022",
            "subset": True,
            "rows": 4,
            "left_out": {
                "no best summary has 2 of 3 votes": ["cnn-3"],
                "the same summary is best and worst": ["cnn-4"],
            },
        }

    def test_with_a_limit_it_is_said_of_how_many_rows_the_items_are(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([SPLIT, PAIR, TURNED], "study.jsonl")
        came = typed(capsys, *STUDY, "--limit", "1")
        assert came.err.splitlines()[:2] == [
            "goyal2022: 1 pair from the first 2 articles",
            "1 of the first 2 articles give no pair:",
        ]

    def test_of_many_rows_some_are_named_and_all_are_kept(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([PAIR, *({**SPLIT, "article_id": f"x{number}"} for number in range(25))], "study.jsonl")
        came = typed(capsys, *STUDY)
        assert "has 2 of 3 votes (25): x0, x1," in came.err
        assert "x18, x19, and 5 more\n" in came.err
        ((*left_out,),) = (
            typed(capsys, "show", "--json").json[0]["configuration"]["data"]["left_out"].values()
        )
        assert left_out == [f"x{number}" for number in range(25)]

    def test_a_task_that_is_named_goes_before_its_own(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([PAIR], "study.jsonl")
        came = typed(capsys, *STUDY, "--task", "summarization")
        assert came.code == 2
        assert "the items of goyal2022 have no 'summary', which task 'summarization' needs" in came.err
        Path("prompts/tasks").mkdir(parents=True)
        Path("prompts/tasks/mine.md").write_text(
            "---\nname: mine\nabout: x\nfields: [summary_1, summary_2]\ncandidates: [summary_1, summary_2]\n"
            "aspects: [{name: overall, scale: 1-5, criterion: Good.}]\n---\nJudge them.\n",
            encoding="utf-8",
        )
        assert typed(capsys, *STUDY, "--task", "mine", "--json").json[0]["task"] == "mine"

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("--field", "source=x"), "--as goyal2022 knows what is in which column; leave out --field"),
            (("--id", "x", "--human", "overall=y"), "leave out --id, --human"),
            (("--group", "x", "--system", "y"), "leave out --group, --system"),
            (("--also", "x=y", "--evidence", "x=y"), "leave out --also, --evidence"),
            (("--as", "goyal"), "there is no dataset 'goyal'. Did you mean 'goyal2022'?"),
        ],
    )
    def test_options_that_cannot_go_with_it_are_refused(
        self, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([PAIR], "study.jsonl")
        start = STUDY[:3] if "--as" in words else STUDY
        for task in ((), ("--task", "summarization-pair")):
            came = typed(capsys, *start, *task, *words)
            assert (came.code, came.out, came.err.count("\n")) == (2, "", 1)
            assert said in came.err
        assert not Path("agentdebate.db").exists()

    @pytest.mark.parametrize("command", [("run",), ("sweep", "--vary", "samples=1,2")])
    def test_without_it_a_task_has_to_be_named(
        self, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
    ) -> None:
        write([ITEM])
        came = typed(capsys, *command, "solo", "data.jsonl")
        assert (came.code, came.err.count("\n")) == (2, 1)
        assert "--task is missing" in came.err

    def test_a_row_that_is_not_as_published_is_named(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([PAIR, {**TURNED, "annotators": []}], "study.jsonl")
        came = typed(capsys, *STUDY)
        assert came.code == 2
        assert "study.jsonl, line 2, 'annotators': a list of 3 annotators is wanted here" in came.err

    @pytest.mark.shared
    def test_the_study_is_judged_as_it_lies_there(
        self, shared: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        data = f"{shared / 'goyal2022' / 'cnn.jsonl'}"
        came = typed(capsys, "run", "solo", data, "--as", "goyal2022", "--json")
        assert (came.code, len(came.json)) == (0, 81)
        assert "goyal2022: 81 pairs from 100 articles\n19 of 100 articles give no pair:\n" in came.err


REFERENCES = ["A bridge is shut.", "Bearings corroded."]
NOTED = {"id": "i1", **ITEM, "references": REFERENCES, "note": "By hand."}


class TestFurtherFields:
    def test_they_are_kept_in_the_store_and_shown_to_no_agent(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([NOTED])
        assert typed(capsys, *RUN, "--also", "reference=references,note=note").code == 0
        assert kept("i1").fields == {
            **ITEM,
            "reference_1": "A bridge is shut.",
            "reference_2": "Bearings corroded.",
            "note": "By hand.",
        }
        shown = "".join(typed(capsys, "export", "--what", what).out for what in ("messages", "calls"))
        assert ITEM["summary"] in shown
        assert [text for text in (*REFERENCES, "By hand.") if text in shown] == []

    def test_the_option_may_be_given_again(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([NOTED])
        assert typed(capsys, *RUN, "--also", "a=note", "--also", "b=note").code == 0
        assert (kept("i1").fields["a"], kept("i1").fields["b"]) == ("By hand.", "By hand.")

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (
                ("source=note",),
                "--also: 'source' is a field of the task 'summarization'; say --field source=note",
            ),
            (("note",), "--also takes NAME=VALUE, not 'note'"),
            (("a=note,a=id",), "--also is given twice for 'a'"),
            (("a=noet",), "data.jsonl, line 1, 'noet': this row has no such field. Did you mean 'note'?"),
        ],
    )
    def test_a_slip_is_told_in_one_line(
        self, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([NOTED])
        came = typed(capsys, *RUN, "--also", *words)
        assert (came.code, came.out, came.err.count("\n")) == (2, "", 1)
        assert said in came.err


class TestEvidence:
    def test_numbers_from_elsewhere_are_kept_with_the_item(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{"id": "i1", **ITEM, "r": 0.25, "n": None, "b": "3"}])
        words = ("--evidence", "rouge-l=r,nli=n", "--evidence", "bleurt=b")
        assert typed(capsys, *RUN, *words).code == 0
        assert kept("i1").evidence == {"rouge-l": 0.25, "nli": None, "bleurt": 3.0}
        assert typed(capsys, "show", "--json").json[0]["configuration"]["data"]["evidence"] == [
            words[1],
            words[3],
        ]

    def test_what_is_no_number_is_named(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{**ITEM, "r": "good"}])
        came = typed(capsys, *RUN, "--evidence", "rouge-l=r")
        assert came.code == 2
        assert "data.jsonl, line 1, 'r': a number is wanted here, not the text 'good'" in came.err


def test_an_evaluator_without_a_column_is_told_from_scores_in_the_data(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write([ITEM])
    came = typed(capsys, *RUN, "--evidence", "rouge-l")
    assert (came.code, came.out) == (2, "")
    assert "--evidence takes NAME=COLUMN of scores that are in the data, not 'rouge-l'" in came.err
    assert "--set evaluators=..." in came.err
