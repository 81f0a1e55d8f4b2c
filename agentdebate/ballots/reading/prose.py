"""What ties a number to a judgement in a sentence: a noun, a verb, the aspect, or what is rated itself.

From the number leftwards stand determiners and adjectives, links ("of", "is", "at"), then the head. A head that is a score
noun, the aspect or a giving verb ties at once. Any other word may belong to what the score is given to ("give the
summary a 4"): then the verb, or the noun with its "for", is looked for further left in the clause.
"""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.bound import is_most
from agentdebate.ballots.reading.calculation import is_total
from agentdebate.ballots.reading.form import is_aspect, is_misspelt
from agentdebate.ballots.reading.lead import REACH, Lead, Tie, is_adverb, lead_before
from agentdebate.ballots.reading.lexicon import (
    AUXILIARIES,
    BOUNDARY,
    CONDITION,
    EARLIER,
    EXTREMES,
    GIVING,
    JUDGE_WORDS,
    MOVING,
    NEGATION,
    OTHER_ASPECTS,
    OTHERS,
    PARTS,
    POINTING,
    PREPOSITIONS,
    RATED,
    SCORE_NOUNS,
    SPEAKER,
    VERB_OR_NOUN,
)
from agentdebate.ballots.reading.opening_number import tie_at_start, value_at
from agentdebate.ballots.reading.pieces import Piece, strings_of
from agentdebate.ballots.reading.score_noun import ADJECTIVES, is_of_phrase, is_other_score
from agentdebate.ballots.reading.sentence import sentence_start
from agentdebate.ballots.reading.subject import (
    is_another,
    is_object,
    is_possessive,
    is_strangers,
    is_unreal,
    may_give,
    words_of_sentence,
)
from agentdebate.ballots.words import words_of


def tie(pieces: Sequence[Piece], at: int) -> Tie | None:
    """What ties the number at this place to a judgement; None where nothing does."""
    lead = lead_before(pieces, at)
    apposed = _of_apposition(pieces, at, lead)
    found = Tie("verb") if is_most(pieces, at) else apposed or _of_head(pieces, at, lead)
    if found is not None:
        found.final |= lead.final
        found.total |= lead.total
    return found


def _of_apposition(pieces: Sequence[Piece], at: int, lead: Lead) -> Tie | None:
    """The tie of a number that says again which end of the scale is given: "deserves the lowest score, 1"."""
    comma = at - 1 - (pieces[at - 1] == "a") if at else 0
    if comma < _APPOSED or pieces[comma] != "," or pieces[comma - 1] not in SCORE_NOUNS:
        return None
    end = comma - 2 - (pieces[comma - 2] == "possible")
    verb = end - 1 - (pieces[end - 1] == "the")
    if pieces[end] not in EXTREMES or verb < 0 or not _is_verb(pieces, verb):
        return None
    words = words_of_sentence(pieces, at)
    unsure = not (NEGATION | CONDITION | _THOUGHT_OF).isdisjoint(words)
    return None if unsure else _of_verb(pieces, verb, comma, lead)


_APPOSED = 4
"""Pieces of "gives the lowest score" before the comma."""
_THOUGHT_OF = words_of("would could might may")


def _of_head(pieces: Sequence[Piece], at: int, lead: Lead) -> Tie | None:
    head = pieces[lead.head] if lead.head >= 0 else "\n"
    if is_total(pieces, at):
        return Tie("total", total=True)
    if isinstance(head, Value):
        return None
    if lead.summed:
        return Tie("total", total=True)
    if is_aspect(head) or (_names_score(pieces, lead.head) and not _is_verb(pieces, lead.head)):
        return _of_name(pieces, at, lead, head)
    if value_at(pieces, at).unit and not (
        head.isascii() and _EASTERN_GIVING.isdisjoint(strings_of(pieces[at + 1 : at + 4]))
    ):
        return Tie("verb")
    return _of_other(pieces, at, lead, head)


def _of_name(pieces: Sequence[Piece], at: int, lead: Lead, head: str) -> Tie | None:
    """The tie by the aspect's name or a score noun, where a link, a mark or the clause's end ties it to the number."""
    tied = lead.linked or lead.separated
    if is_aspect(head):
        tied = (tied or lead.article or _ends(pieces, at)) and not _is_compound(pieces, lead.head)
        return _with_subject(pieces, lead.head, Tie("aspect", {int(head[1:])})) if tied else None
    if lead.copula and not EXTREMES.isdisjoint(words_of_sentence(pieces, lead.head)):
        return None
    tied = (
        tied
        or "l" in PARTS.get(head, "")
        or not head.isascii()
        or (_ends(pieces, at) and head not in {"scores", "note", "answer", "result"})
    )
    return _of_noun(pieces, lead.head, Tie("noun")) if tied else None


