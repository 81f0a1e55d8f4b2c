"""What leaves a choice open: an alternative ("A, or perhaps B"), or words that say that the judge has not decided.

Works on words and marks, in which a sign stands for each name of a text (see names.py).
"""

from collections.abc import Sequence

from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.lexicon import NEGATION
from agentdebate.ballots.reading.names import named
from agentdebate.ballots.reading.sentence import sentence_end
from agentdebate.ballots.words import words_of

_NEAR = 5
"""Words between "or" and the name of the alternative."""
_DOUBT = 8
"""Words of a clause that says that the judge has not decided."""
_SUBJECTS = words_of("i i'm i've we")
_UNDECIDED = words_of("undecided torn unsure uncertain")
_DECIDING = words_of("decide decided sure certain know tell choose say mind")
_DOUBTS = _UNDECIDED | _DECIDING
_BEHIND = frozenset(".,;!?\n)") | words_of("which yet between whether who")
_CHANGING = words_of("day days moment")


def is_open(words: Sequence[str], at: int, start: int, end: int) -> bool:
    """Whether the sentence, from `start` to `end`, leaves it open whether the name at this place is meant."""
    return (
        _is_joined(words, at)
        or _is_alternative(words, at, start, end)
        or _is_doubted(words, at, end)
        or _is_of_a_day(words[start:at])
        or {"today", "tomorrow"} <= set(words[start:end])
    )


_ORDER = 14
_ORDERS = words_of("ranking rank ranks ranked order best follows")


def _is_joined(words: Sequence[str], at: int) -> bool:
    """Whether the name is one of two that share what is said: "A and B both win", "I vote for A/B", "Winner: A, B"."""
    place = named(words[at])
    if words[at - 1 : at] == ["/"]:
        return True
    if not _ORDERS.isdisjoint(words[max(at - _ORDER, 0) : at]):
        return False
    for near, far in ((at - 1, at - 2), (at + 1, at + 2)):
        if far < 0 or far >= len(words) or named(words[far]) in (None, place):
            continue
        last = max(at, far)
        ended = last + 1 >= len(words) or words[last + 1] in {".", "\n", "!"}
        labelled = words[min(at, far) - 1] == ":" and ended
        if (
            words[near] == "/"
            or (words[near] == "and" and (near < at or labelled))
            or (words[near] == "," and labelled)
        ):
            return True
    return False


def _is_alternative(words: Sequence[str], at: int, start: int, end: int) -> bool:
    """Whether "or" joins the name to another text's, be it with a verb between: "A wins, or perhaps B does"."""
    place = named(words[at])
    for i in range(start, end):
        if words[i] != "or":
            continue
        left = next((k for k in range(i - 1, start - 1, -1) if named(words[k]) is not None), None)
        right = next((k for k in range(i + 1, min(i + _NEAR + 1, end)) if named(words[k]) is not None), None)
        if left is None or right is None or at not in {left, right}:
            continue
        if named(words[left]) != named(words[right]) and place is not None and ":" not in words[i:right]:
            return True
    might = next((k for k in range(at, end) if words[k] in {"might", "may", "could"}), end)
    if any(named(word) not in (None, place) for word in words[might:end]):
        return True
    # "I choose A. Or should it be B?"
    while words[end : end + 1] == ["."]:
        end += 1
    asked = words[end : end + 1] == ["or"] and clause.is_asked(words, end)
    return asked and any(named(word) not in (None, place) for word in words[end : end + _DOUBT])


def _is_doubted(words: Sequence[str], at: int, end: int) -> bool:
    """Whether the rest of the sentence, or the next one, says that the judge has not decided."""
    behind = words[at + 1 : end]
    if _says_doubt(behind):
        return True
    last = sentence_end(words, end + 1) if words[end : end + 1] in (["."], [";"]) else end
    follow = words[end + 1 : last]
    return (
        len(follow) <= _DOUBT
        and follow[:1] != []
        and (follow[0] in _SUBJECTS or words[end] == ";")
        and not any(named(word) is not None for word in follow)
        and _says_doubt(follow)
    )


def _says_doubt(words: Sequence[str]) -> bool:
    """Whether words say that the judge cannot decide, does not know, or is torn."""
    if _DOUBTS.isdisjoint(words):
        return False
    for k, word in enumerate(words):
        before = words[max(k - 4, 0) : k]
        over = k + 1 >= len(words) or words[k + 1] in _BEHIND
        own = not _SUBJECTS.isdisjoint(words[max(k - 5, 0) : k])
        if word in _UNDECIDED and own:
            return True
        if not over:
            continue
        denied = not (NEGATION | {"haven't", "yet"}).isdisjoint(before)
        if word in _DECIDING and own and denied:
            return True
        if word == "say" and before[-2:] in (["hard", "to"], ["difficult", "to"], ["impossible", "to"]):
            return True
    return False


def _is_of_a_day(before: Sequence[str]) -> bool:
    """Whether the choice is one of a day: "One day I prefer A, the next day B"."""
    return any(
        word in {"one", "some", "next"} and before[k + 1 : k + 2] != [] and before[k + 1] in _CHANGING
        for k, word in enumerate(before)
    )
