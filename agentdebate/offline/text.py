"""One text as words, sentences and short quotes. Everything here takes time linear in the length of the text."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentdebate.offline.vocabulary import FUNCTION_WORDS
from agentdebate.visible import BLANKS

_CJK = "\u3040-\u30ff\u3400-\u9fff"
"""Kana and Han characters: written without spaces, so each counts as a word."""

# Every alternative matches as far as it reads, so that no input makes the scan go back over itself.
_PIECE = re.compile(
    rf"(?P<word>\d+(?:[.,:–-]\d+)*[^\W_{_CJK}]*|[{_CJK}]|[^\W_{_CJK}]+(?:['’][^\W_{_CJK}]+)*)"
    r"|[.!?]+|[。！？]+|[\r\n]+"
)
_UNPRINTABLE = re.compile(
    f"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff{BLANKS}]+"
)
_STOP_WORD = re.compile(r"(?<![a-z0-9])no[\W_]{0,9}issue", re.IGNORECASE)
_NUMBER = (
    r"(?:[-+.]?\d|(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|twenty|nan|inf|infinity)\b)"
)
_BALLOT = re.compile(
    r"(?<![a-z])(?:final|revised|updated|new|recalculated|adjusted|corrected|amended|definitive|reconsidered|ultimate|"
    r"verdict|scores?|ratings?|grade|mark|evaluation|assessment|judge?ment|results?|answer|finale|endg.ltige|definitiva|"
    r"(?:chang|rais|lower|increas|decreas|revis|adjust|updat|upgrad|downgrad|mov|bump|reduc|correct)(?:e|es|ed)?)"
    rf"(?![a-z])(?:[^\w“”]+[^\W\d]+){{0,8}}?[^\w“”]*(?<![a-z]){_NUMBER}|[\u2190-\u21ff\u2794-\u27be]|[=-]>\s*{_NUMBER}",
    re.IGNORECASE,
)
"""Words that a reader of ballots could take for a score that we give."""
_FOREIGN_BALLOT = re.compile(r"最[终終后後]|최종|итогов|финальн|окончат|分|评|評|スコア|採点|点数|得点|점|평")
_OUR_MARKS = str.maketrans({"“": '"', "”": '"', "<": "‹", ">": "›", "|": "¦", "\\": "/", "[": "(", "]": ")"})
"""Marks that would take a reply apart: of quotations, tags and tables."""
_SHORTEST_STEMMED = 4
_LONGEST_QUOTE = 90
"""Characters; a "word" of a megabyte must not be quoted whole."""
QUOTE_WORDS = 12
_LONGEST = 20_000
"""Words; bounds the time that any text can take."""
_MOST_SENTENCES = 2_000


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of a sentence, from `first` up to but not including `last`, and whether it is closed by a mark."""

    first: int
    last: int
    closed: bool

    def __len__(self) -> int:
        return self.last - self.first


@dataclass(slots=True)
class Text:
    """A text taken apart: words in lower case, their places, their stems ("" for function words), its sentences."""

    raw: str
    words: list[str]
    spans: list[tuple[int, int]]
    stems: list[str]
    sentences: list[Sentence]

    @classmethod
    def read(cls, raw: str) -> "Text":
        """Take a text apart. Any text will do, also an empty one; of a very long one the first 20,000 words or 2,000 sentences are read."""
        words: list[str] = []
        spans: list[tuple[int, int]] = []
        sentences: list[Sentence] = []
        for match in _PIECE.finditer(raw):
            if match.lastgroup:
                words.append(match[0].lower())
                spans.append(match.span())
                if len(words) == _LONGEST:
                    raw = raw[: match.end()]
                    break
            elif _ends_sentence(raw, match, words):
                _close(sentences, len(words), closed=not match[0].isspace())
                if len(sentences) == _MOST_SENTENCES:
                    raw = raw[: match.end()]
                    break
        # Where the reading was broken off, the text was not.
        _close(sentences, len(words), closed=len(words) == _LONGEST)
        known = {word: stem(word) for word in words}
        return cls(raw, words, spans, [known[word] for word in words], sentences)

    def content(self, sentence: Sentence) -> list[str]:
        """The stems of a sentence's content words, in order."""
        return [each for each in self.stems[sentence.first : sentence.last] if each]

    def quote(self, first: int, last: int) -> str:
        """The words from `first` up to `last` as they stand in the text, at most twelve, in quotation marks.

        Control characters become spaces, and marks that would take a reply apart plain ones. Empty where there is
        nothing to quote; cut where the text itself says what is not ours to say: the debate's stop word, or a score.
        """
        last = min(last, first + QUOTE_WORDS, len(self.words))
        if first >= last:
            return ""
        raw = self.raw[
            self.spans[first][0] : min(self.spans[last - 1][1], self.spans[first][0] + _LONGEST_QUOTE)
        ]
        plain = quotable(raw)
        return f"“{plain}”" if plain else ""

    def word_at(self, place: int) -> int:
        """The number of the first word that starts at this character or behind it."""
        return bisect_left(self.spans, (place, 0))

    def quote_sentence(self, sentence: Sentence) -> str:
        """The first twelve words of a sentence in quotation marks."""
        return self.quote(sentence.first, sentence.last)

    def quote_around(self, index: int, reach: int = 3) -> str:
        """The word at `index` with up to `reach` words of its sentence on either side."""
        for sentence in self.sentences:
            if sentence.first <= index < sentence.last:
                first = max(sentence.first, index - reach)
                return self.quote(first, min(sentence.last, index + reach + 1))
        return self.quote(index, index + 1)

    def grams(self, size: int) -> Iterator[tuple[str, ...]]:
        """All runs of `size` words, in order."""
        return zip(*(self.words[start:] for start in range(size)), strict=False)


def quotable(raw: str) -> str:
    """Words as they can stand between our quotation marks; see Text.quote."""
    plain = " ".join(_UNPRINTABLE.sub(" ", raw).translate(_OUR_MARKS).split())
    for found in (_STOP_WORD.search(plain), _BALLOT.search(plain)):
        plain = plain[: found.start()].strip() if found else plain
    if plain.isascii():
        return plain
    bare = "".join(each for each in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(each))
    said = _STOP_WORD.search(bare) or _BALLOT.search(bare) or _FOREIGN_BALLOT.search(plain)
    return "" if said else plain


def flat(words: Sequence[str]) -> str:
    """Words as one line with a space on either side, in which a phrase is found only at word boundaries."""
    return f" {' '.join(words)} "


def stem(word: str) -> str:
    """A crude stem under which the forms of a word meet; "" for a function word."""
    word = word.replace("’", "'").removesuffix("'s")
    if word in FUNCTION_WORDS:
        return ""
    if len(word) <= _SHORTEST_STEMMED or not word.isascii():
        return word
    for ending in ("ing", "ies", "ed", "es", "ly", "s"):
        if word.endswith(ending):
            return word.removesuffix(ending)
    return word.removesuffix("e").removesuffix("y")


def _ends_sentence(raw: str, match: re.Match[str], words: list[str]) -> bool:
    if not words:
        return False
    if not match[0][0].isascii() or match[0].isspace():
        return True
    start, end = match.span()
    if raw[start - 1].isspace():
        return True
    # "a.m." and "U.S. troops" are no ends: a lone letter before the mark reads as an abbreviation.
    return (end == len(raw) or not raw[end].isalnum()) and (len(words[-1]) > 1 or end == len(raw))


def _close(sentences: list[Sentence], end: int, *, closed: bool) -> None:
    start = sentences[-1].last if sentences else 0
    if end > start:
        sentences.append(Sentence(start, end, closed))
