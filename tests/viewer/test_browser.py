"""The viewer in a real browser: every screen and key, links, live pages, labels; nothing complained of and nobody else asked."""

import asyncio
import json
import os
import re
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from subprocess import Popen
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from browsing import CHROMIUM, REQUIRED, another, looking_at, serving
from viewing import TOKEN, hold, item

from agentdebate.viewer.report import write_report

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

WIDTHS = (360, 1280, 3840)
A4 = 718
"""The pixels between the margins of a sheet."""
DEBATE = quote("a02/coherence", safe="")
SCREENS = {
    "runs": "/",
    "run by debates": "/run?run={a}",
    "run by items": "/run?run={a}&layout=items",
    "filters": "/run?run={a}&layout=debates&find=a0&sort=tokens&down=1",
    "nothing found": "/run?run={a}&find=nobody",
    "changed in talk": "/run?run={a}&changed=1",
    "words found": "/run?run={a}&find=bridge&within=talk",
    "agreement": "/agreement?run={a}",
    "failures": "/failures?run={a}",
    "cost": "/costs?run={a}",
    "debate": "/debate?run={a}&id=" + DEBATE,
    "failed debate": "/debate?run={a}&id=" + quote("a03/coherence", safe=""),
    "ballots": "/ballots?run={a}&id=" + DEBATE,
    "call": "/call?run={a}&number=1&id=" + DEBATE,
    "two runs": "/compare?a={a}&b={b}",
    "one debate twice": "/pair?a={a}&b={b}&id=" + DEBATE,
    "keys": "/keys",
}


