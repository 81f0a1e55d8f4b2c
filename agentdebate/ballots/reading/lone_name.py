"""The last resort for choices: the one name in the closing line, behind words of choosing and a mark, where nothing speaks against it.

As lone.py has it for scores. Beside that, two sentences that may close a reply are read here: one text is said to do something better
than the other, or the vote is said to go from one to another.

Works on words and marks, in which a sign stands for each name of a text (see names.py).
"""

from collections.abc import Sequence

from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.citation import is_cited
from agentdebate.ballots.reading.lexicon import (
    CHANGES,
    CONDITION,
    EARLIER,
    NEGATION,
    OTHER_ASPECTS,
    OTHERS,
    PEOPLE,
)
from agentdebate.ballots.reading.names import FOREIGN, NOUNS, PLURALS, SIGNS, TIE, Names, is_owner, named
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS, sentence_end, sentence_start
from agentdebate.ballots.reading.statement import Finality, Statement
from agentdebate.ballots.words import words_of

_LONGEST = 16
"""Words of a line that labels its choice; a longer one is prose."""
_REMARK = 16
"""Words of a remark that may close a reply behind its choice."""
_SEPARATORS = frozenset(":=→-|]>")
_OPENERS = frozenset("([<{\"'|*")
_CLOSERS = frozenset(")]>}\"'|*.!")
_CHOOSING = words_of(
    "choice choices choose chosen chose pick picked picks preference preferred prefer vote voted votes verdict decision decided winner winning best better "
    "selected selection select favourite favorite judgment judgement recommendation recommended superior strongest stronger ruling conclusion answer "
    "result outcome output finding"
)
"""Words of what is chosen, and of choosing."""
_LABELLING = (
    _CHOOSING
    | NOUNS
    | PLURALS
    | words_of(
        "the a an my our this that i i'd we is was here final overall clear clearly definite definitely cast made given reached taken label letter key name "
        "number id of by for as to all in between among them these those two three four and so thus hence therefore ultimately judge's evaluator's judge "
        "evaluator rater assessor personal own official one most convincing be would must go goes with more me"
    )
) - words_of("paragraph caption headline passage")
"""All that a label of a choice may hold."""
_CASTING = words_of("cast vote voted voting votes vote's")
"""Before "for" at the end of a label."""
_JUDGES = words_of("judge judge's evaluator evaluator's rater assessor instructions")
"""In a label these name the judge that fills the form in."""
_HAZARDS = (
    NEGATION
    | CONDITION
    | EARLIER
    | OTHER_ASPECTS
    | (OTHERS - _JUDGES)
    | (PEOPLE - _JUDGES)
    | words_of(
        "worse worst weaker weakest least less loser losing second third runner runner-up rejected eliminated discarded except unlike besides "
        "would could might may can maybe perhaps possibly probably either or between random example examples format template insert placeholder "
        "longer shorter longest shortest title opening ending length style tone order position shown read number question reason reasons "
        "strength strengths weakness weaknesses advantages point points round turn version last next then until near nearly almost "
        "no none nobody most some usually often sometimes yesterday today week was were had being until wait before after claims says reads pending streak party words against about"
    )
) - words_of("final overall")
_SERVING = words_of(
    "serves served helps helped does did answers answered meets met fulfils fulfills fits follows followed handles handled performs performed suits satisfies "
    "solves solved addresses addressed works worked"
)
"""What a text does as a whole: to explain, or to open, is one respect."""
_MEANWHILE = words_of(
    "in of on at with for because when if though but and while by style tone some many opens ends starts begins opened ended started began sounds looks"
)
"""Between a name and "better than", or behind the other name, these limit what is better."""


def lone_choice(words: Sequence[str], names: Names) -> Statement[int] | None:
    """The choice by the last resort; None where nothing, or more than one name, is left."""
    at = _last(words, names)
    if at is None:
        return None
    start, end = sentence_start(words, at), sentence_end(words, at)
    if end - start > _LONGEST or words[end : end + 1] == ["?"] or is_cited(words, at):
        return None
    sentence = list(words[start:end])
    if sentence.count('"') % 2 or clause.is_quoted(words, at):
        return None
    place = _compared(sentence) if words[at] in SIGNS else None
    if place is None and _is_labelled(words, start, at, end):
        place = names.keys.get(words[at]) if named(words[at]) is None else named(words[at])
    if place is None or place == FOREIGN:
        return None
    return Statement(0, place, "label", Finality.FORM, at)


def is_mislabelled(words: Sequence[str], at: int) -> bool:
    """Whether a label before a colon makes a name another thing than the choice: "Winner last year: A", "Not the winner: A"."""
    if words[at - 1 : at] != [":"]:
        return False
    label = words[sentence_start(words, at) : at - 1]
    return SIGNS.isdisjoint(label) and not (_HAZARDS - {"first"}).isdisjoint(label)


