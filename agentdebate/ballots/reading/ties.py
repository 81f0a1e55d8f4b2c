"""The choice of no text: "it is a tie", "both are equally good", "no preference"."""

from collections.abc import Sequence

from agentdebate.ballots.reading.choice_words import (
    ALIKE,
    BEFORE_TIE,
    BETTER,
    CONCEDING,
    DENIED_BEST,
    EQUAL_TO,
    EQUALLY,
    EQUALLY_WHAT,
    IDIOMATIC,
    JUDGED,
    NO_DIFFERENCE,
    TIE_ALONE,
    TIE_SUBJECTS,
    TIES,
    WHOLE_RESPECTS,
    WITH_TIE,
)
from agentdebate.ballots.reading.condition import is_supposed
from agentdebate.ballots.reading.lexicon import NEGATION
from agentdebate.ballots.reading.names import NOUNS, PLURALS, named
from agentdebate.ballots.reading.placement import is_line
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.reading.sentence import sentence_end, sentence_start
from agentdebate.ballots.reading.statement import Finality
from agentdebate.ballots.reading.vetoes import clause_before, finality_of, is_of_others, is_past
from agentdebate.ballots.reading.winners import winner_of

_Found = tuple[Rule, Finality]

_ALL_OF_SENTENCE = (
    ["equally", "good"],
    ["equally", "strong"],
    ["equally", "helpful"],
    ["same", "quality"],
    ["equal", "quality"],
    ["neither"],
)
"""Sentences that say no more than that there is a tie."""
_SHORT = 7
"""Words of a sentence that only says that there is a tie."""
_CLOSE = 6
"""Words behind "neither" or "no" in which what they deny stands."""


def tie_at(words: Sequence[str], at: int) -> _Found | None:
    """The choice of no text, by a word for a tie."""
    start, end = sentence_start(words, at), sentence_end(words, at)
    if words[at] in {"preference", "either"}:
        own = _own(words, at)
        return None if _is_asked_or_quoted(words, start, at, end) else _of_preference(words, at, own)
    # Most words for a tie state none, and to look for what voids a statement takes longest.
    found = _stated(words, at, start, end)
    if found is None or _is_asked_or_quoted(words, start, at, end):
        return None
    return None if _is_void(words, at, end, _own(words, at)) else found


_CALLING = frozenset(("call", "rate", "consider", "judge", "rank", "find", "deem", "say"))
"""Verbs for what is said of "either": "I would not call either one better"."""


def _own(words: Sequence[str], at: int) -> list[str]:
    # In "I cannot tell them apart" the negation belongs to the phrase.
    passed = _UNABLE | {"they", "their"} if words[at] in {"tell", "separate"} else {"they", "their"}
    return [word for word in clause_before(words, at) if word not in passed]


def _stated(words: Sequence[str], at: int, start: int, end: int) -> _Found | None:
    """The tie that a word states where nothing voids it."""
    if words[at] in {"equal", "equals"} and is_line(words, at, at + 1):
        return "line", Finality.FORM
    if words[at] in EQUAL_TO and all(word in EQUAL_TO or word in TIE_ALONE for word in words[start:end]):
        return "tie", finality_of(words, at, Finality.PROSE)
    if words[start:end] in _ALL_OF_SENTENCE and (end + 1 >= len(words) or start == 0):
        return "line", Finality.FORM
    if _is_idiom(words, at) and _TURNING.isdisjoint(words[start:end]):
        return "tie", Finality.PROSE
    if _is_named_none(words, at, end):
        return winner_of(words, at, at + 1)
    return _of_noun(words, at, start, end) if words[at] in TIES else _of_sentence(words, at, start, end)


def _is_named_none(words: Sequence[str], at: int, end: int) -> bool:
    """Whether a word behind a label says that neither text is the winner; "Winner: none" alone may as well say that there is no verdict."""
    if words[at] not in {"neither", "none", "equal"} or words[at - 1 : at] not in ([":"], ['"']):
        return False
    return words[at] != "none" or not TIES.isdisjoint(words[at + 1 : end])


_IDIOMS = (
    ("neck", "and", "neck"),
    ("close", "to", "call"),
    ("dead", "heat"),
    ("six", "of", "one"),
    ("honours", "even"),
    ("honors", "even"),
    ("tell", "them", "apart"),
    ("separate", "them"),
    ("separate", "the", "two"),
    ("wash",),
)
"""Ways to say that there is a tie, by their first words, which IDIOMATIC in choice_words.py lists."""
_UNABLE = frozenset(("cannot", "can't", "couldn't", "nothing"))


def _is_idiom(words: Sequence[str], at: int) -> bool:
    """Whether a word begins a set phrase for a tie: "neck and neck", "too close to call", "I cannot tell them apart"."""
    if words[at] not in IDIOMATIC:
        return False
    phrase = next((one for one in _IDIOMS if tuple(words[at : at + len(one)]) == one), None)
    if phrase is None:
        return False
    if phrase[0] in {"tell", "separate"}:
        return not _UNABLE.isdisjoint(words[max(at - 4, 0) : at])
    if phrase[0] == "close":
        return words[at - 1 : at] == ["too"]
    return phrase[0] != "wash" or words[at - 1 : at] == ["a"]


