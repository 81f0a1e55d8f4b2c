"""The text that a closing sentence prefers, in words that no other rule reads: "I come down on the side of B", "B it is".

Such a sentence has a word of preference, or says nothing but a name, and exactly one text is on the side that it prefers.
"""

from collections.abc import Sequence

from agentdebate.ballots.reading.choice_words import BETTER, FREE, JUDGING, PREDICATE_LEAD, VERBLESS, WINNERS
from agentdebate.ballots.reading.lexicon import NEGATION, PEOPLE
from agentdebate.ballots.reading.names import FOREIGN, NOUNS, is_owner, named
from agentdebate.ballots.reading.noun_phrase import CHOSEN_NOUNS, is_chosen, is_named_so
from agentdebate.ballots.reading.predicates import is_restricted
from agentdebate.ballots.reading.ranks import rank_of
from agentdebate.ballots.reading.sentence import sentence_end, sentence_start
from agentdebate.ballots.reading.vetoes import is_attribute, is_void, joins_others
from agentdebate.ballots.words import words_of

_REMARK = 16
_LONGEST = 40
"""Words of a sentence; a longer one says too much to be a plain preference."""
_PREFERRING = (BETTER | WINNERS) - words_of(
    "answer selection result opinion evaluation point conclusion judgment judgement right correct call outcome finding final"
) | words_of(
    "prefer prefers choose chosen picks select votes wins won advantage favor favour side sided siding lean leaning ahead top prevails ranking rank ranks ranked choosing picking selecting voting suitable convincing compelling convinces recommend recommendation tips scales decides outdoes trumps gewinnt gagne gana voto elegi"
)
_LOSING = words_of(
    "match worse weaker inferior loses lose lost falls behind trails trailing lacks fails worst weakest lags"
)
_BESIDE = frozenset(
    [
        "than",
        "over",
        "not",
        "unlike",
        "against",
        "above",
        "versus",
        "vs",
        "beats",
        "outperforms",
        "surpasses",
        "outdoes",
        "trumps",
        "leaves",
        "isn't",
    ]
)
_PAIRS = frozenset(
    [
        ("rather", "than"),
        ("instead", "of"),
        ("ahead", "of"),
        ("compared", "with"),
        ("compared", "to"),
        ("opposed", "to"),
        ("place", "of"),
        ("short", "of"),
        ("behind", "the"),
        ("cannot", "match"),
        ("can't", "match"),
    ]
)
_NO_PREFERENCE = frozenset(["or", "both", "neither", "either", "if", "unless", "between", "which"])
_CALLED = BETTER | CHOSEN_NOUNS | WINNERS
"""What a text may be called, with an adjective that takes it back: "a poor choice", "the second best"."""
_ACTS = words_of("choose choosing pick picking select selecting vote voting prefer recommend")
"""Verbs of what the judge does; others may do it as well."""
_PAST_ACTS = words_of("preferred favored favoured")
"""With a text as their object, these are verbs of what others did."""
_SELF = words_of("i i'd i'll i'm we we'd me my us")
_HARDLY = words_of(
    "prefers chooses picks votes selects favours favors likes almost nearly hardly barely no how way itself does do doesn't"
)
"""In a sentence: others prefer, or it is hardly so."""
_BARE = (
    VERBLESS
    | words_of("and now rather than instead of not better ( ) over . \n end take ' \"")
    | frozenset('()"')
)


def is_set_aside(words: Sequence[str], at: int) -> bool:
    """Whether a name stands for the text that another one is preferred to: "instead of B", "rather than B", "not B"."""
    i = at - 1
    while i >= 0 and words[i] in {"the", '"', "(", "["}:
        i -= 1
    return i >= 0 and (words[i] == "unlike" or tuple(words[i - 1 : i + 1]) in _PAIRS)


def closing_preference(words: Sequence[str], heads: frozenset[int]) -> int | None:
    """The place, in the words, of the name that the closing sentence prefers; None where it prefers none, or not clearly.

    The texts in `heads` head lines of their own: with two of them, the last one heads what is said of it.
    """
    last = next((i for i in range(len(words) - 1, -1, -1) if named(words[i]) is not None), None)
    if last is None:
        return None
    start, end = sentence_start(words, last), sentence_end(words, last)
    if end - start > _LONGEST or not _closes(words, end):
        return None
    if len(heads) > 1 and last == start and words[last + 1 : last + 2] in (["\n"], [":"]):
        return None
    return _preferred(words, start, end)


