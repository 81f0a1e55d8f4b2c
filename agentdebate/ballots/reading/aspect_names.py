"""Names of aspects in a reply, each of which a mark stands for ("@0")."""

from collections.abc import Iterator
from functools import lru_cache

from agentdebate.ballots.reading.tokens import tokenize
from agentdebate.ballots.words import words_of

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
            if length and not _is_negated(tokens, at, at + length):
                named += tokens[done:at]
                named.append(mark)
                done = at + length
                break
    return [*named, *tokens[done:]] if done else tokens


def _is_negated(tokens: list[str], at: int, end: int) -> bool:
    """Whether the words before a name make it the name of the opposite, in a label: "Lack of coherence: 4", "non-coherence"."""
    if at < 2:  # noqa: PLR2004 - the noun and what ties it
        return False
    noun = at - 2
    if tokens[at - 1] == "-":
        return tokens[noun] in _PREFIXES
    if tokens[at - 1] not in _OF or tokens[end : end + 1] == [] or tokens[end] not in _LABELLING:
        return False
    if tokens[end] == "is" and not any(token[:1].isdigit() for token in tokens[end + 1 : end + 3]):
        return False  # "lack of coherence is a problem" is a sentence on it
    opens = noun == 0 or tokens[noun - 1] == "\n"
    return (tokens[noun] in _LACKING and not _is_reason(tokens, noun)) or (opens and tokens[noun] in _FAULTS)


def _is_reason(tokens: list[str], noun: int) -> bool:
    """Whether a noun is the reason for what follows, or is denied: "because of the lack of coherence: 2", "no lack of coherence"."""
    first = noun - 1 - (noun > 1 and tokens[noun - 1] in _DETERMINERS)
    return first >= 0 and tokens[first] in _REASONED


_LACKING = words_of(
    "lack lacks absence loss deficit deficiency shortage dearth want degradation violation violations"
)
_FAULTS = words_of(
    "problem problems issue issues break breaks gap gaps flaw flaws error errors mistake mistakes fault faults weakness weaknesses disregard slips jumps"
)
"""Where such a word opens a line, its faults are named, and perhaps counted: "Problems with coherence: 4"."""
_DETERMINERS = words_of("the its a this such")
_REASONED = words_of("of to for given by with no without")
_LABELLING = frozenset(":=-→|(") | {"is"}
_OF = words_of("of with in for to against")
_PREFIXES = words_of("non un anti in dis mis pseudo")


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
