"""Ballots out of replies: from JSON where a reply holds some, else from free text.

Free text is read in tiers (see candidates.py): the strongest tier that has any number for an aspect decides, and all
its numbers must agree. Last comes a reply that is a number and nothing else. Weaker signs are never a score: a
number somewhere in prose, a number under another label, a percentage. What cannot be read is a Problem, never a guess.
"""

from collections.abc import Sequence

from agentdebate.ballots.ballot import Ballot, Reading
from agentdebate.ballots.fold import spoken
from agentdebate.ballots.markup import plain
from agentdebate.ballots.numbers import Value
from agentdebate.ballots.problem import Problem
from agentdebate.ballots.refusal import declines
from agentdebate.ballots.schema import read_json
from agentdebate.ballots.reading.decision import Found, corrected, deciding, listed, settle
from agentdebate.ballots.reading.pieces import Piece, pieces_of
from agentdebate.ballots.reading.scores import Score, find_scores, whole_value
from agentdebate.ballots.reading.statement import Finality, Statement
from agentdebate.tasks import Aspect

__all__ = ["Problem", "read_ballot"]

_OPEN_END = frozenset(".,/-")


def read_ballot(
    text: str,
    aspects: Sequence[Aspect],
    *,
    structured: bool = False,
    cut_off: bool = False,
    partial: bool = False,
) -> Ballot | Problem:
    """The ballot in a reply, with a rating on its scale for each of the aspects; or why there is none.

    `structured` says that the endpoint held the reply to the schema, `cut_off` that it stopped at the length limit:
    then a number at the very end is not trusted, since it may be the 1 of a 10. A `partial` ballot has ratings for some
    of the aspects at least. Raises nothing, whatever the text.
    """
    said = spoken(text)
    pieces = pieces_of(plain(said), aspects)
    if not any(isinstance(piece, Value) or piece[0].isalnum() or piece[0] in "@#" for piece in pieces):
        return _empty(aspects, cut_off=cut_off)
    in_json = read_json(said, aspects, structured=structured, cut_off=cut_off, partial=partial)
    if in_json is not None:
        return in_json
    return _read_pieces(said, pieces, aspects, cut_off=cut_off, partial=partial)


def _empty(aspects: Sequence[Aspect], *, cut_off: bool) -> Problem:
    if cut_off:
        return Problem("cut_off", f"The reply was cut off before it said anything on {listed(aspects)}.")
    return Problem("nothing", f"The reply was empty: it says nothing on {listed(aspects)}.")


def _read_pieces(
    said: str, pieces: list[Piece], aspects: Sequence[Aspect], *, cut_off: bool, partial: bool
) -> Ballot | Problem:
    candidates = list(find_scores(pieces, [aspect.scale.high for aspect in aspects]))
    if len(aspects) == 1:
        whole = whole_value(pieces)
        candidates += [Statement(0, whole[1], "whole", Finality.HINT, whole[0])] if whole else []
    open_at = _open_number(said, pieces) if cut_off else None
    candidates = corrected(pieces, candidates)
    found = [_strongest(candidates, k, aspect, open_at) for k, aspect in enumerate(aspects)]
    if not any(one.values for one in found) and declines(said):
        return Problem("refusal", f"The reply declined to answer: it gives no score for {listed(aspects)}.")
    reading = Reading(how="text")
    return settle(found, reason=said.strip(), reading=reading, cut_off=cut_off, partial=partial)


def _strongest(statements: Sequence[Score], index: int, aspect: Aspect, open_at: int | None) -> Found:
    own = deciding([statement for statement in statements if statement.rated == index])
    return Found(aspect, tuple(statement.value for statement in own), cut=any(one.at == open_at for one in own))


def _open_number(said: str, pieces: Sequence[Piece]) -> int | None:
    """The place of the number that the text ends in, so that more of it may have been to come."""
    at = len(pieces) - 1
    while at >= 0 and pieces[at] in _OPEN_END:
        at -= 1
    ends_open = said[-1:].isalnum() or said[-1:] in _OPEN_END
    return at if ends_open and at >= 0 and isinstance(pieces[at], Value) else None
