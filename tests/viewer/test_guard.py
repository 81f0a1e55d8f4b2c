"""Who may look, and what a browser may do with what it gets: hosts, tokens, the content policy, hostile texts."""

from collections.abc import Iterator
from contextlib import closing

import pytest
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
