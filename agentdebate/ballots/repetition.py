"""Replies that end in a loop, the same words again and again, or copy what their writer was told, as small models do."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agentdebate.ballots.plain import plain

TIMES = 3
"""Passes, one after the other, that make a loop."""
SHORTEST = 150
"""Characters of a loop; the same short line three times is none."""
LOOKED_AT = 8000
"""Characters at a reply's end among which a loop is looked for."""

_PIECE = re.compile(r"(?:\s|\\n)+|(?:(?<!\S)|(?<=\\n))\d+[.)](?=\s|\\n)|.", re.DOTALL)
_NUMBER = re.compile(r"\d+[.)]")
_BLANKS, _LISTED = re.compile(r"(?:\s|\\n)+"), re.compile(r"(?<!\S)\d+[.)](?= )")
_TAIL = 16
"""Characters at the end of a loop that its passes before the last one have too, however short they are."""
_CLOSERS = " \t\r\n\"'`}])"
_SHOWN = 60
COPIED = 12
"""Number of equal words in a row that shows a copy."""
_APART = "\x01"
"""Stands between texts as a word that no text has, so that no stretch goes from one to the next."""
_WORD = re.compile(rf"\w+|{_APART}")
_MARKS = {code: " " for code in range(128) if not _WORD.fullmatch(chr(code))}
_QUOTED = re.compile(r'"[^"]{0,2000}"')


@dataclass(frozen=True, slots=True)
class Repetition:
    """The loop in which a text ends: where it begins, where its first pass ends, and how many whole passes there are."""

    start: int
    first_end: int
    times: int

    def said(self, text: str) -> str:
        """The loop in words, with the beginning of what is repeated."""
        unit = " ".join(text[self.start : self.first_end].split())
        shown = unit if len(unit) <= _SHOWN else f"{unit[:_SHOWN].rstrip()}..."
        return f"It repeats itself: {shown!r}, {self.times} times."

    def once(self, text: str) -> str:
        """The text with one pass of the loop."""
        return text[: self.first_end].rstrip()


def repetition(text: str) -> Repetition | None:
    """The loop in which a text ends; None where it does not end in one.

    Blanks of any kind are alike, and so are the numbers of a list's items. What closes a text (quotes, brackets) may stand
    behind the loop, and its last pass may be cut anywhere.
    """
    end = len(text.rstrip(_CLOSERS))
    begin = max(0, end - LOOKED_AT)
    if end - begin < SHORTEST or not _may_loop(text[begin:end]):
        return None
    found = [*_PIECE.finditer(text, begin, end)]
    pieces = [_alike(one[0]) for one in found]
    length, period = _longest_loop(pieces[::-1])
    if length < SHORTEST or not any(piece.isalpha() for piece in pieces[-period:]):
        return None
    start = len(found) - length
    moved = _sentence_in(pieces[start : start + period])
    first, last = found[start + moved], found[start + moved + period - 1]
    whole = (length - moved + 1) // period  # the last pass has no blank behind it
    return Repetition(first.start(), last.end(), whole)


def _may_loop(text: str) -> bool:
    """Tell whether the text may end in a loop: only then its end is in it twice more. Most texts are done with here."""
    alike = _LISTED.sub("#", _BLANKS.sub(" ", text))
    tail = alike[-_TAIL:]
    before = alike.rfind(tail, 0, len(alike) - 1)
    return len(alike) >= SHORTEST and before >= 0 and alike.rfind(tail, 0, before + _TAIL - 1) >= 0


def _sentence_in(pieces: Sequence[str]) -> int:
    """Find the beginning of a sentence in one pass of a loop, or a word where none does."""
    words = [at + 1 for at, piece in enumerate(pieces[:-1]) if piece == " "]
    return next((at for at in words if at > 1 and pieces[at - 2] in ".!?:"), words[0] if words else 0)


def _alike(piece: str) -> str:
    """Normalise a piece of text for comparison."""
    if piece[0].isspace() or piece.startswith("\\n"):
        return " "
    return "#" if _NUMBER.fullmatch(piece) else piece


def _longest_loop(pieces: Sequence[str]) -> tuple[int, int]:
    """Count the first pieces that make a loop, and the length of one pass; zeros where there is none.

    The borders of every beginning are had in one pass (Knuth, Morris and Pratt's failure function); what is left of a beginning
    without its longest border is its shortest period.
    """
    borders, best = [0] * len(pieces), (0, 0)
    border = 0
    for place in range(1, len(pieces)):
        while border and pieces[place] != pieces[border]:
            border = borders[border - 1]
        border += pieces[place] == pieces[border]
        borders[place] = border
        length, period = place + 1, place + 1 - border
        if period * TIMES <= length:
            best = length, period
    return best


def copies(said: str, prompt: Iterable[str], quoted: Iterable[str] = ()) -> bool:
    """Tell a plain reply that repeats a stretch of what its writer was told; what stands in `quoted`, or between marks, is a quotation."""
    own, told = _words(_QUOTED.sub('"', said).lower()), _lowered(prompt)
    half = (
        COPIED // 2
    )  # every stretch has one of these blocks whole in it: most replies are done with by looking for their words
    starts = range(0, len(own) - half + 1, half)
    blocks = [at for at in starts if all(word in told for word in own[at : at + half])]
    words = _line(told) if blocks else ""
    if not any(_stretch(own, at, half) in words for at in blocks):
        return False
    stretches = [_stretch(own, at, COPIED) for at in range(len(own) - COPIED + 1)]
    copied = [stretch for stretch in stretches if stretch in words]
    if not copied:
        return False
    allowed = _line(_lowered(quoted))
    return not all(stretch in allowed for stretch in copied)


def _lowered(texts: Iterable[str]) -> str:
    return f" {_APART} ".join(map(plain, texts)).lower()


def _words(text: str) -> list[str]:
    """Split a text into words; one in ASCII, as most are, in a quarter of the time that the pattern takes."""
    return text.translate(_MARKS).split() if text.isascii() else _WORD.findall(text)


def _line(text: str) -> str:
    """The words of a text with a blank around each."""
    return f" {' '.join(_words(text))} "


def _stretch(words: Sequence[str], start: int, length: int) -> str:
    return f" {' '.join(words[start : start + length])} "
