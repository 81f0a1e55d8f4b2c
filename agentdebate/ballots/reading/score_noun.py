"""Words right before a noun for a score, which leave it a score of what is rated or make it one of something else."""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lead import LEAD
from agentdebate.ballots.reading.lexicon import (
    APPROVING,
    BOUNDARY,
    GIVING,
    JUDGE_WORDS,
    OTHER_ASPECTS,
    PARTS,
    PREPOSITIONS,
    RATED,
)
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.subject import is_possessive
from agentdebate.ballots.words import words_of

ADJECTIVES = ("ed", "ing", "able", "ible", "ful", "ous", "ive", "ent", "ant", "est", "ary", "ic")
"""Ends of words that are adjectives."""
_PRONOUNS = words_of("me mine we'd us")


def is_of_phrase(piece: str) -> bool:
    """Whether a piece may stand before a score noun and leave it a score of ours: an adjective, a determiner."""
    if piece in OTHER_ASPECTS or piece in GIVING:
        return False
    return piece in _OF_PHRASE or piece.endswith(ADJECTIVES)


_OF_PHRASE = LEAD | {word for word, parts in PARTS.items() if not {*"qfdpt"}.isdisjoint(parts)}


def is_other_score(pieces: Sequence[Piece], noun: int) -> bool:
    """Whether the word right before a score noun makes it a score of something else: "the plagiarism score", "the approval rating"."""
    left = pieces[noun - 1]
    if (
        isinstance(left, Value)
        or not (left[0].isalpha() and left.isascii())
        or is_aspect(left)
        or is_possessive(left)
    ):
        return False
    return not (
        is_of_phrase(left)
        or left in PARTS
        or left in PREPOSITIONS
        or left in JUDGE_WORDS
        or left in _PRONOUNS
        or left in RATED
        or left in GIVING
        or left in BOUNDARY
        or left in APPROVING
    )
