"""What is taken back by the rest of its own sentence: "A is better, but B is right", "in everything but truth, which matters most", "wins nothing".

Works on words and marks, in which a sign stands for each name of a text (see names.py).
"""

from collections.abc import Sequence

from agentdebate.ballots.reading.choice_words import INFERIOR
from agentdebate.ballots.reading.names import named
from agentdebate.ballots.words import words_of

_BUT = words_of("but yet however though although except")
_EXCEPTING = words_of("except excepting save but bar barring apart")
_WEIGHTY = words_of(
    "matters matter counts decisive decides crucial essential paramount important key vital overrides outweighs"
)
_TAKING_UP = words_of("which that what and")
_RIGHT = words_of("right correct true truthful accurate factual")
"""What settles it for the text that is said to be so."""
_AS_WELL = words_of("also too equally mostly partly largely often sometimes not more less")
"""With one of these it is so as well, or by half."""
_WINNING = words_of("wins won win gets takes")
_NOTHING = words_of("nothing no neither little few hardly zero booby wooden")
_IDIOMS = words_of("matter doubt question contest less")
"""Behind "no", these do not say that nothing is won: "wins no matter what"."""
_SIGNS = _BUT | _EXCEPTING | _WINNING | {"until"}
_NEAR = 6
"""Words of a clause in which it is told what counts."""


def is_outweighed(behind: Sequence[str]) -> bool:
    """Whether the rest of a sentence, behind a name that it calls better, takes that back."""
    if _SIGNS.isdisjoint(behind):
        return False
    return (
        "until" in behind
        or any(word in _BUT and _is_other_right(behind[k + 1 :]) for k, word in enumerate(behind))
        or any(word in _EXCEPTING and _is_weighty(behind[k + 1 :]) for k, word in enumerate(behind))
        or any(word in _WINNING and _is_empty(behind[k + 1 :]) for k, word in enumerate(behind))
    )


def _is_other_right(clause: Sequence[str]) -> bool:
    """Whether a clause says that a text is right, or the one that does what was asked."""
    if len(clause) < 3 or clause[1] not in {"is", "was"}:  # noqa: PLR2004 - a name, a verb and what is said
        return False
    name = named(clause[0]) is not None or (len(clause[0]) == 1 and clause[0].isalnum())
    said = clause[2:_NEAR]
    settled = not _RIGHT.isdisjoint(said) or list(said[:2]) == ["the", "one"]
    return name and settled and _AS_WELL.isdisjoint(said)


def _is_weighty(clause: Sequence[str]) -> bool:
    """Whether a clause says that what it excepts is what counts."""
    return any(
        word in _WEIGHTY and not _TAKING_UP.isdisjoint(clause[max(k - _NEAR, 0) : k])
        for k, word in enumerate(clause)
    )


def _is_empty(clause: Sequence[str]) -> bool:
    """Whether what is won is nothing, or a prize for being bad."""
    clause = clause[clause[:1] in (["a"], ["the"], ["only"]) :]
    nothing = clause[:1] != [] and clause[0] in _NOTHING and (clause[1:2] == [] or clause[1] not in _IDIOMS)
    if list(clause[:4]) == ["race", "to", "the", "bottom"]:
        return True
    prize = "for" in clause[:_NEAR] and not INFERIOR.isdisjoint(clause[:_NEAR])
    return nothing or prize
