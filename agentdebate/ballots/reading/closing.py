"""The number that a reply closes or opens with, in a sentence of the judge's own that no other rule reads.

A judge can put a score in more ways than any list of constructions holds ("It comes down to a 4", "In numbers: 4"). What is common to
them is the place, a number that fits the scale, and that nothing in the sentence gives the number to something else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.bound import is_bound
from agentdebate.ballots.reading.calculation import COUNTING
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lead import lead_before
from agentdebate.ballots.reading.lexicon import (
    APPROVING,
    BOUNDARY,
    CLASSES,
    CONCLUDING,
    FOLLOW,
    GIVING,
    OTHER_ASPECTS,
    PARTS,
    PEOPLE,
    PREPOSITIONS,
    RATED,
    SCORE_NOUNS,
)
from agentdebate.ballots.reading.pieces import Piece, Pieces
from agentdebate.ballots.reading.prose import is_of_phrase
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS, sentence_end, sentence_start
from agentdebate.ballots.reading.subject import is_possessive, is_strangers
from agentdebate.ballots.words import words_of

_REMARK = 16
"""Pieces of a remark that may close a reply behind its score."""
_OPENING = 14
"""Pieces in which a reply that opens with its score gives it."""
_SELF = words_of("i i'd i'll i'm i've me my mine we we'd our us")
_SIGNS = (
    _SELF
    | SCORE_NOUNS
    | RATED
    | CONCLUDING
    | words_of("number numbers aspect criterion it's that's so then thus")
)
_EARNING = _SELF | words_of(
    "earns earn gets get deserves deserve receives receive worth merits merit out reaches reach collects scores"
)
"""With points or stars counted: they are a score, and not what a text makes or a team scores."""
_IMPRESSION = words_of("impression assessment evaluation overall vergebe gebe verdict")
_OF_OTHERS = words_of(
    "somebody anybody someone anyone anything something everything texts scores ratings marks count readers others last other "
    "better typical average ideal perfect flawless reference former earlier previous next ought should half page chapter version highest lowest confidence certainty almost nearly title itself easy mistake tempting median test index maximum minimum ceiling"
)
"""Words in the sentence that make its number another text's, another judge's, or no score at all."""
_HAVING = words_of("has have contains holds carries")
_TELLING = words_of("ignore please answer write return output give assign award")
"""At the head of a sentence: somebody is told what to give."""
_MODALS = words_of("might may could would")
_DEFINING = words_of(
    "mean means meant meaning need needs require requires expect expects want wants reserved denotes represents describe describes stands possible starts"
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
    if first < _OPENING and sentence_start(pieces, first) == 0 and sentence_start(pieces, last) > 0:
        yield from _of_sentence(pieces, first, taken, high)


def _closes(pieces: Sequence[Piece], at: int) -> bool:
    """Whether nothing comes behind a sentence but a short remark in a line of its own."""
    end = sentence_end(pieces, at)
    while end < len(pieces) and pieces[end] in SENTENCE_ENDS | {")", '"'} and pieces[end] != "\n":
        end += 1
    rest = pieces[end : end + _REMARK + 1]
    return not rest or (rest[0] == "\n" and len(rest) <= _REMARK and ":" not in rest)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence with numbers in it: where it starts, the places of its numbers, and its words."""

    pieces: Sequence[Piece]
    start: int
    places: list[int]
    words: frozenset[str]

    @property
    def is_own(self) -> bool:
        """Whether the judge speaks of itself."""
        return not _SELF.isdisjoint(self.words)

    @property
    def goes_on(self) -> bool:
        """Whether it goes on from a number that was thought of first."""
        return any(clause.is_superseded(self.pieces, i) for i in self.places)


def _sentence(pieces: Sequence[Piece], at: int) -> _Sentence:
    start, end = sentence_start(pieces, at), sentence_end(pieces, at)
    places = [i for i in range(start, end) if isinstance(pieces[i], Value)]
    return _Sentence(pieces, start, places, frozenset(p for p in pieces[start:end] if isinstance(p, str)))


def _of_sentence(pieces: Sequence[Piece], at: int, taken: frozenset[int], high: float) -> Iterator[int]:
    """The scores of a sentence, unless another rule reads it, or a veto holds for it as a whole."""
    if at in taken:
        return
    sentence = _sentence(pieces, at)
    if not taken.isdisjoint(sentence.places):
        return
    if any(veto(sentence) for veto in _VETOES):
        own = _own_clause(sentence, at)
        if own is None or any(veto(own) for veto in _VETOES):
            return
        sentence = own
    places = [i for i in sentence.places if _may_be_score(sentence, i, high)]
    if any(_is_score(pieces, i, sentence.words, high) for i in places):
        yield from places


