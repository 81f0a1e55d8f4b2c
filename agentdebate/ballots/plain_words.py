"""A folded text in lower case and without contractions: "it's" is "it is", "I'd" is "I would", "can't" is "cannot"."""

from agentdebate.ballots.pattern import pattern

_CONTRACTIONS = (
    # What is quick to look for, the pattern, and the words that it stands for. Each pattern begins with letters, which the
    # search jumps to, and looks behind from there.
    ("can't", pattern(r"can't(?<!\wcan't)\b"), "cannot"),
    ("can not", pattern(r"can not(?<!\wcan not)\b"), "cannot"),
    ("won't", pattern(r"won't(?<!\wwon't)\b"), "will not"),
    ("ain't", pattern(r"ain't(?<!\wain't)\b"), "is not"),
    ("n't", pattern(r"n't(?<=[a-z]n't)\b"), " not"),
    ("'d better", pattern(r"'d better(?<=[a-z]'d better)\b"), " had better"),
    ("'d", pattern(r"'d(?<=[a-z]'d)\b"), " would"),
    ("'ll", pattern(r"'ll(?<=[a-z]'ll)\b"), " will"),
    ("'ve", pattern(r"'ve(?<=[a-z]'ve)\b"), " have"),
    ("'re", pattern(r"'re(?<=[a-z]'re)\b"), " are"),
    ("i'm", pattern(r"i'm(?<!\wi'm)\b"), "i am"),
    ("let's", pattern(r"let's(?<!\wlet's)\b"), "let us"),
    (
        "'s",
        pattern(
            r"'s(?:(?<=\bit's)|(?<=\bthat's)|(?<=\bthere's)|(?<=\bthis's)|(?<=\bwhat's)|(?<=\bhere's)|(?<=\bhe's)|(?<=\bshe's)|"
            r"(?<=\bwho's)|(?<=\bwhere's))\b"
        ),
        " is",
    ),
)
_FOREIGN = pattern(r"[^\x00-\x7f]+(?: +[^\x00-\x7f]+)*")
"""Words in letters that no rule of ours knows: they count for one, however many they are."""


def plain(folded: str) -> str:
    """The text in lower case, each contraction written out. Line ends stay where they are.

    A run of words that are not in Latin letters is one word, "x".
    """
    said = folded.lower()
    if not said.isascii():
        said = _FOREIGN.sub(" x ", said)
    if "'" not in said and "can not" not in said:
        return said
    for part, sought, words in _CONTRACTIONS:
        if part in said:
            said = sought.sub(words, said)
    return said
