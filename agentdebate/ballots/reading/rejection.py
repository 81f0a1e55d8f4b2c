"""Words behind a number that turn it down, or say what it stands for: "a 5 is too high", "a 1 would be for nonsense"."""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.clause import NEAR, after, before
from agentdebate.ballots.reading.lexicon import JUDGE_WORDS, OTHERS, REJECTED
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_start
from agentdebate.ballots.words import words_of


def is_turned_down(  # noqa: C901, PLR0911 - one for each way to say so
    pieces: Sequence[Piece], at: int
) -> bool:
    """Whether the clause behind a place explains it or turns it down, and does not give it."""
    clause = list(after(pieces, at))
    start = sentence_start(pieces, at)
    if clause[:2] in (["at", "most"], ["at", "best"], ["at", "worst"]) or pieces[start : start + 2] in (
        ["at", "best"],
        ["at", "worst"],
        ["at", "most"],
    ):
        return True
    if clause[:1] == ["would"] and clause[1:2] and clause[1] in _ASKING:
        return True
    if _is_asked_for(pieces, start, clause):
        return True
    if clause[:1] == ["in"] and not _PLACES.isdisjoint(p for p in clause[1:5] if isinstance(p, str)):
        return True
    for distance, piece in enumerate(clause):
        if clause[:2] == ["is", "for"] or "round" in clause:
            return True
        if (
            piece == "to"
            and clause[distance + 1 : distance + 2]
            and clause[distance + 1] in {"a", "an", "perfect", "other", "texts", "some", "others", "many"}
        ):
            return True
        agent = [p for p in clause[distance + 1 : distance + 4] if isinstance(p, str)]
        if piece in {"by", "from"} and not OTHERS.isdisjoint(agent):
            return True
        if (
            piece == "by"
            and agent[:1] in (["the"], ["a"], ["an"], ["its"], ["their"], ["our"])
            and not _PASSIVE.isdisjoint(before(pieces, at))
        ):
            return True
        if piece in REJECTED and not (piece == "too" and distance == len(clause) - 1):
            return True
        if piece == "not" and not any(isinstance(p, Value) for p in clause[distance + 1 : distance + 3]):
            return distance < 3 and clause[:1] not in (["because"], ["rather"])  # noqa: PLR2004 - near its verb
    return False


def _is_asked_for(pieces: Sequence[Piece], start: int, behind: Sequence[Piece]) -> bool:
    """Whether a sentence says what a score is given for: "For a rating of 5 the guidelines ask for a text without faults"."""
    words = [piece for piece in behind[: NEAR + 2] if isinstance(piece, str)]
    if not words:
        return False
    rules = not _RULEBOOKS.isdisjoint(words)
    return (
        any(word in _ASKING or word[:-1] in _ASKING for word in words)
        and (rules or pieces[start] in {"for", "to"})
        and JUDGE_WORDS.isdisjoint(words)
    )


_RULEBOOKS = words_of("guidelines rubric criteria instructions scale definition task form")
_ASKING = words_of("ask expect want need require take demand presuppose call")
"""With "would": what a score is not given without ("a perfect score of 5 would need more detail")."""
_PLACES = words_of("study survey poll contest competition exam benchmark dataset trial league")
"""What takes place elsewhere: a score in it is not the judge's."""


def defines_scale(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence says what a number stands for, and gives it to nothing: "a 1 would be for nonsense", "from 1 (lowest)"."""
    behind = [piece for piece in pieces[at + 1 : at + 7] if piece != "the"]
    if behind[:1] == ["("] and behind[1:2] and behind[1] in _ENDS_OF_SCALE:
        return True
    while behind and (behind[0] in _BEING or str(behind[0]).endswith("ly")):
        del behind[0]
        if behind[:1] and behind[0] in _STANDING_FOR:
            return behind[0] != "where" or behind[1:2] not in (["i"], ["it"], ["we"])
    return False


_ENDS_OF_SCALE = words_of("lowest highest worst best minimum maximum poorest")
_BEING = words_of("is are was would will be should goes")
_STANDING_FOR = frozenset(["for", "to", "reserved", "when", "where", "if", "meant", "used", *_ENDS_OF_SCALE])
_PASSIVE = words_of("rated given scored awarded judged graded assigned ranked marked")
"""With "by" behind the number, these name another judge."""