def _is_counted(sentence: _Sentence) -> bool:
    """Whether the sentence counts or compares things, so that its last clause does so as well."""
    words, pieces = sentence.words, sentence.pieces
    counted = any(
        i + 1 < len(pieces)
        and str(pieces[i + 1]).endswith("s")
        and str(pieces[i + 1]).isalpha()
        and pieces[i + 1] not in FOLLOW
        and pieces[i - 1] not in PEOPLE
        for i in sentence.places[:-1]
        if not _has_unit(pieces[i])
    )
    return counted or not ((COUNTING - {"number"}) | _COMPARING).isdisjoint(words)


def _has_unit(piece: Piece) -> bool:
    return isinstance(piece, Value) and piece.unit


_COMPARING = words_of("compare comparing resemble resembles")


def _own_clause(sentence: _Sentence, at: int) -> _Sentence | None:
    """The clause with which a sentence ends, if the judge speaks in it of its own: "..., but I stop at 4"."""
    pieces, end = sentence.pieces, sentence_end(sentence.pieces, at)
    start = next((i for i in range(at - 1, sentence.start, -1) if pieces[i] in _SPLITTING), None)
    if start is None:
        return None
    scaled = not _SCALING.isdisjoint(_strings(pieces[sentence.start : start])) and pieces[start + 1] in _IT
    denied = pieces[sentence.start] == "not"
    bare = start + 1 == at and pieces[start] == ":" and (sentence.is_own or denied)
    if _is_counted(sentence) and not (bare and denied):
        return None
    if not (bare or scaled or pieces[start + 1] in _SPEAKING) or not _PAST.isdisjoint(
        _strings(pieces[start:at])
    ):
        return None
    places = [i for i in sentence.places if i > start]
    return _Sentence(pieces, start + 1, places, frozenset(_strings(pieces[start + 1 : end])))


def _strings(pieces: Sequence[Piece]) -> list[str]:
    return [piece for piece in pieces if isinstance(piece, str)]


_SPLITTING = frozenset([",", ":", "-", "but", "so", "and", "yet", "hence", "thus", "therefore"])
_SPEAKING = words_of("i i'd i'll i'm we we'd my")


_SCALING = words_of("being means worst best highest lowest perfect flawless")
"""Words of what the ends of the scale mean."""
_IT = words_of("it this it's that's")


def _is_anothers(sentence: _Sentence) -> bool:
    """Whether it is about other texts, other judges or another aspect, or says what the scale means."""
    words = sentence.words
    named = any(is_aspect(word) for word in words)
    return not (
        _OF_OTHERS | _DEFINING | (COUNTING - {"number"}) | (PEOPLE - {"critic", "others"})
    ).isdisjoint(words) or (not named and not OTHER_ASPECTS.isdisjoint(words))


def _is_strangers(sentence: _Sentence) -> bool:
    """Whether an owner stands in it who is neither the judge nor what is rated."""
    pieces = sentence.pieces
    return not sentence.is_own and any(
        is_strangers(pieces, i) and pieces[i + 1] in SCORE_NOUNS
        for i in range(sentence.start, sentence.places[-1])
    )


def _is_told(sentence: _Sentence) -> bool:
    """Whether somebody is told what to give, or something has a number ("The film has a 4"), and the judge is not in it."""
    having = not _HAVING.isdisjoint(sentence.words)
    return not sentence.is_own and (having or sentence.pieces[sentence.start] in _TELLING)


def _is_of_numbered(sentence: _Sentence) -> bool:
    """Whether a number says which text is meant ("Summary 2 gets ...")."""
    pieces, start = sentence.pieces, sentence.start
    numbered = (
        pieces[i - 1] in RATED - {"it", "this", "that"} and pieces[i + 1 : i + 2] != ["/"]
        for i in sentence.places
        if i > start
    )
    return not sentence.is_own and any(numbered)


def _is_row(sentence: _Sentence) -> bool:
    """Whether numbers follow each other in a row ("4, 5")."""
    pieces = sentence.pieces
    return any(pieces[i + 1 : i + 2] in ([","], ["|"]) and i + 2 in sentence.places for i in sentence.places)


