"""Names of aspects in a reply, each of which a mark stands for ("@0")."""

from collections.abc import Iterator
from functools import lru_cache

from agentdebate.ballots.reading.tokens import tokenize

_Phrases = dict[str, list[tuple[list[str], str]]]
"""The words of each aspect's name, with the mark that takes their place, by the first of them."""


@lru_cache
def phrases_of(names: tuple[str, ...]) -> _Phrases:
    """What the aspects of these names are called in a reply, the longest names first."""
    phrases: _Phrases = {}
    for k, name in sorted(enumerate(names), key=lambda pair: -len(pair[1])):
        words = tokenize(name.replace("_", " "))
        phrases.setdefault(words[0], []).append((words, f"@{k}"))
    return phrases


def with_aspects(tokens: list[str], phrases: _Phrases) -> list[str]:
    """The tokens with a mark in place of each name of an aspect. Looks only at the tokens that a name begins with."""
    starts = sorted(at for first in phrases for at in _places(tokens, first))
    named, done = list[str](), 0
    for at in starts:
        for words, mark in phrases[tokens[at]] if at >= done else ():
            length = _phrase_length(tokens, at, words)
            if length:
                named += tokens[done:at]
                named.append(mark)
                done = at + length
                break
    return [*named, *tokens[done:]] if done else tokens


def _places(tokens: list[str], token: str) -> Iterator[int]:
    at = -1
    for _ in range(tokens.count(token)):
        at = tokens.index(token, at + 1)
        yield at


def _phrase_length(tokens: list[str], start: int, words: list[str]) -> int:
    """How many tokens from `start` spell these words, with or without hyphens between; 0 if they do not."""
    i = start
    for word in words:
        if i > start and i < len(tokens) and tokens[i] == "-":
            i += 1
        if i >= len(tokens) or (tokens[i] != word and not (word is words[-1] and tokens[i] == f"{word}'s")):
            return 0
        i += 1
    return i - start
