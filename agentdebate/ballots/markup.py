"""Markdown, HTML and LaTeX taken off a reply, so that "| **Coherence** | $4$ |" reads like "coherence: 4"."""

import re
from collections.abc import Iterator

from agentdebate.ballots.fold import fold
from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.words import words_of

BOXED = "▣"
"""Stands where LaTeX boxed an answer."""
DOUBLE = "▢"
"""Stands where a number was put in double square brackets."""
HEADING = "§"
"""Stands at the start of a heading."""

_INLINE = words_of("b i em strong span u sub sup code mark font a small big tt")
_BREAKING = words_of("br p div li ul ol tr table tbody thead hr h1 h2 h3 h4 h5 h6 pre html body")

_TAG = pattern(r"<(/?)([a-z][a-z0-9_-]{0,40})(\s[^<>]{0,200}|/)?>", re.IGNORECASE)
_NAMED = pattern(
    r"\s(?:name|id|aspect|criterion|metric|label|dimension)\s?=\s?[\"']([^\"'<>]{1,40})[\"']", re.IGNORECASE
)
"""An attribute of a tag that says what its value is for."""
_REPLACED: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("\\", pattern(r"\\n(?![a-z])"), "\n"),
    ("\\", pattern(r"\\(?:boxed|fbox)\s{0,3}\{"), f" {BOXED} "),
    ("\\", pattern(r"\\[dt]?frac\{([^{}]{1,20})\}\{([^{}]{1,20})\}"), r"\1/\2"),
    ("\\", pattern(r"\\[a-zA-Z]++"), " "),
    # As Prometheus sets it: "Feedback: ... [RESULT] 4".
    (
        "[",
        pattern(r"[ ]{0,3}(?<!\[)\[(result|score|rating|verdict)\](?=[ :]{0,3}[^\s\[])", re.IGNORECASE),
        r"\n\1: ",
    ),
    ("[[", pattern(r"\[\[(?=[\s*]{0,4}[-+]?[0-9])"), f" {DOUBLE} "),
    ("g.", pattern(r"\b[eE]\.[ ]?[gG]\.,?"), "for example,"),
    # A pair of dollar signs is of LaTeX, as in Pandoc; a single one beside a number is of a price.
    ("$", pattern(r"\$\$?(?=[^\s$])([^$\n]{1,80})(?<=\S)\$\$?(?![0-9])"), r" \1 "),
    ("$", pattern(r"\$ ([^$\n]{1,80}) \$(?![ ]?[0-9])"), r" \1 "),
    ("$", pattern(r"\\?\$(?=[ ]?[.]?[0-9])|(?<=[0-9])[ ]?\\?\$"), " € "),
    # Emphasis goes without a trace, except between digits: 2*3 is not 23.
    ("*", pattern(r"(?<=[0-9])\*++(?=[0-9])"), " * "),
)
"""What is replaced by what, behind a sign without which there is nothing to look for."""
_EMPHASIS = {ord("*"): "", ord("`"): "", **dict.fromkeys(map(ord, "\\${}_"), " ")}
# One alternative a mark, each told from the others by its first character, so that no line is read twice. A number
# opens a list entry only before a letter: "4." alone is a reply.
_BULLETS = pattern(
    r"(\n)(?:[ ]|[-+•·‣▪◦●○>][ ]+|\(?[0-9]{1,3}[.)][ ]+(?=[^\W\d])(?!(?:is|wins|beats)\b)|\(?[a-z][)][ ]++(?!\n|\Z|(?:is|wins|beats)\b)"
    r"|(?:step|point|reason)[ ][0-9]{1,2}[.:)][ ]+(?=[^\W\d]))++"
)
_HEADING = pattern(r"^[ ]*#++[ ]*", re.MULTILINE)
_BOLD_BULLET = pattern(r"^([ ]*)\*(?=[ ])", re.MULTILINE)


