"""A store whose every name is hostile: each page that a link leads to is there, says the names and does nothing."""

import html
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from nasty_run import rewrite_documents
from test_guard import HOSTILE, strange
from viewing import STORE, Client, hold, item, looking

import agentdebate as ad
from agentdebate.visible import HIDDEN

ITEMS = (
    "../../etc/passwd", "%2e%2e/%2e%2e/x", "a?b#c&d=e", "javascript:alert(1)", "<i>'\"&\u202ex", "a|b\n# z", "..", "//evil.example/x", "a\\b",
)  # fmt: skip
RUN = "20260101-000000-<svg onload=alert(1)>'\"|`\u202e ../..%2e"
AGENT = "<img src=x onerror=alert(1)>\u202e'\"</script>|`x`"
MOST = 160
"""Pages that are looked at: all kinds are among them."""


@pytest.fixture
async def other() -> str:
    """Two runs of items with hostile names; the first one's own name, strategy, task, model and an agent's are hostile too."""
    words = re.sub("[\x00\ud800]", "", HOSTILE)
    more = {"fields": {"source": HOSTILE * 2, "summary": HOSTILE}, "group": words, "system": words}
    items = [item(name, human={"coherence": 1.0 + n % 3}, **more) for n, name in enumerate(ITEMS)]
    run = await hold({name: 1 + n % 5 for n, name in enumerate(ITEMS) if n != 2}, *items, strategy="debate")
    with closing(sqlite3.connect(STORE)) as store, store:
        names = (RUN, "<b>s</b>|\u202e", "<b>t</b>", "javascript:alert(1)<b>", run)
        store.execute("update runs set id = ?, strategy = ?, task = ?, model = ? where id = ?", names)
        store.execute("update costs set agent = ? where agent = 'critic'", (AGENT,))
        rewrite_documents(store, lambda text: text.replace('"critic"', json.dumps(AGENT)))
    return await hold(dict.fromkeys(ITEMS, 3), *items)


def links(text: str) -> Iterator[str]:
    """Where the links of a page lead."""
    for found in re.findall(r'href="([^"]*)"', text):
        yield html.unescape(found)


def check(address: str, text: str) -> None:
    """Nothing on a page is a tag, a link or a mark of a user's."""
    assert strange(text) == [], address
    assert not HIDDEN.search(re.sub(r"[\n\t]", "", text)), address
    assert not [to for to in links(text) if to and not re.match(r"/(?!/)|#|data:,$", to)], address


def visited(client: Client, *first: str) -> set[str]:
    """The paths of all pages to which links lead, each of which is there."""
    waiting, seen = [*first], set[str]()
    while waiting and len(seen) < MOST:
        address = waiting.pop(0).partition("#")[0]
        if address in seen or not address or address.startswith(("/static", "data:")):
            continue
        seen.add(address)
        answer = client.get(address)
        assert answer.status_code == 200, address
        if answer.headers["content-type"].startswith("text/html"):
            check(address, answer.text)
            waiting += links(answer.text)
    return {urlsplit(address).path for address in seen}


def test_every_link_leads_to_a_page_that_does_nothing_of_a_users(other: str) -> None:
    with looking() as client:
        pages = {"run": RUN, "id": f"{ITEMS[0]}/coherence"}
        first = [
            str(client.build_request("GET", path, params=told).url.raw_path, "ascii")
            for path, told in (
                ("/", {}),
                *((path, pages) for path in ("/run", "/debate", "/ballots", "/agreement", "/costs", "/failures")),
                ("/compare", {"a": RUN, "b": other}),
                ("/pair", {"a": RUN, "b": other, "id": f"{ITEMS[4]}/coherence"}),
            )
        ]  # fmt: skip
        paths = visited(client, *first)
    assert paths >= {
        "/",
        "/run",
        "/debate",
        "/ballots",
        "/agreement",
        "/costs",
        "/failures",
        "/compare",
        "/pair",
        "/call",
    }


@pytest.mark.parametrize(
    "path",
    ["/%2e%2e/%2e%2e/etc/passwd", "/static/../app.py", "/static/%2e%2e/app.py", "//etc/passwd", "/static/view.css/../../app.py"],
)  # fmt: skip
@pytest.mark.usefixtures("other")
def test_no_address_leads_to_a_file(path: str) -> None:
    with looking() as client:
        assert client.get(path).status_code == 404


@pytest.mark.parametrize("public", [False, True])
def test_reports_and_markdown_hold_nothing_of_a_users(other: str, public: bool) -> None:
    told = ad.write_report(RUN, output="o.html", store=STORE, public=public).read_text(encoding="utf-8")
    assert set(strange(told)) == {"script"}, "our own, whose digest is in the policy"
    assert len(re.findall("<script", told)) == 1
    assert not HIDDEN.search(re.sub(r"[\n\t]", "", told))
    marked = ad.write_report(RUN, other, output="o.md", store=STORE, markdown=True, public=public)
    text = Path(marked).read_text(encoding="utf-8")
    assert not re.search(r"(?<!\\)[<@`]|javascript:|\]\(", text)
    assert not HIDDEN.search(re.sub(r"[\n\t]", "", text))
    for table in (part for part in text.split("\n\n") if part.startswith("|")):
        assert len({line.replace("\\|", "").count("|") for line in table.splitlines()}) == 1