def _is_count(sentence: _Sentence) -> bool:
    """Whether it tells the number of something."""
    if "number" not in sentence.words:
        return False
    at = sentence.pieces.index("number", sentence.start)
    return sentence.pieces[at + 1 : at + 2] == ["of"]


def _is_before(sentence: _Sentence) -> bool:
    """Whether it tells what the judge held before, or thought about, and nothing else."""
    words = sentence.words
    past = not (_BEFORE.isdisjoint(words) or _PAST.isdisjoint(words)) or {"thought", "about"} <= words
    return past and not sentence.goes_on


def _is_foreign(sentence: _Sentence) -> bool:
    """Whether a sentence that opens with a noun has another subject than what is rated or its score: a game, an exam."""
    pieces, start = sentence.pieces, sentence.start
    if pieces[start] not in _DETERMINERS or not (_SELF | {"it", "this"}).isdisjoint(sentence.words):
        return False
    subject = pieces[start + 1 : start + 4]
    if list(subject[1:3]) in (["of", "the"], ["for", "the"]) and not (
        pieces[start + 4] in RATED or is_aspect(pieces[start + 4])
    ):
        return True
    return not any(isinstance(piece, Value) or piece in _SUBJECTS or is_aspect(piece) for piece in subject)


def _is_other_score(sentence: _Sentence) -> bool:
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
        pieces[i] in SCORE_NOUNS and not _is_before_noun(pieces[i - 1])
        for i in range(start + 1, sentence.places[-1])
    )


def _is_before_noun(left: Piece) -> bool:
    """Whether a piece before a score noun is no noun that says which score."""
    if (
        isinstance(left, Value)
        or not left[0].isalpha()
        or not left.isascii()
        or is_aspect(left)
        or is_possessive(left)
    ):
        return True
    return (
        is_of_phrase(left)
        or left in PARTS
        or left in PREPOSITIONS
        or left in _SELF
        or left in RATED
        or left in GIVING
        or left in BOUNDARY
        or left in APPROVING
    )


def _is_withheld(sentence: _Sentence) -> bool:
    """Whether it says that a score is out of reach: no reason for it, hard to justify, only wished for, or come near to."""
    said = f" {' '.join(_strings(sentence.pieces[sentence.start : sentence_end(sentence.pieces, sentence.start)]))} "
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


_VETOES = (
    _is_withheld,
    _is_other_score,
    _is_anothers,
    _is_told,
    _is_of_numbered,
    _is_row,
    _is_count,
    _is_before,
    _is_foreign,
    _is_counted,
    _is_strangers,
)
"""What keeps all of a sentence's numbers from being scores."""
_DETERMINERS = words_of("the a an his her their our its")
_SUBJECTS = (
    (RATED - words_of("paragraph sentence statement turn code"))
    | SCORE_NOUNS
    | words_of("points sum total tally mean average result outcome fit")
)


