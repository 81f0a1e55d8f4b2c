"""agentdebate run: published datasets, further fields, evidence from elsewhere."""

from pathlib import Path
from typing import Any

import pytest
from typed import ITEM, RUN, Typed, typed, write

from agentdebate.store.reader import read_store
from agentdebate.tasks import Item

Capsys = pytest.CaptureFixture[str]
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
def judged(capsys: Capsys) -> Typed:
    write([PAIR, SPLIT, TURNED, SAME], "study.jsonl")
    return typed(capsys, *STUDY, "--json")


class TestPublishedDataset:
    def test_what_came_out_of_how_many_rows_and_why_is_said(self, judged: Typed) -> None:
        assert judged.err.splitlines()[:3] == [
            "goyal2022: 2 items from 4 rows",
            "no item: no best or no worst summary has 2 of 3 votes (1): cnn-3",
            "no item: the same summary is best and worst (1): cnn-4",
        ]

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (
                ("--field", "source=x"),
                "--as goyal2022 knows what is in which file and column; leave out --field",
            ),
            (("--id", "x", "--human", "overall=y"), "leave out --id, --human"),
            (("--group", "x", "--system", "y"), "leave out --group, --system"),
            (("--also", "x=y", "--evidence", "x=y"), "leave out --also, --evidence"),
            (("--as", "goyal"), "there is no dataset 'goyal'. Did you mean 'goyal2022'?"),
        ],
    )
    def test_options_that_cannot_go_with_it_are_refused(
        self, words: tuple[str, ...], said: str, capsys: Capsys
    ) -> None:
        write([PAIR], "study.jsonl")
        start = STUDY[:3] if "--as" in words else STUDY
        for task in ((), ("--task", "summarization-pair")):
            came = typed(capsys, *start, *task, *words)
            assert (came.code, came.out, came.err.count("\n")) == (2, "", 1)
            assert said in came.err
        assert not Path("agentdebate.db").exists()


REFERENCES = ["A bridge is shut.", "Bearings corroded."]
NOTED = {"id": "i1", **ITEM, "references": REFERENCES, "note": "By hand."}


class TestFurtherFields:
    def test_they_are_kept_in_the_store_and_shown_to_no_agent(self, capsys: Capsys) -> None:
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

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("source=note",), "the item has a field 'source' already; give this one another name"),
            (("note",), "--also takes NAME=VALUE, not 'note'"),
            (("a=note,a=id",), "--also is given twice for 'a'"),
            (("a=noet",), "data.jsonl, line 1, 'noet': this row has no such field. Did you mean 'note'?"),
        ],
    )
    def test_a_slip_is_told_in_one_line(self, words: tuple[str, ...], said: str, capsys: Capsys) -> None:
        write([NOTED])
        came = typed(capsys, *RUN, "--also", *words)
        assert (came.code, came.out, came.err.count("\n")) == (2, "", 1)
        assert said in came.err
