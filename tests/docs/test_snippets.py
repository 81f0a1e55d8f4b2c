"""What the pages say works: their code runs and is typed, their commands run, and their links lead somewhere."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from textwrap import indent

import pytest
import structlog
from snippets import AT_BUILD, ROOT, RUN, WRITTEN, Block, Reader, blocks, commands, pages, prose

NOT_RUN = 47
"""Blocks that are shown and not run. Every one is a promise that nobody checks, so their number is fixed here."""

BLOCKS = [block for page in pages() for block in blocks(page)]
HELP = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
OPTION = re.compile(r"(?<=\s)--[a-z-]+")
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    """A reader in an empty folder, whose modules are forgotten with it."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("MY_SERVER_KEY", "a key that a page names")
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield Reader(tmp_path)
    structlog.reset_defaults()
    ours = [
        name
        for name, module in sys.modules.items()
        if str(getattr(module, "__file__", "")).startswith(str(tmp_path))
    ]
    for name in ours:
        del sys.modules[name]


@pytest.mark.parametrize("page", pages())
def test_what_a_page_says_can_be_done_in_a_fresh_folder_in_the_order_in_which_it_says_it(
    page: str, reader: Reader
) -> None:
    with asyncio.Runner() as runner:
        reader.follow(page, runner)


@pytest.mark.parametrize(
    "tool", sorted({block.options["needs"] for block in BLOCKS if "needs" in block.options})
)
def test_what_a_page_does_in_a_tool_is_tried_here(tool: str) -> None:
    """Or the test above left it out."""
    if find_spec(tool) is None and os.environ.get("AGENTDEBATE_REQUIRE_ADAPTERS") != "1":
        pytest.skip(f"its blocks need {tool}: pip install 'agentdebate[adapters]' (make test-adapters)")
    assert find_spec(tool), f"AGENTDEBATE_REQUIRE_ADAPTERS=1, and {tool} is not installed"


def lack(block: Block) -> str:
    """Return what a block does not say; nothing where it is run, or is a file, or says why not."""
    if not block.language:
        return "a block names its language"
    if block.is_run:
        return "which file is this?" if block.language in WRITTEN and "file" not in block.options else ""
    told = "needs" in block.options or len(block.options.get("reason", "")) > len("a key")
    return "" if told else "no-run says why: reason=..."


def test_a_block_is_run_or_is_a_file_or_says_why_not() -> None:
    found = [f"{block.place}: {lack(block)}" for block in BLOCKS if lack(block)]
    assert not found, "\n".join(found)


def test_a_block_that_does_not_say_what_it_is_is_noticed() -> None:
    """Or the test above could not fail."""
    wrong = (
        Block("p", 1, "", (), {}, ""),
        Block("p", 1, "toml", (), {}, ""),
        Block("p", 1, "python", ("no-run",), {}, ""),
    )
    lacks = [lack(block) for block in wrong]
    assert lacks == ["a block names its language", "which file is this?", "no-run says why: reason=..."]


def test_the_blocks_that_nobody_tries_are_counted() -> None:
    places = [block.place for block in BLOCKS if "no-run" in block.flags]
    assert len(places) == NOT_RUN, places


def test_the_pages_that_are_written_by_hand_are_few_and_short() -> None:
    texts = {page: (ROOT / page).read_text(encoding="utf-8") for page in pages() if page.startswith("docs/")}
    words = {page: len(prose(page).split()) for page, text in texts.items() if "Written by" not in text[:40]}
    assert (len(words) <= 45, sum(words.values()) <= 75_000) == (True, True)
    assert [page for page, count in words.items() if count > 2500] == []
    assert len(prose("README.md").split()) < 900


def unknown_options(block: Block) -> Iterator[str]:
    """The options of a block's commands that their help does not have."""
    for command, _ in commands(block):
        for name, words in re.findall(r"agentdebate (\w+)([^|;]*)", command):
            page = HELP.partition(f"\n## agentdebate {name}\n")[2].partition("\n## ")[0]
            unknown = {*OPTION.findall(words)} - {*OPTION.findall(page)}
            yield from sorted(f"{block.place}: {name} {one}" for one in unknown)


def test_commands_that_nobody_tries_have_options_that_there_are() -> None:
    shown = [block for block in BLOCKS if block.language == "console" and not block.is_run]
    assert [one for block in shown for one in unknown_options(block)] == []


