"""The place of a text in an order: "Rank 1: B", "1st place goes to B", "Best: B / Runner-up: A", {"model": "B", "rank": 1}.

Who is first is the choice, and no one else is. Works on words and marks, in which a sign stands for each name of a text (see names.py).
"""

from collections.abc import Sequence

from agentdebate.ballots.reading.names import NOUNS, named
from agentdebate.ballots.reading.sentence import sentence_end, sentence_start, sentence_words
from agentdebate.ballots.words import words_of

_REACH = 10
_TYING = frozenset(":-=→|([") | words_of("is goes to as for was be ist es est")
_PASSED = frozenset("\"'()[]\n") | words_of(
    "the a an my place position spot choice rank pick medal prize model name winner"
)
_TIED = frozenset(":-=→|") | words_of("is goes")
_ORDINALS = {
    "first": 1,
    "1st": 1,
    "gold": 1,
    "second": 2,
    "2nd": 2,
    "silver": 2,
    "third": 3,
    "3rd": 3,
    "bronze": 3,
    "fourth": 4,
    "4th": 4,
    "second-best": 2,
    "last": 9,
    "lowest": 9,
    "worst": 9,
    "weakest": 9,
    "loser": 9,
    "up": 2,
    "worse": 9,
    "weaker": 9,
    "inferior": 9,
}
"""Words for a place; "up" is the end of "runner-up"."""
_BEST = words_of("best top")
_NUMBERED = words_of("rank place position number no # §")
_PLACES = words_of("place position spot choice rank prize medal pick")
_ORDERS = words_of("ranking rank ranks ranked order")
_STARTS = frozenset('.;,!\n§"([•-:')
_BEFORE = _TYING | _PASSED
"""Right before a name: a label may be tied to it by one of these."""
_IN_ORDER = _ORDERS | {"best"}
"""In a sentence that names texts in order, unless its heading stands in a line above."""


_WINDOW = 30
_SIGNS = (_BEST | _ORDERS | frozenset(_ORDINALS) | words_of("place position number no # § one next 1")) - {""}
"""Without one of these near a name, nothing says what place it has."""


def rank_of(words: Sequence[str], at: int) -> int | None:
    """The place that a reply gives to the name here, from 1; a high one for the last, None where it gives none."""
    said, back = sentence_words(words, at), _goes_back(words, at)
    if _SIGNS.isdisjoint(said) and not back:
        return None
    if _SIGNS.isdisjoint(words[max(at - _WINDOW, 0) : at + _WINDOW]):
        return None
    found = _by_label(words, at) if at and words[at - 1] in _BEFORE else None
    if found is None:
        found = _by_suffix(words, at)
    if found is None and words[at - 1 : at] == ['"']:
        found = _by_key(words, at)
    if found is None and (back or not _IN_ORDER.isdisjoint(said)):
        return _by_order(words, at)
    return found


def labelled_rank(words: Sequence[str], at: int) -> int | None:
    """The place that a label right before a key gives it: "Rank 1: B"."""
    return _by_label(words, at)


def _goes_back(words: Sequence[str], at: int) -> bool:
    """Whether the place of a name may be told outside its sentence: in the line above, or in an object."""
    start = sentence_start(words, at)
    return words[at - 1] == '"' or (start > 0 and words[start - 1] == "\n")


def _by_label(  # noqa: PLR0911 - one for each kind of label
    words: Sequence[str], at: int
) -> int | None:
    """The place by a label before the name: "Rank 1: B", "first place goes to B", "the runner-up is B"."""
    i, tied = at - 1, False
    while i >= 0 and at - i <= _REACH and (words[i] in _TYING or words[i] in _PASSED):
        tied |= words[i] in _TIED or (words[i] == "to" and words[i - 1] in _PLACES)
        i -= 1
    if tied and words[max(i - 1, 0) : i + 1] == ["number", "one"]:
        return 1
    if tied and i >= 0 and words[i] in NOUNS:
        i -= 1
    if i < 0 or not tied:
        return None
    if words[i].isdigit() and words[i - 1 : i] == ['"'] and words[i + 1 : i + 3] == ['"', ":"]:
        return int(words[i])
    if words[i].isdigit() and list(words[max(i - 2, 0) : i]) == ["no", "."]:
        return int(words[i])
    if words[i].isdigit() and i and words[i - 1] in _NUMBERED:
        return int(words[i]) if _opens(words, i - 2) else None
    if words[i] in _ORDINALS:
        second_best = words[i] == "up" and words[max(i - 2, 0) : i] != ["runner", "-"]
        return None if second_best or not _is_label(words, i, at) else _ORDINALS[words[i]]
    if words[i] in _BEST:
        last = words[i - 1] if i else ""
        return (
            _ORDINALS.get(last, 2 if last == "next" else None)
            if last in _ORDINALS or last == "next"
            else None
        )
    return None


