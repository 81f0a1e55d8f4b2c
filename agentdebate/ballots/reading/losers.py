"""What calls a text the worse one of two, so that the other one is chosen: "Worse: A", "the weaker answer is A", "A is the poorer one".

Works on words and marks, in which a sign stands for each name of a text (see names.py).
"""

from collections.abc import Sequence

from agentdebate.ballots.reading.choice_words import BETTER, INFERIOR, JUDGING
from agentdebate.ballots.reading.lexicon import NEGATION, OTHER_ASPECTS
from agentdebate.ballots.reading.names import NOUNS, PLURALS
from agentdebate.ballots.reading.noun_phrase import CHOSEN_NOUNS, phrase_start
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS, sentence_end, sentence_start
from agentdebate.ballots.reading.statement import Finality
from agentdebate.ballots.reading.vetoes import finality_of, is_attribute, is_void
from agentdebate.ballots.words import words_of

_Found = tuple[Rule, Finality]
_LESS = frozenset(("less", "least"))
_QUALITIES = words_of(
    "good convincing suitable preferable preferred favorite favourite favored favoured helpful useful compelling satisfying satisfactory impressive "
    "persuasive desirable appropriate successful effective deserving adequate"
)
"""Of a text as a whole: what has less of them is the worse one."""
LOSING = INFERIOR | _LESS | words_of("loser loses lost")
"""Without one of these a reply calls no text worse."""
_NOUNS = INFERIOR | {"loser"}
_TYING = frozenset((":", "=", "is", "be", "→", "-", "\n"))
_LEAD = (
    _TYING
    | frozenset("([\"'\n")
    | words_of("clearly therefore thus still overall here would must remains to me then by far")
)
"""What may stand between a noun for the worse text and its name."""
_TEXTS = PLURALS | NOUNS
_OF_ALL = (
    ["of", "the", "two"],
    ["of", "these", "two"],
    ["of", "the", "pair"],
    ["of", "both"],
    ["between", "the", "two"],
)
_ALL_RESPECTS = (["in", "every", "respect"], ["in", "all", "respects"], ["in", "every", "way"])
_BEING = words_of("is was seems looks appears remains stays turns proves strikes")
_MAKING = JUDGING | words_of("makes make making leaves pick choose select vote")
"""Verbs that say what a text is by which they have it for their object."""
_DEGREES = words_of(
    "clearly much far slightly somewhat a bit little significantly considerably definitely overall still also by simply just certainly plainly obviously the as to be out me"
)
_MODIFIERS = INFERIOR | _DEGREES | {"my", "our", "two", "one", "other"}
_DENYING = NEGATION | OTHER_ASPECTS | BETTER
"""Before a noun phrase: it is denied, about one respect, or only what the better one is of ("the best of the worst")."""
_BEHIND = (
    SENTENCE_ENDS | frozenset(",)]\"'(-") | words_of("because since overall here for as and so but choice by")
)
_OPENING = words_of("verdict conclusion judgment judgement opinion assessment evaluation view summary")
"""Before a colon: what follows is a sentence, and no entry of a form."""
_LOSSES = (
    ["loses"],
    ["loses", "out"],
    ["lost"],
    ["falls", "behind"],
    ["falls", "short"],
    ["comes", "up", "short"],
    ["is", "the", "loser"],
    ["is", "the", "losing", "one"],
)


def with_worse(words: list[str]) -> list[str]:
    """The words with "worse" in place of "less convincing", "least helpful" and the like; "at least" stays."""
    if _LESS.isdisjoint(words):
        return words
    done, i = list[str](), 0
    while i < len(words):
        less = words[i] in _LESS and words[i - 1 : i] != ["at"] and words[i + 1 : i + 2] != []
        less = less and words[i + 1] in _QUALITIES
        done.append("worse" if less else words[i])
        i += 1 + less
    return done


def is_loser(words: Sequence[str], at: int, end: int) -> _Found | None:
    """By which rule, and how finally, the text that is named here is said to be the worse one; None where it is not."""
    found = _of_noun(words, at, end) or _of_predicate(words, at, end)
    return None if found is None or is_attribute(words, at) or is_void(words, at) else found


def _of_noun(words: Sequence[str], at: int, end: int) -> _Found | None:
    """A noun for the worse text that is tied to its name: "Loser: A", "the weaker of the two is A"."""
    if not _is_over(words, end):
        return None
    noun, tied = at - 1, False
    while noun >= 0 and words[noun] in _LEAD:
        tied |= words[noun] in _TYING
        noun -= 1
    if noun < 0 or not tied:
        return None
    noun = max(_before_all(words, noun), 0)
    start = phrase_start(words, noun)
    called = words[noun] in _NOUNS or (
        words[noun] in CHOSEN_NOUNS and words[noun - 1] in INFERIOR and noun > start
    )
    if not called or not _is_plain(words, start, noun):
        return None
    own_line = start == 0 or words[start - 1] == "\n"
    colon = not {":", "\n"}.isdisjoint(words[noun:at])
    return "winner", Finality.FORM if own_line or colon else finality_of(words, at, Finality.PROSE)


def _before_all(words: Sequence[str], noun: int) -> int:
    """The noun that "of the two" follows, with or without another noun behind it."""
    last = noun - 1 if words[noun] in _TEXTS else noun
    if list(words[max(last - 2, 0) : last + 1]) in _OF_ALL:
        return last - 3
    return last - 2 if list(words[max(last - 1, 0) : last + 1]) == ["of", "both"] else noun


def _is_plain(words: Sequence[str], start: int, noun: int) -> bool:
    """Whether nothing but degrees stands in a noun phrase before what calls a text worse, and nothing before it denies it."""
    if words[start - 1 : start] == ["to"]:
        return False  # "From best to worst: B, A"
    before = words[sentence_start(words, noun) : start]
    return _MODIFIERS.issuperset(words[start:noun]) and _DENYING.isdisjoint(before)


def _of_predicate(words: Sequence[str], at: int, end: int) -> _Found | None:
    """A predicate behind a name that calls its text worse: "A is the weaker answer", "I find A worse", "A loses"."""
    over = sentence_end(words, end)
    last = next((i for i in range(end, over) if words[i] in _BEHIND), over)
    entry = words[at - 1 : at] == [":"] and words[at - 2] not in _OPENING
    said = list(words[end:last]) in _LOSSES or (not entry and _is_called_worse(words, at, end))
    return ("predicate", finality_of(words, at, Finality.PROSE)) if said else None


def _is_called_worse(words: Sequence[str], at: int, end: int) -> bool:
    """Whether a copula behind a name, or a verb of judging before it, leads to a word for what is worse, and nothing restricts it."""
    i = end
    if words[i : i + 1] != [] and words[i] in _BEING:
        i += 1
    elif words[at - 1 : at] == [] or words[at - 1] not in _MAKING:
        return False
    while i < len(words) and (words[i] in _DEGREES or words[i].endswith("ly")):
        i += 1
    if i >= len(words) or words[i] not in _NOUNS:
        return False
    i += 1 + (words[i + 1 : i + 2] != [] and words[i + 1] in CHOSEN_NOUNS)
    whole = list(words[i : i + 3])
    return _is_over(words, i + 3 if whole in _OF_ALL or whole in _ALL_RESPECTS else i)


def _is_over(words: Sequence[str], i: int) -> bool:
    """Whether nothing restricts what was said, or says what it is worse than."""
    return (
        i >= len(words)
        or (words[i] in _BEHIND and (words[i] != "for" or words[i + 1 : i + 2] in (["the"], ["me"])))
        or list(words[i : i + 2]) == ["to", "me"]
    )