def _closes(words: Sequence[str], end: int) -> bool:
    rest = words[end + 1 : end + _REMARK + 2]
    return not rest or len(rest) <= _REMARK


def _preferred(words: Sequence[str], start: int, end: int) -> int | None:
    """The place of the one text on the side that the sentence prefers."""
    sentence = words[start:end]
    places = [i for i in range(start, end) if named(words[i]) is not None]
    if _is_open(words, sentence, places):
        return None
    liked = _liked(words, start, sentence, places)
    if len({named(words[i]) for i in liked}) != 1:
        return None
    bare = all(word in _BARE or word in NOUNS or named(word) is not None for word in sentence)
    says = (
        bare
        or _is_pair(words, start, end)
        or ('"' not in sentence and (not _LOSING.isdisjoint(sentence) or _prefers(words, start, end)))
    )
    void = any(
        is_void(words, i)
        or is_attribute(words, i)
        or (rank_of(words, i) or 1) > 1
        or _is_refused(words, i)
        or is_named_so(words, i + 1)
        for i in liked
    )
    return liked[-1] if says and not void else None


def _is_pair(words: Sequence[str], start: int, end: int) -> bool:
    """Whether a sentence opens with a text that is put before another one, and only reasons follow: "A over B because it is correct"."""
    i = start + 1 + (words[start + 1 : start + 2] == [","])
    joint = 1 if words[i : i + 1] == ["over"] else 2
    joined = joint == 1 or tuple(words[i : i + 2]) in {("rather", "than"), ("instead", "of")}
    other = i + joint
    if not joined or other >= end or named(words[start]) is None or named(words[other]) is None:
        return False
    follow = words[other + 1 : end]
    return (
        not follow
        or follow[0] in _REASONS
        or (follow[0] == "," and follow[1:2] != [] and follow[1] in _REASONS)
    )


_REASONS = words_of("because since as given due hands by definitely clearly")


def _is_refused(words: Sequence[str], at: int) -> bool:
    """Whether the verb behind a name denies: "A cannot be the winner"; "A cannot be beaten" does not."""
    behind = words[at + 1 : at + 5]
    if not _LAST.isdisjoint(words[at + 1 : at + 7]):
        return True
    return (
        behind[:1] not in (["and"], [","], ["but"])
        and not _DENYING.isdisjoint(behind[:2])
        and _BEATEN.isdisjoint(behind)
    )


_DENYING = words_of("no cannot can't isn't doesn't won't wouldn't shouldn't not never")
_LAST = words_of("last bottom lowest second third runner")
_BEATEN = words_of("beaten matched topped surpassed equalled")


def _is_open(words: Sequence[str], sentence: Sequence[str], places: Sequence[int]) -> bool:
    """Whether a sentence names a text that is not there, leaves the choice open, or joins two texts."""
    foreign = any(
        named(words[i]) == FOREIGN or (is_owner(words[i]) and words[i + 1] not in NOUNS) for i in places
    )
    joined = len(places) > 1 and words[places[-1] - 1] == "and"
    return (
        foreign
        or joined
        or list(sentence[:2]) == ["far", "from"]
        or not (_HARDLY | _NO_PREFERENCE).isdisjoint(sentence)
        or _is_of_others(sentence)
        or _is_no_choice(words, sentence, places)
    )


def _is_of_others(sentence: Sequence[str]) -> bool:
    """Whether others prefer, and the judge does not speak of itself."""
    people = not (PEOPLE | _OTHERS).isdisjoint(sentence)
    whose = any(sentence[k + 1 : k + 2] == ["who"] for k, word in enumerate(sentence) if word in _WHOEVER)
    joined = joins_others(list(reversed(sentence)))
    return (people and _SELF.isdisjoint(sentence)) or (whose and not joined)


