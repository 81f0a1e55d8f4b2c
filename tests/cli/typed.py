"""Command lines as a user types them, run in this process."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agentdebate.cli.app import run

ITEM = {
    "source": "The bridge at Kelby is shut for eleven weeks. Two bearings are corroded.",
    "summary": "Kelby's bridge is shut for eleven weeks.",
}
RUN = ("run", "solo", "data.jsonl", "--task", "summarization", "--aspects", "coherence")
SCORE = ("score", "solo", "--task", "summarization", "--aspects", "coherence")
FIELDS = ("-f", f"source={ITEM['source']}", "-f", f"summary={ITEM['summary']}")
ALLOWED = ("--allow-endpoint", "127.0.0.1")
"""What a store may say of where requests go, in tests."""
NOBODY = ("--model", "openai/tiny", "--base-url", "http://127.0.0.1:9/v1")


@dataclass(frozen=True)
class Typed:
    """What came of a command line."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> list[dict[str, Any]]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.split("\n") if line]


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> Typed:
    """Type a command line."""
    capsys.readouterr()
    code = run(words)
    captured = capsys.readouterr()
    return Typed(code, captured.out, captured.err)


def write(rows: Sequence[Mapping[str, Any]], path: str = "data.jsonl") -> None:
    """Write rows as JSONL."""
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def numbered(count: int) -> list[dict[str, str]]:
    """That many items with ids that do not sort by text as they count."""
    return [{"id": f"i{number}", **ITEM} for number in range(1, count + 1)]


def popen(*words: str) -> "subprocess.Popen[str]":
    """A command in a process of its own, with pipes for what it reads and says."""
    command = [sys.executable, "-m", "agentdebate", *words]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONWARNINGS": "error"}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8"
    )
