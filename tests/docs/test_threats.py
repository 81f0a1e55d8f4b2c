"""The page on threats says what tests hold, and every hostile test is on it."""

import re

from snippets import ROOT

PAGE = (ROOT / "docs" / "explanation" / "threats.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
ROW = re.compile(r"^\| (?!---|may \| may not)(.+) \|$", re.MULTILINE)


def test_every_test_that_the_page_names_exists() -> None:
    named = set(NAMED.findall(PAGE))
    assert named
    missing = [
        f"{file}::{name}" for file, name in sorted(named) if not re.search(rf"def {name}\(", _source(file))
    ]
    assert missing == []


def test_every_line_of_what_others_may_do_names_the_test_that_holds_it() -> None:
    tables = PAGE.partition("## What is stored where")[0]
    rows = ROW.findall(tables)
    assert rows
    assert [row for row in rows if not NAMED.search(row)] == []


def test_every_file_of_hostile_tests_is_named_on_the_page() -> None:
    files = {f"tests/hostile/{path.name}" for path in (ROOT / "tests" / "hostile").glob("test_*.py")}
    assert files - {file for file, _ in NAMED.findall(PAGE)} == set()


def _source(file: str) -> str:
    path = ROOT / file
    return path.read_text(encoding="utf-8") if path.is_file() else ""
