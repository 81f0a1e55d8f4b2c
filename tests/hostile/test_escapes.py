"""Whatever a text is, each format takes it as text; and where a format can say all of it, it comes back."""

import json
import re

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from output_checks import FORMULA, Page, check_latex, check_mermaid

from agentdebate.report.data_lines import as_json, csv_cell
from agentdebate.report.markup import escaped, html_text, markdown_text, paragraph
from agentdebate.talk.bus import Hearing, mermaid, mermaid_label
from agentdebate.visible import HIDDEN, is_blank, shortened, visible

UNSEEN = "\u115f\u1160\u180e\u2800\u3164\uffa0"
"""Blanks that are none to Unicode."""
STEERING = (
    UNSEEN + "\x00\x07\x08\t\n\r\x1b\x7f\x85\x9b\u061c\u200e\u2028\u202e\u2066\u2069\ufeff\ud800\U000e0041"
)
SIGNS = "=+-@'\"; \u00a0\uff1d\uff0b|`*_[]()<>!#$&~^\\{}%:/.1aw,\u0301\u4e2d\U0001f600"
TEXTS = st.text(st.one_of(st.sampled_from(STEERING + SIGNS), st.characters()), max_size=40)
ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")


@given(TEXTS)
@example(STEERING)
def test_what_steers_a_screen_is_an_escape_and_the_rest_is_as_it_was(text: str) -> None:
    shown = visible(text)
    assert HIDDEN.search(shown) is None
    assert shown == visible(shown)
    back = re.sub(ESCAPE, lambda found: chr(int(found[found.lastindex or 1], 16)), shown)
    if ESCAPE.search(text) is None and "\\" not in text:
        assert back == text


@given(st.text(UNSEEN + " \n\t\u00a0\u200b\u200d\u2060\u00ad\ufeff\u202e\ufe0f\x00", max_size=20))
def test_a_text_of_blanks_alone_is_empty(text: str) -> None:
    assert is_blank(text)
    assert not is_blank(f"{text}.{text}")
    assert not is_blank(f"{text}\u4e2d{text}")


@given(TEXTS, st.integers(1, 30))
def test_a_text_that_is_cut_is_no_longer_than_it_may_be(text: str, most: int) -> None:
    short = shortened(text, most)
    assert len(short) <= most
    assert short == visible(text) or (
        short.endswith("\N{HORIZONTAL ELLIPSIS}") and visible(text).startswith(short[:-1])
    )


@given(
    st.recursive(
        TEXTS | st.none() | st.integers(),
        lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
        max_leaves=8,
    )
)
def test_json_is_safe_to_look_at_and_the_same_data(data: object) -> None:
    for ascii_only in (True, False):
        text = as_json(data, ascii_only=ascii_only)
        assert HIDDEN.search(text) is None
        assert json.loads(text) == json.loads(json.dumps(data))


@given(TEXTS)
@example("\t=1")
@example("'=1")
@example("x;'=1")
@example("-3.5")
@example("+1-2")
def test_no_cell_is_a_formula_and_its_text_can_be_had_back(text: str) -> None:
    cell = csv_cell(text)
    assert HIDDEN.search(cell) is None
    number = re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", cell, re.ASCII)
    for part in cell.split(";"):
        assert number or not FORMULA.match(part) or part.startswith("'")
    guard = r"(^|;)'(?=[\s'\"`\u2018\u2019\u201b-\u201d\u201f\uff02\uff07\uff40\u00ad\u200b-\u200d\u2060]*[=+@\u2212\u207a\u207c\u208a\u208c\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20-])"
    assert number or re.sub(guard, r"\1", cell) == visible(text)


MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@given(TEXTS)
@example("![x](http://x)")
@example("a|b\\|c")
@example("&lt;b&gt;")
@example("1. x")
@example("- x")
@example("www.evil.example")
def test_a_cell_of_markdown_shows_the_text_and_nothing_else(text: str) -> None:
    cell = markdown_text(visible(text))
    tokens = MARKDOWN.parse(f"| a | b |\n| --- | --- |\n| x | {cell} |\n")
    (shown,) = [token for token in tokens if token.type == "inline"][3:]
    assert {child.type for child in shown.children or []} <= {"text"}
    assert "".join(child.content for child in shown.children or []).split() == visible(text).split()


@given(TEXTS)
@example("1) x")
@example("=== x")
@example("+ x")
def test_a_paragraph_of_markdown_shows_the_text_and_nothing_else(text: str) -> None:
    tokens = MARKDOWN.parse(paragraph(text))
    shown = [child for token in tokens for child in token.children or []]
    assert {token.type for token in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
    assert {child.type for child in shown} <= {"text"}
    assert "".join(child.content for child in shown).split() == visible(text).split()


@given(TEXTS)
@example(r"\input{/etc/passwd}")
@example("--'' x^2 $")
def test_latex_has_no_command_of_the_text(text: str) -> None:
    told = escaped(text)
    check_latex(f"\n{told}")
    assert HIDDEN.search(told) is None


@given(TEXTS)
@example('"></title><script>alert(1)</script>')
def test_a_page_shows_the_text_and_nothing_else(text: str) -> None:
    page = Page(f'<p title="{html_text(text)}">{html_text(text)}</p>')
    assert page.tags == [("p", [("title", visible(text))])]
    assert "".join(page.text) == visible(text)


@given(TEXTS, TEXTS)
@example('x"] --> n9["y', "%%{init: {}}%%")
def test_a_label_of_a_picture_is_text(speaker: str, hearer: str) -> None:
    check_mermaid(mermaid([Hearing(speaker, hearer, (0, 1))]))
    back = re.sub(r"#(\d+);", lambda found: chr(int(found[1])), mermaid_label(speaker))
    assert back == shortened(speaker, 100)
