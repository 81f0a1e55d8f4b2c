"""The adjectives before a noun for what is chosen: "the better answer" is chosen, "the shorter answer" is only described.

Adjectives are an open class, so those of preference are listed, and any other one makes the noun a description.
"""

from collections.abc import Sequence

from agentdebate.ballots.reading.choice_words import BEST_NOUNS, BETTER, INFERIOR, WINNERS
from agentdebate.ballots.reading.lexicon import AUXILIARIES, EARLIER, NEGATION, PARTS
from agentdebate.ballots.reading.names import NOUNS, is_owner, named
from agentdebate.ballots.reading.placement import OPEN
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS
from agentdebate.ballots.words import words_of

CHOSEN_NOUNS = NOUNS | words_of(
    "choice option pick selection result opinion evaluation outcome finding call point recommendation conclusion contender entry submission "
    "text piece version candidate work performer"
)
"""Nouns that any adjective may stand before; "winner" and "verdict" are chosen whatever does."""
_LONGEST = 6
"""Words of a noun phrase."""
_DETERMINERS = words_of(
    "a an the my our your this that these its his her their one's der die das den la le el il lo de het een une un una ein eine meine mein mi ma mon mia minha"
)
_STOPS = (
    SENTENCE_ENDS
    | frozenset(",:()[]\"'§•=→|")
    | AUXILIARIES
    | NEGATION
    | words_of(
        "i i'd i'll i'm we it and or so thus hence therefore but that as of in on at by for to with from into about after before between among than which who "
        "is was are be choose chose pick picked select selected prefer vote give gives say says think believe consider find declare name judge deem conclude because since while "
        "if when given considering based here there now yes no okay ok sure two three four"
    )
)
_DEGREES = words_of(
    "more most much far very slightly a little bit somewhat even by clear and , single one only own clearly just overall"
)
_PREFERRING = (
    BETTER
    | BEST_NOUNS
    | _DEGREES
    | (EARLIER - {"last"})
    | words_of(
        "first winning chosen selected preferred recommended clear obvious ultimate definitive main primary first-choice number-one ideal optimal greatest proper good great "
        "right correct true actual judge's assistant's evaluator's ai final combined pairwise comparison comparative evaluation overall verdict vote answer answers response responses output outputs choice summary "
        "summaries text texts story stories option candidate model assistant system winner decision personal personally definite official strong suitable convincing compelling persuasive appropriate "
        "helpful useful satisfying satisfactory effective deserving desirable successful accurate reliable trustworthy impressive high-quality higher-quality best-performing better-performing outstanding leading first-place top-ranked top-rated favored "
        "favoured victorious triumphant judgement judgment original unanimous final-answer letter key label"
    )
) - INFERIOR
"""What may stand before a noun that is chosen."""
_LESSER = INFERIOR | words_of(
    "second third fourth next last least less wrong incorrect bad poor terrible dull runner-up"
)

_BEATEN = _LESSER | NEGATION


def phrase_start(words: Sequence[str], noun: int) -> int:
    """Where the words begin that stand before a noun and say which one it is."""
    start = noun
    while start > 0 and noun - start < _LONGEST:
        left = words[start - 1]
        if left == "-" and start > 1 and words[start - 2] in _BEATEN:
            start -= 1
            continue
        if (
            left in _DETERMINERS
            or left in _STOPS
            or left.endswith("'s")
            or named(left) is not None
            or is_owner(left)
        ):
            break
        start -= 1
    return start


def is_chosen(words: Sequence[str], noun: int) -> bool:
    """Whether the adjectives before a noun leave it what is chosen: none at all, or such as prefer."""
    start = phrase_start(words, noun)
    modifiers = words[start:noun]
    if words[noun] not in CHOSEN_NOUNS:
        return _BEATEN.isdisjoint(modifiers)
    return all(_is_preferring(word) for word in modifiers)


def is_described(words: Sequence[str], at: int) -> bool:
    """Whether a label before a name calls its text something that is not chosen: "Shorter answer: A", "Flawed: [[A]]"."""
    i = at - 1
    while i > 0 and words[i] in _OPENERS:
        i -= 1
    headed = i > 1 and words[i] == "\n" and "§" in words[max(i - _LONGEST, 0) : i]
    if i < 1 or not (words[i] == ":" or headed):
        return False
    if words[i - 1] in CHOSEN_NOUNS:
        return not is_chosen(words, i - 1)
    first = i
    while first > 0 and words[first - 1] not in _LINE_STARTS and i - first < _LONGEST:
        first -= 1
    label = words[first:i]
    if not label or len(label) > _LABEL or any(named(word) is not None for word in label):
        return False
    if not _LESSER.isdisjoint(label):
        return True
    alone = len(label) == 1 or label[-2] in _DEGREES
    unknown = words[i - 1] not in _LABELS
    return alone and unknown and (len(label) > 1 or words[i - 1].endswith(_ADJECTIVES))


_OPENERS = OPEN - {"§"}
_LABEL = 3
"""Words of a label that may be nothing but an adjective with its degree."""
_LINE_STARTS = frozenset("\n§.")
_LABELS = (
    _PREFERRING
    | WINNERS
    | words_of("number reasoning ranking rating grading judging reviewer consider however rather after")
)
_ADJECTIVES = ("er", "est", "ed", "ing", "ous", "ful", "less", "able", "ible")


def is_named_so(words: Sequence[str], end: int) -> bool:
    """Whether words behind a name call its text something that is not chosen: "as the shorter answer", "is the wrong choice"."""
    if words[end : end + 1] not in (["as"], ["is"]) or words[end + 1 : end + 2] not in _ARTICLES:
        return False
    noun = next((i for i in range(end + 2, min(end + _NAMING, len(words))) if words[i] in _CALLED), None)
    inferior = not INFERIOR.isdisjoint(words[end : end + _NAMING])
    return inferior or (noun is not None and not is_chosen(words, noun))


_ARTICLES = (["the"], ["a"], ["an"], ["my"], ["our"])
_CALLED = CHOSEN_NOUNS | WINNERS
_NAMING = 7
"""Words of "as the much shorter answer"."""


def _is_preferring(word: str) -> bool:
    degree = word.endswith("ly") and word not in NEGATION
    return word in _PREFERRING or degree or "f" in PARTS.get(word, "")
