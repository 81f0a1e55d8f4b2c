"""What is said of a run some of whose debates failed, by every command that summarises runs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typed import typed, write

from agentdebate.models.base import Model
from agentdebate.testing import replying

HOLD = (
    "run", "solo", "data.jsonl", "--task", "summarization", "--aspects", "coherence", "--human", "coherence=people",
    "--model", "some",
)  # fmt: skip
SAID = "coherence: 2 of 8 texts (25.0%) have no judgement; people's mean is 1.000 over what is missing and 4.000 over the rest."


@pytest.fixture(autouse=True)
def _run(capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]) -> None:
    """Texts that people find bad are refused."""
    speaks(replying(lambda prompt: "I refuse." if "dreadful" in str(prompt) else "Coherence: 4", name="some"))
    rows: list[dict[str, Any]] = [
        {
            "id": f"i{place}",
            "source": "A text.",
            "summary": "dreadful" if place < 2 else f"fine {place}",
            "people": 1 if place < 2 else 4,
        }
        for place in range(8)
    ]
    write(rows)
    assert typed(capsys, *HOLD).code == 1


def test_the_page_of_a_run_has_it_in_a_table_a_sentence_and_a_warning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = typed(capsys, "show")
    assert done.err == f"warning: {SAID}\n"
    assert SAID in done.out
    assert ["coherence", "8", "2", "25.0%", "4.000", "1.000"] in [
        line.split() for line in done.out.splitlines()
    ]


def test_a_picture_has_it_in_its_caption(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    done = typed(capsys, "plot", "people", "last", "-o", "people.html", "--json")
    assert SAID in json.loads(done.out)["caption"]
    assert "2 of 8 texts" in Path("people.html").read_text(encoding="utf-8")
    assert SAID in done.err


FAILED = ("show", "last")


def test_a_run_without_any_verdict_is_shown_with_exit_code_1(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    assert typed(capsys, *FAILED).code == 0, "two texts of eight are missing, and the others are there"
    speaks(replying("I refuse.", name="some"))
    assert typed(capsys, *HOLD, "--limit", "2").code == 1
    for words in (FAILED, (*FAILED, "--json")):
        done = typed(capsys, *words)
        assert (done.code, bool(done.out)) == (1, True)
        assert "nothing read: not one of 2 debates of run" in done.err
        assert "people's mean is 1.000 over what is missing." in done.err
