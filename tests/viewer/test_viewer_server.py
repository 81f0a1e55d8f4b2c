"""The command and the call: what they serve, on which host, and how they end. A store on a database server is shown as a file is."""

import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from viewing import hold, item, looking

from agentdebate.cli.app import run as command


def test_the_command_serves_the_run_until_it_is_stopped(run: str) -> None:
    code = "from agentdebate.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "view", run[:-2], "--store", "runs.db", "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stderr is not None
        try:
            said = process.stderr.readline()
            url = said.split()[0]
            assert url.startswith("http://127.0.0.1:")
            assert url.endswith(f"/run?run={run}")
            with urllib.request.urlopen(url, timeout=120) as answer:
                assert run in answer.read().decode()
        finally:
            process.send_signal(signal.SIGINT)
            rest = process.communicate(timeout=120)[1]
    assert "Traceback" not in rest
    assert not list(Path().glob("*.lock"))


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--host", "0.0.0.0"], "--token"),
        (["--store", "nowhere.db"], "there is no store"),
        (["nobody"], "no run"),
        (["--port", "99999"], "--port"),
        (["--token", "short"], "16 characters"),
    ],
)
@pytest.mark.usefixtures("run")
def test_what_cannot_be_served_is_said_at_once(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store = [] if "--store" in words else ["--store", "runs.db"]
    assert command(["view", *words, *store]) == 2
    assert problem in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
async def test_a_store_on_a_server_is_shown_as_a_file_is(
    new_store: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = new_store("viewed")
    same = {
        "source": "A source that two of the items share, word for word, and which is long enough.",
        "summary": "Alike.",
    }
    items = [item("a1", group="g", fields=same), item("a2", group="h", fields=same), item("a3", system="s")]
    run = await hold({"a1": 2, "a2": 4}, *items, store=store)
    other = await hold({"a1": 3, "a2": 4}, *items, store=store)
    with looking(store) as client:
        for path in (
            "/",
            f"/run?run={run}",
            f"/run?run={run}&layout=debates&sort=score:coherence&down=1&group=g&find=A1",
            f"/run?run={run}&layout=items&sort=apart:coherence&changed=1&find=bridge&within=talk",
            f"/run?run={run}&settled=yes&apart=0&tie=1&model=m",
            f"/failures?run={run}",
            f"/costs?run={run}",
            f"/repeats?run={run}",
            f"/debate?run={run}&id=a1/coherence&at=0",
            f"/ballots?run={run}&id=a1/coherence",
            f"/call?run={run}&id=a1/coherence&number=1",
            f"/compare?a={run}&b={other}&show=up",
        ):
            answer = client.get(path)
            assert answer.status_code == 200, f"{path}: {answer.text}"
        assert "<strong>1</strong> text stands" in client.get(f"/repeats?run={run}").text
        assert (
            "<strong>2</strong> of 3 debates"
            in client.get(f"/run?run={run}&layout=debates&find=ALIKE&within=talk").text
        )
        for name in ("AT_ONCE", "MOST", "DRAWN"):
            monkeypatch.setattr(f"agentdebate.viewer.agreement_page.{name}", 1)
        while "being worked out" in (text := client.get(f"/agreement?run={run}").text):
            pass
        assert "1 item drawn at random" in text
