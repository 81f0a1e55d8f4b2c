"""A number that its clause opens with, or that is all of its clause: "4 is fair", "for coherence, 4", "A solid 4."."""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lead import ROUGHLY, Lead, Tie, is_adverb
from agentdebate.ballots.reading.lexicon import APPROVING, CONCLUDING, EXTREMES, RATED, SCORE_NOUNS, SEEMING
from agentdebate.ballots.reading.pieces import Piece, strings_of
from agentdebate.ballots.reading.sentence import sentence_start
from agentdebate.ballots.reading.subject import words_of_sentence
from agentdebate.ballots.words import words_of


def tie_at_start(pieces: Sequence[Piece], at: int, lead: Lead) -> Tie | None:
    """A number that its clause opens with: as the subject of what approves it, or as all of it ("A solid 4.")."""
    if (
        lead.head > 0
        and pieces[lead.head] == ":"
        and ends_sentence(pieces, at)
        and _is_kept(pieces, lead.head)
    ):
        return Tie("conclusion")
    if lead.head > 0 and pieces[lead.head] == ":" and not _is_own_clause(pieces, lead.head):
        return None
    if _is_approved(pieces, at):
        return Tie("subject")
    if _is_of_topic(pieces, lead.head):
        ends = _opens_clause(pieces, lead.head - 2) and ends_sentence(pieces, at)
        return Tie("aspect", {int(str(pieces[lead.head - 1])[1:])}) if ends else None
    if not ends_sentence(pieces, at) or (lead.head >= 0 and pieces[lead.head] not in _BEFORE_ALL):
        return None
    return _whole_clause(pieces, at, lead)


def _whole_clause(pieces: Sequence[Piece], at: int, lead: Lead) -> Tie | None:
    """The tie of a number that is all of its clause, but for what leads up to it."""
    if lead.definite and not (lead.concluding and lead.head == at - 3):
        return None
    if lead.total and lead.separated:
        return Tie("total", total=True)
    value = value_at(pieces, at)
    before_all = lead.head >= 1 and pieces[lead.head] == "," and pieces[lead.head - 1] in CONCLUDING
    if lead.concluding or before_all or pieces[at + 1 : at + 3] == ["it", "is"]:
        return Tie("conclusion")
    counted = value.unit or value.over is not None or pieces[at + 1 : at + 2] == ["%"]
    given = pieces[at + 1 : at + 2] == ["for"] and lead.head < 0
    rough = lead.rough and pieces[lead.head + 1] in ROUGHLY and _is_of_text(pieces, lead.head)
    return Tie("verbless") if lead.article or counted or given or rough else None


def _is_of_text(pieces: Sequence[Piece], before: int) -> bool:
    """Whether a clause opens the reply, or stands behind a sentence on what is rated: "The text is readable. About 70."; not "How many words? About 70."."""
    if before < 0:
        return True
    said = strings_of(pieces[sentence_start(pieces, before) : before])
    return pieces[before] in {".", "!", "\n"} and not RATED.isdisjoint(said)


def _is_of_topic(pieces: Sequence[Piece], mark: int) -> bool:
    """Whether a mark ends a topic that names the aspect: "for coherence, 4"."""
    return (
        mark > 1
        and pieces[mark] in {",", ":"}
        and is_aspect(pieces[mark - 1])
        and pieces[mark - 2] in {"for", "on"}
    )


def _is_approved(pieces: Sequence[Piece], at: int) -> bool:
    """Whether what follows a number gives it by saying that it is right, that it fits, or that the judge stands there."""
    behind = [piece for piece in pieces[_past_aside(pieces, at) : at + 11] if not is_adverb(piece)][:6]
    words = strings_of(behind)
    if not behind:
        return False
    if behind[0] in SEEMING:
        said = next((p for p in behind if p not in SEEMING), "") if EXTREMES.isdisjoint(words) else ""
        named = said in {"the", "my", "a"} and SCORE_NOUNS.isdisjoint(words)
        if (said in APPROVING and not named) or said in SCORE_NOUNS or _is_fitting(behind):
            return True
    stands = behind[0] == "is" and behind[1:2] in (["what"], ["where"])
    if stands and not _STANDING.isdisjoint(strings_of(behind[2:4])):
        return True
    return behind[0] in _FITTING and not RATED.isdisjoint(words)


