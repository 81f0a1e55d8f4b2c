"""A reply taken apart into pieces: tokens, with names of aspects as marks and number expressions brought together."""

from collections.abc import Sequence

from agentdebate.ballots.reading.aspect_names import phrases_of, with_aspects
from agentdebate.ballots.reading.number_expressions import NumberExpressions
from agentdebate.ballots.reading.pieces import Pieces
from agentdebate.ballots.reading.slips import without_slips
from agentdebate.ballots.reading.tokens import tokenize
from agentdebate.ballots.withdrawal import marked, may_take_back
from agentdebate.tasks import Aspect


def pieces_of(text: str, aspects: Sequence[Aspect], *, withdrawn: bool = False) -> Pieces:
    """The pieces of folded text. The k-th of the aspects stands as "@k" wherever its name does.

    `withdrawn` says that a mark stands in the place of words that take something back.
    """
    tokens = tokenize(text)
    if withdrawn and may_take_back(text, tokens):
        tokens = tokenize(marked(text))
    tokens = with_aspects(without_slips(tokens), phrases_of(tuple(aspect.name for aspect in aspects)))
    scales = {(aspect.scale.low, aspect.scale.high) for aspect in aspects}
    return NumberExpressions(tokens, scales).pieces()
