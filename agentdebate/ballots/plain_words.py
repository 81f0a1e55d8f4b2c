"""A folded text in lower case and without contractions: "it's" is "it is", "I'd" is "I would", "can't" is "cannot"."""

import re

_LETTER = r"(?<=[a-z])"
_CONTRACTIONS = (
    (re.compile(r"\b(?:can't|can not)\b"), "cannot"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bain't\b"), "is not"),
    (re.compile(rf"{_LETTER}n't\b"), " not"),
    (re.compile(rf"{_LETTER}'d better\b"), " had better"),
    (re.compile(rf"{_LETTER}'d\b"), " would"),
    (re.compile(rf"{_LETTER}'ll\b"), " will"),
    (re.compile(rf"{_LETTER}'ve\b"), " have"),
    (re.compile(rf"{_LETTER}'re\b"), " are"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"\b(it|that|there|this|what|here|he|she|who|where)'s\b"), r"\1 is"),
)


_FOREIGN = re.compile(r"[^\x00-\x7f]+(?: +[^\x00-\x7f]+)*")
"""Words in letters that no rule of ours knows: they count for one, however many they are."""


def plain(folded: str) -> str:
    """The text in lower case, each contraction written out. Line ends stay where they are.

    A run of words that are not in Latin letters is one word, "x".
    """
    said = _FOREIGN.sub(" x ", folded.lower())
    if "'" not in said and "can not" not in said:
        return said
    for pattern, words in _CONTRACTIONS:
        said = pattern.sub(words, said)
    return said
