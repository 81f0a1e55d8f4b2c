"""Pairs of a type and a description in a reply that recruits roles: lines of a list, forms, tables.

What stands in the reply is data. Only blanks, control characters and marks around a whole value are taken off.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentdebate.ballots.entries import fold_key
from agentdebate.ballots.fold import fold
from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.view import sound

Pair = tuple[str, str]
"""A type and a description, as they stand in the reply but for what `tidy` takes off."""

_TYPE_KEY = (
    r"(?:user |role |judge |reader )?(?:type|role|name|title|user|reader|occupation)(?: (?:type|name|title))?"
)
_TEXT_KEY = r"(?:(?:user|role|judge|reader|type) )?(?:description|profile)"
_MARKS = r"[ \t]*+(?:[*_\"'“”`<\[(]++[ \t]*+)?+"
_SEP = r"[ \t]*+(?:[*_\"'”`]++[ \t]*+)?+[:：=][ \t]*+(?:[*_]++[ \t]*+)?+"
_BOTH = pattern(
    rf"{_MARKS}{_TYPE_KEY}{_SEP}(?P<type>[^\n]{{1,200}}?)[*_>\])]{{0,9}}[ \t]{{0,9}}(?:[,;|/.]|[-–—]|\t)?[ \t]{{0,9}}[*_<\[(]{{0,9}}{_TEXT_KEY}{_SEP}(?P<text>.*)",
    re.IGNORECASE,
)
_TYPE = pattern(rf"{_MARKS}{_TYPE_KEY}(?:[ \t]{{0,9}}\#?[0-9]{{1,3}})?{_SEP}(?P<type>.*)", re.IGNORECASE)
_TEXT = pattern(rf"{_MARKS}{_TEXT_KEY}{_SEP}(?P<text>.*)", re.IGNORECASE)
_NUMBER = pattern(
    r"[ \t]*+(?:[-*+•][ \t]++)?[*_#>\[( \t]*(?:(?:role|user|reader|judge|type)[ \t]{0,9}\#?[ \t]{0,9})?\d{1,3}[*_]*(?:[.)\]:：、．]|[ \t]+[-–—](?=[ \t]))[*_]*[ \t]*",
    re.IGNORECASE,
)
_BULLET = pattern(r"[ \t]*(?:[-*+•·‣▪◦●○–—][ \t]+)")
_HASHES = pattern(r"[ \t]*#+[ \t]*")
_ANGLED = pattern(r"[ \t]*[<(](?P<type>[^<>,:;\n]{1,120})[,;:][ \t]*(?P<text>[^<>\n]+)[>)][ \t.;,]*")
_TWO_ANGLED = pattern(r"[ \t]*<(?P<type>[^<>\n]{1,120})>[ \t]*[:,\-–—]?[ \t]*<(?P<text>[^<>\n]+)>[ \t.;,]*")
_BOLD = pattern(
    r"[ \t]*(?:\*\*|__)(?P<type>[^*\n]{1,200}?)[:：]?(?:\*\*|__)[ \t]*(?:[:：|,]|[-–—]+)?[ \t]*(?P<text>.*)"
)
_COLON = pattern(r"(?P<type>[^:：\n]{1,200})[:：](?!//)(?P<text>.*)")
_DASH = pattern(
    r"(?P<type>.{1,200}?)[ \t]++[-–—]++[ \t]++(?P<text>.*)|(?P<type2>.{1,200}?)(?:—|\t)(?P<text2>.*)"
)
_FRAMED = pattern(r"^<([^<>]*)>[ \t.;,]*$")
_RULE = pattern(r"[ \t]*+(?:\|[ \t]*+)?:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+")
_LINE_END = pattern(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
_HEADINGS = pattern(
    r"(?:note|notes|coarse(?:-| )?grained|fine(?:-| )?grained|(?:the |potential |user |static |dynamic |recruited |list of )*(?:roles?|users|types?|readers|"
    r"judges|personas|user types?|descriptions?|user descriptions?|occupations|output|answer|result|results|response|list|roster|roster of roles|summary|"
    r"conclusion|explanation|overall|here|sure|certainly|of course|okay|ok|thanks|in summary))(?: roles| users| types| prompt| readers| level)*(?: are)?|"
    r"(?:sure|certainly|of course|okay|here are|here is|here's|these are|below are|the following)\b.*|familiarity|familiarity with the topic|role [0-9]+"
)
TYPE_KEYS = frozenset(
    [
        "type",
        "user_type",
        "role",
        "role_type",
        "judge_type",
        "name",
        "title",
        "role_name",
        "usertype",
        "user",
        "reader_type",
        "occupation",
        "persona",
    ]
)
TEXT_KEYS = frozenset(
    [
        "description",
        "user_description",
        "role_description",
        "judge_description",
        "desc",
        "profile",
        "userdescription",
        "type_description",
        "reader_description",
        "details",
    ]
)
_KEPT = "\u200c\u200d"
"""Joiners that scripts and emoji are written with."""


@dataclass(slots=True)
class _Line:
    """A line without its list mark. `rank` is 2 for a number, 1 for a bullet or a heading, 0 for neither."""

    rank: int
    text: str
    indented: bool = False
    after_blank: bool = False


def tidy(text: str) -> str:
    """One line without control characters, with single blanks, and without the marks around the whole of it."""
    plain = text.isascii() and text.isprintable()
    kept = (
        text if plain else "".join(" " if _is_hidden(character) else character for character in sound(text))
    )
    bare = " ".join(kept.split())
    while True:
        inner = _unwrapped(bare).strip()
        if inner == bare:
            return bare
        bare = inner


def is_heading(kind: str) -> bool:
    """Whether a type is a word that such replies are laid out with ("Coarse-grained", "Note")."""
    words = " ".join(fold(kind).lower().strip(" :.#*").split())
    return _HEADINGS.fullmatch(words) is not None


def pairs_in_text(text: str) -> list[Pair]:
    """The pairs in free text, in order."""
    lines = list(_lines(text))
    for found in (_in_table(text), _in_forms(lines), _in_list(lines)):
        if found:
            return found
    return []


def _lines(text: str) -> Iterator[_Line]:
    blank = False
    for line in _LINE_END.split(text):
        if not line.strip():
            blank = True
            continue
        number, bullet = _NUMBER.match(line), _BULLET.match(line) or _HASHES.match(line)
        mark = number or bullet
        rest = line[mark.end() :] if mark else line
        # The mark of bold type that opened before the number goes on behind it.
        if number is not None and line[: number.end()].count("**") % 2:
            rest = "**" + rest
        yield _Line(2 if number else 1 if bullet else 0, rest.strip(), line[:1] in " \t", blank)
        blank = False


def _in_forms(lines: Sequence[_Line]) -> list[Pair]:
    """Pairs that name both halves: "User type: ... / User description: ..."."""
    found: list[Pair] = []
    kind: str | None = None
    for line in (_Line(one.rank, _FRAMED.sub(r"\1", one.text), one.indented) for one in lines):
        both, text, named = _BOTH.match(line.text), _TEXT.match(line.text), _TYPE.match(line.text)
        if both is not None:
            found.append((tidy(both["type"]), tidy(both["text"])))
        elif text is not None:
            found.append((kind or "", tidy(text["text"])))
        elif named is not None:
            kind = tidy(named["type"])
            continue
        elif line.rank and not line.indented:
            kind = tidy(line.text).rstrip(":：").strip(" *_")
            continue
        else:
            continue
        kind = None
    return found


def _in_list(lines: Sequence[_Line]) -> list[Pair]:
    """Pairs of a list: its entries are the numbered lines, or the bulleted ones where none is numbered, or all."""
    following = [*lines[1:], _Line(2, "")] if lines else []
    ranks = [line.rank for line, below in zip(lines, following, strict=True) if _opens(line, below)]
    rank = max(ranks, default=0)
    found: list[Pair] = []
    open_at: int | None = None
    for line in lines:
        if line.rank == rank or (rank == 1 and line.rank):
            kind, text = halves(line.text) or (line.text, "")
            if text or rank:
                open_at = None if is_heading(tidy(kind)) else len(found)
                found += [(kind, text)] if open_at is not None else []
        elif open_at is not None and _goes_on(found[-1], line):
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.text}")
        else:
            open_at = None
    return [(kind_of(kind), tidy(text)) for kind, text in found]


def _opens(line: _Line, below: _Line) -> bool:
    """Whether a line may be an entry of a list: it has two halves, or the second of them is the line below it."""
    both = halves(line.text)
    if both is None:
        own = line.rank > below.rank and (below.rank or halves(below.text) is None)
        return bool(own) and not is_heading(line.text)
    return not is_heading(tidy(both[0]))


def _goes_on(pair: Pair, line: _Line) -> bool:
    """Whether a line belongs to the entry above it: it is the description, or goes on with one that is not at its end."""
    if not pair[1].strip():
        return True
    if line.after_blank or line.rank:
        return False
    return line.indented or (pair[1].rstrip()[-1] not in '.!?。！？"”' and line.text[:1].islower())


def halves(text: str) -> Pair | None:
    """The two halves of an entry; None where it does not have two."""
    angled = _TWO_ANGLED.fullmatch(text) or _ANGLED.fullmatch(text)
    bold = angled or _BOLD.match(text)
    if bold is not None and bold["type"].strip():
        return bold["type"], bold["text"]
    colon, dash = _COLON.match(text), _DASH.match(text)
    if colon is not None and (dash is None or len(colon["type"].split()) <= _MOST_WORDS):
        return colon["type"], colon["text"]
    if dash is not None:
        return dash["type"] or dash["type2"], dash["text"] or dash["text2"] or ""
    return None


_MOST_WORDS = 8


def kind_of(text: str) -> str:
    """A type without the marks around it and the colon behind it."""
    return tidy(tidy(text).rstrip(":："))


def _in_table(text: str) -> list[Pair]:
    """The rows below a table's rule: of the columns that the header names, else of the last two."""
    lines = _LINE_END.split(text)
    found: list[Pair] = []
    columns: tuple[int, int] | None = None
    for above, line in zip(["", *lines], lines, strict=False):
        if "|" not in line:
            columns = None
        elif _RULE.fullmatch(line):
            columns = _columns(_cells(above))
        elif columns is not None:
            cells = _cells(line)
            if max(columns) < len(cells):
                found.append((tidy(cells[columns[0]]), tidy(cells[columns[1]])))
    return found


