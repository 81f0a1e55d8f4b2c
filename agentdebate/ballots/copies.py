"""Sentences of a reply that only repeat what its writer was told to do, as small models do; they judge nothing."""

import re
from collections.abc import Iterable
from functools import lru_cache

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
