"""The words that a pattern cannot match without, so that most patterns need not be tried on most sentences.

A rule of demand.py is a long pattern that would be tried at every place of every sentence. But each needs a
word of some lists: "it should be lowered" one of "should", "must", ... and one of "lower", "lowered", ... These lists are read
off the pattern itself, so that a word added to it is in them: a part of a pattern is taken for the strings that it matches, in
which ANY stands for what is not told apart. A sentence is then looked up word by word, which says which patterns to try.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from agentdebate.ballots.sentences import DIGIT, Phrase
from agentdebate.ballots.words import words_of

ANY, EDGE = "*", "|"
"""In the strings of a pattern: any text, and the beginning or end of a word. DIGIT stands for a digit."""
_CHARACTER = re.compile(
    r"(?P<edge>\\b|\^|\$)|(?P<blank>\\W)|(?P<digit>\[0-9\])|\[(?P<few>-?[a-z ,;:]{1,3})\]|\[(?:[^\]\\]|\\.)+\]|(?P<text>[a-z_ ,;:'/-]+(?![?*+{])|[a-z_ ,;:'/-]|\\[.-])|\\?."
)
"""What stands for one character of a text, or for the end of a word; or plain text."""
_GROUP = re.compile(r"\((?:\?(?::|P<[a-z0-9_]+>|(?P<look><?[=!])))?")
_TIMES = re.compile(r"(?:[?*+]|\{[0-9]+(?:,[0-9]*)?\})[?+]?")
_BRACKET = re.compile(r"\\.|\[(?:[^\]\\]|\\.)+\]|(?P<open>\()|(?P<close>\))")
_WORD = re.compile(r"(?<=[^a-z0-9_*#])[a-z0-9_]+(?=[^a-z0-9_*#])")
_PART_OF_WORD = re.compile(r"[a-z0-9_*#]")
_LETTERS = re.compile("[a-z]+|#")
_UP_TO_LAST_EDGE = re.compile(r".*[^a-z0-9_*#](?=.)")
_WORD_EDGE = r"\b"
_BETWEEN_WORDS = frozenset(" ,;:.'\"-")
_MOST = 400
"""Strings of a part of a pattern that are told apart; of more, only the last words are."""
_LISTS = 5
"""Lists of words that are kept of a pattern."""
_COMMON = words_of(
    "a an and are as at be been by do does for from had has have i in is it its of on one or so than that the them there this to was "
    "were we what which with would you your answer article response score source story summary text"
)
"""Words that most sentences hold, which tell little."""

_MOST_PARTS = 40
"""Parts of a pattern that are looked for before it is tried; to look for more takes longer than to try it."""

Strings = frozenset[str]
_NOTHING: Strings = frozenset({""})
_ANYTHING: Strings = frozenset({ANY})


@dataclass(frozen=True, slots=True)
class Anchors:
    """What a match of a pattern holds: of each of the `lists` one word at least; the most telling list first.

    `parts` are letters, or DIGIT, of which it holds some as well, as a word or inside one; empty where nothing is known.
    """

    lists: tuple[frozenset[str], ...]
    parts: frozenset[str] = frozenset()


class _Index(NamedTuple):
    """Which rules may match by the words of a phrase."""

    bits: Mapping[str, int]
    """For each word the lists that it is in, as bits of a number: those of the rules' first lists, of their second ones, ..."""
    words: frozenset[str]
    """These words."""
    held: int
    """The lists that rules have not, which count as held."""
    parts: Sequence[tuple[str, ...]]
    """For each rule what else is looked for in the text; none where nothing is."""


