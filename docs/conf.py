"""Settings of the documentation site, which `make site` builds with Sphinx. The pages it makes fetch nothing from elsewhere."""

import inspect
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

from pygments.lexers import get_lexer_by_name
from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent))
from generate import write_at_build

project = "agentdebate"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"

html_theme = "furo"
html_title = project
html_show_copyright = False

suppress_warnings = ["misc.highlighting_failure"]  # commands whose quoted words go over several lines

myst_heading_anchors = 4

default_role = "literal"  # docstrings have code between single backticks
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True

_PARTS = re.compile(r"^###? ([^\n]+)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_LINKS = re.compile(r"\]\(([\w/-]+)\.md\)")


def setup(app: Sphinx) -> None:
    """Connect the steps that are ours."""
    for language, drawn_as in {"jsonl": "json", "csv": "text", "mermaid": "text"}.items():
        app.add_lexer(language, type(get_lexer_by_name(drawn_as)))
    app.connect("builder-inited", lambda _: write_at_build())
    app.connect("source-read", _add_contents)
    app.connect("autodoc-process-docstring", _keep_indented)


def _add_contents(_: Sphinx, page: str, source: list[str]) -> None:
    """Make the menu out of the links that the index has."""
    if page == root_doc:
        parts = ((title, _LINKS.findall(text)) for title, text in _PARTS.findall(source[0]))
        source[0] += "\n\n".join(_contents(title, links) for title, links in parts if links)


def _contents(title: str, pages: list[str]) -> str:
    listed = "\n".join(pages)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{listed}\n```"


def _keep_indented(*event: Any) -> None:
    """Show indented lines of a docstring as they stand: our docstrings indent code, and nothing else."""
    lines: list[str] = event[-1]
    text = inspect.cleandoc("\n".join(lines))
    lines[:] = "\n\n".join(_paragraph(part) for part in text.split("\n\n")).splitlines()


def _paragraph(text: str) -> str:
    if any(line.startswith("    ") for line in text.splitlines()):
        return "::\n\n" + textwrap.indent(text, "    ")
    return text
