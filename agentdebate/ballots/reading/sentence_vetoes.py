"""What keeps all numbers of a sentence from being scores: it counts, defines, compares, or speaks of something else."""

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.calculation import COUNTING
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lexicon import (
    FOLLOW,
    OTHER_ASPECTS,
    PARTS,
    PEOPLE,
    RATED,
    SCORE_NOUNS,
)
from agentdebate.ballots.reading.number_sentence import PAST, SELF, NumberSentence, has_unit
from agentdebate.ballots.reading.pieces import strings_of
from agentdebate.ballots.reading.score_noun import is_other_score
from agentdebate.ballots.reading.sentence import sentence_end
from agentdebate.ballots.reading.subject import is_strangers
from agentdebate.ballots.words import words_of

_OF_OTHERS = words_of(
    "somebody anybody someone anyone anything something everything texts scores ratings marks count readers others last other "
    "better typical average ideal perfect flawless reference former earlier previous next ought should half page chapter version highest lowest confidence certainty almost nearly title itself easy mistake tempting median test index maximum minimum ceiling"
)
"""Words in the sentence that make its number another text's, another judge's, or no score at all."""
_HAVING = words_of("has have contains holds carries")
_TELLING = words_of("ignore please answer write return output give assign award")
"""At the head of a sentence: somebody is told what to give."""
_DEFINING = words_of(
    "mean means meant meaning need needs require requires expect expects want wants reserved denotes represents describe describes stands possible starts"
)
_BEFORE = words_of("first initially originally previously earlier once")


def is_counted(sentence: NumberSentence) -> bool:
    """Whether the sentence counts or compares things, so that its last clause does so as well."""
    words, pieces = sentence.words, sentence.pieces
    counted = any(
        i + 1 < len(pieces)
        and str(pieces[i + 1]).endswith("s")
        and str(pieces[i + 1]).isalpha()
        and pieces[i + 1] not in FOLLOW
        and pieces[i - 1] not in PEOPLE
        for i in sentence.places[:-1]
        if not has_unit(pieces[i])
    )
    return counted or not ((COUNTING - {"number"}) | _COMPARING).isdisjoint(words)


_COMPARING = words_of("compare comparing resemble resembles")


def _is_anothers(sentence: NumberSentence) -> bool:
    """Whether it is about other texts, other judges or another aspect, or says what the scale means."""
    words = sentence.words - {"average"} if _is_called_average(sentence) else sentence.words
    named = any(is_aspect(word) for word in words)
    return not (
        _OF_OTHERS | _DEFINING | (COUNTING - {"number"}) | (PEOPLE - {"critic", "others"})
    ).isdisjoint(words) or (not named and not OTHER_ASPECTS.isdisjoint(words))


def _is_called_average(sentence: NumberSentence) -> bool:
    """Whether the sentence calls what is rated average, and speaks of no average text: "This is an average summary: 3/5"."""
    opening = sentence.pieces[sentence.start : sentence.start + 4]
    return opening[0] in {"this", "it"} and opening[1:] == ["is", "an", "average"]


def _is_strangers(sentence: NumberSentence) -> bool:
    """Whether an owner stands in it who is neither the judge nor what is rated."""
    pieces = sentence.pieces
    return not sentence.is_own and any(
        is_strangers(pieces, i) and pieces[i + 1] in SCORE_NOUNS
        for i in range(sentence.start, sentence.places[-1])
    )


def _is_told(sentence: NumberSentence) -> bool:
    """Whether somebody is told what to give, or something has a number ("The film has a 4"), and the judge is not in it."""
    having = not _HAVING.isdisjoint(sentence.words)
    told = sentence.pieces[sentence.start] in _TELLING and not _is_bid(sentence)
    return not sentence.is_own and (having or told)


def _is_content(sentence: NumberSentence) -> bool:
    """Whether the number is what a text covers or names, or when something happens in it: "It covers about 4.", "It takes place around 4."."""
    return any(_is_of_content(sentence, at) for at in sentence.places)


def _is_of_content(sentence: NumberSentence, at: int) -> bool:
    verb = at - 1
    while verb > sentence.start and sentence.pieces[verb] in _NEARLY:
        verb -= 1
    return verb > sentence.start and sentence.pieces[verb] in _CONTENT


_NEARLY = words_of("about around roughly approximately only just some at")
_CONTENT = words_of(
    "covers covered mentions mentioned lists listed names named omits omitted includes included uses used repeats repeated quotes quoted cites cited lacks "
    "misses happens happened occurs occurred place"
)
"""Verbs of what is in a text, with the number as their object; "place" is the end of "takes place"."""