def _is_possible(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the number's clause says what might be, and not what the judge would give ("I would say 4", "it would be fair to give it 4")."""
    own = [piece for piece in clause.before(pieces, at) if isinstance(piece, str)]
    opens = own[-1:] in (["it"], ["this"], ["that"])
    said = (
        not _SELF.isdisjoint(own)
        or own[-1:] in (["that'd"], ["it'd"])
        or (opens and ("to" in own or "would" in own))
    )
    if "would" in own and not _TAKING.isdisjoint(own):
        return True
    return not said and not _MODALS.isdisjoint([*own, *clause.after(pieces, at)])


_TAKING = words_of("take need require")
"""Of what a score would take."""


def _may_be_score(sentence: _Sentence, at: int, high: float) -> bool:
    """Whether a number is no higher than the scale, stands where a score would, and neither is counted nor only possible."""
    pieces, value = sentence.pieces, sentence.pieces[at]
    assert isinstance(value, Value)  # the places are those of numbers
    fits = value.over == high or (value.over is None and value.numbers[0] <= high)
    return (
        fits
        and _is_led(pieces, at)
        and not (is_bound(pieces, at) or _is_possible(pieces, at) or _is_counting(pieces, at, sentence.words))
    )


def _is_counting(pieces: Sequence[Piece], at: int, words: frozenset[str]) -> bool:
    """Whether points or stars are what a text makes, and not what it earns."""
    value, following = pieces[at], pieces[at + 1 : at + 2]
    earned = not (_EARNING | _IMPRESSION).isdisjoint(words) or (
        pieces[at - 1 : at] in (["a"], ["an"]) and following != [] and following[0] in RATED
    )
    return isinstance(value, Value) and value.unit and not earned


def _is_led(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a number stands where a score would: behind an article, a preposition, or what is rated."""
    left = pieces[at - 1] if at else "\n"
    if _is_apart(pieces, at, left):
        return False
    if lead_before(pieces, at).head < at - 1 or left in _LEADING:
        return True
    given = left in RATED and any(piece in GIVING for piece in pieces[max(at - 5, 0) : at - 1])
    return left in BOUNDARY or left in GIVING or given or is_aspect(left)


def _is_apart(pieces: Sequence[Piece], at: int, left: Piece) -> bool:
    """Whether what stands before a number makes it part of a scale, a remark in brackets, a thing that is known, or another label's."""
    value = pieces[at]
    whole = pieces[at + 1 : at + 2] == [")"] and pieces[sentence_start(pieces, at)] in {
        "the",
        "this",
        "overall",
    }
    plural = str(pieces[at - 2]).endswith("s") if at > 1 else True
    scored = isinstance(value, Value) and value.over is not None and (value.unit or (whole and not plural))
    if "scale" in pieces[max(at - 2, 0) : at] or (left == "(" and not scored):
        return True
    classed = pieces[at + 1 : at + 2] != [] and pieces[at + 1] in CLASSES
    kept = pieces[at - 2 : at - 1] in (["change"], ["keep"], ["alter"], ["revise"])
    return (left == "the" and not (classed or kept)) or (left == ":" and not _leads_on(pieces, at - 1))


def _leads_on(pieces: Sequence[Piece], colon: int) -> bool:
    """Whether a colon stands behind words of a sentence, or one that concludes, and not behind the name of something else."""
    start, named = sentence_start(pieces, colon), pieces[colon - 1] if colon else "\n"
    if isinstance(named, Value) or is_aspect(named) or ":" in pieces[start:colon]:
        return False
    return colon - start > 1 or named in CONCLUDING or named in {"so", "then", "thus"}


_REASONED = (
    [",", "since"],
    [",", "because"],
    [",", "as"],
    ["rather", "than"],
    [",", "not"],
    ["it", "is"],
    [",", "all"],
    ["instead", "of"],
    ["and", "not"],
)
_LEADING = frozenset(["\n", "take", "my", "its", "it", "it's", "that's", "them"])


def _is_score(pieces: Sequence[Piece], at: int, words: frozenset[str], high: float) -> bool:
    """Whether the sentence speaks of a score, or the number has an article, or is a fraction of the scale by itself."""
    lead, value = lead_before(pieces, at), pieces[at]
    assert isinstance(value, Value)  # the caller looks for numbers
    opens = pieces[at - 1 : at] in ([], ["\n"], ["."], [":"])
    if opens and list(pieces[at + 1 : at + 3]) in _REASONED:
        return True
    alone = value.over == high and (lead.head < 0 or pieces[lead.head] in BOUNDARY)
    summed_up = pieces[at - 1 : at] in ([":"], [","]) and pieces[sentence_start(pieces, at)] in _SUMMING_UP
    if _is_all(pieces, at):
        return True
    bare = pieces[at - 1 : at] == [":"] and at > 1 and pieces[sentence_start(pieces, at)] in _SELF | {"not"}
    return lead.article or alone or summed_up or bare or _speaks_of_score(pieces, at, words)


def _is_all(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a number is all of a sentence that goes on from another: "It just misses the top; 4."."""
    if at < _LEAST or pieces[at - 1] not in {";", "."} or pieces[at + 1 : at + 2] not in ([], ["."], ["\n"]):
        return False
    left = pieces[at - 2]
    if pieces[at - 1] == ";":
        return True
    return isinstance(left, str) and len(left) > 4 and left.isalpha()  # noqa: PLR2004 - not an abbreviation: "vol. 4"


_LEAST = 2


def _speaks_of_score(pieces: Sequence[Piece], at: int, words: frozenset[str]) -> bool:
    """Whether the sentence has a word of who judges, of a score or of what is rated; "the answer to the riddle" is not what is rated."""
    if any(is_aspect(word) for word in words) or not (_SIGNS - RATED).isdisjoint(words):
        return True
    start = sentence_start(pieces, at)
    return any(pieces[i] in RATED and pieces[i + 1 : i + 2] not in _OF for i in range(start, at))


_OF: tuple[list[str], ...] = ([], ["of"], ["to"], ["in"], ["for"], ["on"])
_SUMMING_UP = words_of("after with given considering in all by on bottom as everything")
