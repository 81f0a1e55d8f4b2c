"""The command and the call: what they serve, on which host, and how they end. A store on a database server is shown as a file is."""

import os
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browsing import serving
from viewing import STORE, TOKEN, hold, item, looking

ASK = """
import os, socket, sys
uid, port = int(sys.argv[1]), int(sys.argv[2])
os.setgroups([])
os.setgid(uid)
os.setuid(uid)
for path in sys.argv[3:]:
    with socket.socket() as asking:
        asking.connect((b"127.0.0.1", port))
        asking.sendall(f"GET {path} HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\n\\r\\n".encode())
        print(os.getuid(), asking.recv(12).decode())
"""
"""Asks for pages as another user of the machine, which root becomes once Python has loaded what it needs."""
NOBODY = 65534


def status(url: str, **headers: str) -> int:
    """The status of an answer, without following where it leads."""
    parts = urlsplit(url)
    with closing(HTTPConnection(parts.netloc, timeout=120)) as connection:
        connection.request("GET", f"{parts.path}?{parts.query}", headers=headers)
        return connection.getresponse().status


def test_the_command_serves_the_run_until_it_is_stopped(run: str) -> None:
    with serving(run[:-2], "--store", STORE) as printed:
        url, _, token = printed.partition("&token=")
        assert url.startswith("http://127.0.0.1:")
        assert url.endswith(f"/run?run={run}")
        assert len(token) >= 32
        asked = urllib.request.Request(url, headers={"authorization": f"Bearer {token}"})
        with urllib.request.urlopen(asked, timeout=120) as answer:
            assert run in answer.read().decode()
        assert (status(printed), status(url)) == (303, 401)
    assert not list(Path().glob("*.lock"))


@pytest.mark.usefixtures("run")
def test_the_browser_is_opened_with_a_token_that_is_good_once_and_is_not_the_one_that_lasts() -> None:
    os.mkfifo("opened")
    Path("browser").write_text('#!/bin/sh\nexec printf %s "$1" >opened\n')
    Path("browser").chmod(0o700)
    with serving("--open", "--store", STORE, BROWSER=f"{Path('browser').absolute()} %s") as printed:
        opened = Path("opened").read_text()
        url, _, token = printed.partition("token=")
        assert opened.startswith(url)
        assert token not in opened
        assert [status(opened), status(opened), status(printed)] == [303, 401, 303]


@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
async def test_a_store_on_a_server_is_shown_as_a_file_is(new_store: Callable[[str], str]) -> None:
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
            f"/run?run={run}&layout=items&changed=1&find=bridge&within=talk",
            f"/run?run={run}&settled=yes&sort=human:coherence&group=g",
            f"/failures?run={run}",
            f"/costs?run={run}",
            f"/debate?run={run}&id=a1/coherence&at=0",
            f"/ballots?run={run}&id=a1/coherence",
            f"/call?run={run}&id=a1/coherence&number=1",
            f"/compare?a={run}&b={other}",
            f"/agreement?run={run}",
        ):
            answer = client.get(path)
            assert answer.status_code == 200, f"{path}: {answer.text}"
        assert (
            "<strong>2</strong> of 3 debates"
            in client.get(f"/run?run={run}&layout=debates&find=ALIKE&within=talk").text
        )


@pytest.mark.usefixtures("run")
def test_each_start_has_a_token_of_its_own_where_none_is_given() -> None:
    words = ("--store", STORE)
    with (
        serving(*words) as one,
        serving(*words) as other,
        serving(*words, AGENTDEBATE_VIEW_TOKEN=TOKEN) as given,
    ):
        tokens = [url.partition("?token=")[2] for url in (one, other, given)]
        assert len(set(tokens)) == 3
        assert tokens[2] == TOKEN
        assert status(one.replace(tokens[0], tokens[1])) == 401


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user of the machine")
@pytest.mark.parametrize("words", [("--label", "anna.jsonl"), ("--host", "0.0.0.0")], ids=" ".join)
@pytest.mark.usefixtures("run")
def test_another_user_of_the_machine_is_not_answered(words: tuple[str, ...]) -> None:
    paths = ("/", "/static/view.css", "/?token=guessed")
    with serving(*words, "--store", STORE) as printed:
        told = subprocess.run(
            [sys.executable, "-c", ASK, str(NOBODY), str(urlsplit(printed).port), *paths],
            capture_output=True,
            text=True,
            check=True,
        )
        assert told.stdout == f"{NOBODY} HTTP/1.1 401\n" * 3
        assert status(printed) == 303
