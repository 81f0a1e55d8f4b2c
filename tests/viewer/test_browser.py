"""The viewer in a real browser: every screen and key, links, live pages, labels; nothing complained of and nobody else asked."""

import asyncio
import json
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from browsing import CHROMIUM, REQUIRED, known, looking_at, press
from viewing import TOKEN, hold, item

from agentdebate.report.sweep import sweep
from agentdebate.viewer.report_file import write_report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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

    def swept() -> None:
        vary = {"rounds": [1, 2]}
        asyncio.run(sweep([item("z1")], "debate", vary=vary, model="offline", store=str(store)))

    with ThreadPoolExecutor(1) as thread:  # this one has the loop that Playwright runs in
        thread.submit(swept).result()
        a, b = thread.submit(held, first).result(), thread.submit(held, second).result()
    with known("--store", str(store)) as url:
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
    with looking_at(browser, forced_colors="active") as seen:
        seen.page.goto(shown.at(screen))
        seen.check(shown.base)
        seen.page.emulate_media(media="print", forced_colors="none")
        seen.page.set_viewport_size({"width": A4, "height": 1000})
        seen.check(shown.base)
        assert not seen.page.locator(".top").is_visible()
    with looking_at(browser, java_script_enabled=False) as seen:
        seen.page.goto(shown.at(screen))
        assert seen.page.locator("h1").count() == 1


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


def test_a_report_on_disk_is_found_through_and_led_through_by_the_keyboard(
    browser: "Browser", report: Path
) -> None:
    with looking_at(browser) as seen:
        page = seen.page
        page.goto(report.as_uri())
        rows = page.locator(".wide-rows tbody tr:visible")
        assert rows.count() == 8
        press(page, "/", *"a02")
        assert rows.count() == 1
        assert "1 of 8" in (page.locator(".found .count").text_content() or "")
        press(page, "Escape", "j", "Enter")
        opened = page.locator("details.one[open]")
        opened.wait_for()
        assert "a02" in (opened.locator("summary").first.text_content() or "")
        _leads_to_turns_and_help(page)
        press(page, "j")
        assert "a03" in (opened.locator("summary").first.text_content() or "")
        press(page, "Escape")
        assert opened.count() == 0
        press(page, "f")
        page.wait_for_url("**#failures-1")
        seen.check(report.as_uri())


def _leads_to_turns_and_help(page: "Page") -> None:
    """By n and p from turn to turn, and by ? to the keys."""
    press(page, "n")
    first = page.evaluate("document.activeElement.id")
    press(page, "n")
    assert page.evaluate("document.activeElement.id") != first
    press(page, "p")
    assert page.evaluate("document.activeElement.id") == first
    assert page.locator(".unshown").count() > 0
    press(page, "?")
    assert page.locator("dialog[open]").count() == 1
    press(page, "Escape")
    assert page.locator("dialog[open]").count() == 0


def test_keys_lead_through_a_run(browser: "Browser", shown: Shown) -> None:
    with looking_at(browser) as seen:
        page = seen.page
        page.goto(shown.at("run by debates"))
        press(page, "j", "j", "j", "k")
        assert page.evaluate("document.activeElement.textContent").startswith("a01")
        for keys, url in (
            (["Enter"], "**/debate?**a01**"),
            (["j"], "**/debate?**a02**"),
            (["k"], "**/debate?**a01**"),
            (["b"], "**/ballots?**"),
            (["b"], "**/debate?**"),
            (["Escape"], "**/run?**"),
            (["/", *"a04", "Enter"], "**find=a04**"),
        ):
            press(page, *keys)
            page.wait_for_url(url)
        assert page.locator("a.row").count() == 1
        for key, place in (
            ("f", "**/failures?**"),
            ("c", "**/compare?**"),
            ("Escape", re.compile(r"/$|/run\?")),
        ):
            press(page, key)
            page.wait_for_url(place)
        seen.check(shown.base)


