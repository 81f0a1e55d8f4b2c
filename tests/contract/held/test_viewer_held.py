"""The viewer over HTTP: its own Host alone, its token, its content security policy, and pages of every kind."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import doors
import pytest
from browser import Viewer, viewing
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint

ESCAPE = "<script>alert(1)</script><img src=x onerror=alert(2)>"
ROWS = [
    {"id": f"i{n}", "source": f"{ESCAPE} The bridge is shut. #{n}", "summary": f"{ESCAPE} It is shut. #{n}"}
    for n in range(1, 4)
]


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """A viewer of one run whose texts hold markup."""
    folder = tmp_path_factory.mktemp("viewed")
    with pytest.MonkeyPatch.context() as patched, scripted_endpoint() as server:
        patched.chdir(folder)
        patched.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        _run(server)
        with viewing(str(Path("agentdebate.db").resolve())) as found:
            yield found


def _run(server: ScriptedEndpoint) -> None:
    doors.write_rows("data.jsonl", ROWS)
    words = ("--task", "summarization", "--aspects", "relevance", "--model", "openai/m")
    assert doors.typed("run", "debate", "data.jsonl", *words, "--base-url", server.base_url).code == 0


def test_nobody_is_answered_without_the_token_of_the_printed_address(viewer: Viewer) -> None:
    stranger = Viewer(viewer.address)
    for path in ("/", "/runs", "/static/", "/?token=wrong"):
        response = stranger.get(path)
        assert response.status in (401, 403, 404), path
        assert "bridge" not in response.body


def test_the_printed_address_opens_the_runs_and_leaves_no_token_in_the_address(viewer: Viewer) -> None:
    viewer.enter()
    response = viewer.get("/")
    assert response.status == 200
    assert "debate" in response.body
    assert urlsplit(viewer.address).query not in response.body


def test_another_host_is_refused(viewer: Viewer) -> None:
    viewer.enter()
    assert viewer.get("/", Host="evil.example.org").status in (400, 403, 421)


def test_another_origin_writes_nothing(viewer: Viewer) -> None:
    viewer.enter()
    response = viewer.get("/", method="POST", Origin="http://evil.example.org")
    assert response.status in (400, 403, 404, 405)


def linked(viewer: Viewer) -> list[str]:
    """The pages that can be reached in three steps."""
    viewer.enter()
    seen, left = ["/"], ["/"]
    for _ in range(3):
        found = {
            link.replace("&amp;", "&").partition("#")[0]
            for path in left
            for link in re.findall(r'href="(/[^"]*)"', viewer.get(path).body)
        }
        left = sorted(path for path in found if path and path not in seen)[:15]
        seen += left
    return seen


def test_every_page_answers_with_a_policy_that_runs_no_markup_of_others(viewer: Viewer) -> None:
    pages = linked(viewer)
    assert len(pages) > 5
    for path in pages:
        response = viewer.get(path)
        assert response.status == 200, path
        assert ESCAPE not in response.body, path
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy or "default-src 'self'" in policy, path
        assert "unsafe-eval" not in policy
        assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]
        assert response.headers["x-content-type-options"] == "nosniff"


def test_pages_load_nothing_from_elsewhere(viewer: Viewer) -> None:
    for path in linked(viewer):
        found = re.findall(r'(?:src|href)="(https?:)?//[^"]*"', viewer.get(path).body)
        assert found == [], path
