"""The number that a reply closes or opens with, in a sentence of the judge's own that no other rule reads.

A judge can put a score in more ways than any list of constructions holds ("It comes down to a 4", "In numbers: 4"). What is common to
them is the place, a number that fits the scale, and that nothing in the sentence gives the number to something else.
"""

from collections.abc import Iterator, Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lead import lead_before
from agentdebate.ballots.reading.lexicon import (
    BOUNDARY,
    CLASSES,
    CONCLUDING,
    GIVING,
    OTHER_ASPECTS,
    RATED,
    SCORE_NOUNS,
)
from agentdebate.ballots.reading.pieces import Piece, Pieces
from agentdebate.ballots.words import words_of

_REMARK = 16
"""Pieces of a remark that may close a reply behind its score."""
_OPENING = 14
"""Pieces in which a reply that opens with its score gives it."""
_SELF = words_of("i i'd i'll i'm i've me my mine we we'd our us")
_SIGNS = _SELF | SCORE_NOUNS | RATED | CONCLUDING | words_of("number numbers aspect criterion it's that's so then thus")
_EARNING = _SELF | words_of("earns earn gets get deserves deserve receives receive worth merits merit out reaches reach collects scores")
"""With points or stars counted: they are a score, and not what a text makes or a team scores."""
_OF_OTHERS = words_of(
    "somebody anybody someone anyone anything something everything texts scores ratings marks count readers others last other "
    "better typical average ideal perfect flawless reference former earlier previous next ought should half page chapter version highest lowest confidence certainty almost nearly title"
)
"""Words in the sentence that make its number another text's, another judge's, or no score at all."""
_HAVING = words_of("has have contains holds carries")
_TELLING = words_of("ignore please answer write return output give assign award")
"""At the head of a sentence: somebody is told what to give."""
_MODALS = words_of("might may could would")
_DEFINING = words_of(
    "mean means meant meaning need needs require requires expect expects want wants reserved denotes represents describe describes stands possible"
)

_BEFORE = words_of("first initially originally previously earlier once")
_PAST = words_of("had thought gave was considered leaned felt rated scored ballot vote")
"""Together: what the judge held before."""


def closing_scores(pieces: Pieces, taken: frozenset[int], high: float) -> Iterator[int]:
    """The places of the numbers of the closing sentence, or of the opening one, that can only be scores."""
    values = [i for i in pieces.marks if isinstance(pieces[i], Value)]
    if not values:
        return
    last = values[-1]
    if _closes(pieces, last):
        yield from _of_sentence(pieces, last, taken, high)
    first = values[0]
    if first < _OPENING and clause.sentence_start(pieces, first) == 0 and clause.sentence_start(pieces, last) > 0:
        yield from _of_sentence(pieces, first, taken, high)


def _closes(pieces: Sequence[Piece], at: int) -> bool:
    """Whether nothing comes behind a sentence but a short remark in a line of its own."""
    end = clause.sentence_end(pieces, at)
    while end < len(pieces) and pieces[end] in clause.SENTENCE_ENDS | {")", '"'} and pieces[end] != "\n":
        end += 1
    rest = pieces[end : end + _REMARK + 1]
    return not rest or (rest[0] == "\n" and len(rest) <= _REMARK and ":" not in rest)


def _of_sentence(pieces: Sequence[Piece], at: int, taken: frozenset[int], high: float) -> Iterator[int]:
    start, end = clause.sentence_start(pieces, at), clause.sentence_end(pieces, at)
    places = [i for i in range(start, end) if isinstance(pieces[i], Value)]
    words = {piece for piece in pieces[start:end] if isinstance(piece, str)}
    if _SELF.isdisjoint(words) and (not _HAVING.isdisjoint(words) or pieces[start] in _TELLING):
        return
    if any(pieces[i - 1] in RATED and pieces[i + 1 : i + 2] != ["/"] for i in places if i > start and pieces[i - 1] not in {"it", "this", "that"}) and _SELF.isdisjoint(words):
        return
    if not _is_of_ours(pieces, start, words):
        return
    if not taken.isdisjoint(places) or ("number" in words and _is_counted(pieces, start)) or not _OF_OTHERS.isdisjoint(words) or _names_other(words):
        return
    if not _DEFINING.isdisjoint(words) or any(pieces[i + 1 : i + 2] in ([","], ["|"]) and i + 2 in places for i in places):
        return
    if {"thought", "about"} <= words and not any(clause.is_superseded(pieces, i) for i in places):
        return
    if not (_BEFORE.isdisjoint(words) or _PAST.isdisjoint(words)) and not any(clause.is_superseded(pieces, i) for i in places):
        return
    places = [i for i in places if _could_be(pieces, i, high) and _is_led(pieces, i) and not (_is_possible(pieces, i) or _is_counting(pieces, i, words))]
    if any(_is_score(pieces, i, words, high) for i in places):
        yield from places


