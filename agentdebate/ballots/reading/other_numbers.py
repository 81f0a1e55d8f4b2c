"""Labels of numbers that are no score of the judge's, though they name one: "Maximum score: 5", "Score change: 1", "My confidence: 4"."""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lexicon import OTHER_ASPECTS
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_start
from agentdebate.ballots.words import words_of

_LONGEST = 9
"""Pieces of a label; what is longer is a sentence."""
_SELF = words_of("i i'd i'll i'm i've")
_MEASURES = words_of("confidence rank weight gap margin example format template sample instructions how")
"""These make the number another one, also where the judge speaks of itself."""
_OTHERS = words_of(
    "maximum minimum max min highest lowest possible expected passing rejected cancelled disputed alternative competing second-best deducted "
    "deviation improvement agreement sentiment before far per criterion page automatic"
)
"""Where the judge does not say "I", these do."""
_HEADS = words_of("difference change time date id tied match game step sheet twain")
"""As the last word of a label, or the first of one with "of", these say what is counted."""
_SEATS = words_of("judge agent player critic reviewer referee")
"""With a number, these name one of several: "Judge 2 score: 3"."""
_MODELS = words_of("example format template sample instructions")


def is_other_number(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the label before a colon, in the number's sentence, makes it another number than a score that is given."""
    if (
        _is_end_of_scale(pieces, at)
        or _is_taken_off(pieces, at)
        or _is_reduced(pieces, at)
        or _is_cut(pieces, at)
        or _is_left_out(pieces, at)
    ):
        return True
    if pieces[at - 1 : at] != [":"]:
        return _is_bounded(pieces, at)
    start = sentence_start(pieces, at)
    if pieces[start] in _SEATS and isinstance(pieces[start + 1], Value):
        return True
    label = list(pieces[start : at - 1])
    if "," in label:
        label = label[len(label) - label[::-1].index(",") :]
    words = [piece for piece in label if isinstance(piece, str)]
    return len(words) == len(label) <= _LONGEST and _is_of_other(words)


def _is_end_of_scale(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a number says where the scale ends, before the score: "Out of five, I give it two", "a scale that goes up to five"."""
    if pieces[at - 2 : at] == ["out", "of"]:
        return not isinstance(pieces[at - 3], Value) if at > 2 else True  # noqa: PLR2004 - before "out of"
    return pieces[at - 2 : at] == ["up", "to"] and "scale" in pieces[max(at - _LONGEST, 0) : at]


def _is_taken_off(pieces: Sequence[Piece], at: int) -> bool:
    """Whether points are taken off a score, which is not told: "I deduct one point for the comma splice and one for the typo"."""
    first = max(at - _LONGEST, 0)
    if _TAKING_OFF.isdisjoint(pieces[first:at]):
        return False
    for i in range(at - 1, first - 1, -1):
        piece = pieces[i]
        if isinstance(piece, Value):
            joined = pieces[at - 1] in {"and", ",", "another"} and pieces[at + 1 : at + 2] in _FOR
            return joined and _is_taken_off(pieces, i)
        if piece in _TAKING_OFF:
            away = piece not in _TAKING or pieces[i + 1] in {"away", "off"}
            return away and _OBJECTS.issuperset(pieces[i + 1 : at])
        if piece in _ENDS:
            return False
    return False


_TAKING_OFF = words_of(
    "deduct deducts deducted deducting subtract subtracts subtracted subtracting remove removes removed dock docks docked docking minus knock knocks knocked "
    "knocking shave shaved strip stripped withhold withheld lose loses lost losing cost costs costing take takes took taking taken"
)
_TAKING = words_of("take takes took taking taken")
"""Of these, those that do so with "away" or "off"."""
_OBJECTS = words_of(
    "a an the it this off away about only just another further extra full whole at least up text summary answer response"
)
"""What may stand between such a verb and the points."""
_ENDS = frozenset(".;!?\n")
_FOR: tuple[list[str], ...] = (["for"], ["because"], ["due"])


def _is_reduced(pieces: Sequence[Piece], at: int) -> bool:
    """Whether points are taken off the number at this place: "I subtract 2 from the maximum of 5"."""
    i = at - 1
    while i > 0 and pieces[i] in _TOPS:
        i -= 1
    if i < 1 or pieces[i] not in {"from", "off"}:
        return False
    first = max(i - _LONGEST, 0)
    if _TAKING_OFF.isdisjoint(pieces[first:i]):
        return False
    verb = max(k for k in range(first, i) if pieces[k] in _TAKING_OFF)
    return any(isinstance(piece, Value) for piece in pieces[verb + 1 : i])


_TOPS = words_of(
    "a an the of my full perfect maximum max top highest best total possible score rating mark grade scale"
)
"""What may stand between "from" and the number that something is taken off."""


def _is_cut(pieces: Sequence[Piece], at: int) -> bool:
    """Whether points are taken off behind the number at this place: "the top score of 5 less 2", "a 5, reduced by 2"."""
    i = at + 1 + (pieces[at + 1 : at + 2] == [","])
    if i >= len(pieces) - 1 or pieces[i] not in _CUTTING:
        return False
    taken = pieces[i + 1 : i + 3]
    return isinstance(taken[0], Value) or (
        taken[0] in {"by", "a", "another"} and isinstance(taken[-1], Value)
    )


_CUTTING = words_of("less reduced lowered cut docked")


def _is_left_out(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a label has no value, and the number behind it is another: "Fluency: n/a 3"."""
    first = at - 1 - (pieces[at - 1 : at] == ["("])
    return pieces[max(first - 2, 0) : first + 1] == ["n", "/", "a"]


def _is_of_other(label: Sequence[str]) -> bool:
    """Whether words before a colon name another measure, another aspect, or no score."""
    heads = {*label[-1:], *(label[:1] if label[1:2] in (["of"], ["in"]) else [])}
    if (
        not (_HEADS | {"not"}).isdisjoint(heads)
        or label[:2] == ["number", "of"]
        or not _MEASURES.isdisjoint(label)
    ):
        return True
    foreign = not OTHER_ASPECTS.isdisjoint(label) and not any(is_aspect(word) for word in label)
    return foreign or (_SELF.isdisjoint(label) and not _OTHERS.isdisjoint(label))


def _is_bounded(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a label says only what the score is at least, or at most, or an example of a form is given ("Format: score 4")."""
    bound = [piece for piece in pieces[max(at - 3, 0) : at] if isinstance(piece, str)]
    if bound in ([":", "at", "least"], [":", "at", "most"], [":", "up", "to"]):
        return True
    start = sentence_start(pieces, at)
    return pieces[start] in _MODELS and pieces[start + 1 : start + 2] == [":"]
