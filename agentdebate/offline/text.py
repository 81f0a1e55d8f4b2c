"""One text as words, sentences and short quotes. Everything here takes time linear in the length of the text."""

import re
import unicodedata
from collections import Counter
from functools import cached_property

_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_ENDS = re.compile(r"[.!?\n。！？]")
_QUOTABLE = re.compile(r"[\w ,'’-]+(?:\.\d[\w ,'’-]*)*")
"""Characters of a quote: others could end it, or look like a line of our own."""
_NO_LETTERS = re.compile(r"[\W_]+")
_MOST_WORDS = 5_000
_QUOTE_WORDS, _QUOTE_CHARACTERS = 8, 80
_SHORTEST_STEMMED = 4
_SALIENT = 20
_PLACES = 24
"""Sentences kept of a stem, so that long texts take no more than linear time."""
_FUNCTION_WORDS = frozenset(
    """a about after also an and are as at be been but by can could did do for from had has have he her his how i if in into is
    it its more my no not of on one or our out she so some such than that the their them there they this to up us was we were
    what when which who will with would you your""".split()  # noqa: SIM905 - a list of words is easier to read
)


class Text:
    """A text taken apart: words in lower case, their stems ("" for function words), and its sentences as ranges of words.

    Of a very long text the first 5,000 words are read.
    """

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self._spans: list[tuple[int, int]] = []
        for found in _WORD.finditer(raw):
            self._spans.append(found.span())
            if len(self._spans) == _MOST_WORDS:
                break
        self.words = [raw[start:end].lower() for start, end in self._spans]
        self.stems = [stem(word) for word in self.words]
        self.sentences = self._sentences()

    def __repr__(self) -> str:
        return f"<Text of {len(self.words)} words>"

    @cached_property
    def content(self) -> Counter[str]:
        """The stems of content words with how often they stand there, in the order in which they come."""
        return Counter(one for one in self.stems if one)

    @cached_property
    def salient(self) -> list[str]:
        """The stems that it has most often."""
        return [one for one, _ in self.content.most_common(_SALIENT)]

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Numbers of the first sentences that have a stem, by stem."""
        found: dict[str, list[int]] = {}
        for number, sentence in enumerate(self.sentences):
            for one in dict.fromkeys(self.stems[at] for at in sentence):
                if one and len(known := found.setdefault(one, [])) < _PLACES:
                    known.append(number)
        return found

    @cached_property
    def names(self) -> list[int]:
        """The places of figures, and of capitalised words within sentences."""
        starts = {sentence.start for sentence in self.sentences}
        return [
            at
            for at, (start, _) in enumerate(self._spans)
            if self.stems[at]
            and (self.raw[start].isdigit() or (self.raw[start].isupper() and at not in starts))
        ]

    @property
    def ends(self) -> bool:
        """Tell whether its last sentence is closed by a mark."""
        return bool(self._spans) and _ENDS.search(self.raw, self._spans[-1][1]) is not None

    def word(self, at: int) -> str:
        """A word as it stands in the text."""
        start, end = self._spans[at]
        return self.raw[start:end]

    def quote(self, words: range) -> str:
        """The first of these words in quotation marks, as they stand in the text.

        A quote ends before anything that could be taken for a line of a reply, and is empty where it has the debate's stop word.
        """
        words = words[:_QUOTE_WORDS]
        if not words:
            return ""
        start, end = self._spans[words[0]][0], self._spans[words[-1]][1]
        found = _QUOTABLE.match(self.raw, start, min(end, start + _QUOTE_CHARACTERS))
        plain = " ".join(found[0].split()).rstrip(" ,-") if found else ""
        letters = _NO_LETTERS.sub("", unicodedata.normalize("NFKC", plain)).casefold()
        return f"“{plain}”" if plain and "noissue" not in letters else ""

    def quote_around(self, at: int) -> str:
        """A word with some of those around it, within its sentence."""
        sentence = next(one for one in self.sentences if at in one)
        return self.quote(range(max(sentence.start, at - 2), min(sentence.stop, at + 3)))

    def _sentences(self) -> list[range]:
        found: list[range] = []
        first = 0
        for at, (_, end) in enumerate(self._spans):
            start_of_next = self._spans[at + 1][0] if at + 1 < len(self._spans) else end
            if at + 1 == len(self._spans) or _ENDS.search(self.raw, end, start_of_next):
                found.append(range(first, at + 1))
                first = at + 1
        return found


def stem(word: str) -> str:
    """A crude stem under which the forms of a word meet; "" for a function word."""
    word = word.replace("’", "'").removesuffix("'s")
    if word in _FUNCTION_WORDS:
        return ""
    if len(word) <= _SHORTEST_STEMMED or not word.isascii():
        return word
    for ending in ("ing", "ies", "ed", "es", "ly", "s"):
        if word.endswith(ending):
            return word.removesuffix(ending)
    return word.removesuffix("e").removesuffix("y")


def joined(names: list[str]) -> str:
    """Names in a row: "coherence, fluency and relevance"."""
    return " and ".join([", ".join(names[:-1])] * (len(names) > 1) + names[-1:])
