"""Who may look and what a browser may do with what it gets; what the command and the call serve, on which host, and how they end."""

import os
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browsing import serving
from output_checks import Page
from viewing import STORE, TOKEN, Client, asking, hold, item, looking

from agentdebate.viewer.app import app
from agentdebate.viewer.shelf import Shelf

PAGES = ("/", "/run", "/failures", "/costs", "/debate?id={}", "/ballots?id={}", "/call?id={}&number=1")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8270", "localhost:80", "[::1]:8270", "LOCALHOST"])
def test_this_machine_is_spoken_to_by_its_names(client: Client, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "", "evil.example:8270", "[::1].evil.example", "@127.0.0.1"],
)
def test_a_name_of_a_stranger_is_not_spoken_to(client: Client, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 421


WRONG = ("", "wrong", "agentdebate-80=wrong", f"agentdebate-81={TOKEN}", f"agentdebate-80={TOKEN}.me")


@pytest.fixture
def outside(run: str) -> Iterator[Client]:
    """A client without the token."""
    assert run
    with looking(token=None) as client:
        yield client


@pytest.mark.parametrize("path", [*PAGES, "/static/view.css", "/elsewhere"])
def test_without_the_token_no_address_is_answered(outside: Client, path: str, run: str) -> None:
    for cookie in WRONG:
        answer = outside.get(path.format("a00/coherence"), headers={"cookie": cookie})
        assert answer.status_code == 401
        assert run not in answer.text
    assert outside.get(path, headers={"authorization": "Bearer wrong"}).status_code == 401
    assert outside.get("/", params={"token": "wrong"}).status_code == 401


def test_the_token_in_the_address_becomes_a_cookie_and_leaves_the_address(outside: Client) -> None:
    answer = outside.get(f"/run?run=last&token={TOKEN}")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/run?run=last"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["set-cookie"].endswith("; Path=/; HttpOnly; SameSite=Strict")
    assert TOKEN not in outside.get("/run").text
    assert outside.get("/run").status_code == 200


def test_each_port_has_a_cookie_of_its_own(outside: Client) -> None:
    for port in ("8270", "8271"):
        answer = outside.get(f"/?token={TOKEN}", headers={"host": f"127.0.0.1:{port}"})
        assert answer.headers["set-cookie"].startswith(f"agentdebate-{port}={TOKEN};")


def test_a_strange_cookie_of_another_program_locks_no_browser_out(outside: Client) -> None:
    strange = f'a={{"b": [1]}}; =; ;c d; agentdebate-80={TOKEN}'
    assert outside.get("/", headers={"cookie": strange}).status_code == 200


def test_what_a_browsers_command_line_holds_opens_the_pages_once(run: str) -> None:
    assert run
    with closing(Shelf(STORE)) as shelf:
        pages = app(shelf, token=TOKEN, once="a-word-for-one-time")
        with asking(pages, token=None) as browser, asking(pages, token=None) as thief:
            assert browser.get("/?token=a-word-for-one-time").status_code == 303
            assert browser.get("/").status_code == 200
            assert "a-word-for-one-time" not in str(browser.cookies.jar)
            assert thief.get("/?token=a-word-for-one-time").status_code == 401
            assert thief.get("/?token=").status_code == 401


def test_the_way_on_from_the_token_leads_to_this_host_alone(outside: Client) -> None:
    answer = outside.get(f"http://127.0.0.1//evil.example/?token={TOKEN}")
    assert answer.headers["location"] == "/evil.example/"


HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>\"'><svg onload=alert(1)>&lt;b&gt;{{ 7*7 }}{% raw %}</textarea></main>"
    "\x1b[31mred\x1b[0m \u202eesrever\u202c \u2066isolate\u2069 \x00\x07\x9b a\ud800b]]><!--"
)


def strange(text: str) -> list[str]:
    """The tags of a page that no template of ours writes."""

    def is_strange(tag: str, told: dict[str, str | None]) -> bool:
        foreign = tag == "script" and not str(told.get("src", "")).startswith("/static/")
        return foreign or tag in {"img", "b", "textarea"} or any(name.startswith("on") for name in told)

    return [tag for tag, attributes in Page(text).tags if is_strange(tag, dict(attributes))]


@pytest.mark.parametrize(
    "query", ["find=<script>alert(1)</script>", 'group="><img src=x>', "run=<script>x</script>", "sort=<b>"]
)
def test_what_an_address_says_is_escaped(client: Client, query: str) -> None:
    assert strange(client.get(f"/run?{query}").text) == []


async def test_a_word_of_a_megabyte_is_cut() -> None:
    run = await hold({"i1": 3}, item("i1", fields={"source": "w" * 1_000_000, "summary": "Short."}))
    with looking() as client:
        text = client.get("/debate", params={"run": run, "id": "i1/coherence"}).text
    assert len(text) < 200_000
    assert "The first 50,000 of 1,000,000 characters" in text


# The command and the call. A store on a database server is shown as a file is.


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