_MARKS = tuple("*#<\\$`{}_~[")
_FOR_EXAMPLE = pattern(r"[eE]\.[ ]?[gG]\.")
_CONTROL = pattern(r"<\|[^|<>\n]{0,40}\|>")
"""Tokens of a chat template that a server left in the reply."""
_STARS = pattern(r"(?:([★⭐🌟])[\ufe0f ]?){1,20}(½)?((?:[☆✩][\ufe0f ]?){0,20})")
"""A row of stars, full ones first."""
_COUNTED_STARS = pattern(r"(?<=[0-9])[ ]?[★⭐🌟](?![★⭐🌟☆✩])\ufe0f?")
_ORNAMENT = pattern(
    r"^([ \t>*_#-]{0,9})[\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]\ufe0f?[ ]{1,3}(?=[*_`]{0,3}\w)",
    re.MULTILINE,
)
"""One sign before the words of a line: it adorns them, be it a star or an arrow."""
_STARS_ECHOED = pattern(r" ([0-9])(?:/[0-9]{1,2})? stars [ ]?(\1/[0-9]{1,2}\b)")
"""A row of stars, and the same in digits: "★★★☆ 3/4"."""
_LEADERS = pattern(r"(?<=\w)[ ]?\.{4,200}[ ]?(?=[0-9])")
"""Dots that lead from a label to its value, as in a table of contents."""
_OPENING = pattern(r"\s{0,9}([0-9]{1,3})[.)] (?=[^\W\d])")
_NUMBERED = pattern(r"\n[ ]{0,9}\(?[0-9]{1,3}[.)] ")
_ANGLED = pattern(r"<[ ]{0,3}([-+]?[0-9][0-9./ ]{0,12})>")
"""A number in the brackets of a form that was filled in to the letter."""
_ANGLED_NAME = pattern(r"<[ ]{0,3}([a-z]{2,30}[ ](?:[a-z]|[0-9]{1,2}))[ ]{0,3}>", re.IGNORECASE)
"""A text's name in such brackets, which is not a tag: "<Summary A>"."""


_OPEN_ITEM = pattern(r"\n[ ]{0,9}([0-9]{1,2})([.)])\s{0,9}\Z")
"""A line at the end that is nothing but the number of a list's item."""
_ITEM = 16
"""Characters at the end of a text that such a line may take."""