class Rules:
    """Patterns, and which of them may match a sentence. Each is compiled when it is first tried: most programs never meet a critic."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._patterns = tuple(patterns)
        self._compiled: dict[int, re.Pattern[str]] = {}

    def worth_trying(self, said: Phrase) -> Iterator[tuple[int, re.Pattern[str]]]:
        """The patterns that may match, no other one does: which of the rules each is, from 0, and the pattern."""
        parts, compiled, holds = self._index.parts, self._compiled, said.text.__contains__
        may = self._may_match(said)
        while may:
            at = (may & -may).bit_length() - 1
            some = parts[at]
            if not some or any(map(holds, some)) or (DIGIT in some and DIGIT in said.words):
                yield at, compiled.get(at) or self._compile(at)
            may &= may - 1

    def _may_match(self, said: Phrase) -> int:
        """The rules of which every list has a word in a phrase, as bits."""
        index, size = self._index, len(self._patterns)
        held, bits = index.held, index.bits
        for word in index.words & said.words:
            held |= bits[word]
        may = held
        for _ in range(1, _LISTS):
            held >>= size
            may &= held
        return may & (1 << size) - 1

    def _compile(self, at: int) -> re.Pattern[str]:
        pattern = self._compiled[at] = re.compile(hastened(self._patterns[at]))
        return pattern

    @cached_property
    def _index(self) -> _Index:
        """Read off the patterns when it is first asked for."""
        known: dict[str, Strings] = {}
        anchors = [anchors_of(pattern, known) for pattern in self._patterns]
        bits: dict[str, int] = {}
        absent = 0
        for which, at in product(range(_LISTS), range(len(anchors))):
            bit = 1 << which * len(anchors) + at
            if which >= len(anchors[at].lists):
                absent |= bit
            else:
                bits |= {word: bits.get(word, 0) | bit for word in anchors[at].lists[which]}
        return _Index(bits, frozenset(bits), absent, [_shortest(one.parts) for one in anchors])


def _shortest(parts: frozenset[str]) -> tuple[str, ...]:
    """The parts that hold no other one, since what has one of the others has one of them; none where they are too many."""
    shortest = [one for one in sorted(parts) if not any(part in one for part in parts if part != one)]
    return tuple(shortest) if len(shortest) <= _MOST_PARTS else ()


class Sought:
    """A pattern that is one list of words, each of which has its own: without one of them in a phrase there is nothing to find."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def may_be_in(self, said: Phrase, start: int, end: int) -> bool:
        """Whether it may match between two places of a phrase. What is cut at one of them may look like another word."""
        if not self._words.isdisjoint(said.words):
            return True
        return _is_cut(said.text, start) or _is_cut(said.text, end)

    @cached_property
    def search(self) -> Callable[[str], re.Match[str] | None]:
        """As of the compiled pattern."""
        return re.compile(self._pattern).search

    @cached_property
    def _words(self) -> frozenset[str]:
        return anchors_of(self._pattern).lists[0]


def _is_cut(text: str, at: int) -> bool:
    """Whether a word may go on over a place of a text."""
    return 0 < at < len(text) and _BETWEEN_WORDS.isdisjoint(text[at - 1 : at + 1])


def anchors_of(pattern: str, known: dict[str, Strings] | None = None) -> Anchors:
    """The anchors of a pattern, which may use what those for a critic's words use: alternations, sets, lookarounds, repetitions.

    `known` are groups that were read before.
    """
    reader = _Reader(pattern, {} if known is None else known)
    branches = [reader.anchors()]
    while reader.passes_or():
        branches.append(reader.anchors())
    if len(branches) == 1:
        return branches[0]
    lists = [one.lists[:1] for one in branches]
    return Anchors((frozenset[str]().union(*(one[0] for one in lists)),) if all(lists) else ())


def hastened(pattern: str) -> str:
    """A pattern that finds the same, and passes over the words that begin with another letter than its matches do."""
    if not pattern.startswith(_WORD_EDGE):
        return pattern
    rest = pattern.removeprefix(_WORD_EDGE)
    letters = _Reader(rest, {}).first_letters()
    if not all(one.isalnum() or one == DIGIT for one in letters):
        return pattern
    some = "".join(sorted(letters)).replace(DIGIT, "0-9")
    return f"{_WORD_EDGE}(?=[{some}]){rest}"


def _telling(words: frozenset[str]) -> tuple[int, int, list[str]]:
    """The order of lists: first those without common words, then short ones."""
    return len(words & _COMMON), len(words), sorted(words)


