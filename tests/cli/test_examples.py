"""The examples that people copy, as they run them: in a folder of their own, on the offline judge."""

import json
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from agentdebate.project.project import examples_root
from agentdebate.testing.server import FaultServer

GATE, TABLE = examples_root() / "prompt_gate", examples_root() / "paper_table"


def run(script: Path, *words: object) -> "subprocess.CompletedProcess[str]":
    """Return what comes of a script."""
    command = [sys.executable, str(script), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    ("new", "code", "says"),
    [
        ("reworded", 0, (": pass", " .083 ")),
        ("careless", 1, (": fail", " -2.667 ")),
    ],  # as in docs/pictures/prompt-gate.png
)
def test_a_gate_tells_a_prompt_that_invents_from_one_that_says_the_same(
    new: str, code: int, says: tuple[str, str]
) -> None:
    came = run(GATE / "prompt_gate.py", GATE / "main.jsonl", GATE / f"{new}.jsonl")
    assert came.returncode == code, came.stderr
    assert all(one in came.stdout for one in says)


async def test_the_program_of_the_gate_writes_a_summary_of_every_article(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    async with FaultServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        words = (GATE / "prompt.txt", tmp_path / "made.jsonl", "--model", "openai/any")
        came = await anyio.to_thread.run_sync(lambda: run(GATE / "summarise.py", *words))
    assert came.returncode == 0, came.stderr
    rows = [json.loads(line) for line in (tmp_path / "made.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 12
    assert all(row["summary"] for row in rows)


def test_a_table_of_the_paper_stands_beside_its_controls_and_has_a_picture() -> None:
    came = run(TABLE / "paper_table.py", "--limit", 3)
    assert came.returncode == 0, came.stderr
    assert "openings' vote" in came.stdout
    assert "debate-tiebreaker" in came.stdout
    assert Path("paper_table.png").read_bytes().startswith(b"\x89PNG")
