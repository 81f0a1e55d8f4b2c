"""Takes the pictures in docs/pictures anew: runs on the offline judge, as Chromium shows them. `python docs/pictures.py`.

Needs the extra `dev`, and Chromium as the system has it.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
ITEMS = EXAMPLES / "summaries.jsonl"
COLOURS = 128
"""A picture has so many: it is a third as large then, and looks the same."""

_COMMAND = (sys.executable, "-m", "agentdebate")
_OF_SUMMARIES = ("--task", "summarization", "--aspects", "consistency,relevance", "--store", "pictures.db")


def main() -> None:
    """Take all of them."""
    with TemporaryDirectory() as folder:
        for strategy in ("debate", "chateval-simultaneous"):
            every = ("--set", "ballots=every") if strategy != "debate" else ()
            words = ("run", strategy, str(ITEMS), *_OF_SUMMARIES, *every)
            subprocess.run(  # noqa: S603 - our own command
                (*_COMMAND, *words),
                cwd=folder,
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 1280, "height": 860}, color_scheme="light")
            _viewer(page, folder)
            _labels(page, folder)
            _report(page, folder)
            _examples(page, folder)
            browser.close()


def _viewer(page: Page, folder: str) -> None:
    with _serving(folder, "last") as url:
        page.goto(f"{url}&layout=items")
        _take(page, "run")
        page.goto(page.url.replace("layout=items", "layout=debates"))
        page.locator("a.row").first.click()
        page.locator(".debate").wait_for()
        _take(page, "debate")
        page.keyboard.press("b")
        page.wait_for_url("**/ballots?**")
        _take(page, "ballots")
        page.goto(url.split("/run?")[0])
        for box in page.locator("input[name=run]").all():
            box.check()
        page.keyboard.press("c")
        page.wait_for_url("**/compare?**")
        _take(page, "compare")


def _labels(page: Page, folder: str) -> None:
    with _serving(folder, "last", "--label", "anna.jsonl") as url:
        page.set_viewport_size({"width": 1280, "height": 620})
        page.goto(url)
        page.keyboard.press("4")
        _take(page, "label")


def _report(page: Page, folder: str) -> None:
    words = ("report", "last", "--store", "pictures.db", "-o", "report.html")
    subprocess.run((*_COMMAND, *words), cwd=folder, check=True, stderr=subprocess.DEVNULL)  # noqa: S603 - our own command
    page.set_viewport_size({"width": 1280, "height": 760})
    page.goto((Path(folder) / "report.html").as_uri())
    page.locator("#debates-1").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('#debates-1').scrollIntoView()")
    _take(page, "report")
    page.locator(".wide-rows a.row").first.click()
    page.locator("details.one[open] .card").first.wait_for()
    page.mouse.move(0, 0)
    _take(page, "report-debate")


def _examples(page: Page, folder: str) -> None:
    gate, table = EXAMPLES / "prompt_gate", EXAMPLES / "paper_table" / "paper_table.py"
    words = [gate / name for name in ("prompt_gate.py", "main.jsonl", "careless.jsonl")]
    for command in (words, [table]):
        subprocess.run((sys.executable, *command), cwd=folder, check=False, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
    _keep((Path(folder) / "paper_table.png").read_bytes(), "paper-table")
    with _serving(folder, store="prompt_gate.db") as url:
        page.set_viewport_size({"width": 1280, "height": 750})
        page.goto(url)
        for box in page.locator("input[name=run]").all():
            box.check()
        page.keyboard.press("c")
        page.wait_for_url("**/compare?**")
        page.get_by_text("the other way round").click()
        _take(page, "prompt-gate")


def _take(page: Page, name: str) -> None:
    _keep(page.screenshot(), name)


def _keep(picture: bytes, name: str) -> None:
    with Image.open(BytesIO(picture)) as taken:
        taken.convert("RGB").quantize(COLOURS).save(HERE / "pictures" / f"{name}.png", optimize=True)


@contextmanager
def _serving(folder: str, *words: str, store: str = "pictures.db") -> Iterator[str]:
    with subprocess.Popen(  # noqa: S603 - our own command
        (*_COMMAND, "view", *words, "--store", store, "--port", "0"),
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        try:
            yield process.stderr.readline().split()[0]
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
