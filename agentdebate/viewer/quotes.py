"""Quotations from the texts under judgement, found in both places so that one can lead to the other."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

SHOWN = 50_000
"""Characters of a text that a page shows."""

_QUOTED = re.compile(
    r"“([^“”]{12,600})”|«([^«»]{12,600})»|(?<!\w)\"([^\"\n]{12,600})\"|(?<!\w)'([^'\n]{12,300})'(?!\w)"
)
_MOST = 300
"""Quotations that are marked on a page."""
_PLACES = 20
"""Places of a text in which one quotation is marked."""


@dataclass(frozen=True)
class Piece:
    """A part of a text; `mark` is the number of the quotation that it is or shows, and 0 where it is none."""

    text: str
    mark: int = 0
    first: bool = False
    """True if a link to the mark leads here."""


@dataclass(frozen=True)
class Text:
    """A text in pieces, as far as a page shows it."""

    pieces: tuple[Piece, ...]
    length: int
    """Characters of the whole text."""

    @property
    def cut(self) -> bool:
        """True where there is more of it than is shown."""
        return self.length > SHOWN


Mark = tuple[int, int, int, bool]
"""Span of a quotation, its number, and whether links lead there."""


@dataclass
class Quotes:
    """Finds quotations of some texts. The marks are numbered in the order in which they are first quoted."""

    fields: Mapping[str, str]
    _marks: dict[str, list[Mark]] = field(default_factory=dict)
    """Marks by text."""
    _lower: dict[str, str] = field(default_factory=dict)
    _count: int = 0

    def said(self, text: str) -> Text:
        """A message, with what it quotes marked."""
        shown = text[:SHOWN]
        pieces, end = list[Piece](), 0
        for found in _QUOTED.finditer(shown):
            mark = self.mark(next(group for group in found.groups() if group is not None))
            if mark:
                start, stop = found.span()
                pieces += [Piece(shown[end:start]), Piece(shown[start:stop], mark)]
                end = stop
        return Text(tuple(piece for piece in (*pieces, Piece(shown[end:])) if piece.text), len(text))

    def mark(self, words: str) -> int:
        """The number of the mark of some words; 0 where no text has them."""
        sought = words.strip().rstrip(".,;:!?…").lower()
        if len(sought) < 8 or " " not in sought:  # noqa: PLR2004 - a single word is no quotation
            return 0
        words_again = re.compile(re.escape(sought))
        places = [  # the texts that are judged stand behind what they were made from
            (name, *found.span())
            for name in reversed([*self.fields])
            for found in islice(words_again.finditer(self._folded(name)), _PLACES)
        ]
        return self._placed(places) if places else 0

    def texts(self) -> dict[str, Text]:
        """The texts by name, with what was quoted of them marked."""
        return {name: self._text(name, text) for name, text in self.fields.items()}

    def _text(self, name: str, text: str) -> Text:
        marks = sorted(mark for mark in self._marks.get(name, ()) if mark[1] <= SHOWN)
        return Text(tuple(_pieces(text[:SHOWN], marks)), len(text))

    def _folded(self, name: str) -> str:
        if name not in self._lower:
            text = self.fields[name]
            lower = text.lower()
            self._lower[name] = lower if len(lower) == len(text) else text
        return self._lower[name]

    def _placed(self, places: Sequence[tuple[str, int, int]]) -> int:
        """The number of a mark at these places, which may be there already; of two that overlap, that of the first."""
        for name, start, stop in places:
            for other, end, number, _ in self._marks.get(name, ()):
                if start < end and other < stop:
                    return number
        if self._count >= _MOST:
            return 0
        self._count += 1
        for place, (name, start, stop) in enumerate(places):
            self._marks.setdefault(name, []).append((start, stop, self._count, place == 0))
        return self._count


def _pieces(text: str, marks: Iterable[Mark]) -> Iterator[Piece]:
    """A text, with what is quoted of it marked."""
    end = 0
    for start, stop, number, first in marks:
        if start > end:
            yield Piece(text[end:start])
        yield Piece(text[start:stop], number, first=first)
        end = stop
    if end < len(text):
        yield Piece(text[end:])
