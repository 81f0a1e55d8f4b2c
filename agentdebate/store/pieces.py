"""The texts of a store, taken out of the records that hold them: each distinct piece is stored once, and records list pieces.

A prompt shows again what was said before, a relay passes it on, a verdict repeats its ballots' reasons. So a text is cut along
the texts that its debate knows already: what was said is one piece wherever it occurs, and what stands around it, which comes
from templates, is a piece that other debates have too. The pieces joined are the text, always.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from agentdebate.store.encoding import compact_json

LEAST = 64
"""Characters from which on a text in a record becomes a piece; a shorter one costs less where it stands."""

PLACE = "§"
"""Stands in a record for a text that was taken out. A text that says just this is taken out as well."""

_SOUGHT = 8
"""Characters that a text must have to be looked for in others: shorter ones occur by chance."""

_RECENT = 12
"""How many of the latest texts are looked for in a text, where it is not known which ones it repeats."""

Parts = tuple[str, ...]
"""A text in pieces."""


def digest(text: str) -> bytes:
    """What a piece is stored under: 16 bytes of BLAKE2b of its UTF-8."""
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def is_plain(text: str) -> bool:
    """Whether every database takes the text as it is: half a character is not UTF-8, and PostgreSQL refuses NUL."""
    if "\0" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_text(text: str) -> bool:
    """Whether a text in a record is taken out of it."""
    return (len(text) >= LEAST and is_plain(text)) or text == PLACE


class Cutter:
    """Cuts the texts of one debate. It knows every text that it has cut, and those it was told of."""

    def __init__(self) -> None:
        self._parts: dict[str, Parts] = {}

    def __repr__(self) -> str:
        return f"<Cutter that knows {len(self._parts)} texts>"

    def learn(self, text: str) -> None:
        """Take note of a text that may occur in others."""
        self._parts.setdefault(text, (text,))

    def cut(self, text: str, along: Iterable[str] | None = None) -> Parts:
        """The text in pieces. `along` are the texts that it is known to show, in their order; None: the latest ones."""
        known = self._parts.get(text)
        if known is not None:
            return known
        if along is not None:
            return self._split(text, along)
        shown = [one for one in islice(reversed(self._parts), _RECENT) if one in text]
        known = self._parts[text] = self._split(text, reversed(shown)) if shown else (text,)
        return known

    def cut_all(self, texts: Sequence[str]) -> list[Parts]:
        """The texts of one record in pieces. The shorter of two is cut first, as the longer one may show it."""
        known = self._parts
        for text in sorted({text: None for text in texts if text not in known}, key=len):
            self.cut(text)
        return [known[text] for text in texts]

    def pieces(self, texts: Sequence[str]) -> "PieceList | None":
        """What a column lists of the texts of one record; None where it has none."""
        return PieceList(self.cut_all(texts)) if texts else None

    def _split(self, text: str, sought: Iterable[str]) -> Parts:
        parts: list[str] = []
        start, find, known = 0, text.find, self._parts
        for one in sought:
            at = find(one, start) if len(one) >= _SOUGHT else -1
            if at < 0:
                continue
            if at > start:
                parts.append(text[start:at])
            parts += known.get(one) or (one,)
            start = at + len(one)
        if start < len(text) or not text:
            parts.append(text[start:])
        return tuple(parts)


def take_out(data: Any, cutter: Cutter) -> list[Parts]:
    """Take the texts out of JSON data, in place, and return them in the order in which they stood.

    The data is an object or a list. It is changed, so nothing else may use it.
    """
    texts: list[str] = []
    take_texts(data, texts)
    return cutter.cut_all(texts)


def take_texts(data: Any, texts: list[str]) -> None:
    """Put the place of a text where each one is in JSON data, and add them to `texts`."""
    for place, value in data.items() if type(data) is dict else enumerate(data):
        kind = type(value)
        if kind is str:
            if is_text(value):
                texts.append(value)
                data[place] = PLACE  # no key comes or goes
        elif kind is dict or kind is list:
            take_texts(value, texts)


def put_back(data: Any, texts: Sequence[str]) -> Any:
    """The data with its texts. Raises ValueError where there are more or fewer of them than places."""
    left = iter(texts)
    whole = _with_texts(data, left)
    if next(left, None) is not None:
        raise ValueError("it lists more texts than it has places for")
    return whole


def _with_texts(data: Any, left: Iterator[str]) -> Any:
    if isinstance(data, str):
        if data != PLACE:
            return data
        text = next(left, None)
        if text is None:
            raise ValueError("it lists fewer texts than it has places for")
        return text
    if isinstance(data, dict):
        return {name: _with_texts(value, left) for name, value in data.items()}
    if isinstance(data, list):
        return [_with_texts(value, left) for value in data]
    return data


class PieceList:
    """What a column lists: for each of several texts its pieces, or the text itself where it cannot be one.

    In JSON a text is the number of its piece, or a list of such numbers, with words among them where they stand for themselves.
    """

    __slots__ = ("texts",)

    def __init__(self, texts: Iterable[Parts]) -> None:
        self.texts = tuple(texts)

    def __repr__(self) -> str:
        return f"<PieceList of {len(self.texts)} texts>"

    def __iter__(self) -> Iterator[str]:
        """Every part of every text; those that are plain are pieces."""
        return chain.from_iterable(self.texts)

    def encoded(self, numbers: Mapping[str, int]) -> str:
        """The column, by the numbers of the pieces."""
        listed = [[*map(numbers.get, parts, parts)] for parts in self.texts]
        return compact_json([one[0] if len(one) == 1 else one for one in listed])

    def column(self, digits: Mapping[str, str]) -> str:
        """The same by the numbers in digits, in half the time: of most lists every part is a piece."""
        texts = self.texts
        try:
            if len(texts) == 1 and len(texts[0]) == 1:
                return f"[{digits[texts[0][0]]}]"
            listed = [
                digits[parts[0]] if len(parts) == 1 else f"[{','.join([digits[part] for part in parts])}]"
                for parts in texts
            ]
            return f"[{','.join(listed)}]"
        except KeyError:  # a part that stands for itself
            return self.encoded({part: int(digits[part]) for part in self if part in digits})


def listed(text: str | None) -> list[list[int | str]]:
    """What a column lists. Raises ValueError and TypeError for anything else."""
    if text is None:
        return []
    return texts_in(json.loads(text))


def texts_in(data: Any) -> list[list[int | str]]:
    """The texts in the JSON data of a column. Raises TypeError for anything else."""
    if not isinstance(data, list):
        raise TypeError("its pieces are not a list")
    return [_of_one_text(one) for one in data]


def _of_one_text(data: Any) -> list[int | str]:
    parts = data if isinstance(data, list) else [data]
    for part in parts:
        if isinstance(part, bool) or not isinstance(part, int | str):
            raise TypeError(f"there is a {type(part).__name__} where the number of a piece belongs")
    return parts
