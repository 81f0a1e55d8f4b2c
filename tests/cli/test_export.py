"""agentdebate export and show: a run as data."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typed import RUN, numbered, typed, write

from agentdebate.models.base import Model, ModelRequest
from agentdebate.testing import replying


@pytest.fixture
def mixed_run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of two items and two aspects in which i2's coherence fails."""

    def reply(request: Any) -> str:
        mute = request.context.item.id == "i2" and request.context.aspects[0].name == "coherence"
        return "I would rather not say, \ufeff\u0085." if mute else "It reads well.\nCoherence: 4\nFluency: 3"

    model = replying(reply, name="openai/mine")
    monkeypatch.setattr("agentdebate.runs.run.opener", lambda *_: lambda _: model)
    write([{**row, "h": 2.5} for row in numbered(2)])
    assert typed(capsys, *RUN[:-1], "coherence,fluency", "--human", "coherence=h").code == 1


@pytest.mark.usefixtures("mixed_run")
class TestExport:
    def test_jsonl_has_a_row_a_verdict_and_the_models_name(self, capsys: pytest.CaptureFixture[str]) -> None:
        rows = {row["debate"]: row for row in typed(capsys, "export").json}
        assert list(rows) == ["i1/coherence", "i1/fluency", "i2/coherence", "i2/fluency"]
        assert rows["i1/coherence"]["models"] == ["openai/mine"]
        assert rows["i1/coherence"]["scores"] == {"coherence": 4.0}
        assert rows["i2/coherence"]["failure"]["error"] == "UnreadableReply"

    def test_csv_has_a_column_an_aspect_for_scores_and_for_people(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        typed(capsys, "export", "last", "--format", "csv", "-o", "verdicts.csv")
        with Path("verdicts.csv").open(encoding="utf-8", newline="") as file:
            rows = {row["debate"]: row for row in csv.DictReader(file)}
        assert rows["i1/coherence"]["score_coherence"] == "4.0"
        assert rows["i1/coherence"]["human_coherence"] == "2.5"
        assert rows["i1/coherence"]["models"] == "openai/mine"
        assert rows["i1/fluency"]["score_coherence"] == ""
        assert (rows["i2/coherence"]["failure"], rows["i2/coherence"]["score_coherence"]) == (
            "UnreadableReply",
            "",
        )

    def test_messages_and_calls_are_jsonl(self, capsys: pytest.CaptureFixture[str]) -> None:
        messages = typed(capsys, "export", "--what", "messages").json
        kinds = [m["kind"] for m in messages if m["debate"] == "i2/coherence"]
        assert (kinds[:2], kinds[-1]) == (["brief", "ask"], "failure")
        calls = typed(capsys, "export", "--what", "calls").json
        assert {call["debate"]: call["attempt"] for call in calls} == {
            "i1/coherence": 1,
            "i1/fluency": 1,
            "i2/coherence": 3,
            "i2/fluency": 1,
        }
        assert calls[0]["prompt"][0]["role"] == "user"
        assert calls[0]["key"]
        assert calls[0]["shown"] == [1]

    def test_output_goes_to_a_file_word_for_word(self, capsys: pytest.CaptureFixture[str]) -> None:
        typed(capsys, "export", "--what", "calls", "-o", "calls.jsonl")
        calls = [
            json.loads(line) for line in Path("calls.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
        ]
        assert "I would rather not say, \ufeff\u0085." in {call["completion"]["text"] for call in calls}

    def test_show_has_scores_failures_and_the_talk(self, capsys: pytest.CaptureFixture[str]) -> None:
        shown = typed(capsys, "show").out
        assert "3 verdicts, 1 failure\n" in shown
        assert ["i2", "failed", "3", "0"] in [line.split() for line in shown.splitlines()]
        assert "UnreadableReply" in shown
        assert "baseline" not in shown
        talk = typed(capsys, "show", "last", "i1").out
        assert talk.count("It reads well.") == 2
        assert "failed (scorer): UnreadableReply" in typed(capsys, "show", "last", "i2/coherence").out

    def test_show_says_who_saw_what_and_what_was_sent(self, capsys: pytest.CaptureFixture[str]) -> None:
        shown = typed(capsys, "show", "last", "i2/coherence", "--who", "--prompts").out
        assert ["3", "scorer", "0", "3", "1", "floor", "brief"] in [
            line.split() for line in shown.splitlines()
        ]
        assert "--- call 3: scorer, round 0, attempt 3" in shown
        assert "[reply of openai/mine]" in shown

    def test_show_prints_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        (run,) = typed(capsys, "show", "--json").json
        assert (run["verdicts"], run["failures"], run["not_ended"], len(run["rows"])) == (3, 1, 0, 4)
        (debate,) = typed(capsys, "show", "last", "i1/fluency", "--json").json
        assert [m["kind"] for m in debate["messages"]] == ["brief", "ask", "score", "verdict"]
        assert len(debate["calls"]) == 1


def test_the_columns_of_csv_do_not_depend_on_which_row_comes_first(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    heads = []
    for mute in ("i1", "i2"):

        def reply(request: ModelRequest, mute: str = mute) -> str:
            about = request.context.item.id if request.context else ""
            return "Hm." if about == mute else "Coherence: 3"

        speaks(replying(reply))
        write(numbered(2))
        typed(capsys, *RUN)
        came = typed(capsys, "export", "--format", "csv")
        heads.append(came.out.splitlines()[0])
        assert [row["failure"] for row in csv.DictReader(io.StringIO(came.out)) if row["id"] == mute] == [
            "UnreadableReply"
        ]
    assert heads[0] == heads[1]


def test_how_sure_agents_were_is_in_the_table_of_ballots_and_in_both_kinds_of_export(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second debate's agent never says it: that is missing, and not 0."""

    def reply(request: Any) -> str:
        sure = "\nConfidence: 80%" if request.context.item.id == "i1" else ""
        return f"It reads well.\nCoherence: 4{sure}"

    model = replying(reply, name="openai/mine")
    monkeypatch.setattr("agentdebate.runs.run.opener", lambda *_: lambda _: model)
    write(numbered(2))
    assert typed(capsys, "run", "solo", *RUN[2:-1], "coherence", "--set", "confidence=asked").code == 0
    rows = {row["debate"]: row for row in typed(capsys, "export").json}
    assert rows["i1/coherence"]["confidences"] == [
        {"agent": "scorer", "value": 0.8, "source": "asked", "repeats": None}
    ]
    assert (rows["i2/coherence"]["confidences"], rows["i2/coherence"]["scores"]) == ([], {"coherence": 4.0})
    typed(capsys, "export", "last", "--format", "csv", "-o", "verdicts.csv")
    with Path("verdicts.csv").open(encoding="utf-8", newline="") as file:
        cells = {row["debate"]: row["confidences"] for row in csv.DictReader(file)}
    assert cells == {"i1/coherence": "scorer=0.8", "i2/coherence": ""}
    assert "0.80 (asked)" in typed(capsys, "show", "last", "i1/coherence").out
    assert "confidence" not in typed(capsys, "show", "last", "i2/coherence").out
