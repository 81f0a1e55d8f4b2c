"""The aspect that the words around a number give it to: "4 for coherence", "On fluency, I give a 4"."""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lexicon import JUDGE_WORDS, OTHER_ASPECTS, PARTS, RATED
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_start
from agentdebate.ballots.words import words_of

_NO_TOPIC = words_of("balance reflection whole average course me now reference that this")
_SEATS = words_of("judge agent player critic reviewer")
_RULES = words_of("rubric criteria criterion guidelines scale above this these definition")
"""According to these, a score is the judge's own."""
_TOPICS = words_of("for on of regarding concerning when as with in grammar")


def aspect_behind(pieces: Sequence[Piece], after: int) -> set[int] | None:
    """The aspect that a number is said to be for after it ("4 for coherence", "4/5 coherence"); None where that is another one."""
    joined = _aspect_joined(pieces, after)
    return _aspect_of_phrase(pieces, after) if joined is None else {joined}


def _aspect_of_phrase(pieces: Sequence[Piece], after: int) -> set[int] | None:
    """The aspect behind "for" and the like; None where that is another one."""
    if after >= len(pieces) or pieces[after] not in {"for", "on", "in", "regarding"}:
        return set()
    if _is_counted_for(pieces, after):
        return None
    i = after + 1
    while i < len(pieces) and pieces[i] in {"the", "its", "overall", "terms", "of"}:
        i += 1
    piece = pieces[i] if i < len(pieces) else "\n"
    if is_aspect(piece):
        return {int(str(piece)[1:])}
    if isinstance(piece, Value) or not piece[0].isalpha() or i > after + 1 or piece.endswith("ing"):
        return set()
    if piece in OTHER_ASPECTS:
        return None
    # One bare noun ("4 for relevance", "2 on style,") is the name of an aspect; "4 for this summary" is not.
    known = piece in PARTS or piece in _NO_TOPIC or piece in _NO_ASPECT
    ends = i + 1 >= len(pieces) or pieces[i + 1] in _ASPECT_ENDS
    return None if not known and (pieces[after] == "for" or ends) else set()


def _aspect_joined(pieces: Sequence[Piece], after: int) -> int | None:
    """The aspect whose name alone stands behind a number, as in "4/5 coherence, 3/5 fluency" or "4 (coherence)"; None where it does not."""
    marked = pieces[after : after + 1] in (["("], ["-"])
    at = after + marked
    if at >= len(pieces) or not is_aspect(pieces[at]):
        return None
    closed = at + 1 >= len(pieces) or pieces[at + 1] in _JOINT_ENDS
    return int(str(pieces[at])[1:]) if closed and _is_in_list(pieces, after - 1) else None


def _is_in_list(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a number is a fraction, or one in a list of numbers and aspects that a sentence opens with: they are not counts of issues."""
    value, start = pieces[at], sentence_start(pieces, at)
    if isinstance(value, Value) and value.over is not None:
        return True
    while at > start + 2 and pieces[at - 1] in {",", "and"} and is_aspect(pieces[at - 2]):
        at -= 3
    return at == start and isinstance(pieces[at], Value)


_JOINT_ENDS = frozenset("\n.,;)") | {"and"}


def _is_counted_for(pieces: Sequence[Piece], after: int) -> bool:
    """Whether points or stars are those of a thing other than the rated text: "3 points for the guests"."""
    value, noun = pieces[after - 1], pieces[after + 2 : after + 3]
    counted = isinstance(value, Value) and value.unit and value.over is None
    return (
        counted and pieces[after + 1] == "the" and noun != [] and not (is_aspect(noun[0]) or noun[0] in RATED)
    )


_NO_ASPECT = words_of("these those that me us now several all two some both")
"""Behind "for", none of these names an aspect."""
_ASPECT_ENDS = words_of(". , ; ) and but because since is seems") | {"\n"}


def topic_of(pieces: Sequence[Piece], at: int) -> set[int] | None:
    """The aspect that the sentence opens with ("For coherence, I give a 4"); None where that is another one."""
    start = sentence_start(pieces, at)
    head = [piece for piece in pieces[start : start + 6] if piece not in {"as", "the", "in", "terms"}]
    opening, topic, comma = (*head, "", "", "")[:3]
    if _is_anothers(pieces[start:at]) or _is_of_other_aspect(opening, head, pieces[start:at]):
        return None
    if is_aspect(pieces[start]) and pieces[start + 1 : start + 2] == [":"]:
        return {int(str(pieces[start])[1:])}
    if opening not in {"for", "on", "of", "regarding", "concerning"}:
        return set()
    if comma in {",", ":"} and is_aspect(topic):
        return {int(str(topic)[1:])}
    known = topic in _NO_TOPIC or topic in PARTS
    foreign = not known if comma in {",", ":"} else topic in OTHER_ASPECTS and "but" not in pieces[start:at]
    return None if foreign else set()


def _is_of_other_aspect(opening: Piece, head: Sequence[Piece], before: Sequence[Piece]) -> bool:
    """Whether a sentence opens with an aspect that is not asked for, and names none of ours."""
    others = not OTHER_ASPECTS.isdisjoint(p for p in head if isinstance(p, str))
    return opening in _TOPICS and others and not any(is_aspect(p) for p in before)


def _is_anothers(before: Sequence[Piece]) -> bool:
    """Whether a sentence opens with whose number it is: "Judge 2: 4", "According to the critic, 4"."""
    opening, following = (*before, "", "")[:2]
    if not JUDGE_WORDS.isdisjoint(piece for piece in before if isinstance(piece, str)):
        return False
    seat = opening in _SEATS and (
        isinstance(following, Value) or (len(following) == 1 and following.isalpha())
    )
    rules = any(piece in _RULES for piece in before)
    return seat or (opening == "according" and "," in before and not rules)