@dataclass(frozen=True)
class Shown:
    """A store that is served."""

    base: str
    store: Path
    a: str
    b: str

    def at(self, screen: str) -> str:
        """The address of a screen."""
        return self.base + SCREENS[screen].format(a=self.a, b=self.b)


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Chromium as the system has it."""
    if CHROMIUM is None and not os.environ.get(REQUIRED):
        pytest.skip("there is no chromium here (apt-get install chromium)")
    assert CHROMIUM is not None, f"{REQUIRED} is set and there is no chromium"
    api = (
        import_module("playwright.sync_api")
        if os.environ.get(REQUIRED)
        else pytest.importorskip("playwright.sync_api")
    )
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """Two runs of the same items, which differ in scores and failures."""
    store = tmp_path_factory.mktemp("shown") / "shown.db"
    items = [
        item(f"a{n:02}", group=f"g{n % 2}", system=f"s{n % 3}", human={"coherence": 1 + n % 4})
        for n in range(8)
    ]
    first = {f"a{n:02}": 1 + n % 5 for n in range(8) if n != 3}
    second = {f"a{n:02}": 5 - n % 5 for n in range(7)}

    def held(scores: dict[str, int]) -> str:
        return asyncio.run(hold(scores, *items, strategy="debate", store=str(store)))

    with ThreadPoolExecutor(1) as thread:  # this one has the loop that Playwright runs in
        a, b = thread.submit(held, first).result(), thread.submit(held, second).result()
    with serving("--store", str(store)) as url:
        yield Shown(url.rstrip("/"), store, a, b)


@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_is_whole_and_accessible_at_every_width_in_both_schemes(
    browser: "Browser", shown: Shown, screen: str
) -> None:
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            with looking_at(browser, width=width, scheme=scheme) as seen:
                seen.page.goto(shown.at(screen))
                seen.check(shown.base)
                if width != WIDTHS[-1]:
                    assert seen.violations() == []


@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_is_whole_in_forced_colours_and_on_paper(
    browser: "Browser", shown: Shown, screen: str
) -> None:
    with looking_at(browser, forced_colors="active") as seen:
        seen.page.goto(shown.at(screen))
        seen.check(shown.base)
        seen.page.emulate_media(media="print", forced_colors="none")
        seen.page.set_viewport_size({"width": A4, "height": 1000})
        seen.check(shown.base)
        assert not seen.page.locator(".top").is_visible()


@pytest.fixture(scope="module")
def report(shown: Shown) -> Path:
    """A report of a run, on disk."""
    path = shown.store.with_name("report.html")

    def write() -> None:
        write_report(shown.a, output=path, store=shown.store)

    with ThreadPoolExecutor(1) as thread:
        thread.submit(write).result()
    return path


@pytest.mark.parametrize("width", WIDTHS)
def test_a_report_on_disk_is_whole_and_accessible_and_asks_for_nothing(
    browser: "Browser", report: Path, width: int
) -> None:
    url = report.as_uri()
    for scheme in ("light", "dark"):
        with looking_at(browser, width=width, scheme=scheme) as seen:
            seen.page.goto(url)
            seen.page.locator("details.one").nth(2).locator("summary").first.click()
            seen.check(url)
            assert [one for one in seen.asked if not one.startswith("data:")] == [url]
            if width != WIDTHS[-1]:
                assert seen.violations() == []
    with looking_at(browser, width=width, forced_colors="active") as seen:
        seen.page.goto(url)
        seen.check(url)
        seen.page.emulate_media(media="print", forced_colors="none")
        seen.page.set_viewport_size({"width": A4, "height": 1000})
        seen.check(url)


def test_a_report_that_compares_two_runs_is_whole_and_accessible(
    browser: "Browser", shown: Shown, tmp_path: Path
) -> None:
    path = tmp_path / "compared.html"
    with ThreadPoolExecutor(1) as thread:
        thread.submit(write_report, shown.a, shown.b, output=path, store=shown.store).result()
    url = path.as_uri()
    for width in WIDTHS[:2]:
        for scheme in ("light", "dark"):
            with looking_at(browser, width=width, scheme=scheme) as seen:
                seen.page.goto(url)
                assert seen.page.get_by_role("heading", name="The two runs compared").is_visible()
                seen.check(url)
                assert seen.violations() == []


def test_a_report_on_disk_is_found_through_and_led_through_by_the_keyboard(
    browser: "Browser", report: Path
) -> None:
    with looking_at(browser) as seen:
        page, press = seen.page, seen.page.keyboard.press
        page.goto(report.as_uri())
        rows = page.locator(".wide-rows tbody tr:visible")
        assert rows.count() == 8
        press("/")
        page.keyboard.type("a02")
        assert rows.count() == 1
        assert "1 of 8" in (page.locator(".found .count").text_content() or "")
        press("Escape")
        press("j")
        press("Enter")
        opened = page.locator("details.one[open]")
        opened.wait_for()
        assert "a02" in (opened.locator("summary").first.text_content() or "")
        press("n")
        first = page.evaluate("document.activeElement.id")
        press("n")
        assert page.evaluate("document.activeElement.id") != first
        press("p")
        assert page.evaluate("document.activeElement.id") == first
        assert page.locator(".unshown").count() > 0
        press("j")
        assert "a03" in (opened.locator("summary").first.text_content() or "")
        press("Escape")
        assert opened.count() == 0
        press("f")
        page.wait_for_url("**#failures-1")
        press("?")
        assert page.locator("dialog[open]").count() == 1
        press("Escape")
        assert page.locator("dialog[open]").count() == 0
        seen.check(report.as_uri())


def test_keys_lead_through_a_run(browser: "Browser", shown: Shown) -> None:
    with looking_at(browser) as seen:
        page = seen.page
        page.goto(shown.at("run by debates"))
        press = page.keyboard.press
        press("j")
        press("j")
        press("j")
        press("k")
        assert page.evaluate("document.activeElement.textContent").startswith("a01")
        press("Enter")
        page.wait_for_url("**/debate?**a01**")
        press("j")
        page.wait_for_url("**/debate?**a02**")
        press("k")
        page.wait_for_url("**/debate?**a01**")
        press("b")
        page.wait_for_url("**/ballots?**")
        press("b")
        page.wait_for_url("**/debate?**")
        press("Escape")
        page.wait_for_url("**/run?**")
        press("/")
        page.keyboard.type("a04")
        press("Enter")
        page.wait_for_url("**find=a04**")
        assert page.locator("a.row").count() == 1
        press("f")
        page.wait_for_url("**/failures?**")
        press("c")
        page.wait_for_url("**/compare?**")
        press("Escape")
        page.wait_for_url(re.compile(r"/$|/run\?"))
        seen.check(shown.base)


def test_keys_lead_through_a_debate(browser: "Browser", shown: Shown) -> None:
    with looking_at(browser) as seen:
        page = seen.page
        page.goto(shown.at("debate"))
        press = page.keyboard.press
        press("n")
        first = page.evaluate("document.activeElement.id")
        press("n")
        second = page.evaluate("document.activeElement.id")
        assert int(second[1:]) > int(first[1:])
        press("p")
        assert page.evaluate("document.activeElement.id") == first
        assert page.locator(".unshown").count() > 0
        page.locator(".card:has(details.more)").first.focus()
        press("Enter")
        page.locator(".call-place h3").first.wait_for()
        press("Enter")
        assert page.locator("details.more[open]").count() == 0
        press("?")
        assert page.locator("dialog[open]").count() == 1
        press("Escape")
        assert page.locator("dialog[open]").count() == 0
        seen.check(shown.base)


def test_back_reload_and_links_lead_to_the_same(browser: "Browser", shown: Shown) -> None:
    with looking_at(browser) as seen:
        page = seen.page
        page.goto(shown.at("filters"))
        found = page.locator("a.row").all_text_contents()
        page.locator("a.row").first.click()
        page.wait_for_url("**/debate?**")
        page.go_back()
        assert page.locator("a.row").all_text_contents() == found
        page.reload()
        assert page.locator("a.row").all_text_contents() == found
        assert page.locator("#find").input_value() == "a0"
        page.goto(shown.at("debate"))
        last = page.locator(".card").last.get_attribute("id")
        page.goto(f"{shown.at('debate')}#{last}")
        assert page.locator(".card:target").get_attribute("id") == last
        seen.check(shown.base)


@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_needs_no_script(browser: "Browser", shown: Shown, screen: str) -> None:
    with looking_at(browser, java_script_enabled=False) as seen:
        page = seen.page
        answer = page.goto(shown.at(screen))
        assert answer is not None
        assert answer.status == 200
        assert page.locator("h1").count() == 1


GOING_ON = """
import asyncio, sys
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.tasks import Item

