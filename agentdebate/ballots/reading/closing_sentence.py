"""The number that a reply closes or opens with, in a sentence of the judge's own that no other rule reads.

A judge can put a score in more ways than any list of constructions holds ("It comes down to a 4", "In numbers: 4"). What is common to
them is the place, a number that fits the scale, and that nothing in the sentence gives the number to something else.
"""

from collections.abc import Iterator, Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.bound import is_bound
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lead import lead_before
from agentdebate.ballots.reading.lexicon import BOUNDARY, CLASSES, CONCLUDING, GIVING, RATED, SCORE_NOUNS
from agentdebate.ballots.reading.number_sentence import PAST, SELF, NumberSentence, sentence_of
from agentdebate.ballots.reading.pieces import Piece, Pieces, strings_of
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS, sentence_end, sentence_start
from agentdebate.ballots.reading.sentence_vetoes import VETOES, is_counted
from agentdebate.ballots.words import words_of

_REMARK = 16
"""Pieces of a remark that may close a reply behind its score."""
_OPENING = 14
"""Pieces in which a reply that opens with its score gives it."""
_SIGNS = (
    SELF
    | SCORE_NOUNS
    | RATED
    | CONCLUDING
    | words_of("number numbers aspect criterion it's that's so then thus")
)
_EARNING = SELF | words_of(
    "earns earn gets get deserves deserve receives receive worth merits merit out reaches reach collects scores"
)
"""With points or stars counted: they are a score, and not what a text makes or a team scores."""
_IMPRESSION = words_of("impression assessment evaluation overall vergebe gebe verdict")
_MODALS = words_of("might may could would")


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


def _of_sentence(pieces: Sequence[Piece], at: int, taken: frozenset[int], high: float) -> Iterator[int]:
    """The scores of a sentence, unless another rule reads it, or a veto holds for it as a whole."""
    if at in taken:
        return
    sentence = sentence_of(pieces, at)
    if not taken.isdisjoint(sentence.places):
        return
    if any(veto(sentence) for veto in VETOES):
        own = _own_clause(sentence, at)
        if own is None or any(veto(own) for veto in VETOES):
            return
        sentence = own
    places = [i for i in sentence.places if _may_be_score(sentence, i, high)]
    if any(_is_score(pieces, i, sentence.words, high) for i in places):
        yield from places


def _own_clause(sentence: NumberSentence, at: int) -> NumberSentence | None:
    """The clause with which a sentence ends, if the judge speaks in it of its own: "..., but I stop at 4"."""
    pieces, end = sentence.pieces, sentence_end(sentence.pieces, at)
    start = next((i for i in range(at - 1, sentence.start, -1) if pieces[i] in _SPLITTING), None)
    if start is None:
        return None
    scaled = not _SCALING.isdisjoint(strings_of(pieces[sentence.start : start])) and pieces[start + 1] in _IT
    denied = pieces[sentence.start] == "not"
    bare = start + 1 == at and pieces[start] == ":" and (sentence.is_own or denied)
    if is_counted(sentence) and not (bare and denied):
        return None
    if not (bare or scaled or pieces[start + 1] in _SPEAKING) or not PAST.isdisjoint(
        strings_of(pieces[start:at])
    ):
        return None
    places = [i for i in sentence.places if i > start]
    return NumberSentence(pieces, start + 1, places, frozenset(strings_of(pieces[start + 1 : end])))


_SPLITTING = words_of(", : - but so and yet hence thus therefore")
_SPEAKING = words_of("i i'd i'll i'm we we'd my")
_SCALING = words_of("being means worst best highest lowest perfect flawless")
"""Words of what the ends of the scale mean."""
_IT = words_of("it this it's that's")


def _is_possible(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the number's clause says what might be, and not what the judge would give ("I would say 4", "it would be fair to give it 4")."""
    own = [piece for piece in clause.before(pieces, at) if isinstance(piece, str)]
    opens = own[-1:] in (["it"], ["this"], ["that"])
    said = (
        not SELF.isdisjoint(own)
        or own[-1:] in (["that'd"], ["it'd"])
        or (opens and ("to" in own or "would" in own))
    )
    if "would" in own and not _TAKING.isdisjoint(own):
        return True
    return not said and not _MODALS.isdisjoint([*own, *clause.after(pieces, at)])


_TAKING = words_of("take need require")
"""Of what a score would take."""


def _may_be_score(sentence: NumberSentence, at: int, high: float) -> bool:
    """Whether a number lies within the scale, stands where a score would, and neither is counted nor only possible."""
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
    given = left in RATED and any(piece in _HANDING for piece in pieces[max(at - 5, 0) : at - 1])
    return left in BOUNDARY or left in GIVING or given or is_aspect(left)


_HANDING = GIVING | {"hand", "offer", "concede", "allot"}
"""Verbs with two objects, the second of which is the score: "I would hand this two"."""


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
    bare = pieces[at - 1 : at] == [":"] and at > 1 and pieces[sentence_start(pieces, at)] in SELF | {"not"}
    return lead.article or alone or summed_up or bare or _speaks_of_score(pieces, at, words)


def _is_all(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a number is all of a sentence that goes on from another: "It just misses the top; 4."."""
    if (
        at < _LEAST
        or pieces[at - 1] not in {";", ".", "?"}
        or pieces[at + 1 : at + 2] not in ([], ["."], ["\n"])
    ):
        return False
    left = pieces[at - 2]
    if pieces[at - 1] == ";":
        return True
    if pieces[at - 1] == "?":
        # "My verdict? 3.": the question is asked for the answer's sake.
        return left in SCORE_NOUNS and at - _LEAST - sentence_start(pieces, at - _LEAST) <= _ASKED
    return isinstance(left, str) and len(left) > 1 and left.isalpha() and left not in _ABBREVIATIONS


_LEAST = 2
_ASKED = 3
"""Words of a question before its noun: "my overall verdict"."""
_ABBREVIATIONS = words_of(
    "vol no nos nr fig figs pp ch sec art st mr mrs ms dr prof vs ca eq ver ed par approx jan feb mar apr jun jul aug sep sept oct nov dec "
    "op cit al cf ex ref refs pt pts est min max tab app hmm hm um uh"
)
"""Before a full stop and a number: they go together ("vol. 4"), or the judge hesitates ("Hmm. 3")."""


def _speaks_of_score(pieces: Sequence[Piece], at: int, words: frozenset[str]) -> bool:
    """Whether the sentence has a word of who judges, of a score or of what is rated; "the answer to the riddle" is not what is rated."""
    if any(is_aspect(word) for word in words) or not (_SIGNS - RATED).isdisjoint(words):
        return True
    start = sentence_start(pieces, at)
    return any(pieces[i] in RATED and pieces[i + 1 : i + 2] not in _OF for i in range(start, at))


_OF: tuple[list[str], ...] = ([], ["of"], ["to"], ["in"], ["for"], ["on"])
_SUMMING_UP = words_of("after with given considering in all by on bottom as everything")
