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


@pytest.mark.parametrize("command", [("show",), ("dynamics",), ("agree", "last", "--statistic", "bias")])
def test_json_has_the_figures(capsys: pytest.CaptureFixture[str], command: tuple[str, ...]) -> None:
    done = typed(capsys, *command, "--json")
    (one,) = json.loads(done.out)["coverage"]
    assert (one["judge"], one["rows"], one["missing"], one["share"]) == ("solo", 8, 2, 0.25)
    assert (one["people_mean_judged"], one["people_mean_missing"]) == (4, 1)
    assert "warning: " in done.err


def test_dynamics_say_it_below_their_tables(capsys: pytest.CaptureFixture[str]) -> None:
    done = typed(capsys, "dynamics")
    assert f"solo, {SAID}" in done.out
    assert (done.code, done.err) == (0, f"warning: solo, {SAID}\n")


def test_a_picture_has_it_in_its_caption(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    done = typed(capsys, "plot", "people", "last", "-o", "people.html", "--json")
    assert SAID in json.loads(done.out)["caption"]
    assert "2 of 8 texts" in Path("people.html").read_text(encoding="utf-8")
    assert SAID in done.err


def test_where_no_debate_came_to_a_verdict_dynamics_are_of_nothing(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    speaks(replying("I refuse.", name="some"))
    assert typed(capsys, *HOLD, "--limit", "2").code == 1
    done = typed(capsys, "dynamics")
    assert done.code == 1
    assert "not one of 2 texts has a judgement" in done.err
