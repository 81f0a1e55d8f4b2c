"""Tables that benchmarks write into the documentation, each between marks of its own."""

from collections.abc import Mapping
from pathlib import Path

PAGES = Path(__file__).parents[1] / "docs"
SPEED = PAGES / "explanation" / "speed.md"
README = PAGES.parent / "README.md"


class NoMarksError(ValueError):
    """A page has no place for a part."""


def write_parts(page: Path, benchmark: str, parts: Mapping[str, str]) -> None:
    """Put tables of a benchmark into a page; what was not computed stays as it is. Raises NoMarksError."""
    text = page.read_text(encoding="utf-8")
    for name, part in parts.items():
        text = _with(
            text, name, f"<!-- {name}: written by python -m benchmarks {benchmark} --write -->\n", part
        )
    page.write_text(text, encoding="utf-8")


def _with(text: str, name: str, begin: str, part: str) -> str:
    end = f"<!-- end of {name} -->"
    if begin not in text or end not in text.partition(begin)[2]:
        raise NoMarksError(f"there is no place for {name}: write {begin.strip()} and {end} into the page")
    before, _, rest = text.partition(begin)
    return f"{before}{begin}\n{part}\n\n{end}{rest.partition(end)[2]}"
