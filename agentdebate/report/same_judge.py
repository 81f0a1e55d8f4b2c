"""Whether what is taken for people is the judge itself: the same column, or the same judge in another order."""

import re
from collections.abc import Iterator, Sequence

from agentdebate.meta.choosing import Choosing
from agentdebate.meta.joining import Scored
from agentdebate.meta.pairing import Pairing

_ORDER = re.compile(
    r"[0-9]+|(?<![a-z])(?:original|swap(?:ped)?|first|second|forward|reversed?|ab|ba|order|flip(?:ped)?|turned|normal|true|false)"
    r"(?![a-z])",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\W_]+")


def same_judge(pairing: Pairing, choosing: Choosing | None, scored: Sequence[Scored] = ()) -> Iterator[str]:
    """A sentence for each column that stands on both sides, or that differs from people's in the order only."""
    if not pairing.rows or not pairing.judge.rows or pairing.judge.rows[0].path != pairing.rows[0].path:
        return
    for human, judged in _columns(choosing, scored):
        if human in judged:
            yield (
                f"People's column {human} is one of the judge's too: the figures say how far the judge agrees with itself, "
                "not with people."
            )
        elif any(_bare(human) == _bare(one) != "" for one in judged):
            yield (
                f"People's column {human} is named as the judge's {' and '.join(judged)} but for the order: where it is the same "
                "judge in another order, the figures say how far it agrees with itself, not with people."
            )


def _columns(choosing: Choosing | None, scored: Sequence[Scored]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each of people's columns with those of the judge that it is held against."""
    if choosing is not None and choosing.human:
        fields = tuple(dict.fromkeys(field for term in choosing.terms for field in term.fields))
        for human in choosing.people.fields if choosing.people else (choosing.human,):
            yield human, fields or choosing.judge
    for one in scored:
        for human in one.people.fields if one.people else (one.human,):
            yield human, (one.score,)


def _bare(field: str) -> str:
    """A field's name without what says which order it is of."""
    return _BETWEEN.sub(" ", _ORDER.sub(" ", field)).strip().lower()
