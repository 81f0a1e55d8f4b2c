"""agentdebate run: a file in, a table or JSONL out, everything else on standard error."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typed import NOBODY, RUN, numbered, typed, write

from agentdebate.debates.outcome import ABSTAINED, OutcomeCounts
from agentdebate.debates.record import OFFLINE_NOTE
from agentdebate.models.base import Model
from agentdebate.runs.progress import Progress
from agentdebate.runs.progress_line import words
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