def test_an_option_that_there_is_not_is_noticed() -> None:
    """Or the test above could not fail."""
    block = Block("p", 1, "console", (), {}, "$ agentdebate run debate x.jsonl --budget 2 --limit 3\n")
    assert [*unknown_options(block)] == ["p:1: run --budget"]


def test_a_strategy_of_your_own_takes_at_most_thirty_lines() -> None:
    (strategy,) = [block for block in BLOCKS if block.options.get("file") == "panel_strategies.py"]
    assert len(strategy.text.splitlines()) <= 30


def test_pages_are_tried_at_all() -> None:
    """Or the tests above could not fail."""
    assert sum(block.is_run and block.language in RUN for block in BLOCKS) > len(pages())


def dead_links(page: str, text: str) -> Iterator[str]:
    """The links of a page to pages of ours that are not there."""
    for target in LINK.findall(text):
        if "://" not in target and not _exists(page, target):
            yield f"{page}: {target}"


def test_every_link_to_a_page_of_ours_leads_to_it() -> None:
    found = [link for page in pages() for link in dead_links(page, prose(page))]
    assert not found, "\n".join(found)
    links = "[a](nowhere.md) [b](CONTRIBUTING.md#nowhere) [c](CONTRIBUTING.md) [d](https://example.org)"
    assert list(dead_links("README.md", links)) == [
        "README.md: nowhere.md",
        "README.md: CONTRIBUTING.md#nowhere",
    ]


def test_the_index_leads_to_every_page() -> None:
    led = {f"docs/{target.partition('#')[0]}" for target in LINK.findall(prose("docs/index.md"))}
    assert [
        page for page in pages() if page.startswith("docs/") and page not in {*led, "docs/index.md"}
    ] == []


def _exists(page: str, target: str) -> bool:
    path, _, anchor = target.partition("#")
    found = ((ROOT / page).parent / path).resolve() if path else ROOT / page
    if found.relative_to(ROOT).as_posix() in AT_BUILD:
        return True  # Sphinx follows these links
    return found.exists() and (not anchor or anchor in _anchors(found))


def _anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


# Types: clean under mypy's strict rules, as a user's editor would check them.


def written(block: Block) -> bool:
    """Tell whether a block is a file of the reader's."""
    return "file" in block.options


def as_modules(folder: Path) -> None:
    """Write the blocks that are run as a coroutine a page, at their own lines, and the files that pages have the reader write."""
    for page in pages():
        shown = [
            block for block in blocks(page) if block.language == "python" and "from" not in block.options
        ]
        for block in filter(written, shown):
            (folder / block.options["file"]).write_text("\n" * block.line + block.text, encoding="utf-8")
        lines = ["async def page() -> None:"]
        for block in shown:
            if block.is_run and not written(block):
                lines += [""] * (block.line - len(lines)) + indent(block.text, "    ").splitlines()
        if len(lines) > 1:
            name = page.removesuffix(".md").replace("/", "__").replace("-", "_")
            (folder / f"{name}.py").write_text("\n".join(lines) + "\n", encoding="utf-8")


def mypy(folder: Path) -> str:
    """Check the modules of a folder with mypy; its output comes back."""
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "--strict"]
    # A page may use a name again for another thing, and a library of others may have no types.
    command += [
        "--allow-redefinition-new",
        "--local-partial-types",
        "--disable-error-code=import-untyped",
        "--allow-untyped-decorators",
        "--allow-subclassing-any",
    ]
    command += ["--cache-dir", str(ROOT / ".mypy_cache" / "pages"), *sorted(map(str, folder.glob("*.py")))]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_the_python_of_every_page_is_typed(tmp_path: Path) -> None:
    as_modules(tmp_path)
    assert len(list(tmp_path.iterdir())) > len(pages()) // 3
    assert mypy(tmp_path).startswith("Success")


@pytest.mark.parametrize(
    "wrong", ["import agentdebate as ad\n\nad.debate(3)\n", "def untyped(x):\n    pass\n"]
)
def test_a_block_that_is_wrong_is_noticed(wrong: str, tmp_path: Path) -> None:
    (tmp_path / "page.py").write_text(wrong, encoding="utf-8")
    assert "error: " in mypy(tmp_path)
