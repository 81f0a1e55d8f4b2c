"""What was judged at another time, or in another comparison: "In an earlier test, A came out on top", "A won the last round".

Works on words and marks, in which a sign stands for each name of a text (see names.py).
"""

from collections.abc import Sequence

from agentdebate.ballots.words import words_of

_OPENING = 9
"""Words that a sentence may open with before it says when or where."""
_OTHER = words_of(
    "unrelated previous previously earlier former last prior preceding past other another different older old separate similar initial preliminary "
    "first second third parallel"
)
"""What says that an occasion is not the one at hand."""
_SURELY_OTHER = _OTHER - words_of("first second third initial last")
_OCCASIONS = words_of(
    "comparison comparisons evaluation evaluations round rounds debate debates test tests study studies poll polls survey surveys discussion "
    "discussions session sessions vote votes voting trial trials run runs experiment experiments week month year time times version versions draft "
    "review reviews contest contests competition competitions benchmark occasion occasions assessment assessments turn turns case cases setting job "
    "iteration iterations ballot ballots match experiment pass context task exercise tournament"
)
_VERDICTS = words_of("verdict choice vote decision judgement judgment winner pick preference")
_DAYS = words_of("yesterday week month year ago")
_INTO = words_of("in at during on from throughout for back within")
_NOW = words_of("now still but yet however this again today i'd therefore thus so")
"""Between the occasion and a name: what follows is said of the comparison at hand."""
_KEEPING = words_of("unlike since as like after having considering given despite from")


def is_elsewhere(sentence: Sequence[str], at: int) -> bool:
    """Whether a sentence says of the name at this place, counted from its start, what was so in another comparison, or before."""
    return _opens_elsewhere(sentence, at) or _ends_elsewhere(sentence, at)


def _opens_elsewhere(  # noqa: PLR0911 - one for each way to open
    sentence: Sequence[str], at: int
) -> bool:
    opening = list(sentence[: min(at, _OPENING)])
    if opening[:1] in (["and"], ["but"], ["though"]):
        del opening[0]
    if opening[:1] == ["back"]:
        del opening[0]
    if not opening or (not _NOW.isdisjoint(sentence[2:at]) and "this" not in opening):
        return False
    if opening[0] == "before":
        # "Before this discussion, I favoured A": a clause of its own, or the name follows at once.
        return not {"discussion", "debate", "round", "reading", "that"}.isdisjoint(opening)
    if opening[0] == "yesterday" or (
        opening[0] == "last" and opening[1:2] != [] and opening[1] in _OCCASIONS
    ):
        return True
    if opening[:2] == ["earlier", "today"] or tuple(opening[1:3]) == ("round", "ago"):
        return True
    if opening[0] in {"a", "an", "the"} and opening[1:2] != [] and opening[1] in _SURELY_OTHER | {"early"}:
        # "The previous verdict: A", "An early draft named B"; "the other texts" are those at hand.
        return not (_OCCASIONS | _VERDICTS).isdisjoint(opening[2:5])
    if opening[0] in {"on", "under"} and opening[1:2] in (["another"], ["other"]):
        return True
    return opening[0] in _INTO and _names_another(opening[1:], _OTHER)


def _ends_elsewhere(sentence: Sequence[str], at: int) -> bool:
    """Whether what follows a name, up to the next one, leads it to another occasion: "A won the previous round", "A was preferred last week"."""
    rest = list(sentence[at + 1 :])
    if not rest or rest[0] == "," or not _KEEPING.isdisjoint(rest):
        return False
    if {"than", ","} & set(rest):
        rest = rest[: min(rest.index(mark) for mark in ("than", ",") if mark in rest)]
    return _names_another(rest, _SURELY_OTHER | {"last"}) or (
        not _DAYS.isdisjoint(rest[-2:]) and not {"last", "ago", "yesterday"}.isdisjoint(rest)
    )


def _names_another(phrase: Sequence[str], other: frozenset[str]) -> bool:
    """Whether a phrase names another occasion: "an earlier comparison", "round 1"."""
    for k, word in enumerate(phrase):
        if (
            word in _OCCASIONS
            and not other.isdisjoint(phrase[max(k - 3, 0) : k])
            and "this" not in phrase[max(k - 2, 0) : k]
        ):
            return True
        if (
            word == "round"
            and phrase[k + 1 : k + 2] != []
            and (phrase[k + 1].isdigit() or phrase[k + 1] in {"one", "two", "three"})
        ):
            return True
    return False
