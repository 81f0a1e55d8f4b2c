"""Sentences of a reply that only repeat what its writer was told to do, as small models do; they judge nothing."""

import re
from functools import lru_cache

_ENDS = re.compile(r"(?<=[.!?])\s+|\n\s*\n")
_WORD = re.compile(r"\w+")
_FEWEST = 5
"""Words of a sentence from which it is a copy: shorter ones, such as the stop word, are what the instruction asks for."""


def without_copies(text: str, instruction: str) -> str:
    """A reply without its sentences that stand in the instruction word for word, be they shortened at either end.

    Case, marks and line ends make no difference. A reply of which nothing is left is empty.
    """
    told, sentences = _told(instruction), _ENDS.split(text)
    kept = [one for one in sentences if not _is_copy(_words(one), told)]
    return text if len(kept) == len(sentences) else "\n".join(kept).strip()


@lru_cache(maxsize=32)
def _told(instruction: str) -> str:
    """The words of an instruction, which all critics of a run are given."""
    return f" {_words(instruction)} "


def _is_copy(sentence: str, told: str) -> bool:
    return sentence.count(" ") >= _FEWEST - 1 and f" {sentence} " in told


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