def _is_bid(sentence: NumberSentence) -> bool:
    """Whether a sentence bids no more than to give it the number, as a judge may say: "Give it 3."."""
    pieces, start, at = sentence.pieces, sentence.start, sentence.places[0]
    said = [piece for piece in pieces[start:at] if piece not in {"a", "an"}]
    return said[1:] in (["it"], ["this"], ["this", "one"]) and at + 1 >= sentence_end(pieces, start)


def _is_of_numbered(sentence: NumberSentence) -> bool:
    """Whether a number says which text is meant ("Summary 2 gets ...")."""
    pieces, start = sentence.pieces, sentence.start
    numbered = (
        pieces[i - 1] in RATED - {"it", "this", "that"} and pieces[i + 1 : i + 2] != ["/"]
        for i in sentence.places
        if i > start
    )
    return not sentence.is_own and any(numbered)


def _is_row(sentence: NumberSentence) -> bool:
    """Whether numbers follow each other in a row ("4, 5")."""
    pieces = sentence.pieces
    return any(pieces[i + 1 : i + 2] in ([","], ["|"]) and i + 2 in sentence.places for i in sentence.places)


def _is_count(sentence: NumberSentence) -> bool:
    """Whether it tells the number of something."""
    if list(sentence.pieces[sentence.start : sentence.start + 2]) in (["there", "are"], ["there", "were"]):
        return True
    if "number" not in sentence.words:
        return False
    at = sentence.pieces.index("number", sentence.start)
    return sentence.pieces[at + 1 : at + 2] == ["of"]


def _is_before(sentence: NumberSentence) -> bool:
    """Whether it tells what the judge held before, or thought about, and nothing else."""
    words = sentence.words
    past = not (_BEFORE.isdisjoint(words) or PAST.isdisjoint(words)) or {"thought", "about"} <= words
    return past and not sentence.goes_on


def _is_foreign(sentence: NumberSentence) -> bool:
    """Whether a sentence that opens with a noun has another subject than what is rated or its score: a game, an exam."""
    pieces, start = sentence.pieces, sentence.start
    if pieces[start] not in _DETERMINERS or not (SELF | {"it", "this"}).isdisjoint(sentence.words):
        return False
    subject = pieces[start + 1 : start + 4]
    if list(subject[1:3]) in (["of", "the"], ["for", "the"]) and not (
        pieces[start + 4] in RATED or is_aspect(pieces[start + 4])
    ):
        return True
    return not any(isinstance(piece, Value) or piece in _SUBJECTS or is_aspect(piece) for piece in subject)


def _is_other_score(sentence: NumberSentence) -> bool:
    """Whether a noun before "score" makes it a score of something else ("the plagiarism score"), or a numbered part gets it."""
    pieces, start = sentence.pieces, sentence.start
    if (
        len(sentence.places) > 1
        and start + 1 == sentence.places[0]
        and str(pieces[start]).isalpha()
        and pieces[start] not in PARTS
    ):
        return True
    return any(
        pieces[i] in SCORE_NOUNS and is_other_score(pieces, i) for i in range(start + 1, sentence.places[-1])
    )


def _is_withheld(sentence: NumberSentence) -> bool:
    """Whether it says that a score is out of reach: no reason for it, hard to justify, only wished for, or come near to."""
    said = f" {' '.join(strings_of(sentence.pieces[sentence.start : sentence_end(sentence.pieces, sentence.start)]))} "
    return "wish" in sentence.words or any(f" {phrase} " in said for phrase in _WITHHOLDING)


_WITHHOLDING = (
    *(f"no {ground} for" for ground in ("reason", "case", "grounds", "basis", "justification", "argument")),
    *(
        f"{hard} to {act}"
        for hard in ("hard", "difficult", "impossible")
        for act in ("justify", "defend", "support", "argue", "award", "give")
    ),
    "close to",
    "at least",
)
VETOES = (
    _is_withheld,
    _is_other_score,
    _is_anothers,
    _is_told,
    _is_content,
    _is_of_numbered,
    _is_row,
    _is_count,
    _is_before,
    _is_foreign,
    is_counted,
    _is_strangers,
)
"""What keeps all of a sentence's numbers from being scores."""
_DETERMINERS = words_of("the a an his her their our its")
_SUBJECTS = (
    (RATED - words_of("paragraph sentence statement turn code"))
    | SCORE_NOUNS
    | words_of("points sum total tally mean average result outcome fit")
)
