"""Words that put a number in the place of another one: "Wait, 4", "not 3 but 4"."""

from collections.abc import Iterator, Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.alternative_score import DOUBTING
from agentdebate.ballots.reading.lexicon import WITHDRAWING
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_start
from agentdebate.ballots.withdrawal import WITHDRAWN


def withdrawals(pieces: Sequence[Piece]) -> Iterator[int]:
    """The places of words at the head of a sentence after which another judgement goes before the ones so far ("Wait, ...")."""
    for i, piece in enumerate(pieces):
        if (
            piece in WITHDRAWING
            and (i == 0 or pieces[i - 1] in _HEADS)
            and pieces[i + 1 : i + 2]
            and pieces[i + 1] in _PAUSES
        ):
            yield i


def is_set_against(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the number is what holds in place of another one in the sentence: "not 3, as I said before, but 4"."""
    i = at - 1
    while i > 0 and pieces[i] in {"a", "an", "rather", "at"}:
        i -= 1
    if i < 1 or pieces[i] != "but":
        return False
    told = pieces[sentence_start(pieces, at) : i]
    return any(
        isinstance(p, Value)
        and not {"not", "isn't", "longer"}.isdisjoint(
            q for q in told[max(k - 3, 0) : k] if isinstance(q, str)
        )
        for k, p in enumerate(told)
    )


def is_corrected(pieces: Sequence[Piece], at: int) -> bool:
    """Whether words that take back what was said lead to the number in the same sentence ("Actually, 4."), without a doubt ("maybe 4")."""
    if pieces[at - 1 : at] == [WITHDRAWN]:
        return True
    start = sentence_start(pieces, at)
    if start == at and start > 0 and pieces[start - 1] != "\n":
        ends = pieces[at + 1 : at + 2] in ([], ["."], ["\n"])
        return ends and WITHDRAWN in pieces[sentence_start(pieces, start - 1) : start]
    if (
        at - start > _CORRECTION
        or pieces[at - 1] in {"the", "my"}
        or not DOUBTING.isdisjoint(pieces[start:at])
    ):
        return False
    return WITHDRAWN in pieces[start:at] or any(True for _ in withdrawals(pieces[start:at]))


_HEADS = frozenset(".;!?\n(-:,")
_PAUSES = frozenset([",", ".", ":", "-", "!", "\n", "i", "the", "it", "this", "my", "make", "let", "that"])
_CORRECTION = 8
