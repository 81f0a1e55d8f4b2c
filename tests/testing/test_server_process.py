"""The fault server as a process of its own."""

import json
import signal
import subprocess
import sys
import urllib.request
from typing import Any

import pytest
from served import body

from agentdebate.testing.server import main

COMMAND = (sys.executable, "-W", "error", "-X", "dev", "-m", "agentdebate.testing.server")


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_is_serves_and_ends_when_it_is_told(ending: signal.Signals) -> None:
    with subprocess.Popen(
        (*COMMAND, '{"replies": ["fine"]}'), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
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


@pytest.mark.parametrize(
    "options", ["{", "[]", '{"faults": {"teapot": 0.1}}', '{"latency": "slow"}', '{"wait": 1}']
)
def test_a_wrong_option_is_exit_code_2_and_a_line(options: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([options]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1


def _get(address: str, data: bytes | None = None) -> Any:
    with urllib.request.urlopen(address, data=data, timeout=120) as answer:
        return json.loads(answer.read())