def _of_other(pieces: Sequence[Piece], at: int, lead: Lead, head: str) -> Tie | None:
    """The tie by a verb, by the start of a clause, or by what is rated."""
    if head in GIVING and not (head in RATED or (lead.copula and head not in _GIVEN)):
        return _of_verb(pieces, lead.head, at, lead)
    if head == "that" and lead.copula and lead.article:
        return Tie("copula")
    if head in BOUNDARY or head == "\n" or head in _OPINION:
        return tie_at_start(pieces, at, lead)
    value = value_at(pieces, at)
    if head in _CONTRACTED and (lead.article or value.unit or value.over is not None):
        return Tie("copula")
    return _further(pieces, at, lead)


_EASTERN_GIVING = words_of("vergeben geben 점을 점으로 点を 点と 点に")
"""Points as the object of a verb that gives them, behind the number."""
_GIVEN = words_of(
    "given assigned awarded deserves deserve deserved merits earned earns gets received receives give gave assign award chosen choose get"
)
_CONTRACTED = words_of("it's that's this's")
_OPINION = words_of("feel think believe say that find suppose guess reckon mind")


_VIEWING = words_of("find see consider considers considering deem deems")
_WHAT = words_of("this these deserves quality overall total me")


def _names_score(pieces: Sequence[Piece], i: int) -> bool:
    """Whether the piece is a noun for a score; "answer" and the like are where they are final."""
    piece = str(pieces[i]) if i >= 0 else "\n"
    if piece in SCORE_NOUNS or is_misspelt(piece) or ("c" in PARTS.get(piece, "") and not piece.isascii()):
        return True
    left = str(pieces[i - 1]) if i > 0 else "\n"
    if "f" in PARTS.get(left, ""):
        return piece in _FINAL_NOUNS
    return piece in {"answer", "result"} and (left in {"my", "the"} or left in BOUNDARY)


_FINAL_NOUNS = words_of("answer result conclusion decision judgment judgement verdict choice")


