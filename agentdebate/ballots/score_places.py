"""Where the scores of a ballot stand in the reply that gave them."""

import re
from collections.abc import Sequence

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.lineup import Line

_MARKS = r"[\s\"'*_`]{0,9}"
_SCALE = r"(?:[(\[][^()\[\]\n]{0,60}[)\]])?"
_NUMBER = r"[0-9]{1,9}(?:[.,][0-9]{1,9})?"


def score_places(text: str, lines: Sequence[Line], ballot: Ballot) -> tuple[tuple[int, int], ...]:
    """From where to where each score stands, behind its label; nothing where one of them cannot be found.

    Where there is one line alone, the last number of that value is it if no label is there.
    """
    scores = {(rating.aspect, rating.candidate): rating.score for rating in ballot.ratings}
    found: list[tuple[int, int]] = []
    for line in lines:
        score = scores.get((line.rated, line.candidate))
        place = None if score is None else _place(text, line, score, alone=len(lines) == 1)
        if place is None:
            return ()
        found.append(place)
    return tuple(found)


def _place(text: str, line: Line, score: float, *, alone: bool) -> tuple[int, int] | None:
    names = {line.aspect.title, line.aspect.name}
    label = "|".join(re.escape(name).replace("_", "[ _]").replace(r"\ ", "[ _]") for name in names)
    labelled = rf"(?<!\w)(?:{label}){_MARKS}{_SCALE}{_MARKS}[:=]{_MARKS}[\[(]?({_NUMBER})(?![0-9])"
    hits = list(re.finditer(labelled, text, re.IGNORECASE))
    if alone and not hits:
        hits = list(re.finditer(rf"(?<![0-9.,])({_NUMBER})(?![0-9])", text))
    places = [hit.span(1) for hit in hits if float(hit[1].replace(",", ".")) == score]
    return places[-1] if places else None