async def answer(request):
    print("asked", flush=True)
    line = await asyncio.to_thread(sys.stdin.readline)
    if not line:
        raise SystemExit
    return "It holds together.\\n\\nCoherence: 4"

async def hold():
    items = [
        Item(task="summarization", id=f"b{n}", fields={"source": "The bridge is closed.", "summary": f"Closed, {n}."})
        for n in range(3)
    ]
    async with evaluate(
        items, "debate", model=Function("m", answer), aspects="coherence", store=sys.argv[1], concurrency=1
    ) as run:
        async for _ in run:
            pass

asyncio.run(hold())
"""


def test_a_run_and_a_debate_of_another_process_grow_on_their_pages(
    browser: "Browser", tmp_path: Path
) -> None:
    store = tmp_path / "grows.db"
    with another(GOING_ON, str(store)) as writer:
        assert writer.stdin is not None

        def go_on(calls: int) -> None:
            assert writer.stdin is not None
            writer.stdin.write("\n" * calls)
            writer.stdin.flush()

        _answer_until_a_debate_has_ended(writer, store)
        assert writer.stdout is not None
        assert writer.stdout.readline() == "asked\n"
        go_on(1)
        assert (
            writer.stdout.readline() == "asked\n"
        )  # a debate is known from its first reply on, and that is on disk now
        with (
            serving("last", "--store", str(store)) as url,
            looking_at(browser) as seen,
            looking_at(browser) as other,
            looking_at(browser) as third,
        ):
            base = url.split("/run")[0]
            page, debate, runs = seen.page, other.page, third.page
            runs.goto(base)
            runs.locator("input[name=run]").check()
            assert "running" in (runs.locator("tbody .state").text_content() or "")
            page.goto(url)
            page.locator(".going-on a").first.wait_for()
            href = page.locator(".going-on a").first.get_attribute("href")
            assert page.locator("[data-live-pause]").text_content() == "Pause"
            debate.goto(f"{base}{href}")
            assert debate.locator("[data-live]").count() == 1
            cards = debate.locator(".card").count()
            said = _judged(store)
            while (
                _judged(store) == said
            ):  # what is said is written at the end of a step, which may take several calls
                go_on(1)
                assert writer.stdout.readline() == "asked\n"
            debate.locator(".card").nth(cards).wait_for()
            page.locator("[data-live-pause]").click()
            assert page.locator("[data-live-pause]").text_content() == "Go on"
            rows = page.locator("a.row").count()
            go_on(200)
            writer.wait(timeout=120)
            debate.locator("#verdict").wait_for()
            assert debate.locator("[data-live]").count() == 0
            assert page.locator("a.row").count() == rows < 3
            runs.locator("tbody .state.ended").wait_for()
            assert runs.locator("tbody td.num").first.text_content() == "3"
            assert runs.locator("input[name=run]").is_checked(), "what was marked stays marked"
            assert "No run is at work" in (runs.locator("[data-live-state]").text_content() or "")
            page.locator("[data-live-pause]").click()
            page.locator("[data-live]").wait_for(state="detached")
            assert page.locator("a.row").count() == 3
            assert page.locator(".state.ended").count() == 1
            seen.check(base)
            other.check(base)
            third.check(base)


def _answer_until_a_debate_has_ended(writer: Popen[str], store: Path) -> None:
    """Answer the other process one call at a time, and none ahead of what it asks."""
    assert writer.stdin is not None
    assert writer.stdout is not None
    while not _has_ended_debate(store):
        assert writer.stdout.readline() == "asked\n"
        writer.stdin.write("\n")
        writer.stdin.flush()
        time.sleep(0.3)


def _judged(store: Path) -> int:
    """How many judgements and critiques are on disk there."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as reading:
        return int(
            reading.execute(
                """SELECT count(*) FROM in_flight WHERE CAST(entry AS TEXT) LIKE '{"kind":"score"%'
                OR CAST(entry AS TEXT) LIKE '{"kind":"critique"%'"""
            ).fetchone()[0]
        )


