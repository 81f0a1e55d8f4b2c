"""Ballots out of replies: from the exact form that was asked for, from JSON where a reply holds some, else from free text.

Free text is read by the grammar in reading/: what is stated most finally about an aspect decides, and all of it has to
agree. What no rule makes a score is none: a number somewhere in prose, a number under another label. What cannot be read
is a Problem, never a guess.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.braces import without_objects
from agentdebate.ballots.excerpt import Excerpt, excerpt
from agentdebate.ballots.fold import spoken
from agentdebate.ballots.letters import with_numbers
from agentdebate.ballots.markup import plain
from agentdebate.ballots.numbers import Value, show
from agentdebate.ballots.quotations import Quotations, quotations
from agentdebate.ballots.reading.decision import (
    Found,
    corrected,
    deciding,
    is_claim,
    listed,
    settle,
    under_form,
    with_contested,
    with_last,
    within_scale,
)
from agentdebate.ballots.reading.exact import read_exact
from agentdebate.ballots.reading.gist import gist_of_scores
from agentdebate.ballots.reading.lone import lone_score, paired_scores
from agentdebate.ballots.reading.pieces import Piece, Pieces
from agentdebate.ballots.reading.reply_pieces import pieces_of
from agentdebate.ballots.reading.scores import Score, find_scores, whole_value
from agentdebate.ballots.reading.statement import Finality, Statement
from agentdebate.ballots.refusal import declines
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.schema import is_json, read_json
from agentdebate.ballots.view import sound
from agentdebate.ballots.withdrawal import WITHDRAWN
from agentdebate.tasks import Aspect, Grades

__all__ = ["Problem", "read_ballot"]

_NEAR_END = 40
"""Pieces at the end of a reply in which a ballot in JSON may be taken back."""
_FORMS = frozenset(("form", "line", "boxed", "total", "whole"))
"""By these rules a quotation may hold the judge's own ballot, where it says nothing else; quoted sentences are others'."""
_CLOSING = 200
"""Characters of what is left of a reply without its reasons; it is kept, so that the same is read once."""
_OPEN_END = frozenset(".,/-")
_grades = attrgetter("scale.grades")


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
    of the aspects at least. Of a very long reply only the start and the end are read (see excerpt.py), and the ballot's
    reading says so. Raises nothing, whatever the text.
    """
    graded = any(map(_grades, aspects))
    exact = None if cut_off or graded else read_exact(text, aspects, structured=structured)
    if exact is not None:
        return exact
    said = spoken(text)
    part = excerpt(said)
    found = _unread(part, aspects) or _read(
        part.text, aspects, structured=structured, cut_off=cut_off, partial=partial
    )
    return found if part.ends is None else _noted(found, part, said)


def _noted(found: Ballot | Problem, part: Excerpt, said: str) -> Ballot | Problem:
    """What was found in a part of a reply, with the part that it was."""
    if isinstance(found, Problem):
        return replace(found, text=found.text + part.note)
    reading = found.reading.model_copy(update={"ends": part.ends})
    reason = said.strip() if found.reason == part.text.strip() else found.reason
    return found.model_copy(update={"reading": reading, "reason": sound(reason)})


def _unread(part: Excerpt, aspects: Sequence[Aspect]) -> Problem | None:
    """Why a long reply cannot be read by its ends."""
    if part.is_empty:
        return Problem(
            "missing", f"The reply is too long, in too long lines, to be read for {listed(aspects)}."
        )
    if part.splits_object:
        return Problem("missing", f"The reply is too long to read JSON in it that rates {listed(aspects)}.")
    return None


def _read(
    said: str, aspects: Sequence[Aspect], *, structured: bool, cut_off: bool, partial: bool
) -> Ballot | Problem:
    parts = quotations(said)
    claimed = _said(parts.claimed, aspects)
    if not any(
        isinstance(piece, Value) or piece[0].isalnum() or piece[0] in "@#…" for piece in claimed.pieces
    ):
        return _empty(aspects, cut_off=cut_off)
    in_json = read_json(parts.claimed, aspects, structured=structured, cut_off=cut_off, partial=partial)
    if isinstance(in_json, Ballot) and in_json.reading.how == "text":
        return _disputed(in_json, parts.own, aspects) or in_json
    if in_json is not None:
        return in_json
    found = _found(said, parts, claimed, aspects, cut_off=cut_off)
    if not any(one.values for one in found) and declines(said):
        return Problem("refusal", f"The reply declined to answer: it gives no score for {listed(aspects)}.")
    return settle(found, reason=said.strip(), how="text", cut_off=cut_off, partial=partial)


class _Said:
    """A text as pieces, and the scores that are stated in it and not taken back, which are looked for once."""

    __slots__ = ("_aspects", "_scores", "pieces")

    def __init__(self, gist: str, aspects: Sequence[Aspect]) -> None:
        self.pieces = pieces_of(gist, aspects, withdrawn=True)
        self._aspects = aspects
        self._scores: list[Score] | None = None

    @property
    def scores(self) -> list[Score]:
        if self._scores is None:
            self._scores = _scores(self.pieces, self._aspects)
        return self._scores


def _said(text: str, aspects: Sequence[Aspect]) -> _Said:
    gist = gist_of_scores(plain(text))
    return _closing(gist, tuple(aspects)) if len(gist) <= _CLOSING else _Said(gist, aspects)


@lru_cache(maxsize=256)
def _closing(gist: str, aspects: tuple[Aspect, ...]) -> _Said:
    """A short text, kept: judges close many replies with the same sentence, whatever their reasons are."""
    return _Said(gist, aspects)


