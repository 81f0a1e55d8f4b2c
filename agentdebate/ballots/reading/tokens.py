"""The tokens of a reply: words, numbers and marks, a line end among them."""

import re

from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.reading.lexicon import PARTS

_BLANK_LINES = re.compile(r"\n[ \n]*+(?<=\n)")
_APART = r"(?:(?!-?[a-z])|(?=-?(?:out|points?|stars?|pts|of|von|sur|to)(?![a-z])))"
"""What ends a number: no word right behind it ("4th", "4-page"), or one that some judges set there ("4out of 5", "4-star")."""
_PLAIN_TOKEN = pattern(
    # Blanks before a token are part of the match, and a word of letters alone is tried first: both are about speed.
    r"[^\S\n]*+([a-z]++(?![a-z0-9'])|[a-z][a-z0-9]*+(?:'[a-z]++)*+|\n|(?:(?<![\w)\]}%])[+-])?(?:[0-9]++(?:[.,][0-9]++)*+|(?<![\w.])[.][0-9]++)(?:e[+-]?[0-9]++)?+"
    + _APART
    + r"|[0-9]++[.,0-9]*+-?[a-z][a-z0-9]*+|->|=>|[^\s])"
)
"""As _TOKEN, for plain ASCII."""
_APART_MARKS = '.,:;!?()"-'
_NOT_OF_WORDS = re.compile(r"[^a-zA-Z .,:;!?()\"'\n-]")
"""What keeps a text from being taken to words at its blanks: digits, and most marks."""
_QUOTING = re.compile(r"'(?![a-z])|(?<![a-z])'")
"""A single quotation mark that does not stand within a word, as an apostrophe does."""
_TOKEN = pattern(
    r"""
    \n
    | (?:(?<![\w)\]}%])[+-])?(?:[0-9]++(?:[.,][0-9]++)*+|(?<![\w.])[.][0-9]++)(?:e[+-]?[0-9]++)?+"""
    + _APART
    + r"""
    | [0-9]++[.,0-9]*+-?[a-z][a-z0-9]*+
    | [a-zα-ωа-яıøæœßłđ][a-z0-9α-ωа-яıøæœßłđ]*+(?:'[a-z]++)*+
    | [^\W\d_a-zα-ωа-я]++
    | ->|=>
    | [^\s]
    """,
    re.VERBOSE,
)
_ELLIPSIS = "…"
"""Stands where sentences are left out (see gist.py)."""


def tokenize(text: str) -> list[str]:
    """The tokens of folded text in small letters; a newline is one, and only one stands in a row."""
    if "\n" in text:
        text = _BLANK_LINES.sub("\n", text)
    words = words_alone(text)
    if words is not None:
        tokens = words
    elif text.isascii() or text.replace(_ELLIPSIS, "").isascii():
        tokens = _PLAIN_TOKEN.findall(text.rstrip(" \t"))
    else:
        tokens = [part for token in _TOKEN.findall(text) for part in _unglued(token)]
    if tokens and tokens[0] == "\n":
        del tokens[0]
    if ">" in text:
        tokens = ["→" if token in {"->", "=>"} else token for token in tokens]
    return tokens


def words_alone(text: str) -> list[str] | None:
    """The tokens of a text of words and few marks; None for any other. A capital is a sign (see names.py), and stands apart."""
    if _NOT_OF_WORDS.search(text) is not None or ("'" in text and _QUOTING.search(text) is not None):
        return None
    for mark in _APART_MARKS:
        if mark in text:
            text = text.replace(mark, f" {mark} ")
    if "\n" not in text:
        return text.split()
    return [token for token in text.replace("\n", " \n ").split(" ") if token]


def _unglued(token: str) -> tuple[str, ...]:
    """A word of a language without blanks, with a label at its end set apart."""
    if token.isascii() or token in PARTS:
        return (token,)
    label = next((token[-k:] for k in range(_LONGEST_LABEL, 1, -1) if token[-k:] in PARTS), "")
    return (
        (token[: -len(label)], label)
        if label and not label.isascii() and len(label) < len(token)
        else (token,)
    )


_LONGEST_LABEL = 5