def _past_aside(pieces: Sequence[Piece], at: int) -> int:
    """The place behind a number, and behind an aside that says what it is not: "4, rather than 3, is ..."."""
    aside = list(pieces[at + 1 : at + 6])
    if aside[:1] == [","] and "," in aside[2:] and aside[1] in {"rather", "not", "and"}:
        return at + 3 + aside[2:].index(",") + 1
    return at + 1


def _is_fitting(behind: Sequence[Piece]) -> bool:
    """Whether what follows a number calls it the one that fits: "is the better match", "would be a fair rating"."""
    words = [word for word in strings_of(behind) if word not in SEEMING]
    if words[:1] in (["enough"], ["closer"], ["nearer"], ["closest"], ["nearest"]):
        return True
    named = words[:1] in (["the"], ["a"], ["my"]) and words[1:2] != [] and words[1] in APPROVING
    return named and not (SCORE_NOUNS | _FIT).isdisjoint(words[2:4])


_STANDING = words_of("i i'd i'll it this we")


_FIT = words_of("match fit choice number level value call description option")


_FITTING = words_of("describes fits suits captures matches reflects summarizes summarises")
"""Verbs by which a number, as their subject, is said to fit."""


def _opens_clause(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a sentence or a clause begins at this place."""
    return i == 0 or pieces[i - 1] in {".", ";", "\n", "!", ",", "and", "§"}


def _is_own_clause(pieces: Sequence[Piece], colon: int) -> bool:
    """Whether the judge speaks before a colon ("I agree with the scorer: a 4 is right"), and no label stands there."""
    said = words_of_sentence(pieces, colon)
    return not {"i", "i'd", "my", "we"}.isdisjoint(said) or not CONCLUDING.isdisjoint(said)


def _is_kept(pieces: Sequence[Piece], colon: int) -> bool:
    """Whether words before a colon say that the judge still gives what it gave: "No change from last round: 3"."""
    label = strings_of(pieces[sentence_start(pieces, colon) : colon])
    if label[:1] == ["unchanged"] or label[:2] == ["no", "change"]:
        return True
    return label[:2] == ["same", "as"] and not {"critic", "judge", "agent"} & set(label)


_BEFORE_ALL = frozenset(".;!?\n§,:-)") | {"but", "and"}


def _has_unit(piece: Piece) -> bool:
    return isinstance(piece, Value) and piece.unit


def ends_sentence(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence says no more of the number at a place: it ends there, or goes on with what was rated and why."""
    after = at + 1
    while after < len(pieces) and pieces[after] in {")", '"', "'", "]", "%"}:
        after += 1
    if pieces[after : after + 2] in (["it", "is"], ["it", "stays"]) or (
        pieces[after : after + 1] in ([","], ["and"]) and pieces[after + 1 : after + 2] == ["not"]
    ):
        return True
    if after < len(pieces) and _has_unit(pieces[at]) and not str(pieces[after])[0].isascii():
        after += 1
    if pieces[after : after + 1] == ["for"]:
        return bool(pieces[after + 1 : after + 2]) and (
            pieces[after + 1] in {"me", "this"}
            or any(is_aspect(piece) or piece in RATED for piece in pieces[after + 1 : after + 3])
        )
    return after >= len(pieces) or pieces[after] in {".", "\n", "!", ";", ":", "overall", "because", "since"}


def value_at(pieces: Sequence[Piece], at: int) -> Value:
    """The number at a place that holds one."""
    value = pieces[at]
    assert isinstance(value, Value)  # the caller looks for numbers
    return value
