"""A run whose process is killed at any moment and resumed comes to what an undisturbed one comes to."""

import json
import random
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from soak_cases import held, request_ids, rows

DEBATES, AT_ONCE = 30, 4
BEGIN = ("run", "debate", "data.jsonl", "--task=summarization", "--aspects=coherence", "--set=rounds=2")


class Server:
    """A fault server in a process of its own."""

    def __init__(self, where: dict[str, str]) -> None:
        self.base_url, self._ledger = where["base_url"], where["ledger"]

    def answered(self) -> Counter[str]:
        """Whole replies by request."""
        with urllib.request.urlopen(self._ledger, timeout=60) as answer:
            return Counter(json.load(answer)["answered"])


@pytest.fixture
def server() -> Iterator[Server]:
    command = [sys.executable, "-m", "agentdebate.testing.server", '{"latency": [0.01, 0.05]}']
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Server(json.loads(process.stdout.readline()))
        finally:
            process.terminate()


@contextmanager
def started(*words: str) -> "Iterator[subprocess.Popen[str]]":
    """A command in a process of its own, which says what it complains of."""
    command: list[Any] = [sys.executable, "-W", "error", "-m", "agentdebate", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def to_its_end(*words: str) -> None:
    with started(*words) as process:
        _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err


def kill_after(answers: int, server: Server, *words: str, wait: float) -> bool:
    """Kill a command a moment after so many answers; whether it was still alive then."""
    with started(*words) as process:
        while server.answered().total() < answers and process.poll() is None:
            time.sleep(0.003)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
    return process.returncode == -signal.SIGKILL


ALLOWED = "--allow-endpoint=127.0.0.1"


def test_kills_change_nothing_and_cost_no_more_than_what_was_under_way(
    server: Server, new_store: Callable[[str], str], request: pytest.FixtureRequest
) -> None:
    whole, killed = new_store("whole"), new_store("killed")
    Path("data.jsonl").write_text("".join(rows(DEBATES)), encoding="utf-8")
    begin = (*BEGIN, "-c", str(AT_ONCE), "--model=openai/any", f"--base-url={server.base_url}")
    to_its_end(*begin, f"--store={whole}")
    ideal = server.answered()
    assert set(ideal.values()) == {1}

    chance, wanted = random.Random(6), request.config.getoption("--kills")
    kills = 0
    for place in sorted(chance.sample(range(1, ideal.total() * 9 // 10), wanted)):
        words = ("resume", ALLOWED) if kills else begin
        after, wait = ideal.total() + place, chance.uniform(0, 0.05)
        kills += kill_after(after, server, *words, f"--store={killed}", wait=wait)
    to_its_end("resume", ALLOWED, f"--store={killed}")

    assert kills == wanted
    assert held(killed) == held(whole)
    assert len(held(whole)) == DEBATES
    answered = server.answered() - ideal
    assert answered.keys() == ideal.keys()
    assert (answered - ideal).total() <= kills * AT_ONCE
    stored = request_ids(killed)
    assert set(stored.values()) == {1}
    assert stored.total() == ideal.total()