def _columns(header: Sequence[str]) -> tuple[int, int] | None:
    if len(header) <= 1:
        return None
    keys = [fold_key(tidy(cell)) for cell in header]
    texts = [k for k, key in enumerate(keys) if key in TEXT_KEYS or "description" in key]
    kinds = [k for k, key in enumerate(keys) if k not in texts and (key in TYPE_KEYS or key.endswith("type"))]
    if len(texts) == 1 and kinds:
        return kinds[-1], texts[0]
    return len(header) - 2, len(header) - 1


def _cells(line: str) -> list[str]:
    bare = line.strip()
    return bare.removeprefix("|").removesuffix("|").split("|")


def _unwrapped(text: str) -> str:
    for opening, closing in (
        ("**", "**"),
        ("__", "__"),
        ("*", "*"),
        ("_", "_"),
        ("`", "`"),
        ('"', '"'),
        ("“", "”"),
        ("<", ">"),
        ("'", "'"),
    ):
        inner = text[len(opening) : len(text) - len(closing)]
        whole = len(text) > len(opening + closing) and text.startswith(opening) and text.endswith(closing)
        if whole and opening not in inner and closing not in inner:
            return inner
    for mark in ("**", "__"):
        # Half of a pair of marks, whose other half stood in another part of the line.
        if text.count(mark) == 1:
            text = text.removeprefix(mark).removesuffix(mark)
    return text


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and character not in _KEPT