def _has_ended_debate(store: Path) -> bool:
    """Whether a debate has ended there."""
    if not store.exists():
        return False
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as reading:
        try:
            return bool(reading.execute("SELECT count(*) FROM debates").fetchone()[0])
        except sqlite3.OperationalError:  # its tables are not made yet
            return False


def test_the_printed_address_opens_the_pages_from_anywhere_and_leaves_no_token_behind(
    browser: "Browser", shown: Shown, tmp_path: Path
) -> None:
    link = tmp_path / "chat.html"
    link.write_text(f'<a href="{shown.base}/?token={TOKEN}">the address</a>')
    for begin in ("typed", "clicked"):
        with looking_at(browser, token=None) as seen:
            page = seen.page
            if begin == "typed":
                page.goto(f"{shown.base}/?token={TOKEN}")
            else:
                page.goto(link.as_uri())
                page.get_by_text("the address").click()
            page.locator("a[href^='/run']").first.wait_for()
            assert TOKEN not in page.url
            page.locator("a[href^='/run']").first.click()
            page.wait_for_url("**/run?**")
            assert TOKEN not in page.evaluate("document.referrer + document.cookie")
            page.go_back()
            assert TOKEN not in page.url
            other = page.context.new_page()
            other.goto(shown.at("debate"))
            assert other.locator("h1").count() == 1
            assert seen.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_without_the_token_is_whole_and_accessible(
    browser: "Browser", shown: Shown, scheme: str
) -> None:
    with looking_at(browser, width=360, scheme=scheme, token=None) as seen:
        seen.page.goto(shown.at("debate"))
        assert seen.page.locator("h1").text_content() == "This address needs its token"
        assert seen.violations() == []
        seen.complaints.clear()  # the browser itself complains of 401
        seen.check(shown.base)


def test_a_person_labels_with_the_keyboard_alone_and_goes_on_after_a_restart(
    browser: "Browser", shown: Shown, tmp_path: Path
) -> None:
    file = tmp_path / "anna.jsonl"
    words = (shown.a, "--store", str(shown.store), "--label", str(file), "--seed", "3")

    def labels() -> list[int]:
        return [json.loads(line)["coherence"] for line in file.read_text().splitlines()]

    with serving(*words) as url, looking_at(browser) as seen:
        page, press = seen.page, seen.page.keyboard.press
        page.goto(url)
        assert seen.violations() == []
        press("4")
        press("Enter")
        page.wait_for_url("**after=1")
        press("2")
        press("Backspace")
        press("3")
        press("Enter")
        page.wait_for_url("**after=2")
        press("u")
        page.wait_for_url("**after=1")
        assert labels() == [4]
        press("l")
        page.wait_for_url("**after=2")
        press("5")
        press("Enter")
        page.wait_for_url("**after=3")
        assert seen.violations() == []
        seen.check(url.rstrip("/"))
    with serving(*words) as url, looking_at(browser, width=360, scheme="dark") as seen:
        seen.page.goto(url)
        assert seen.page.locator(".count").text_content() == "2 of 8 labelled"
        for _ in range(6):
            before = seen.page.url, seen.page.locator("progress").get_attribute("value")
            seen.page.locator("fieldset.current").wait_for()
            seen.page.keyboard.press("1")
            seen.page.keyboard.press("Enter")
            seen.page.locator(f'progress[value="{int(before[1] or 0) + 1}"]').wait_for()
        assert seen.page.locator("h1").text_content() == "All 8 items are labelled"
        assert seen.violations() == []
        seen.check(url.rstrip("/"))
    assert labels() == [4, 5, 1, 1, 1, 1, 1, 1]


def test_labels_need_no_script(browser: "Browser", shown: Shown, tmp_path: Path) -> None:
    file = tmp_path / "ben.jsonl"
    words = (shown.a, "--store", str(shown.store), "--label", str(file))
    with serving(*words) as url, looking_at(browser, java_script_enabled=False) as seen:
        seen.page.goto(url)
        seen.page.get_by_label("3", exact=True).check()
        seen.page.get_by_role("button", name="Save").click()
        seen.page.wait_for_url("**after=1")
        seen.page.get_by_role("button", name="Take the last label back").click()
        seen.page.wait_for_url(re.compile(r"/$"))
    assert file.read_bytes() == b""
