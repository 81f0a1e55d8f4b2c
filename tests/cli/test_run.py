"""agentdebate run: a file or a published dataset in, a table or JSONL out, everything else on standard error."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typed import ITEM, NOBODY, RUN, Typed, numbered, typed, write

from agentdebate.debates.outcome import ABSTAINED, OutcomeCounts
from agentdebate.debates.record import OFFLINE_NOTE
from agentdebate.models.base import Model
from agentdebate.runs.progress import Progress
from agentdebate.runs.progress_line import words
from agentdebate.store.reader import read_store
from agentdebate.tasks import Item
from agentdebate.testing import replying

Capsys = pytest.CaptureFixture[str]
TASK = RUN[3:]


def test_the_table_has_the_items_in_the_files_order(capsys: Capsys) -> None:
    write(numbered(12))
    came = typed(capsys, *RUN)
    first = [line.split()[0] for line in came.out.splitlines() if line.startswith("i")]
    assert first[1:] == [f"i{number}" for number in range(1, 13)]
    assert came.code == 0
    again = typed(capsys, "show")
    assert [line.split()[0] for line in again.out.splitlines() if line.startswith("i")][1:] == first[1:]


def test_the_store_keeps_where_the_items_came_from_and_how_the_run_was_held(capsys: Capsys) -> None:
    write(numbered(3))
    words = (
        "--limit",
        "2",
        "--id",
        "id",
        "--scale",
        "coherence=1-3",
        "--temperature",
        "0",
        "--patience",
        "2",
    )
    typed(capsys, *RUN, *words, "-c", "3")
    (kept,) = (shown["configuration"] for shown in typed(capsys, "show", "--json").json)
    path = Path("data.jsonl").absolute()
    digest = sha256(path.read_bytes()).hexdigest()
    assert kept["data"] == {"path": str(path), "limit": 2, "ids": "id", "sha256": digest}
    assert kept["command"]["strategy"] == "solo"
    assert kept["tasks"]["summarization"]["aspects"][0]["scale"]["high"] == 3
    assert (kept["sampling"], kept["patience"], kept["concurrency"]) == ({"temperature": 0.0}, 2, 3)
    assert kept["models"] == [{"name": "offline"}]


@pytest.mark.parametrize("command", [RUN, ("show",), ("show", "last", "i1")])
def test_the_offline_judge_is_called_a_baseline_wherever_its_verdicts_are_shown(
    command: tuple[str, ...], capsys: Capsys
) -> None:
    write(numbered(1))
    typed(capsys, *RUN)
    assert OFFLINE_NOTE in typed(capsys, *command).out


def test_closed_standard_input_is_named(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    came = typed(capsys, "run", "solo", "-", *TASK)
    assert came.code == 2
    assert "standard input: it is closed" in came.err


def test_an_address_where_nobody_listens_is_a_failure_that_says_what_to_check(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "agentdebate.models.registry.compose", lambda provider, *_, **__: provider
    )  # without its waits
    write(numbered(1))
    came = typed(capsys, *RUN, *NOBODY)
    assert came.code == 1
    assert "check that the server runs, and the address in base_url" in came.err


def test_progress_says_done_failed_rate_calls_tokens_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = OutcomeCounts({"verdict": 2, "curtailed": 1, "failure": 2})
    progress = Progress(total=10, outcomes=ended, calls=12_345, tokens=6_700_000, started=100.0)
    monkeypatch.setattr("agentdebate.runs.progress.time.monotonic", lambda: 110.0)
    assert words(progress) == "5/10 debates, 2 failed, 0.5/s, 12,345 calls, 6,700,000 tokens, 0:00:10 left"
    ended.add(ABSTAINED)
    assert words(progress).startswith("6/10 debates, 2 failed, 1 abstained, 0.6/s, ")
    assert words(Progress(started=100.0)) == "0 debates, 0 failed, 0.0/s, 0 calls, 0 tokens"


def test_a_member_that_is_lost_in_every_debate_makes_no_clean_run(
    capsys: Capsys, speaks: Callable[[Model], None]
) -> None:
    """The verdicts are there, and each of them says less than it seems to."""

    def half(request: Any) -> str:
        if request.context.card == "reviewer":
            return ""
        return "Fine.\n\nCoherence: 4"

    speaks(replying(half, name="half"))
    write(numbered(3))
    came = typed(capsys, "run", "chateval-one-by-one", *RUN[2:])
    assert "3 verdicts (3 of them without some of the ballots or samples), 0 failures" in came.err


# Published datasets, further fields, evidence from elsewhere.


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