def _is_no_choice(words: Sequence[str], sentence: Sequence[str], places: Sequence[int]) -> bool:
    """Whether a sentence leads on to a text, tells its place, what was thought of before, or what is in it."""
    if sentence[0] in {"in", "next", "then", "to"} and named(sentence[1]) is not None:
        return True
    if list(sentence[:2]) in (["now", "to"], ["next", "to"], ["on", "to"], ["now", "for"]):
        return True
    thought = not _BEFORE.isdisjoint(sentence) and "now" not in sentence
    second = "second" in sentence and "first" not in sentence
    return (
        thought
        or second
        or any(
            words[i + 1 : i + 3] == ["is", "the"] and named(words[i + 3]) is not None
            for i in places
            if i + 3 < len(words)
        )
    )


_WHOEVER = words_of("those anyone anybody everyone everybody people others readers someone somebody some")
_OTHERS = words_of("majority judges most some many critic's referee's other colleague's")
_BEFORE = words_of("was considered considering contemplated thought")


def _liked(words: Sequence[str], start: int, sentence: Sequence[str], places: Sequence[int]) -> list[int]:
    """The places of the names on the side that the sentence prefers, and of those behind "now", if it says what holds now."""
    # "B leaves A behind": the text that is left behind has lost.
    left = not {"leaves", "left", "leaving"}.isdisjoint(sentence)
    losing = not (_LOSING - {"behind"} if left else _LOSING).isdisjoint(sentence)
    liked = [i for i in places if _is_beside(words, i, losing=losing) == losing]
    if "now" in sentence[:-1]:
        liked = [i for i in liked if i > start + sentence.index("now")]
    return liked


def _is_beside(words: Sequence[str], at: int, *, losing: bool) -> bool:
    """Whether a name stands for what another text is held against."""
    i = at - 1
    while (
        i >= 0
        and words[i] in {"the", '"', "(", "[", "that", "of"}
        and tuple(words[i - 1 : i + 1]) not in _PAIRS
    ):
        i -= 1
    if i < 0:
        return False
    near = words[max(i - 3, 0) : i + 1]
    if not losing and not NEGATION.isdisjoint(near) and {",", ":", ";", "but"}.isdisjoint(near):
        return True
    to = words[i] == "to" and (
        losing or not {"prefer", "preferred", "preferable", "superior"}.isdisjoint(words[max(i - 5, 0) : i])
    )
    return (
        words[i] in _BESIDE
        or (losing and words[i] == "behind")
        or to
        or tuple(words[i - 1 : i + 1]) in _PAIRS
    )


def _is_adverb(words: Sequence[str], at: int) -> bool:
    """Whether "better" says how a text does one thing: "A handles dialogue best", "A reads better than B"."""
    left, behind = words[at - 1 : at], words[at + 1 : at + 2]
    if words[at] not in {"best", "better"} or (behind and behind[0] not in _ADVERB_ENDS) or not left:
        return False
    return (
        left[0].isalpha() and named(left[0]) is None and left[0] not in _BEFORE_BETTER and left[0].isascii()
    )


_ADVERB_ENDS = frozenset(".,;!\n") | {"than"}
_BEFORE_BETTER = (
    PREDICATE_LEAD
    | BETTER
    | JUDGING
    | words_of(
        "even than asked task question reader job purpose prompt instruction instructions criteria request me one what no works does"
    )
)


def _prefers(words: Sequence[str], start: int, end: int) -> bool:
    """Whether a word of preference stands in the sentence, and in no single respect."""
    own = not _SELF.isdisjoint(words[start:end])
    signs = [
        i
        for i in range(start, end)
        if words[i] in _PREFERRING
        and (words[i] not in _CALLED or is_chosen(words, i))
        and (
            own
            or (words[i] not in _ACTS and not (words[i] in _PAST_ACTS and named(words[i + 1]) is not None))
        )
    ]
    limited = any(
        (words[i + 1] in {"on", "in", "for", "at"} or (words[i] == "advantage" and words[i + 1] == "of"))
        and FREE.isdisjoint(words[i + 2 : i + 4])
        and named(words[i + 2]) is None
        for i in signs
        if i + 2 < end
    )
    return (
        bool(signs)
        and not limited
        and not any(
            words[i] in BETTER and (is_restricted(words, i + 1) or _is_adverb(words, i)) for i in signs
        )
    )
