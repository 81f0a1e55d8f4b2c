"""Sentences of a reply that only repeat what its writer was told to do, as small models do; they judge nothing."""

import re
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
