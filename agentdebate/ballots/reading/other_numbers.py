"""Labels of numbers that are no score of the judge's, though they name one: "Maximum score: 5", "Score change: 1", "My confidence: 4"."""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.words import words_of

_LONGEST = 9
"""Pieces of a label; what is longer is a sentence."""
_SELF = words_of("i i'd i'll i'm i've")
_MEASURES = words_of("confidence rank weight gap margin not example format template sample instructions how")
"""Whoever speaks, these make the number another one."""
_OTHERS = words_of(
    "maximum minimum max min highest lowest possible expected passing rejected cancelled disputed alternative competing second-best deducted "
    "difference change deviation improvement agreement sentiment time date id tied match game step sheet twain before far per criterion page automatic"
)
"""Where the judge does not say "I", these do."""
_MODELS = words_of("example format template sample instructions")


def is_other_number(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the label before a colon, in the number's sentence, makes it another number than a score that is given."""
    if pieces[at - 1 : at] != [":"]:
        return _is_bounded(pieces, at)
    start = clause.sentence_start(pieces, at)
    label = list(pieces[start : at - 1])
    if "," in label:
        label = label[len(label) - label[::-1].index(",") :]
    if len(label) > _LONGEST or any(isinstance(piece, Value) for piece in label):
        return False
    words = {piece for piece in label if isinstance(piece, str)}
    return not _MEASURES.isdisjoint(words) or (_SELF.isdisjoint(words) and not _OTHERS.isdisjoint(words))


def _is_bounded(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a label says only what the score is at least, or at most, or an example of a form is given ("Format: score 4")."""
    bound = [piece for piece in pieces[max(at - 3, 0) : at] if isinstance(piece, str)]
    if bound in ([":", "at", "least"], [":", "at", "most"], [":", "up", "to"]):
        return True
    start = clause.sentence_start(pieces, at)
    return pieces[start] in _MODELS and pieces[start + 1 : start + 2] == [":"]