def _is_compound(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a word right before the aspect's name makes it the name of another one ("factual consistency")."""
    left = pieces[i - 1] if i > 0 else "\n"
    if (
        isinstance(left, Value)
        or not left[0].isalpha()
        or left in PARTS
        or left in BOUNDARY
        or left in AUXILIARIES
    ):
        return False
    return not (left in PREPOSITIONS or left in _BEFORE_ASPECT or is_adverb(left) or is_possessive(left))


_BEFORE_ASPECT = words_of(
    "regarding concerning terms whose where both great weak given of criterion about considering because since while though although "
    "when what which find found see judge consider believe assess assessing evaluating evaluate there"
)


def _further(pieces: Sequence[Piece], at: int, lead: Lead) -> Tie | None:  # noqa: C901, PLR0911 - one for each rule
    """The verb, or the noun with its "for", to the left of what the score is given to."""
    if not (
        lead.article
        or lead.linked
        or lead.separated
        or pieces[lead.head] in RATED
        or pieces[lead.head - 1 : lead.head + 1] == ["this", "one"]
        or is_possessive(pieces[lead.head])
    ):
        return None
    for i in range(lead.head - 1, max(lead.head - REACH, -1), -1):
        piece = pieces[i]
        if isinstance(piece, Value) or (piece in BOUNDARY and piece not in {"and", "that", "(", ")", "-"}):
            break
        if piece in SCORE_NOUNS and not _is_verb(pieces, i):
            return _of_owner(pieces, i, lead)
        if piece in GIVING and _is_verb(pieces, i):
            return _of_verb(pieces, i, at, lead)
    if lead.copula and pieces[lead.head] == "it" and lead.head and is_aspect(pieces[lead.head - 1]):
        return Tie("aspect", _named(pieces, lead.head - 1, lead.head))
    if (
        lead.copula
        and pieces[lead.head] == "it"
        and not SCORE_NOUNS.isdisjoint(words_of_sentence(pieces, lead.head))
    ):
        return Tie("noun")
    if lead.possible or lead.definite:
        return None
    replacing = not {"should", "now"}.isdisjoint(strings_of(pieces[lead.head + 1 : at]))
    if pieces[lead.head] == "it" and replacing and _is_put_right(pieces, lead.head):
        return Tie("correction")
    if lead.copula and pieces[lead.head] == "it" and "at" in pieces[lead.head + 1 : at]:
        return Tie("copula")
    if (
        lead.copula
        and (lead.article or value_at(pieces, at).over is not None)
        and _is_rated_subject(pieces, lead.head)
        and not is_another(pieces[max(lead.head - 3, 0) : lead.head])
    ):
        return Tie("copula", _named(pieces, lead.head - 3, lead.head + 1))
    return None


def _is_put_right(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the judge told another number of its own right before, and this one is to stand in its place."""
    start = sentence_start(pieces, max(sentence_start(pieces, at) - 1, 0))
    told = pieces[start:at]
    return not JUDGE_WORDS.isdisjoint(strings_of(told)) and any(isinstance(piece, Value) for piece in told)


def _of_owner(pieces: Sequence[Piece], noun: int, lead: Lead) -> Tie | None:
    """A noun with what it is for between it and the number: "my score for this summary is 4"."""
    between = pieces[noun + 1 : lead.head + 1]
    if not (lead.copula or lead.separated or lead.linked) or pieces[noun + 1] not in {
        "for",
        "of",
        "on",
        "to",
        "i",
        "that",
        "this",
        "the",
        "it",
        "as",
        "would",
    }:
        return None
    if _is_foreign(between) or not (
        is_aspect(between[-1])
        or between[-1] in RATED
        or between[-1] in GIVING
        or between[-1] in PREPOSITIONS
        or between[-1] in POINTING
        or between[-1] in _WHAT
    ):
        return None
    found = _of_noun(pieces, noun, Tie("noun"))
    if found is not None:
        found.aspects |= _named(pieces, noun, lead.head + 1)
    return found


def _of_noun(pieces: Sequence[Piece], noun: int, found: Tie) -> Tie | None:
    """The tie by a score noun, if what stands before the noun leaves it a score of ours."""
    i = noun - 1
    while i >= 0 and noun - i <= REACH:
        piece = pieces[i]
        if isinstance(piece, Value):
            return found
        if is_aspect(piece):
            found.aspects.add(int(piece[1:]))
        elif piece in OTHERS or is_strangers(pieces, i):
            return None
        elif not (is_of_phrase(piece) or is_possessive(piece) or _is_kept(pieces, i)):
            break
        found.own |= piece == "my"
        found.final |= "f" in PARTS.get(piece, "")
        found.total |= "t" in PARTS.get(piece, "")
        i -= 1
    return _governed(pieces, i, noun, found)


def _is_kept(pieces: Sequence[Piece], i: int) -> bool:
    """Whether an earlier score is the one that the judge keeps: "I stand by my original score"."""
    return pieces[i] in EARLIER and any(piece in _KEEPING for piece in pieces[max(i - _OBJECT, 0) : i])


_KEEPING = words_of("stand stick stay keep maintain uphold confirm")


def _governed(  # noqa: C901, PLR0911 - one for each kind of word before the noun
    pieces: Sequence[Piece], i: int, noun: int, found: Tie
) -> Tie | None:
    """The tie, if the verb before the noun has a subject that may have a score of ours."""
    head = pieces[i] if i >= 0 else "\n"
    if head in OTHER_ASPECTS:
        return None
    while (
        i >= 0
        and (
            pieces[i] in PREPOSITIONS
            or pieces[i] in RATED
            or pieces[i] in {"the", "a"}
            or is_aspect(pieces[i])
        )
        and noun - i < REACH
    ):
        if is_aspect(pieces[i]):
            found.aspects.add(int(str(pieces[i])[1:]))
        i -= 1
    head = pieces[i] if i >= 0 else "\n"
    if head in OTHER_ASPECTS:
        return None
    if _is_told_of(pieces, i):
        return None
    if isinstance(head, str) and head in GIVING and _is_verb(pieces, i):
        return _with_subject(pieces, i, found) if may_give(pieces, i, pieces[i + 1 : noun]) else None
    if (
        i == noun - 1
        and isinstance(head, str)
        and head not in BOUNDARY
        and head != "\n"
        and not PARTS.get(head)
        and head not in AUXILIARIES
    ):
        return found if head.endswith(ADJECTIVES) or head in _NEUTRAL or not head.isascii() else None
    for verb in range(i - 1, max(i - _OBJECT, -1), -1):
        if pieces[verb] in BOUNDARY or isinstance(pieces[verb], Value):
            break
        if pieces[verb] in GIVING and _is_verb(pieces, verb) and pieces[verb + 1] in {"the", "a", "an"}:
            # What gets the score stands between: "give the story a score of 4", and not "the team".
            return _with_subject(pieces, i + 1, found) if is_object(pieces[verb + 1 : noun]) else None
    return _with_subject(pieces, i + 1, found)


def _is_told_of(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a verb with a subject that is neither the judge nor what is rated tells a score: "the dataset lists its score as"."""
    verb, subject = pieces[i] if i > 1 else "", pieces[i - 1]
    if isinstance(verb, Value) or isinstance(subject, Value) or not (verb.endswith("s") and verb.isalpha()):
        return False
    if verb in GIVING or verb in PARTS or verb in AUXILIARIES or verb in BOUNDARY:
        return False
    known = (
        subject in RATED
        or subject in POINTING
        or is_aspect(subject)
        or subject in PARTS
        or subject in SCORE_NOUNS
    )
    return not known and subject.isalpha() and pieces[i - 2] in {"the", "a", "this", "its"}


_OBJECT = 5
"""Pieces in which the verb stands before what a score is given to."""
_NEUTRAL = words_of(
    "following numerical whole integer single letter point scale quality like with that same right such deserves because since while "
    "me you then or assign as get"
)


def _of_verb(pieces: Sequence[Piece], verb: int, at: int, lead: Lead) -> Tie | None:
    """The tie by a giving verb, with what stands between it and the number as its object."""
    unlinked = pieces[verb] in MOVING and not (lead.linked or lead.separated)
    if unlinked or (verb > 1 and pieces[verb - 1] in SCORE_NOUNS and is_other_score(pieces, verb - 1)):
        return None
    between = pieces[verb + 1 : at]
    if any(
        pieces[i] in OTHER_ASPECTS and pieces[i + 1] == "of" for i in range(max(verb - _SUBJECT, 0), verb)
    ):
        return None
    if pieces[verb] in {"leaves", "leave"} and between[:1] and between[0] in PREPOSITIONS:
        return None
    if (
        is_unreal(pieces, verb, between)
        or not is_object(between)
        or pieces[verb] in {"has", "have", "having"}
        or (pieces[verb] in _VIEWING and not (between and lead.article))
    ):
        return None
    if _is_foreign(between) or not may_give(pieces, verb, between):
        return None
    aspects = {int(str(piece)[1:]) for piece in between if is_aspect(piece)}
    final = any("f" in PARTS.get(piece, "") for piece in between if isinstance(piece, str))
    return _with_subject(pieces, verb, Tie("verb", aspects, final))


def _with_subject(pieces: Sequence[Piece], verb: int, found: Tie) -> Tie:
    """The tie with the aspect that the verb's subject names, where it names one."""
    if not found.aspects:
        for i in range(verb - 1, max(verb - _SUBJECT, -1), -1):
            if pieces[i] in BOUNDARY or isinstance(pieces[i], Value):
                break
            if is_aspect(pieces[i]):
                found.aspects.add(int(str(pieces[i])[1:]))
                break
    return found


_SUBJECT = 7
"""Pieces before a verb in which its subject names the aspect: "the coherence of the summary is worth a 4"."""


def _named(pieces: Sequence[Piece], start: int, end: int) -> set[int]:
    return {int(str(piece)[1:]) for piece in pieces[max(start, 0) : end] if is_aspect(piece)}


def _is_foreign(between: Sequence[Piece]) -> bool:
    named = any(is_aspect(piece) for piece in between)
    return not named and any(piece in OTHER_ASPECTS or piece in OTHERS for piece in between)


def _is_rated_subject(pieces: Sequence[Piece], head: int) -> bool:
    return pieces[head] in RATED or pieces[head] in POINTING


def _is_verb(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a word that may be a noun as well is a verb here ("I'd score it 4")."""
    piece, left = pieces[i], pieces[i - 1] if i else "\n"
    if piece == "rating" and i + 1 < len(pieces) and pieces[i + 1] in {"it", "this", "the"}:
        return left in BOUNDARY or left in AUXILIARIES or left in {"i'm", "am", "\n", "in", "for"}
    if piece not in VERB_OR_NOUN:
        return piece in GIVING
    return (
        left in SPEAKER
        or left in POINTING
        or (left in RATED and piece == "scores")
        or (is_aspect(left) and piece == "scores")
        or (left in AUXILIARIES and left not in {"is", "was", "been", "being", "be", "final", "overall"})
    )


def _ends(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the number ends its clause."""
    return at + 1 >= len(pieces) or pieces[at + 1] in {
        *"\n.,;|()[]\"'!",
        "-",
        "because",
        "since",
        "as",
        "for",
        "overall",
        "in",
    }
