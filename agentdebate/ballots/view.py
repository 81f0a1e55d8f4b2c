"""A reply as it reads, folded and without markup, with the place of every character in the reply as it came."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from agentdebate.ballots.fold import THOUGHT, fold
from agentdebate.ballots.words import words_of

_NOTHING = "\u200b"
"""A character that folds to nothing: what is taken out keeps its length."""
_MOST = 4
"""Characters that one folds to at most; some ligatures are whole sentences."""

_BREAKING = words_of("br p div li ul ol tr table tbody thead hr h1 h2 h3 h4 h5 h6 pre html body")
_INLINE = words_of("b i em strong span u sub sup code mark font small big tt details summary")
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]{0,9})(?:\s+[a-z-]{1,20}\s*=[^<>\n]{0,200}|\s*/)?>", re.IGNORECASE)
_HIDDEN: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"<\|[^|<>\n]{0,40}\|>"), _NOTHING),
    (re.compile(r"~~[^~\n]{0,300}~~"), " "),
    (re.compile(r"\\(?:boxed|fbox|text|textbf|mathbf)\{"), _NOTHING),
)
_LINE_END = re.compile(r"\\n(?![a-z])")


@dataclass(frozen=True, slots=True)
class View:
    """Folded text in small letters; `at` holds, for each of its characters, the place in the original `source`."""

    text: str
    at: list[int]
    source: str

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a part of the text stands in the original, without blanks around it; empty where it is blank."""
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        if start == end:
            place = self.at[start] if start < len(self.at) else len(self.source)
            return place, place
        return self.at[start], self.at[end - 1] + 1

    def place(self, offset: int) -> int:
        """The first character of the view that stands at or behind an offset of the original."""
        return bisect_left(self.at, offset)


class _Characters(dict[str, str]):
    """What each character reads as; fills itself, one entry for each character met."""

    def __missing__(self, character: str) -> str:
        self[character] = read = fold(character).lower()[:_MOST]
        return read


def view(text: str) -> View:
    """The view of a reply, without the thinking before it. Takes time in proportion to its length."""
    shown = _without_tags(quiet(text))
    for pattern, filler in _HIDDEN:
        shown = _hide(pattern, filler, shown)
    shown = _LINE_END.sub("\n" + _NOTHING, shown)
    table = _Characters({"*": "", "`": "", "_": " "})
    read = [table[character] for character in shown]
    return View("".join(read), [i for i, piece in enumerate(read) for _ in piece], text)


def quiet(text: str) -> str:
    """The text with blanks in place of the thinking that some models put before a reply (see fold.spoken)."""
    kept, end = [], 0
    for start, stop in _said(text):
        kept += [" " * (start - end), text[start:stop]]
        end = stop
    return "".join(kept) + " " * (len(text) - end)


def sound(text: str) -> str:
    """The text with a replacement character for each half of a surrogate pair, which no file can hold."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _said(text: str) -> Iterator[tuple[int, int]]:
    """The parts of a reply that are no thinking, by the rules of fold.spoken."""
    depth, end = 0, 0
    said: list[tuple[int, int]] = []
    for tag in THOUGHT.finditer(text):
        if not any(tag.groups()):
            if depth == 0:
                said.append((end, tag.start()))
            depth += 1
        elif depth == 0:
            said = []
        else:
            depth -= 1
        end = tag.end()
    yield from said
    if depth == 0:
        yield end, len(text)


def _hide(pattern: re.Pattern[str], filler: str, text: str) -> str:
    return pattern.sub(lambda found: filler * len(found[0]), text)


def _without_tags(text: str) -> str:
    return _TAG.sub(_filler, text) if "<" in text else text


def _filler(tag: re.Match[str]) -> str:
    name = tag[2].lower()
    if name in _INLINE:
        return _NOTHING * len(tag[0])
    if name in {"td", "th"}:
        return "|" + _NOTHING * (len(tag[0]) - 1)
    return "\n" + _NOTHING * (len(tag[0]) - 1) if name in _BREAKING else tag[0]