def _by_suffix(words: Sequence[str], at: int) -> int | None:
    """The place right behind the name: "B (1st)", "B: rank 1", "B = 1st", "B first, A second"."""
    i = at + 1
    while i < len(words) and words[i] in _SUFFIXING:
        i += 1
    marked = i > at + 1
    numbered = i < len(words) and words[i] in _NUMBERED - {"no"}
    i += numbered
    word = words[i] if i < len(words) else ""
    over = i + 1 >= len(words) or words[i + 1] in _SUFFIX_ENDS or words[i + 1] in _PLACES
    if not over:
        return None
    if word.isdigit():
        return int(word) if numbered else None
    if word in {"best", "winner", "top"} and words[i - 1] == "(":
        return 1
    if word not in _ORDINALS or word in {"up", "loser"}:
        return None
    bare = at == 0 or words[at - 1] in _STARTS or words[at - 1] in {"it's", "and", "then"}
    placed = not _PLACING.isdisjoint(words[max(at - 5, 0) : at])
    read = not _READING.isdisjoint(words[max(at - 6, 0) : at])
    return _ORDINALS[word] if (marked or bare or placed) and not read else None


_SUFFIXING = frozenset("(:=-[|")
_SUFFIX_ENDS = frozenset(".,;)]!\n|") | {"and", "then", "with", "because", "since", "for"}
_PLACING = words_of("rank place put ranked placed putting placing ranking")
_READING = words_of(
    "read reading look looked looking start started saw see shown seen consider considered checked check mention begin"
)


_SECOND = frozenset(("second", "2nd", "third", "last"))


def _is_label(words: Sequence[str], at: int, name: int) -> bool:
    """Whether an ordinal is a label of its own, or says what place it is: "First: B", "second place goes to A"."""
    if not _PLACES.isdisjoint(words[at + 1 : name]) or words[at] == "up":
        return True
    if words[at] == "first" and _SECOND.isdisjoint(words[at : at + _WINDOW]):
        # "First: B" may be what comes first to be looked at.
        return False
    noun = at + 1 + (words[at + 1] in NOUNS and words[at] not in {"first", "second", "third", "last"})
    return words[noun] in {":", "-", "=", '"', "is"} and _opens(
        words, at - 1 if words[at - 1] != "the" else at - 2
    )


def _opens(words: Sequence[str], before: int) -> bool:
    return before < 0 or words[before] in _STARTS or words[before] == "the"


def _by_key(words: Sequence[str], at: int) -> int | None:
    """The place by a key beside the name in an object: {"model": "B", "rank": 1}, {"rank": 1, "model": "B"}, {"ranks": {"B": 1}}."""
    if words[at + 1 : at + 3] == ['"', ":"] and words[at + 3].isdigit():
        start = sentence_start(words, at)
        return int(words[at + 3]) if "ranks" in words[start:at] or "ranking" in words[start:at] else None
    ranks = [
        i for i in range(max(at - 3 * _REACH, 0), min(at + 3 * _REACH, len(words) - 3)) if _is_rank(words, i)
    ]
    first = next(
        (
            i
            for i in range(max(at - 3 * _REACH, 1), at + 1)
            if named(words[i]) is not None and words[i - 1] == '"'
        ),
        at,
    )
    if not ranks:
        return None
    if ranks[0] > first:
        place = next((i for i in ranks if i > at), None)
    else:
        place = next((i for i in reversed(ranks) if i < at), None)
    return None if place is None else int(words[place + 3])


def _is_rank(words: Sequence[str], i: int) -> bool:
    return (
        words[i] in {"rank", "position"}
        and list(words[i + 1 : i + 3]) == ['"', ":"]
        and words[i + 3].isdigit()
    )


def _by_order(words: Sequence[str], at: int) -> int | None:
    """The place by where the name stands in a list that is in order: "Ranking: B, A", "From best to worst: B, A", "My ranking is B, then A"."""
    start = sentence_start(words, at)
    while start and words[start - 1] == "\n" and words[start - 2] == ":":
        start = sentence_start(words, start - 2)
    first = next((i for i in range(start, at + 1) if named(words[i]) is not None), at)
    heading = list(words[start:first])
    tied = next(
        (k for k in range(len(heading) - 1, max(len(heading) - 7, -1), -1) if heading[k] in {":", "is"}), None
    )
    if tied is None or (
        "worst" in heading and ("best" not in heading or heading.index("worst") < heading.index("best"))
    ):
        return None
    best_first = "best" in heading and "worst" in heading
    if not best_first and (
        _ORDERS.isdisjoint(heading[:tied]) or any(word.isdigit() for word in heading[:tied])
    ):
        return None
    before = {named(words[i]) for i in range(first, at) if named(words[i]) is not None} - {named(words[at])}
    if not before and not any(named(words[i]) is not None for i in range(at + 1, sentence_end(words, at))):
        return None
    return len(before) + 1