def _is_of_ours(pieces: Sequence[Piece], start: int, words: set[str]) -> bool:
    """Whether a sentence that opens with a noun of its own has what is rated, or its score, for a subject, and not a game or an exam."""
    if pieces[start] not in _DETERMINERS or not (_SELF | {"it", "this"}).isdisjoint(words):
        return True
    subject = pieces[start + 1 : start + 4]
    if list(subject[1:3]) in (["of", "the"], ["for", "the"]) and not (pieces[start + 4] in RATED or is_aspect(pieces[start + 4])):
        return False
    return any(isinstance(piece, Value) or piece in _SUBJECTS or is_aspect(piece) for piece in subject)


_DETERMINERS = words_of("the a an his her their our its")
_SUBJECTS = (RATED - words_of("paragraph sentence statement turn code")) | SCORE_NOUNS | words_of("points sum total tally mean average result outcome fit")


def _is_possible(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the number's clause says what might be, and not what the judge would give ("I would say 4", "it would be fair to give it 4")."""
    own = [piece for piece in clause.before(pieces, at) if isinstance(piece, str)]
    opens = own[-1:] in (["it"], ["this"], ["that"])
    said = not _SELF.isdisjoint(own) or own[-1:] in (["that'd"], ["it'd"]) or (opens and ("to" in own or "would" in own))
    return (not said and not _MODALS.isdisjoint([*own, *clause.after(pieces, at)]))


def _is_counted(pieces: Sequence[Piece], start: int) -> bool:
    """Whether the sentence tells the number of something."""
    at = pieces.index("number", start)
    return pieces[at + 1 : at + 2] == ["of"]


def _names_other(words: set[str]) -> bool:
    return not OTHER_ASPECTS.isdisjoint(words) and not any(is_aspect(word) for word in words)


def _could_be(pieces: Sequence[Piece], at: int, high: float) -> bool:
    value = pieces[at]
    return isinstance(value, Value) and (value.over == high or (value.over is None and value.numbers[0] <= high))


def _is_counting(pieces: Sequence[Piece], at: int, words: set[str]) -> bool:
    """Whether points or stars are what a text makes, and not what it earns."""
    value, following = pieces[at], pieces[at + 1 : at + 2]
    earned = not _EARNING.isdisjoint(words) or (pieces[at - 1 : at] in (["a"], ["an"]) and following != [] and following[0] in RATED)
    return isinstance(value, Value) and value.unit and not earned


def _is_led(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a number stands where a score would: behind an article, a preposition, or what is rated."""
    left = pieces[at - 1] if at else "\n"
    if "scale" in pieces[max(at - 2, 0) : at] or left == "(" or (left == "the" and not (pieces[at + 1 : at + 2] != [] and pieces[at + 1] in CLASSES)):
        return False
    if left == ":" and not _leads_on(pieces, at - 1):
        return False
    if lead_before(pieces, at).head < at - 1 or left in _LEADING:
        return True
    if left in {",", "|"} and at > 1 and isinstance(pieces[at - 2], Value):
        return False  # one of several numbers in a row
    given = left in RATED and any(piece in GIVING for piece in pieces[max(at - 5, 0) : at - 1])
    return left in BOUNDARY or left in GIVING or given or is_aspect(left)


def _leads_on(pieces: Sequence[Piece], colon: int) -> bool:
    """Whether a colon stands behind words of a sentence, or one that concludes, and not behind the name of something else."""
    start, named = clause.sentence_start(pieces, colon), pieces[colon - 1] if colon else "\n"
    if isinstance(named, Value) or is_aspect(named) or ":" in pieces[start:colon]:
        return False
    return colon - start > 1 or named in CONCLUDING or named in {"so", "then", "thus"}


_REASONED = ([",", "since"], [",", "because"], [",", "as"], ["rather", "than"], [",", "not"], ["it", "is"], [",", "all"], ["instead", "of"], ["and", "not"])
_LEADING = frozenset(["\n", "my", "its", "it", "it's", "that's", "them"])


def _is_score(pieces: Sequence[Piece], at: int, words: set[str], high: float) -> bool:
    """Whether the sentence speaks of a score, or the number has an article, or is a fraction of the scale by itself."""
    lead, value = lead_before(pieces, at), pieces[at]
    assert isinstance(value, Value)  # the caller looks for numbers
    reasoned = pieces[at - 1 : at] in ([], ["\n"], ["."], [":"]) and list(pieces[at + 1 : at + 3])[:2] in _REASONED
    if reasoned:
        return True
    alone = value.over == high and (lead.head < 0 or pieces[lead.head] in BOUNDARY)
    summed_up = pieces[at - 1 : at] in ([":"], [","]) and pieces[clause.sentence_start(pieces, at)] in _SUMMING_UP
    return lead.article or alone or summed_up or _speaks_of_score(pieces, at, words)


def _speaks_of_score(pieces: Sequence[Piece], at: int, words: set[str]) -> bool:
    """Whether the sentence has a word of who judges, of a score or of what is rated; "the answer to the riddle" is not what is rated."""
    if any(is_aspect(word) for word in words) or not (_SIGNS - RATED).isdisjoint(words):
        return True
    start = clause.sentence_start(pieces, at)
    return any(pieces[i] in RATED and pieces[i + 1 : i + 2] not in _OF for i in range(start, at))


_OF = ([], ["of"], ["to"], ["in"], ["for"], ["on"])
_SUMMING_UP = words_of("after with given considering in all by on bottom as everything")
