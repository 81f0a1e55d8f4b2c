"""Scores that the judge names and does not give: "nowhere near a 5", "I object to a 4", "I regret giving it a 4", "4 is what I would have given"."""

from collections.abc import Sequence
from itertools import pairwise

from agentdebate.ballots.reading.clause import CLAUSE_MARKS
from agentdebate.ballots.reading.lead import LEAD
from agentdebate.ballots.reading.lexicon import SCORE_NOUNS
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_words
from agentdebate.ballots.words import words_of

_REACH = 8
"""Pieces before a number, or behind it, in which the words stand that take it away."""
_AWAY = frozenset(
    [("nowhere", "near"), ("anywhere", "near"), ("nowhere", "close"), ("far", "from")]
    + [(verb, "against") for verb in ("am", "i'm", "be", "protest", "argue", "argues", "speaks", "decided", "advise")]
    + [(verb, "to") for verb in ("object", "objects", "objected", "objection", "opposed", "subscribe")]
)  # fmt: skip
"""What leads up to a number that is not given; "far from perfect, so a 4" leads up to something else."""
_REGRET = words_of("regret regrets regretted sorry ashamed mistake")
_UNDONE = words_of("giving gave given having awarding rating scoring the a that")
_OUGHT = words_of("would could might should i'd we'd")
_SIGNS = words_of("near close from to against regret regrets regretted sorry ashamed mistake what wrong")


def is_disclaimed(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the words around a number say that it is not what the judge gives."""
    if _SIGNS.isdisjoint(sentence_words(pieces, at)):
        return False
    return _is_kept_away(pieces, at) or _is_regretted(pieces, at) or _is_of_other_case(pieces, at)


def _is_kept_away(pieces: Sequence[Piece], at: int) -> bool:
    i = at - 1
    while (
        i > 1
        and (pieces[i] in LEAD or pieces[i] in SCORE_NOUNS or pieces[i] in _QUALITIES)
        and pieces[i] not in _ENDS
    ):
        i -= 1
    return i > 0 and (pieces[i - 1], pieces[i]) in _AWAY


_QUALITIES = words_of("of perfect full solid being getting earning deserving giving awarding such it this")
_TURNED = frozenset([("nowhere", "near"), ("far", "off"), ("far", "away"), ("not", "near")])
"""Behind a number: "a 5 is nowhere near"."""
_ENDS = frozenset(last for _, last in _AWAY)


def _is_regretted(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the judge is sorry for having given it; "I regret that it gets a 2" and "I am sorry to give it a 2" give it."""
    for i in range(at - 1, max(at - _REACH, -1), -1):
        if pieces[i] in CLAUSE_MARKS:
            return False
        behind = list(pieces[i + 1 : i + 3])
        if pieces[i] == "wrong" and behind[:1] in (["of"], ["to"]):
            return True
        if pieces[i] in _REGRET and pieces[i] != "mistake":
            done = (
                behind[:1] != []
                and behind[0] in _UNDONE
                and behind != ["having", "to"]
                and behind[0] != "that"
            )
            return done or behind in (
                ["to", "have"],
                ["for", "giving"],
                ["for", "having"],
                ["that", "i"],
                ["i", "gave"],
            )
    return False


def _is_of_other_case(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a number is said to be what would have been given, or to give it to be a mistake."""
    behind = list(pieces[at + 1 : at + 1 + _REACH])
    stop = next((k for k, piece in enumerate(behind) if piece in CLAUSE_MARKS), len(behind))
    behind = behind[:stop]
    if "mistake" in behind and "giving" in pieces[max(at - _REACH, 0) : at]:
        return True
    if not _TURNED.isdisjoint(pairwise(behind)):
        return True
    if "what" not in behind:
        return False
    told = behind[behind.index("what") + 1 :]
    return "had" in told or ("have" in told and any(piece in _OUGHT for piece in told))
