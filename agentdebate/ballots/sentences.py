"""A folded reply as sentences: where each ends and by which marks, and the clauses inside it."""

import re
from dataclasses import dataclass

_TAG = re.compile(r"<[^<>\n]{0,80}>")
_MARKUP = re.compile(r"\\[nt](?=[^a-z])|\\[a-z]{1,20}\{|[*`_~#>\[\](){}$\\]")
_MARKS = re.compile(r"[\\*`_~#>\[\](){}$]")
"""The characters that markup begins with."""
_ENDS = re.compile(r"[!?;\n.](?:(?<!\.)|(?![0-9]))(?:[!?;\n]|\.(?![0-9]))*+")
_CLAUSE = re.compile(
    r"([,:|]| -{1,3} |(?<!anything )(?<!nothing )\bbut\b|\bso\b(?! far\b)|\bhence\b|\bthus\b|\btherefore\b|\band (?=(?:i|there|we|my|it|the|now)\b))",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_DIGIT = re.compile("[0-9]")
DIGIT = "#"
"""Stands among words for a number, whichever it is."""
_APART = bytes(code if chr(code).isalnum() or chr(code) == "_" else ord(" ") for code in range(128)) + bytes(
    128
)
"""ASCII with a blank for all that is not of a word."""
_QUOTED_WORDS = re.compile(r'"[^"\n]{0,2000}"')


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without markup, the marks that end it, and whether it begins and ends a line."""

    text: str
    end: str
    opens_line: bool = True

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return "?" in self.end

    @property
    def is_line(self) -> bool:
        """Whether it is all that its line says."""
        return self.opens_line and (not self.end or "\n" in self.end)

    @property
    def own_words(self) -> str:
        """What is not between quotation marks."""
        return _QUOTED_WORDS.sub(" ", self.text) if '"' in self.text else self.text


class Phrase:
    """A sentence or a part of one, with its words: DIGIT is one of them where a number is."""

    __slots__ = ("text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        words = _words_of(text)
        self.words = frozenset([*words, DIGIT] if _DIGIT.search(text) else words)


def _words_of(text: str) -> list[str]:
    """The words of a text. Of ASCII they are had in a third of the time that a pattern takes."""
    return text.encode().translate(_APART).decode().split() if text.isascii() else _WORD.findall(text)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence, with the mark or word that parts it from what stands before, and its place."""

    text: str
    parted_by: str
    start: int


def sentences_of(folded: str) -> list[Sentence]:
    """The sentences of a folded text that say something. The underscore of NO_ISSUES is taken for a space."""
    text = _TAG.sub(" ", folded) if "<" in folded else folded
    if _MARKS.search(text):
        text = _MARKUP.sub(" ", text)
    found: list[Sentence] = []
    start, opens = 0, True
    for end in _ENDS.finditer(text):
        said, marks = " ".join(text[start : end.start()].split()), end[0]
        if _says_something(said):
            found.append(Sentence(said, marks, opens))
        start = end.end()
        # A mark alone at the beginning of a line ("!") leaves the line open.
        opens = "\n" in marks or (opens and not said)
    said = " ".join(text[start:].split())
    return [*found, Sentence(said, "", opens)] if _says_something(said) else found


def _says_something(said: str) -> bool:
    return said[:1].isalnum() or any(map(str.isalnum, said))


def clauses_of(sentence: str) -> list[Clause]:
    """The clauses of a sentence, in order."""
    found, start, parted_by = [], 0, ""
    for mark in _CLAUSE.finditer(sentence):
        found.append(Clause(sentence[start : mark.start()], parted_by, start))
        start, parted_by = mark.end(), mark[0].strip().lower()
    return [*found, Clause(sentence[start:], parted_by, start)]
