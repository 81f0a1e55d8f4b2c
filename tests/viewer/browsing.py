"""A real browser before the viewer that a process of its own serves."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from viewing import TOKEN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

REQUIRED = "AGENTDEBATE_REQUIRE_BROWSER"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
_COMMAND = "from agentdebate.cli import main; main()"
_EVERYWHERE = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
_WIDE = """
[...document.querySelectorAll("main *")].filter((one) => one.getBoundingClientRect().right > innerWidth)
    .slice(0, 5).map((one) => `${one.tagName}.${one.className}`)
"""
"""What reaches beyond the window."""


@contextmanager
def serving(*words: str, **variables: str) -> Iterator[str]:
    """The address that `agentdebate view` prints, in another process until the block ends. It ends without a traceback."""
    with subprocess.Popen(
        [sys.executable, "-c", _COMMAND, "view", *words, "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env={**_EVERYWHERE, **variables},
    ) as process:
        assert process.stderr is not None
        try:
            said = process.stderr.readline()
            assert said.startswith("http"), said + process.stderr.read()
            yield said.split()[0]
        finally:
            process.send_signal(signal.SIGINT)
            rest = process.communicate(timeout=120)[1]
    assert "Traceback" not in rest, rest


@contextmanager
def known(*words: str) -> Iterator[str]:
    """The address with the token of these tests, without it."""
    with serving(*words, AGENTDEBATE_VIEW_TOKEN=TOKEN) as printed:
        url, token = printed.split("token=")
        assert token == TOKEN
        yield url.rstrip("?&")


def press(page: "Page", *keys: str) -> None:
    """Press keys, one after the other."""
    for key in keys:
        page.keyboard.press(key)


@dataclass
class Seen:
    """A page in a browser, with everything that it complained of and asked for."""

    page: "Page"
    complaints: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def check(self, base: str) -> None:
        """Nothing was complained of, no other host was asked, and nothing is wider than the window."""
        assert self.complaints == []
        assert [url for url in self.asked if not url.startswith((base, "data:"))] == []
        over = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert over <= 0, f"{over} px too wide: {self.page.url}, {self.page.evaluate(_WIDE)}"

    def violations(self) -> list[str]:
        """Return what axe-core finds, as a rule and a place."""
        self.page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
        found: Any = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [f"{one['id']}: {node['html'][:200]}" for one in found["violations"] for node in one["nodes"]]


@contextmanager
def looking_at(
    browser: "Browser", *, width: int = 1280, scheme: Any = "light", token: str | None = TOKEN, **more: Any
) -> Iterator[Seen]:
    """A fresh window, which shows the token with every request."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        reduced_motion="reduce",
        extra_http_headers={} if token is None else {"authorization": f"Bearer {token}"},
        **more,
    )
    try:
        seen = Seen(context.new_page())
        seen.page.set_default_timeout(20_000)
        seen.page.on(
            "console",
            lambda said: seen.complaints.append(said.text) if said.type in ("error", "warning") else None,
        )
        seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
        seen.page.on("request", lambda request: seen.asked.append(request.url))
        yield seen
    finally:
        context.close()