def _is_asked_or_quoted(words: Sequence[str], start: int, at: int, end: int) -> bool:
    alone = words[at - 1] == '"' and words[at + 1 : at + 2] == ['"']
    quoted = words[start:at].count('"') % 2 == 1 and not alone
    return quoted or (end < len(words) and words[end] == "?")


def _is_void(words: Sequence[str], at: int, end: int, own: Sequence[str]) -> bool:
    """Whether the clause denies or supposes a tie, or says it for others or of before."""
    denied = any(word in NEGATION or word in {"no", "if", "unless"} for word in own)
    denied |= not _COULD.isdisjoint(words[at + 1 : at + 2])
    denied |= not _NEARLY.isdisjoint(own[:_CLOSE]) or (not _WEIGHED.isdisjoint(own) and "i" in own)
    denied |= "only" in words[at + 1 : end] and "if" in words[at + 1 : end]
    denied |= _leans(words[at + 1 : end])
    return denied or is_supposed(words, at) or is_of_others(own) or is_past(own, words[at:end])


def _leans(behind: Sequence[str]) -> bool:
    """Whether one of the texts, and no other, is preferred behind a tie: "a tie, with a slight edge to B", "a tie, leaning A"."""
    if _LEANING.isdisjoint(behind) or not NEGATION.isdisjoint(behind) or not _SETTLED.isdisjoint(behind):
        return False
    texts = [k for k, word in enumerate(behind) if _is_text(behind, k, word)]
    return len({behind[k] for k in texts}) == 1 and any(
        not _LEANING_TO.isdisjoint(behind[max(k - _AHEAD, 0) : k])
        or (list(behind[k + 1 : k + 2]) == ["is"] and "ahead" in behind[k + 2 : k + 2 + _AHEAD])
        for k in texts
    )


def _is_text(behind: Sequence[str], k: int, word: str) -> bool:
    if named(word) is not None:
        return True
    alone = k + 1 == len(behind) or behind[k + 1] == "is" or not behind[k + 1].isalnum()
    return len(word) == 1 and word.isalpha() and (word not in {"a", "i"} or alone)


_LEANING_TO = frozenset(("edge", "leaning", "lean", "leans", "nod", "advantage", "preference"))
_LEANING = _LEANING_TO | {"ahead"}
_AHEAD = 3
"""Words between such a word and the name."""
_SETTLED = BETTER | {"no", "neither", "nor", "both", "same", "equally", "wins", "offset", "balanced", "of"}
"""With one of these no text is preferred, or another rule reads that it is, so that there are two judgements."""
_COULD = frozenset(("would", "could", "might", "may"))
"""Behind a tie: it is only thought of ("A tie would be fair, but ...")."""
_NEARLY = frozenset(("close", "almost", "nearly", "practically", "near"))
"""Before a tie: it is none, by little."""
_WEIGHED = frozenset(
    (
        "considered",
        "contemplated",
        "thought",
        "tempted",
        "hesitated",
        "weighed",
        "toyed",
        "wanted",
        "expected",
    )
)
"""What the judge thought of, and did not choose."""


def _of_preference(words: Sequence[str], at: int, own: Sequence[str]) -> _Found | None:
    """No preference is stated: "I do not have a preference", "I would not prefer either"."""
    named_better = (
        words[at] == "either"
        and not BETTER.isdisjoint(words[at + 1 : at + 4])
        and "than" not in words[at + 1 : at + 6]
    )
    chosen = "prefer" in own[:3] or "have" in own[:4] or (named_better and not _CALLING.isdisjoint(own[:3]))
    denied = not NEGATION.isdisjoint(own) and chosen
    return ("tie", finality_of(words, at, Finality.PROSE)) if denied else None


def _of_noun(words: Sequence[str], at: int, start: int, end: int) -> _Found | None:
    """A noun for a tie: all of a sentence or a line, behind a noun for the winner, or said to be the case."""
    if words[at + 1 : at + 2] and words[at + 1] in {"breaker", "together", "in"}:
        return None
    if (
        words[max(at - 2, 0) : at] == ["in", "a"]
        and words[start] not in {"it", "this", "so"}
        and not _MATCH.isdisjoint(words[start:at])
    ):
        return None
    alone = end - start < _SHORT and all(word in TIES or word in TIE_ALONE for word in words[start:end])
    if words[at] == "even" and not alone:
        return None
    if alone or is_line(words, at, at + 1):
        return "tie", Finality.FINAL if "final" in words[max(at - 5, 0) : at] else Finality.FORM
    winner = winner_of(words, at, at + 1)
    if winner is not None:
        return "tie", winner[1]
    tied = (words[at - 1] if at else "\n") in BEFORE_TIE or _is_verb_of_all(words, at)
    return ("tie", finality_of(words, at, Finality.PROSE)) if tied else None


