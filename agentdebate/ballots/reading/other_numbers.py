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
