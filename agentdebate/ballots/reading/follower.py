"""What may follow a number that is a score: not "2 errors", "80%" or "4:30"."""

from collections.abc import Sequence
from unicodedata import category

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.calculation import is_explained
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lexicon import (
    CLASSES,
    FOLLOW,
    FOLLOWING_NOUNS,
    OPENING,
    PREPOSITIONS,
    RATED,
    SCORE_NOUNS,
)
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS
from agentdebate.ballots.words import words_of

_SPOILING = frozenset("?‰*^/$€£¥+×<>=°")
_COUNTED = words_of(
    "error errors mistake mistakes issue issues typo typos sentence sentences word words euros dollars percent times"
)
_LABEL = 5
"""Pieces of the label of another entry, with its colon."""
_PRONOUN_FOLLOWS = words_of("that which of who in with i we it to could should might from where")
"""Behind these "one" is not a number: "one that I can defend"."""
_PRONOUN_IS = words_of("is was are were has seems looks does says")
"""As these are, where no article makes it one: "two are wrong, one is right"."""


_COMPOUNDS = words_of("sided dimensional off note")
"""Behind "one-" these make it a word of its own: "a one-sided picture"."""


def may_follow(  # noqa: C901, PLR0911 - one for each kind of piece
    pieces: Sequence[Piece], at: int, after: int, *, percent: bool
) -> bool:
    """Whether what follows a number leaves it a score: not "2 errors", "80%", "4, 5" or "4:30"."""
    piece = pieces[after] if after < len(pieces) else "\n"
    follower = pieces[after + 1] if after + 1 < len(pieces) else "\n"
    if (
        (piece == "may" and (isinstance(follower, Value) or follower in SENTENCE_ENDS))
        or (piece == "(" and follower in _COUNTED)
        or pieces[at - 1 : at] == ["may"]
    ):
        return False  # "4 May 2024", "4 (errors)"
    if not isinstance(piece, Value) and not piece[0].isascii() and category(piece[0]) == "Sc":
        return False
    if piece in {"in", "over"} and isinstance(follower, Value):
        return piece == "over"  # "a 1 in 4 chance", and "I lean to 4 over 3"
    if isinstance(piece, Value) or _is_pronoun(pieces, at, piece, follower):
        return False
    if piece == "|" and isinstance(follower, Value) and pieces[at - 1 : at] == [":"]:
        return False
    if piece in {",", ":"}:
        rowed = after + 1 < len(pieces) and isinstance(pieces[after + 1], Value)
        return not rowed or is_explained(pieces, at) or _is_reasoned(pieces, at, after)
    if piece == "/" and isinstance(follower, str) and ":" in pieces[after + 2 : after + _LABEL]:
        return follower[0].isalpha() or is_aspect(follower)  # "Coherence: 3 / Fluency: 4"
    if piece == "%":
        return percent and not _is_share(follower)
    if not piece[0].isalnum():
        return piece not in _SPOILING
    if piece == "percent" or pieces[after : after + 2] == ["per", "cent"]:
        return percent
    if piece in OPENING and piece not in FOLLOW and not (piece in RATED and pieces[at - 1] in {"a", "an"}):
        return after + 1 < len(pieces) and pieces[after + 1] == ":"
    if piece in RATED and piece not in FOLLOW:
        return (
            pieces[at - 1] in {"a", "an", "-"} or (at > 1 and pieces[at - 2] in {"a", "an"}) if at else False
        )
    subject = (
        pieces[at - 1 : at] == ["of"] and at > 1 and pieces[at - 2] in SCORE_NOUNS and piece.endswith("s")
    )
    return (
        subject
        or piece in FOLLOW
        or not piece[0].isascii()
        or piece in FOLLOWING_NOUNS
        or (piece in CLASSES and pieces[at - 1 : at] != [])
    )


def _is_share(behind: Piece) -> bool:
    """Whether a word behind per cent says what they are of, or what is so by them: "50% shorter", "80% of the facts"."""
    if isinstance(behind, Value) or not behind[0].isalpha():
        return False
    return behind == "of" or not (behind in FOLLOW or behind in FOLLOWING_NOUNS or behind in PREPOSITIONS)


def _is_reasoned(pieces: Sequence[Piece], at: int, colon: int) -> bool:
    """Whether reasons that begin with a count follow a score: "Rating 2/5: five names appear in one sentence"."""
    value, counted = pieces[at], pieces[colon + 2] if colon + 2 < len(pieces) else "\n"
    over = isinstance(value, Value) and value.over is not None
    return (
        pieces[colon] == ":"
        and over
        and isinstance(counted, str)
        and counted.isalpha()
        and counted.endswith("s")
    )


def _is_pronoun(pieces: Sequence[Piece], at: int, piece: Piece, follower: Piece) -> bool:
    """Whether "one" stands for a thing here: "one that I can defend", "one is right"; not "a one from me"."""
    value, left = pieces[at], pieces[at - 1 : at]
    if not isinstance(value, Value) or value.shown != "one" or follower in {"me", "us"}:
        return False
    if piece == "-" and follower in _COMPOUNDS:
        return True
    if piece in _PRONOUN_IS:
        return left not in (["a"], ["an"]) and not (left == ["of"] and pieces[at - 2] in SCORE_NOUNS)
    return piece in _PRONOUN_FOLLOWS and not (left == ["of"] and piece == "it")