def _is_verb_of_all(words: Sequence[str], at: int) -> bool:
    """Whether "tie" is what the texts do, and not in one respect: "A and B tie", "they tie"."""
    if words[at] not in {"tie", "tied", "draw"} or (at + 1 < len(words) and words[at + 1] not in _TIE_ENDS):
        return False
    names = words[at - 2 : at - 1] == ["and"] and None not in (named(words[at - 1]), named(words[at - 3]))
    return names or words[at - 1] in _ALL_TEXTS


_ALL_TEXTS = PLURALS | {"both", "they", "two"}
_TIE_ENDS = frozenset("\n.,;!") | {"overall", "here", "for", "because", "since", "as"}
_MATCH = frozenset(("match", "game", "vote", "election", "ended", "ends", "final", "race", "contest"))
"""What ends in a draw in a story."""


def _of_sentence(words: Sequence[str], at: int, start: int, end: int) -> _Found | None:
    """Words of equality: "Both are equally good", "A and B are of the same quality", "neither is better"."""
    before, behind = words[start:at], words[at + 1 : end]
    least = _equality(words[at], before, behind)
    if least is None or not (_TURNING.isdisjoint(before) and _TURNING.isdisjoint(behind)):
        return None
    if words[at] == "no" and before[-2:] != [] and named(before[-2] if len(before) > 1 else "") is not None:
        return None
    return "tie", finality_of(words, at, least)


_TURNING = CONCEDING | {"but", "however", "yet", "except"}


def _equality(word: str, before: Sequence[str], behind: Sequence[str]) -> Finality | None:
    """How final it is that a word says that texts are equal, between these words of its sentence."""
    if word in {"neither", "no", "nothing"}:
        return Finality.PROSE if _denies_difference(word, behind) else None
    if word not in {"good", "strong"} and not _is_of_several(before):
        return None
    if word in EQUAL_TO:
        return Finality.PROSE if _is_whole(behind) and not _is_of_respect(before) else Finality.HINT
    if word == "comparable":
        # What is comparable need not be equal, unless it is the quality.
        return Finality.PROSE if behind[:1] == ["quality"] and behind[1:2] in ([], [","]) else Finality.HINT
    return _of_degree(word, before, behind)


def _is_of_several(before: Sequence[str]) -> bool:
    """Whether what an equality is said of are several texts."""
    names = sum(named(word) is not None for word in before)
    return names > 1 or not TIE_SUBJECTS.isdisjoint(before)


def _denies_difference(word: str, behind: Sequence[str]) -> bool:
    """Whether "neither", "no" or "nothing" denies that one is better, in no single respect."""
    close = behind[:_CLOSE]
    if word == "no" and behind[:1] == ["one"] and not _COULD.isdisjoint(behind[1:2]):
        return False  # "No one would say that A is better": of people
    if word == "nothing":
        return not {"choose", "separate", "between"}.isdisjoint(close)
    denied = NO_DIFFERENCE | (
        DENIED_BEST if word == "neither" or (behind[:1] != [] and behind[0] in NOUNS) else frozenset()
    )
    if denied.isdisjoint(close):
        return False
    whole = "quality" in close or "overall" in close
    restricted = "in" in close[:4] or ("for" in close[1:3] and "preference" not in close)
    return whole or not restricted


def _is_of_respect(before: Sequence[str]) -> bool:
    """Whether one respect is the subject: "the accuracy of both answers is equivalent"."""
    of = next(
        (
            k
            for k, word in enumerate(before)
            if word in {"of", "in"} and k and not TIE_SUBJECTS.isdisjoint(before[k + 1 : k + 4])
        ),
        0,
    )
    return of > 0 and before[of - 1].isalpha() and before[of - 1] not in WHOLE_RESPECTS


def _is_whole(behind: Sequence[str]) -> bool:
    """Whether nothing restricts an equality: "equal in quality", and not "equal in length"."""
    return not behind or (behind[0] in WITH_TIE and "quality" in [*behind[:3], "quality"])


def _of_degree(word: str, before: Sequence[str], behind: Sequence[str]) -> Finality | None:
    """The finality of "equally good", "the same", "just as good"."""
    if word in {"good", "strong"}:
        names = {named(one) for one in [*before, *behind]} - {None}
        between = before[-1:] == ["as"] and behind[:1] == ["as"] and len(names) > 1
        return (
            Finality.PROSE
            if between and NEGATION.isdisjoint(before) and behind[2:3] in ([], ["overall"])
            else None
        )
    if word in ALIKE:
        return Finality.PROSE if behind[:2] == ["as", "good"] or behind[:2] == ["as", "strong"] else None
    if word not in EQUALLY:
        return None
    if behind[:1] in ([], [","], ["because"]) and not JUDGED.isdisjoint(before):
        return Finality.PROSE
    if not behind or list(behind) == ["to", "me"]:
        return Finality.PROSE
    return Finality.PROSE if not EQUALLY_WHAT.isdisjoint(behind[:2]) else Finality.HINT
