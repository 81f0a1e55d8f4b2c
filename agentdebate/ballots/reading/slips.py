"""Slips of the keyboard in the few words that every reading of a score rests on: "Fianl score", "Rationg", "Evalution"."""

from collections.abc import Iterator
from functools import lru_cache
from string import ascii_lowercase

from agentdebate.ballots.words import words_of

_WORDS = ("score", "rating", "final", "overall", "evaluation", "assessment", "grade", "verdict")
_OTHER_WORDS = words_of(
    "core sore scorer scores scored scorned grating crating prating orating ratings raring finale finals finial overalls over-all graded grader "
    "grades evaluations revaluation devaluation assessments verdicts grate"
)
"""Words that are one letter away and mean something else."""


def without_slips(tokens: list[str]) -> list[str]:
    """The tokens with each word that is one of ours with a slip put right."""
    slips = _slips()
    return tokens if slips.keys().isdisjoint(tokens) else [slips.get(token, token) for token in tokens]


@lru_cache(maxsize=1)
def _slips() -> dict[str, str]:
    """What each slip stands for. Built when the first reply is read."""
    slips = {slip: word for word in _WORDS for slip in _variants(word)}
    return {slip: word for slip, word in slips.items() if slip not in _OTHER_WORDS | {*_WORDS}} | {
        "teh": "the"
    }


def _variants(word: str) -> Iterator[str]:
    """The word with a letter left out behind the first, with one too many, or with two in each other's place."""
    for i in range(1, len(word)):
        yield word[:i] + word[i + 1 :]
        yield word[:i] + word[i + 1 : i + 2] + word[i] + word[i + 2 :]
        yield word[:i] + word[i + 2 : i + 3] + word[i + 1 : i + 2] + word[i : i + 1] + word[i + 3 :]
        yield from (word[:i] + letter + word[i:] for letter in ascii_lowercase)
    yield word + word[-1]
