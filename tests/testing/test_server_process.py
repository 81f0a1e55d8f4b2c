"""The fault server as a process of its own."""

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from served import body

from agentdebate.errors import UsageError
from agentdebate.testing.arguments import read_arguments
from agentdebate.testing.server import main

COMMAND = (sys.executable, "-W", "error", "-X", "dev", "-m", "agentdebate.testing.server")


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_is_serves_and_ends_when_it_is_told(ending: signal.Signals) -> None:
    with subprocess.Popen(
        (*COMMAND, "--reply", "fine"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            where = json.loads(process.stdout.readline())
            reply = _get(f"{where['base_url']}/chat/completions", json.dumps(body()).encode())
            ledger = _get(where["ledger"])
            process.send_signal(ending)
            _, complaints = process.communicate(timeout=120)
        finally:
            process.kill()
    assert reply["choices"][0]["message"]["content"] == "fine"
    assert ledger["requests"] == sum(ledger["answered"].values()) == 1
    assert process.returncode == 0
    assert complaints == ""


def test_options_are_read(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('["one", {"choices": []}]', encoding="utf-8")
    words = [
        "--fault",
        "429=0.5",
        "--fault",
        "hang=0.1",
        "--no-n",
        "--script",
        str(script),
        "--latency",
        "uniform:1,3",
    ]
    found = read_arguments(words)
    assert found["faults"] == {"429": 0.5, "hang": 0.1}
    assert found["replies"] == ["one", {"choices": []}]
    assert found["latency"](0.5) == 2
    assert found["honour_n"] is False


@pytest.mark.parametrize(
    "words",
    [
        ("--fault", "429"),
        ("--fault", "teapot=0.1"),
        ("--latency", "slow"),
        ("--tokens-per-minute", "0"),
        ("--script", "nowhere.json"),
    ],
)
def test_a_wrong_option_is_exit_code_2_and_a_line(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize("text", ['{"a": 1}', "[1]", "["])
def test_a_script_is_a_list_of_replies(text: str, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"script\.json"):
        read_arguments(["--script", str(script)])


def _get(address: str, data: bytes | None = None) -> Any:
    with urllib.request.urlopen(address, data=data, timeout=120) as answer:
        return json.loads(answer.read())
