"""The documentation site: it is built without a warning, its menu has every page, and it fetches nothing from elsewhere."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from snippets import AT_BUILD, ROOT, pages

FETCHES = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make site` builds it."""
    site = tmp_path_factory.mktemp("site")
    options = ("-q", "-W", "--keep-going", "-d", str(site / "doctrees"))
    command = [sys.executable, "-m", "sphinx", *options, str(ROOT / "docs"), str(site / "html")]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stderr) == (0, "")
    return site / "html"


class Fetched(HTMLParser):
    """Addresses that a browser fetches by itself when it opens a page."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.addresses = list[str]()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an address."""
        self.addresses += [value or "" for name, value in attrs if (tag, name) in FETCHES]


def test_no_page_fetches_anything_from_elsewhere(site: Path) -> None:
    addresses = [one for page in site.rglob("*.html") for one in Fetched(page).addresses]
    assert addresses
    assert [one for one in addresses if "//" in one] == []
    styles = [sheet.read_text(encoding="utf-8") for sheet in site.rglob("*.css")]
    assert [found for style in styles for found in re.findall(r"url\([\"']?(?:https?:)?//[^)]*", style)] == []


def test_the_menu_has_every_page_and_the_search_finds_a_public_name(site: Path) -> None:
    menu = (site / "index.html").read_text(encoding="utf-8")
    listed = [page for page in (*pages(), *AT_BUILD) if page.startswith("docs/") and page != "docs/index.md"]
    assert [
        page for page in listed if f'href="{page.removeprefix("docs/").removesuffix(".md")}.html"' not in menu
    ] == []
    assert "agentdebate.Judge" in (site / "genindex.html").read_text(encoding="utf-8")
    assert '"agentdebate"' in (site / "searchindex.js").read_text(encoding="utf-8")
