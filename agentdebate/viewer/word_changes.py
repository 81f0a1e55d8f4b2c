"""Which words of a text are not those of an earlier one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_LEAST = 3
_MOST = 3_000
"""Words and spaces beyond which two texts are not compared word by word."""


@dataclass(frozen=True)
class Change:
    """Words that are in both texts, or in one of them only."""

    kind: Literal["same", "gone", "new"]
    text: str


def word_changes(before: str, after: str) -> list[Change]:
    """The later text, with what went and what came; of texts that are too long all words went, and all came."""
    one, other = _WORD.findall(before), _WORD.findall(after)
    if max(len(one), len(other)) > _MOST:
        return [Change("same", after)] if before == after else [Change("gone", before), Change("new", after)]
    return list(_changes(one, other))


def _changes(one: list[str], other: list[str]) -> Iterator[Change]:
    matcher = SequenceMatcher(lambda word: word.isspace(), one, other, autojunk=False)
    codes = matcher.get_opcodes()
    gone = new = ""
    for at, (kind, start, stop, there, until) in enumerate(codes):
        between = 0 < at < len(codes) - 1
        if kind == "equal" and not (between and _few(other[there:until])):
            yield from _changed(gone, new)
            gone = new = ""
            yield Change("same", "".join(other[there:until]))
        else:
            gone, new = gone + "".join(one[start:stop]), new + "".join(other[there:until])
    yield from _changed(gone, new)


def _changed(gone: str, new: str) -> Iterator[Change]:
    if gone:
        yield Change("gone", gone)
    if new:
        yield Change("new", new)


def _few(words: list[str]) -> bool:
    """Whether so few words stand between two changes that they read better as part of them."""
    return sum(word[0].isalnum() for word in words) < _LEAST
