"""To whom a clause gives a number: another judge, or an earlier time."""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.clause import CLAUSE_PIECES, DECIDING, NEAR, before
from agentdebate.ballots.reading.lexicon import ATTRIBUTING, EARLIER, JUDGE_WORDS, OTHERS, PEOPLE, SCORE_NOUNS
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_start, sentence_words
from agentdebate.ballots.words import words_of


def is_of_others(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the clause before a place gives it to another judge, or to an earlier time."""
    if _OF_OTHERS.isdisjoint(sentence_words(pieces, at)):
        return False
    clause = list(before(pieces, at))
    if _is_elsewhere(clause) or _is_at_first(pieces, at):
        return True
    if "i" in clause and any(piece in _AGREEING for piece in clause):
        return False
    given = next((given for k in range(len(clause)) if (given := _whose(clause, k)) is not None), None)
    if given is not None:
        return given
    opening = clause[-3:] if len(clause) < CLAUSE_PIECES else []
    return any(piece in OTHERS for piece in opening) or _is_earlier(clause)


def _is_at_first(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence opens with an earlier time or another's view: "In the first round, I gave it a 4", "In the critic's view"."""
    start = sentence_start(pieces, at)
    opening = [piece for piece in pieces[start : min(start + NEAR, at)] if isinstance(piece, str)]
    early = tuple(opening[:2]) in _AT_FIRST or (
        opening[:1] in (["in"], ["on"], ["at"], ["during"])
        and "this" not in opening
        and not (_BYGONE.isdisjoint(opening) and (_FORMER.isdisjoint(opening) or _TIMES.isdisjoint(opening)))
    )
    viewed = opening[:1] in (["in"], ["to"], ["for"]) and not _VIEWERS.isdisjoint(opening)
    if viewed or opening[:2] == ["in", "parts"]:
        return not any(piece in JUDGE_WORDS for piece in pieces[start:at])
    told = [piece for piece in pieces[start:at] if isinstance(piece, str)]
    if any(isinstance(pieces[i], Value) and pieces[i - 1] not in _TIMES for i in range(start + 2, at)):
        return False  # the number of the earlier time has been told, and this one is of another
    until = (
        not _UNTIL.isdisjoint(opening[:2]) or opening[:3] == ["when", "i", "first"]
    ) and not _HELD.isdisjoint(told)
    return (early or until) and _PRESENT.isdisjoint(told[2:])


_UNTIL = words_of("before until till prior yesterday previously earlier")
_HELD = words_of("was had gave rated scored thought been stood i'd")
_AT_FIRST = frozenset([("at", "first"), ("last", "time"), ("back", "then")])
_BYGONE = words_of("former previous earlier prior")
_TIMES = words_of("round turn ballot vote pass session debate try attempt occasion")
_FORMER = words_of("first previous last earlier opening second")
_VIEWERS = frozenset(word for word in OTHERS if word.endswith("'s")) | PEOPLE
_PRESENT = words_of("but now then however yet still keep remains")


def _is_elsewhere(clause: Sequence[Piece]) -> bool:
    """Whether a clause, the nearest piece first, speaks of other texts and times, or of what was about to be given."""
    if any(piece in _OTHERWISE for piece in clause) or clause[-1:] == ["most"]:
        return True
    if any(piece == "once" and clause[k - 1] in _PAST_GIVEN for k, piece in enumerate(clause) if k):
        return True
    if (
        any(piece == "had" and k and clause[k - 1] != "to" for k, piece in enumerate(clause))
        and "now" not in clause
    ):
        return True
    going = any(isinstance(piece, str) and piece.endswith("ing") for piece in clause[-6:])
    return "was" in clause and ("about" in clause or going)


_PAST_GIVEN = words_of("got gave had was received scored earned")


def _whose(clause: Sequence[Piece], k: int) -> bool | None:
    """Whether the piece at this distance gives the number to others; None where it does not tell."""
    piece = clause[k]
    if piece in DECIDING:
        return False
    if piece in JUDGE_WORDS and _is_kept(clause):
        return False
    if piece in JUDGE_WORDS:
        return _is_earlier(clause[:k]) or (clause[-1] == "in" and _is_earlier(clause))
    if piece in _WEIGHING:
        return True if clause[k + 1 : k + 2] not in (["things"], ["everything"]) else None
    if piece in OTHERS:
        joined = "with" in clause[k + 1 : k + 3] and "i" in clause[k:]
        near = k < NEAR + 2 or not ATTRIBUTING.isdisjoint(clause[:k])
        return None if joined or not near else clause[k + 1 : k + 2] != ["as"]
    return True if piece in ATTRIBUTING and piece not in _JUDGES_OWN else None


_JUDGES_OWN = words_of("gave assigned recommend thought")
"""Verbs that attribute, but are as often the judge's."""
_OTHERWISE = words_of("usually week month year typically rarely seldom similar yesterday before round")
"""Words of other texts and other times."""
_WEIGHING = words_of(
    "considered expected hoped wished wanted used thinking contemplated debated tempted hesitated "
    "wondered imagined"
)
"""Verbs of what the judge weighed and did not do."""
_AGREEING = words_of("agree concur join side")
_KEEPING = words_of("stand stick stay keep maintain hold uphold remain confirm")
_JUDGES = OTHERS | {"judge", "judge's", "round", "turn", "evaluation", "ballot"}
_OF_OTHERS = (
    _OTHERWISE
    | OTHERS
    | EARLIER
    | _WEIGHING
    | (ATTRIBUTING - _JUDGES_OWN)
    | _UNTIL
    | _BYGONE
    | _FORMER
    | _VIEWERS
    | {"most", "once", "had", "was", "time", "then", "parts"}
)
"""A sentence without any of these is about the judge and the present."""


def _is_kept(clause: Sequence[Piece]) -> bool:
    """Whether the judge still gives what it gave before: "I stand by my original score of 4"."""
    words = {piece for piece in clause if isinstance(piece, str)}
    return not (_KEEPING.isdisjoint(words) or JUDGE_WORDS.isdisjoint(words))


def _is_earlier(clause: Sequence[Piece]) -> bool:
    return any(
        piece in EARLIER
        and (
            distance < 2  # noqa: PLR2004 - right before the number
            or not SCORE_NOUNS.isdisjoint(p for p in clause[max(distance - 2, 0) : distance])
            or str(piece).endswith("ly")
            or clause[distance - 1] in _JUDGES
        )
        for distance, piece in enumerate(clause)
    )
