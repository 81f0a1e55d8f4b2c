"""Replies that repeat themselves, or what their writer was shown: loops as small models write them at a temperature of 0, and copies."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

TIMES = 3
"""As often as this, one after the other, is a loop."""
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
    """Whether the text may end in a loop: only then its end is in it twice more. Most texts are done with here."""
    alike = _LISTED.sub("#", _BLANKS.sub(" ", text))
    tail = alike[-_TAIL:]
    before = alike.rfind(tail, 0, len(alike) - 1)
    return len(alike) >= SHORTEST and before >= 0 and alike.rfind(tail, 0, before + _TAIL - 1) >= 0


def _sentence_in(pieces: Sequence[str]) -> int:
    """Where in one pass of a loop a sentence begins, or a word where none does."""
    words = [at + 1 for at, piece in enumerate(pieces[:-1]) if piece == " "]
    return next((at for at in words if at > 1 and pieces[at - 2] in ".!?:"), words[0] if words else 0)


def _alike(piece: str) -> str:
    """What stands for a piece of text that is compared with others."""
    if piece[0].isspace() or piece.startswith("\\n"):
        return " "
    return "#" if _NUMBER.fullmatch(piece) else piece


def _longest_loop(pieces: Sequence[str]) -> tuple[int, int]:
    """How many of the first pieces make a loop, and the length of one pass; zeros where there is none.

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


_ENDS = re.compile(r"\s(?:(?<=[.!?]\s)\s*|(?<=\n)\s*\n)")
"""Blanks behind the end of a sentence, or between paragraphs. The pattern begins with a blank, which the search jumps to."""
_FIRST_WORDS = re.compile(r"\W*+(\w++)\W++(\w++)\W++(\w++)\W++(\w++)\W++(\w++)")
"""As many words as a copy has at least: shorter sentences, such as the stop word, are what the instruction asks for."""
_WORD = re.compile(r"\w+")


def without_copies(text: str, instruction: str) -> str:
    """A reply without its sentences that stand in the instruction word for word, be they shortened at either end.

    Case, marks and line ends make no difference. A reply of which nothing is left is empty.
    """
    told, sentences = _told(instruction), _ENDS.split(text)
    kept = [one for one in sentences if not _is_copy(one.casefold(), told)]
    return text if len(kept) == len(sentences) else "\n".join(kept).strip()


def is_stretch(text: str, shown: str, said: Iterable[str]) -> bool:
    """Whether all of a reply stands in one piece in what its writer was shown, and not in one of the messages that were `said`.

    Who repeats a message, its own objection say, speaks. Shorter replies, such as the stop word, are what is asked for.
    """
    first, folded = _FIRST_WORDS.match(text.casefold()), shown.casefold()
    if first is None or re.search(r"\W+".join(map(re.escape, first.groups())), folded) is None:
        return False  # mostly, and much sooner than by all words
    words = f" {_words(text.casefold())} "
    return words in f" {_words(folded)} " and not any(words in f" {_words(one.casefold())} " for one in said)


@lru_cache(maxsize=32)
def _told(instruction: str) -> str:
    """The words of an instruction, which all critics of a run are given."""
    return f" {_words(instruction.casefold())} "


def _is_copy(sentence: str, told: str) -> bool:
    """Whether the words of a sentence in small letters are told. Mostly the first few show that they are not."""
    first = _FIRST_WORDS.match(sentence)
    if first is None or f" {' '.join(first.groups())} " not in told:
        return False
    return f" {_words(sentence)} " in told


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text))