def test_a_sweep_is_one_row_that_opens_into_cells_with_their_scores_in_view(
    browser: "Browser", shown: Shown
) -> None:
    with looking_at(browser, width=390) as seen:
        page = seen.page
        page.goto(shown.at("runs"))
        assert page.locator("a.row:visible").count() == 2, "the two runs beside the sweep"
        assert all(
            box["x"] + box["width"] <= 390
            for cell in page.locator("a.row:visible").locator("xpath=ancestor::tr/td[3]").all()
            if (box := cell.bounding_box())
        ), "a run's score is in view"
        page.locator("details.sweep summary").click()
        cells = page.locator("details.sweep a.row:visible")
        assert "rounds=1" in (cells.first.text_content() or "")
        assert page.locator("details.sweep .badge:visible").first.text_content() == "control: same calls"
        seen.check(shown.base)
        assert seen.violations() == []


def test_what_is_only_passed_on_is_one_line_that_opens(browser: "Browser", shown: Shown) -> None:
    with looking_at(browser, width=390) as seen:
        seen.page.goto(shown.at("debate"))
        passed_on = seen.page.locator(".card", has_text="passes on").first
        text = passed_on.locator(".body")
        assert not text.is_visible()
        folded = passed_on.bounding_box()
        assert folded
        assert folded["height"] < 80, "a line, or two on a narrow screen"
        passed_on.locator("summary").click()
        assert text.is_visible()
        seen.check(shown.base)


def test_keys_lead_through_a_debate(browser: "Browser", shown: Shown) -> None:
    with looking_at(browser) as seen:
        page = seen.page
        page.goto(shown.at("debate"))
        _leads_to_turns_and_help(page)
        page.locator(".card:has(details.more)").first.focus()
        press(page, "Enter")
        page.locator(".call-place h3").first.wait_for()
        press(page, "Enter")
        assert page.locator("details.more[open]").count() == 0
        seen.check(shown.base)


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


def test_a_person_labels_with_the_keyboard_alone_and_goes_on_after_a_restart(
    browser: "Browser", shown: Shown, tmp_path: Path
) -> None:
    file = tmp_path / "anna.jsonl"
    words = (shown.a, "--store", str(shown.store), "--label", str(file), "--seed", "3")

    def labels() -> list[int]:
        return [json.loads(line)["coherence"] for line in file.read_text().splitlines()]

    with known(*words) as url, looking_at(browser) as seen:
        page = seen.page
        page.goto(url)
        assert seen.violations() == []
        for keys, after in ((["4", "Enter"], 1), (["2", "Backspace", "3", "Enter"], 2), (["u"], 1)):
            press(page, *keys)
            page.wait_for_url(f"**after={after}")
        assert labels() == [4]
        for keys, after in ((["l"], 2), (["5", "Enter"], 3)):
            press(page, *keys)
            page.wait_for_url(f"**after={after}")
        assert seen.violations() == []
        seen.check(url.rstrip("/"))
    with known(*words) as url, looking_at(browser, width=360, scheme="dark") as seen:
        seen.page.goto(url)
        assert seen.page.locator(".count").text_content() == "2 of 8 labelled"
        for _ in range(6):
            before = seen.page.url, seen.page.locator("progress").get_attribute("value")
            seen.page.locator("fieldset.current").wait_for()
            press(seen.page, "1", "Enter")
            seen.page.locator(f'progress[value="{int(before[1] or 0) + 1}"]').wait_for()
        assert seen.page.locator("h1").text_content() == "All 8 items are labelled"
        assert seen.violations() == []
        seen.check(url.rstrip("/"))
    assert labels() == [4, 5, 1, 1, 1, 1, 1, 1]


def test_a_run_that_another_process_begins_appears_in_the_list_unless_it_is_held_still(
    browser: "Browser", tmp_path: Path
) -> None:
    store = str(tmp_path / "grows.db")

    def begin(name: str) -> None:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(lambda: asyncio.run(hold({name: 3}, item(name), store=store))).result()

    begin("a1")
    with known("--store", store) as url, looking_at(browser) as seen:
        page, rows = seen.page, seen.page.locator("a.row")
        page.goto(url)
        page.locator("input[name=run]").first.check()
        page.locator("[data-live-pause]").focus()
        begin("a2")
        rows.nth(1).wait_for()
        assert page.locator("input[name=run]:checked").count() == 1, "what was marked stays marked"
        page.locator("[data-live-pause]").click()
        begin("a3")
        assert page.locator("[data-live-pause]").text_content() == "Go on"
        assert rows.count() == 2
        page.locator("[data-live-pause]").click()
        rows.nth(2).wait_for()
        seen.check(url.rstrip("/"))