def plain(text: str) -> str:
    """The reply folded, in small letters and without markup; tables are rewritten as lines of a form.

    Every kind of markup is looked for only where a sign of it stands in the text: most replies are plain prose.
    """
    if not text.isascii():
        text = _ORNAMENT.sub(r"\1", text)
        text = _STARS.sub(_starred, _COUNTED_STARS.sub(" stars", text))
        text = _STARS_ECHOED.sub(r" \2 ", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    text = fold(text)
    if "...." in text:
        text = _LEADERS.sub(": ", text)
    if text[-_ITEM:].rstrip()[-1:] in {".", ")"}:
        text = _without_open_item(text)
    if _OPENING.match(text) and not _NUMBERED.search(text):
        text = _opened(text)
    if _is_marked(text):
        text = _without_marks(text)
    text = text.lower()
    if "|" in text:
        text = "\n".join(_without_tables(text.split("\n")))
    return _without_bullets(f"\n{text}")[1:]


def _without_bullets(text: str) -> str:
    """The lines without what opens the entry of a list; the text begins with a line end, and is often one line."""
    if "\n" in text[1:]:
        return _BULLETS.sub(r"\1", text)
    bullet = _BULLETS.match(text)
    return text if bullet is None else f"\n{text[bullet.end() :]}"


def _without_open_item(text: str) -> str:
    """The text without the number of an item that was never written: a list that ends in "2. It flows." and "3."."""
    found = _OPEN_ITEM.search(text, max(len(text) - _ITEM, 0))
    if found is None or f"\n{int(found[1]) - 1}{found[2]} " not in f"\n{text}":
        return text
    return text[: found.start()]


def _is_marked(text: str) -> bool:
    """Whether a text holds a sign of markup. To ask for one character at a time is far quicker than to search for a set of them."""
    if any(map(text.__contains__, _MARKS)):
        return True
    return ("g." in text or "G." in text) and _FOR_EXAMPLE.search(text) is not None


def without_struck(text: str) -> str:
    """The text without what is struck out in it, in Markdown or HTML."""
    if "~~" in text:
        text = _STRUCK.sub(" ", text)
    return _STRUCK_TAGS.sub(" ", text) if "<" in text else text


_STRUCK = pattern(r"~~[^~\n]{0,300}~~")
_STRUCK_TAGS = pattern(r"<(s|del|strike)>[^<>]{0,300}</\1>", re.IGNORECASE)


def _without_marks(text: str) -> str:
    text = _BOLD_BULLET.sub(r"\1•", text)
    text = without_struck(text)
    if "<" in text:
        text = _ANGLED_NAME.sub(r" \1 ", _ANGLED.sub(r" \1 ", _CONTROL.sub(" ", text)))
        text = _TAG.sub(_tag, text)
    for sign, sought, replacement in _REPLACED:
        if sign in text:
            text = sought.sub(replacement, text)
    return _HEADING.sub(HEADING + " ", text.translate(_EMPHASIS))


def _starred(stars: re.Match[str]) -> str:
    """A row of stars as a number; "★★★★☆" is 4 of 5."""
    full = sum(stars[0].count(sign) for sign in "★⭐🌟")
    empty = sum(stars[3].count(sign) for sign in "☆✩")
    half = ".5" if stars[2] else ""
    over = f"/{full + empty + bool(half)}" if empty else ""
    return f" {full}{half}{over} stars "


def _opened(text: str) -> str:
    """A reply that opens with a number and a dot, and has no list: the number is not a bullet, unless it is the first one."""
    number = _OPENING.match(text)
    assert number is not None  # the caller looks for one
    return text if number[1] == "1" else f"{number[1]}.\n{text[number.end() :]}"


def _tag(tag: re.Match[str]) -> str:
    name = tag[2].lower()
    if name in _INLINE:
        return ""
    if name in {"td", "th"}:
        return " | "
    if tag[1] or name in _BREAKING:
        return "\n"
    named = _NAMED.search(tag[3] or "")
    return f"\n{named[1]} {name}: " if named else f"\n{name}: "


def _without_tables(lines: list[str]) -> Iterator[str]:
    header: list[str] = []
    for i, line in enumerate(lines):
        if "|" not in line:
            header = []
            yield line
        elif header:
            yield from _row(header, _cells(line))
        elif i + 1 < len(lines) and _is_rule(lines[i + 1]):
            header = _cells(line)
        else:
            yield line.strip(" |")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _is_rule(line: str) -> bool:
    return "|" in line and "-" in line and not line.strip(" |:-")


def _row(header: list[str], cells: list[str]) -> Iterator[str]:
    """A table's row as form lines: "row name: score" where a column holds scores, else "column name: cell"."""
    if _is_rule("|".join([*cells, ""])):
        return
    column = next((i for i, name in enumerate(header) if i and _names_scores(name)), None)
    if column is not None and column < len(cells) and not cells[0][:1].isdigit():
        # The header's own words keep "final score" and "initial score" apart.
        yield f"{header[column]} for {cells[0]}: {cells[column]}" if cells[0] else ""
    elif len(header) > 1 and any(cell[:1].isdigit() for cell in cells):
        yield from (f"{name}: {cell}" for name, cell in zip(header, cells, strict=False))
    else:
        yield " | ".join(cells)


def _names_scores(header: str) -> bool:
    return bool(
        {"score", "scores", "points", "marks", "rating", "ratings", "grade", "评分", "得分", "スコア", "점수"}
        & set(header.split())
    )