def _by_grades(aspects: Sequence[Aspect]) -> dict[Grades, list[Aspect]]:
    """The aspects whose letters stand for the same numbers; most have no letters, and are together."""
    alike: dict[Grades, list[Aspect]] = {}
    for aspect in aspects:
        alike.setdefault(aspect.scale.grades, []).append(aspect)
    return alike


def _disputed(ballot: Ballot, own: str, aspects: Sequence[Aspect]) -> Problem | None:
    """What is wrong where the words around a ballot in JSON give other scores, or take it back."""
    if is_json(own) and own.rstrip(" \t\r\n`").endswith("}"):
        return None
    beside, scores = without_objects(own), ballot.scores
    for grades, alike in _by_grades(aspects).items():
        words = _said(with_numbers(beside, aspects, grades), aspects)
        if WITHDRAWN in words.pieces[-_NEAR_END:]:
            return Problem("several", f"The reply gives {listed(aspects)} in JSON, and takes something back.")
        for one in words.scores:
            aspect = aspects[one.rated]
            told = one.rule == "noun" and not one.named and is_claim(one)
            if aspect not in alike or one.finality > Finality.FORM or told:
                continue
            if one.value.on(aspect.scale) not in {None, scores.get(aspect.name)}:
                found = f"{show(scores.get(aspect.name, 0))} in JSON and {one.value.shown} beside it"
                return Problem(
                    "several", f"I found {found} for {aspect.name}, and cannot tell which one is meant."
                )
    return None


def _empty(aspects: Sequence[Aspect], *, cut_off: bool) -> Problem:
    if cut_off:
        return Problem("cut_off", f"The reply was cut off before it said anything on {listed(aspects)}.")
    return Problem("nothing", f"The reply was empty: it says nothing on {listed(aspects)}.")


def _found(
    said: str, parts: Quotations, claimed: _Said, aspects: Sequence[Aspect], *, cut_off: bool
) -> list[Found]:
    """What free text gives each aspect. Letters are read once for all aspects in which they stand for the same numbers."""
    read: dict[Grades, list[Found]] = {}
    # Numbers first: their pieces are those of the text as it stands.
    for grades in sorted(_by_grades(aspects), key=len):
        if grades:
            parts = quotations(with_numbers(said, aspects, grades))
            claimed = _said(parts.claimed, aspects)
        own = claimed if parts.own == parts.claimed else _said(parts.own, aspects)
        read[grades] = _in_pieces(said, claimed, own, aspects, cut_off=cut_off)
    return [read[aspect.scale.grades][k] for k, aspect in enumerate(aspects)]


def _in_pieces(
    said: str, claimed: _Said, own: _Said, aspects: Sequence[Aspect], *, cut_off: bool
) -> list[Found]:
    """What free text gives each aspect; what its `own` words give goes before what stands in quotations."""
    scores, known = claimed.scores, set[int]()
    if own is not claimed:
        known = {score.rated for score in own.scores}
        quoted = [score for score in scores if score.rated not in known and _is_ballot(score, claimed.pieces)]
        scores = [*own.scores, *quoted]
    ends = [_open_number(said, some.pieces) if cut_off else None for some in (claimed, own)]
    return [_strongest(scores, k, aspect, ends[k in known]) for k, aspect in enumerate(aspects)]


def _is_ballot(score: Score, pieces: Pieces) -> bool:
    """Whether a score in a quotation can be the judge's own ballot: by its form, or as a value that is merely set apart."""
    apart = {*pieces[score.at - 1 : score.at], *pieces[score.at + 1 : score.at + 2]} <= {'"', "'"}
    return score.rule in _FORMS or apart


def _scores(pieces: Pieces, aspects: Sequence[Aspect]) -> list[Score]:
    """The scores that are stated, and not taken back."""
    scores = list(find_scores(pieces, [aspect.scale.high for aspect in aspects]))
    if len(aspects) == 1 and not scores:
        whole = whole_value(pieces)
        scores += [Statement(0, whole[1], "whole", Finality.HINT, whole[0])] if whole else []
    return corrected(pieces, [*scores, *_by_label(pieces, scores, aspects)])


def _by_label(pieces: Pieces, scores: Sequence[Score], aspects: Sequence[Aspect]) -> list[Score]:
    """The scores by the last resort, where no rule has found a form or what concludes.

    They outdo only what was found by its place alone; beside a sentence that gives another score, neither is read.
    """
    scales = [aspect.scale for aspect in aspects]
    if len(aspects) > 1:
        rated = {score.rated for score in scores}
        paired = paired_scores(pieces, scales) if len(rated) < len(aspects) else []
        return [one for one in paired if one.rated not in rated]
    if any(score.finality <= Finality.FORM for score in scores):
        return []
    lone = lone_score(pieces, scales[0], opening=not scores)
    placed = all(score.rule == "closing" or score.finality >= Finality.HINT for score in scores)
    return [] if lone is None else [replace(lone, finality=Finality.FORM if placed else Finality.PROSE)]


def _strongest(scores: Sequence[Score], index: int, aspect: Aspect, open_at: int | None) -> Found:
    stated = [score for score in scores if score.rated == index]
    scale = aspect.scale
    decided = with_contested(deciding(under_form(stated, scale)), stated, scale)
    own = within_scale(with_last(decided, stated), scale)
    values, rule = tuple(score.value for score in own), own[-1].rule if own else None
    return Found(aspect, values, rule, cut=any(score.at == open_at for score in own))


def _open_number(said: str, pieces: Sequence[Piece]) -> int | None:
    """The place of the number that the text ends in, so that more of it may have been to come."""
    at = len(pieces) - 1
    while at >= 0 and pieces[at] in _OPEN_END:
        at -= 1
    ends_open = said[-1:].isalnum() or said[-1:] in _OPEN_END
    return at if ends_open and at >= 0 and isinstance(pieces[at], Value) else None