class _Reader:
    """Reads a pattern from left to right. A group that was met before is not read again: patterns share most of theirs."""

    def __init__(self, pattern: str, known: dict[str, Strings]) -> None:
        self._pattern = pattern
        self._known = known
        self._ends = _group_ends(pattern)
        self._at = 0

    def passes_or(self) -> bool:
        """Whether another alternative follows; then its sign is passed over."""
        found = self._pattern.startswith("|", self._at)
        self._at += found
        return found

    def anchors(self) -> Anchors:
        """The anchors of a sequence: a list of words for each part of it that ends where a word does."""
        lists: set[frozenset[str]] = set()
        parts: set[frozenset[str]] = set()
        for strings in self._stretches():
            words = _list_of(strings, _word_of)
            lists |= words | {
                first for first in _list_of(strings, _first_word_of) if first.isdisjoint(*words)
            }
            parts |= set() if words else _list_of(strings, _part_of)
        return Anchors(
            tuple(sorted(lists, key=_telling)[:_LISTS]), min(parts, key=_telling, default=frozenset())
        )

    def _stretches(self) -> Iterator[Strings]:
        """A sequence in parts: up to the end of a word, or to where there are too many strings to tell apart."""
        strings = _NOTHING
        for item in self._items():
            if len(strings) * len(item) > _MOST:
                yield _joined(strings, frozenset({EDGE})) if all(map(_ends_word, item)) else strings
            strings = _joined(strings, item)
            if all(one[-1:] in {EDGE, " "} for one in strings):
                yield strings
                strings = frozenset({EDGE})
        yield strings

    def _items(self) -> Iterator[Strings]:
        """What stands in a sequence, one after another."""
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            strings = self._group() if self._pattern[self._at] == "(" else self._character()
            times = _TIMES.match(self._pattern, self._at)
            if times is not None:
                self._at = times.end()
                strings = _repeated(strings, times[0])
            yield strings

    def _group(self) -> Strings:
        start, end = self._at, self._ends[self._at]
        key = self._pattern[start:end]
        if key not in self._known:
            opening = _GROUP.match(self._pattern, start)
            assert opening is not None
            self._at = opening.end()
            self._known[key] = _NOTHING if opening["look"] else self.strings()
        self._at = end
        return self._known[key]

    def strings(self) -> Strings:
        """What all alternatives match that follow."""
        strings = self._sequence()
        while self.passes_or():
            strings |= self._sequence()
        return strings

    def first_letters(self) -> Strings:
        """The characters that matches of a sequence begin with, "" where one may be empty."""
        letters = _NOTHING
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            item = self._first_of_group() if self._pattern[self._at] == "(" else self._character()
            times = _TIMES.match(self._pattern, self._at)
            if times is not None:
                self._at = times.end()
                item |= _NOTHING if _may_be_left_out(times[0]) else frozenset()
            if "" in letters:
                letters = letters - _NOTHING | {one.lstrip(EDGE)[:1] for one in item}
        return letters

    def _first_of_group(self) -> Strings:
        end = self._ends[self._at]
        opening = _GROUP.match(self._pattern, self._at)
        assert opening is not None
        self._at = opening.end()
        letters = _NOTHING if opening["look"] else self.first_letters()
        while self.passes_or():
            letters |= self.first_letters()
        self._at = end
        return letters

    def _sequence(self) -> Strings:
        strings = _NOTHING
        for item in self._items():
            strings = _joined(strings, item)
        return strings

    def _character(self) -> Strings:
        found = _CHARACTER.match(self._pattern, self._at)
        assert found is not None
        self._at = found.end()
        match found.lastgroup:
            case "edge":
                return frozenset({EDGE})
            case "blank":
                return frozenset({" "})
            case "digit":
                return frozenset({DIGIT})
            case "few":
                return frozenset(found["few"])
            case "text":
                return frozenset({found["text"].removeprefix("\\")})
        return _ANYTHING


def _group_ends(pattern: str) -> dict[int, int]:
    """Where each group ends that begins at a place."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for bracket in _BRACKET.finditer(pattern):
        if bracket["open"]:
            opened.append(bracket.start())
        elif bracket["close"]:
            ends[opened.pop()] = bracket.end()
    return ends


def _repeated(strings: Strings, times: str) -> Strings:
    """What something stands for that comes several times, or may be left out."""
    if _may_be_left_out(times):
        return _NOTHING | {_outline(one, once=times[0] == "?") for one in strings}
    return strings | {ANY + one for one in strings}


def _may_be_left_out(times: str) -> bool:
    return times[0] in "?*" or times.startswith("{0")


def _outline(string: str, *, once: bool) -> str:
    """What may be left out: the ending of a word, or a mark, as it is; of words only how they begin and end, as they are not anchors."""
    if (once and string.isalpha()) or not _PART_OF_WORD.search(string):
        return string
    begins, ends = ("" if _PART_OF_WORD.match(end) else end for end in (string[0], string[-1]))
    return f"{begins}{ANY}{ends}"


def _ends_word(string: str) -> bool:
    """Whether a word that stands before a string is whole."""
    return bool(string) and not _PART_OF_WORD.match(string)


def _joined(before: Strings, behind: Strings) -> Strings:
    if len(before) * len(behind) > _MOST and len(behind) > 1:
        before = frozenset(_UP_TO_LAST_EDGE.sub(f"{ANY} ", one) for one in before)
    if len(before) * len(behind) > _MOST and len(behind) > 1:
        before = frozenset(ANY if _PART_OF_WORD.match(one[-1:] or ANY) else f"{ANY} " for one in before)
    return frozenset([one + other for one in before for other in behind])


def _list_of(strings: Strings, choose: Callable[[str], str]) -> set[frozenset[str]]:
    """What is chosen of each string, as a list; none where nothing is to be had of one."""
    words = frozenset(map(choose, strings))
    return set() if "" in words else {words}


def _commonness(word: str) -> tuple[bool, int]:
    return word in _COMMON, -len(word)


def _word_of(string: str) -> str:
    """The most telling whole word of a string."""
    words = _WORD.findall(string)
    if DIGIT in string:
        words.append(DIGIT)
    return min(words, key=_commonness, default="")


def _first_word_of(string: str) -> str:
    """The first whole word of a string: of "i would" the other one says less, since many say what they would do."""
    found = _WORD.search(string)
    return "" if found is None else found[0]


def _part_of(string: str) -> str:
    """The most telling run of letters of a string."""
    return min(_LETTERS.findall(string), key=_commonness, default="")
