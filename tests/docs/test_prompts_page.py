"""The page of rendered prompts, which is written when the site is built, shows every prompt that is built in."""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import jinja2
import pytest
from snippets import ROOT

sys.path.insert(0, str(ROOT / "docs"))
from prompt_pages import rendered_prompts

FILES = sorted((ROOT / "prompts").rglob("*.md"))
SHORTEST = 12
"""Characters of a passage that tells a file from the others."""
RENDERED: Mapping[str, str] = {
    "parts/form-fill-schema.md": "It has one key, with a number:",
    "parts/form-schema.md": 'Its first key is "reason", with your reasons. Behind it comes one key with a number:',
    "parts/form-text.md": "Then write the score on a last line of its own:",
    "relays/forward.md": "Critic, passed on by the Commander:",
}
"""What files come to whose passages are shorter, or other files' too."""
WITHOUT_WORDS: Mapping[str, str] = {
    "parts/heard.md": "it has names and talk alone; the chat that is shown has its form",
}
"""The files without any words, and why that is enough."""


@pytest.fixture(scope="module")
def page() -> str:
    """The page, on one line."""
    return one_line("\n".join(rendered_prompts()))


def one_line(text: str) -> str:
    return " ".join(text.split())


def passages(path: Path) -> list[str]:
    """Return what stands in a template as it will be said, without its variables."""
    body = path.read_text(encoding="utf-8").split("---\n", 2)[2]
    pieces = [piece for kind, piece in _tokens(body) if kind == "data"]
    strings = [
        text for kind, token in _tokens(body) if kind == "string" for text in re.findall(r"[^\"']+", token)
    ]
    return [text for piece in (*pieces, *strings) if len(text := one_line(piece)) >= SHORTEST]


def _tokens(body: str) -> Sequence[tuple[str, str]]:
    return [(kind, token) for _, kind, token in jinja2.Environment(autoescape=True).lex(body)]


def own(path: Path) -> list[str]:
    """The passages that no other file has."""
    others = [one_line(other.read_text(encoding="utf-8")) for other in FILES if other != path]
    return [piece for piece in passages(path) if not any(piece in other for other in others)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT / "prompts")))
def test_every_prompt_file_is_on_the_page(path: Path, page: str) -> None:
    name = path.relative_to(ROOT / "prompts").as_posix()
    if name in WITHOUT_WORDS:
        assert not own(path), f"{name} has words of its own by now: {own(path)}"
        return
    wanted = [RENDERED[name]] if name in RENDERED else own(path)
    assert any(piece in page for piece in wanted), f"docs/prompt_pages.py shows no debate with {name}"
