"""agentdebate datasets; agentdebate run on published datasets, on Parquet and on parts of a dataset."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from typed import ITEM, Typed, typed, write

from agentdebate.datasets.published import PUBLISHED
from agentdebate.errors import ConnectionFailed
from agentdebate.extras import optional

pa, parquet = optional("pyarrow", "parquet"), optional("pyarrow.parquet", "parquet")

STORY = {
    "prompt_id": "P0",
    "story_index": "S0",
    "prompt": "Write of a bridge.",
    "story": "There was a bridge.",
}
SIX = ("relevance", "coherence", "empathy", "surprise", "engagement", "complexity")


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """No address can be reached, and nothing goes into the user's own cache."""

    def fetch(url: str) -> Iterator[bytes]:
        raise ConnectionFailed("cannot talk to anybody")
        yield b""

    monkeypatch.setattr("agentdebate.models.http.fetch", fetch)
    monkeypatch.setenv("AGENTDEBATE_CACHE", "cache")


@pytest.fixture
def online(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every address has a file."""
    monkeypatch.setattr("agentdebate.models.http.fetch", lambda url: iter([b"the file at ", url.encode()]))
    monkeypatch.setenv("AGENTDEBATE_CACHE", "cache")


class TestList:
    def test_every_dataset_is_listed_with_its_licence(self, capsys: pytest.CaptureFixture[str]) -> None:
        came = typed(capsys, "datasets", "list", "--json")
        assert [row["name"] for row in came.json] == list(PUBLISHED)
        assert all(row["licence"] and row["citation"] and row["files"] for row in came.json)
        assert typed(capsys, "datasets").out == typed(capsys, "datasets", "list").out

    def test_one_is_shown_with_all_there_is_to_know(self, capsys: pytest.CaptureFixture[str]) -> None:
        came = typed(capsys, "datasets", "show", "faireval")
        for said in (
            "arXiv 2305.17926",
            "licence",
            "80 questions",
            "question.jsonl",
            "the authors' files",
            "cache",
        ):
            assert said in came.out
        (row,) = typed(capsys, "datasets", "show", "faireval", "--json").json
        assert row["files"][0]["sha256"] is None

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("show",), "show which dataset? summeval, topical-chat"),
            (("get", "sumeval"), "there is no dataset 'sumeval'. Did you mean 'summeval'?"),
            (("list", "hanna"), "list takes no name; say: agentdebate datasets show hanna"),
            (("show", "hanna", "--to", "x"), "--to goes with get"),
        ],
    )
    def test_what_makes_no_sense_is_refused(
        self, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        came = typed(capsys, "datasets", *words)
        assert (came.code, came.out, came.err.count("\n")) == (2, "", 1)
        assert said in came.err


class TestGet:
    @pytest.mark.usefixtures("online")
    def test_it_prints_the_folder_and_says_licence_and_checksums(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        came = typed(capsys, "datasets", "get", "goyal2022")
        assert (came.code, came.out) == (0, "cache/datasets/goyal2022\n")
        assert "Licence: CC BY 4.0" in came.err
        assert "Please cite: Goyal, Li and Durrett" in came.err
        assert "(none is published to compare it with)" in came.err
        assert "cnn_human.json" in Path("cache/datasets/goyal2022/cnn_human.json").read_text(encoding="utf-8")
        assert "there already" in typed(capsys, "datasets", "get", "goyal2022").err

    @pytest.mark.usefixtures("offline")
    def test_without_a_network_it_says_which_file_to_put_where(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        came = typed(capsys, "datasets", "get", "hanna", "--to", "mine")
        assert (came.code, came.out) == (2, "")
        last = came.err.splitlines()[-1]
        assert last.startswith(
            "agentdebate: hanna_stories_annotations.csv cannot be had: cannot talk to anybody"
        )
        assert "to mine/hanna_stories_annotations.csv" in last


class TestRun:
    def stories(self, capsys: pytest.CaptureFixture[str], *words: str) -> Typed:
        Path("h").mkdir(exist_ok=True)
        write([{**STORY, **dict.fromkeys(SIX, 3.0)}], "h/stories.jsonl")
        return typed(capsys, "run", "solo", "h", "--as", "hanna", "--aspects", "coherence", *words)

    def test_columns_of_another_file_may_be_joined(self, capsys: pytest.CaptureFixture[str]) -> None:
        scores = dict.fromkeys(("coherence", "consistency", "fluency", "relevance"), 4.0)
        write([{"article_id": "A0", "system_id": "M1", "summary": ITEM["summary"], **scores}], "s.jsonl")
        write([{"article_id": "A0", "article": ITEM["source"]}], "a.jsonl")
        came = typed(
            capsys, "run", "solo", "s.jsonl", "--as", "summeval", "--subset", "--join", "a.jsonl", "--on", "article_id",
            "--aspects", "coherence", "--json",
        )  # fmt: skip
        assert [(row["id"], row["group"]) for row in came.json] == [("A0/M1", "A0")]