def _last(words: Sequence[str], names: Names) -> int | None:
    """The last name, or the last key at the end of a line, if nothing follows its sentence but a short remark."""
    for at in range(len(words) - 1, max(len(words) - _REMARK - _LONGEST - 2, -1), -1):
        lone_key = words[at] in names.keys and _ends(words, at)
        if words[at] in SIGNS or lone_key:
            end = sentence_end(words, at)
            while end < len(words) and words[end] in _CLOSERS:
                end += 1
            rest = words[end:]
            remark = rest[:1] == ["\n"] and len(rest) <= _REMARK and ":" not in rest
            return at if not rest or remark else None
    return None


def _ends(words: Sequence[str], at: int) -> bool:
    """Whether a sentence, or the reply, ends behind a key, and a mark or "is" stands before it."""
    i = at + 1
    while i < len(words) and words[i] in _CLOSERS - {".", "!"}:
        i += 1
    k = at - 1
    while k > 0 and words[k] in _OPENERS:
        k -= 1
    over = i >= len(words) or words[i] in SENTENCE_ENDS - {"?"}
    return over and k >= 0 and words[k] in _SEPARATORS | {"is", ","}


def _is_labelled(words: Sequence[str], start: int, at: int, end: int) -> bool:
    """Whether a name is all that a label of choosing has behind it, and no word of the line speaks against it."""
    i = at - 1
    while i > start and words[i] in _OPENERS:
        i -= 1
    behind = [word for word in words[at + 1 : end] if word not in _CLOSERS]
    if i <= start or behind or is_owner(words[at]):
        return False
    label = [word for word in words[start:i] if word[0].isalpha() or word in SIGNS or word.isdigit()]
    if not label:
        return False
    is_said = words[i] == "is" and label[:1] in (["my"], ["the"]) and len(label) <= 4  # noqa: PLR2004 - "my final answer"
    concluded = words[i] == "," and label in (["so"], ["thus"], ["hence"], ["therefore"], ["overall"])
    if words[i] not in _SEPARATORS and not is_said and not concluded:
        return False
    chosen = not _CHOOSING.isdisjoint(label)
    harmless = (_HAZARDS - _LABELLING).isdisjoint(label) and _LABELLING.issuperset(label)
    led_on = label[-1] in _LEADING_ON and not (label[-1] == "for" and not _CASTING.isdisjoint(label[-2:]))
    return concluded or (chosen and harmless and not led_on)


_LEADING_ON = words_of("of for to in by as and between among than with")
"""At the end of a label: what follows is what the noun is of."""


def _compared(sentence: Sequence[str]) -> int | None:
    """The text of two that a whole sentence calls the better one."""
    places = [k for k, word in enumerate(sentence) if word in SIGNS]
    others = [word for word in sentence if word not in SIGNS]
    if any(is_owner(sentence[k]) for k in places) or _is_doubtful(others):
        return None
    if len(places) == 2:  # noqa: PLR2004 - two texts
        better = _better_than(sentence, *places)
        return _moved(sentence, *places) if better is None else better
    return None


def _is_doubtful(words: Sequence[str]) -> bool:
    sure = _HAZARDS - words_of("was were user users reader readers")
    return not sure.isdisjoint(words)


def _better_than(sentence: Sequence[str], one: int, other: int) -> int | None:
    """The text that is said to do better than another: "A serves the user better than B does"."""
    between, behind = list(sentence[one + 1 : other]), list(sentence[other + 1 :])
    lead = [
        word
        for word in sentence[:one]
        if word not in {",", "so", "overall", "thus", "therefore", "hence", "i", "think", "believe", "that"}
    ]
    whole = between[-2:] == ["better", "than"] and between[:1] != [] and between[0] in _SERVING
    whole = whole and _MEANWHILE.isdisjoint(between[:-2])
    if lead or not whole or behind not in ([], ["does"], ["did"], ["overall"], ["does", "overall"]):
        return None
    place = named(sentence[one])
    return place if place is not None and place >= 0 and place != named(sentence[other]) else None


def _moved(sentence: Sequence[str], one: int, other: int) -> int | None:
    """The text that a vote is moved to: "I am changing my vote, which was A, to B"."""
    lead, between, behind = sentence[:one], list(sentence[one + 1 : other]), list(sentence[other + 1 :])
    moves = any(word in CHANGES or word in {"switch", "switching", "move", "moving"} for word in lead)
    own = not {"i", "i'm"}.isdisjoint(lead) and "my" in lead
    if not (moves and own and between in ([",", "to"], ["to"]) and not behind):
        return None
    place = named(sentence[other])
    return place if place is not None and (place >= 0 or place == TIE) else None
