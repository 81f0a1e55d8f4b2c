"""What ties a number to a judgement in a sentence: a noun, a verb, the aspect, or what is rated itself.

From the number leftwards stand determiners and adjectives, links ("of", "is", "at"), then the head. A head that is a score
noun, the aspect or a giving verb ties at once. Any other word may belong to what the score is given to ("give the
summary a 4"): then the verb, or the noun with its "for", is looked for further left in the clause.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.clause import sentence_start
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lexicon import (
    ADVERB,
    APPROVING,
    AUXILIARIES,
    BOUNDARY,
    CONCLUDING,
    GIVING,
    MOVING,
    OTHER_ASPECTS,
    OTHERS,
    PARTS,
    POINTING,
    PREPOSITIONS,
    RATED,
    SCORE_NOUNS,
    SEEMING,
    SPEAKER,
    VERB_OR_NOUN,
)
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.words import words_of

_LEAD = words_of(
    "a an the just only about around roughly approximately solid strong clear firm modest decent "
    "moderate weak high low respectable exactly perfect full comfortable reasonable generous nearly near-perfect mere poor middling "
    "mediocre straight flat tentative cautious fair good very top maximum minimum lowest highest lower higher passing failing "
    "well-deserved excellent definite confident sound robust simple quite somewhat perhaps maybe satisfactory between even "
    "something like close overall total final"
)
_LINKS = words_of(
    "is be was are as at of to in on with for becomes equals equal remains stays stands comes came therefore thus hence still so "
    "out now finally ultimately would should could might will may been being out into toward towards from was i es est ist follows by"
)
_MARKS = frozenset(['"', "'", "(", "[", "~", "≈", "▣", "▢", ":", "=", "→", "#range", "-"])
_CONCLUDING = words_of("hence thus therefore so finally ultimately")
_REACH = 14
_ADJECTIVES = ("ed", "ing", "able", "ible", "ful", "ous", "ive", "ent", "ant", "est", "ary", "ic")
_STRICT = words_of(
    "get gets got getting receive receives received receiving has have having score scores scored earn earns earned deserve "
    "deserves deserved merit merits achieve achieves achieved reach reaches obtain obtains obtained go goes land lands stand "
    "stands sit sits fall falls come comes"
)
"""Verbs whose subject is what is rated: an unknown one may be another aspect ("the plot gets a 2")."""


@dataclass(slots=True)
class Tie:
    """What ties a number to a judgement: the rule, the aspects that it names, and whether it is the last word."""

    rule: Rule
    aspects: set[int] = field(default_factory=set)
    final: bool = False
    total: bool = False


@dataclass(slots=True)
class _Lead:
    """What stands between the head and the number; `head` is the head's place, -1 before the first piece."""

    head: int
    article: bool = False
    definite: bool = False
    possible: bool = False
    linked: bool = False
    separated: bool = False
    copula: bool = False
    concluding: bool = False
    final: bool = False
    total: bool = False
    summed: bool = False


def tie(pieces: Sequence[Piece], at: int) -> Tie | None:
    """What ties the number at this place to a judgement; None where nothing does."""
    lead = _lead(pieces, at)
    found = _of_head(pieces, at, lead)
    if found is not None:
        found.final |= lead.final
        found.total |= lead.total
    return found


def _lead(pieces: Sequence[Piece], at: int) -> _Lead:
    lead = _Lead(at - 1)
    while lead.head >= 0 and at - lead.head <= _REACH:
        piece = pieces[lead.head]
        if piece in {")", "]"} and (opened := _opening(pieces, lead.head)) is not None:
            lead.head = opened - 1
            continue
        if piece == ":" and lead.head and not _is_labelling(pieces[lead.head - 1]):
            break
        if isinstance(piece, Value) or not (piece in _MARKS or piece in _LEAD or piece in _LINKS or _is_adverb(piece)):
            break
        _note(lead, piece)
        lead.head -= 1
    return lead


def _is_labelling(left: Piece) -> bool:
    """Whether a colon behind this piece leads from a label to its value, and not from one clause to another."""
    return isinstance(left, str) and (left in PARTS or is_aspect(left) or left in GIVING or left in _LINKS or left in {"follows", "this", ")"})


def _note(lead: _Lead, piece: str) -> None:
    lead.article |= piece in {"a", "an", "my", "the"}
    lead.definite |= piece == "the"
    lead.possible |= piece in {"could", "might", "may"}
    lead.separated |= piece in {":", "=", "→"}
    lead.linked |= piece in _LINKS
    lead.copula |= piece in {"is", "be", "was"}
    lead.concluding |= piece in _CONCLUDING
    lead.final |= piece == "final"
    lead.total |= piece in {"overall", "total"}
    lead.summed |= piece in {"total", "sum"} and (lead.linked or lead.separated)


def _opening(pieces: Sequence[Piece], closing: int) -> int | None:
    """Where a bracket opens that holds a hint on the scale."""
    hint = False
    for i in range(closing - 1, max(closing - _REACH, -1), -1):
        if pieces[i] in {"(", "["}:
            return i if hint else None
        hint |= isinstance(pieces[i], Value) or pieces[i] == "#range"
    return None


def _of_head(pieces: Sequence[Piece], at: int, lead: _Lead) -> Tie | None:
    head = pieces[lead.head] if lead.head >= 0 else "\n"
    if isinstance(head, Value):
        return None
    if lead.summed:
        return Tie("total", total=True)
    if is_aspect(head):
        tied = (lead.linked or lead.separated or lead.article or _ends(pieces, at)) and not _is_compound(pieces, lead.head)
        return _with_subject(pieces, lead.head, Tie("aspect", {int(head[1:])})) if tied else None
    if _names_score(pieces, lead.head, lead) and not _is_verb(pieces, lead.head):
        tied = lead.linked or lead.separated or "l" in PARTS[head] or _ends(pieces, at)
        return _of_noun(pieces, lead.head, Tie("noun")) if tied else None
    if head in GIVING and not (head in RATED or lead.copula and head not in _GIVEN):
        return _of_verb(pieces, lead.head, lead.head, at, lead)
    if head in BOUNDARY or head == "\n" or head in _OPINION:
        return _of_start(pieces, at, lead)
    if head in _CONTRACTED and (lead.article or _value(pieces, at).over is not None):
        return Tie("copula")
    return _further(pieces, at, lead)


_GIVEN = words_of("given assigned awarded deserves deserve deserved merits earned earns gets received receives give gave assign award chosen choose get")
_CONTRACTED = words_of("it's that's this's")
_OPINION = words_of("feel think believe say that find suppose guess reckon")


def _value(pieces: Sequence[Piece], at: int) -> Value:
    value = pieces[at]
    assert isinstance(value, Value)  # the caller looks for numbers
    return value


def _of_start(pieces: Sequence[Piece], at: int, lead: _Lead) -> Tie | None:
    """A number that its clause opens with: as the subject of what approves it, or as all of it ("A solid 4.")."""
    if lead.head > 0 and pieces[lead.head] == ":" and not _is_own_clause(pieces, lead.head):
        return None
    behind = [piece for piece in pieces[at + 1 : at + 7] if not _is_adverb(piece)]
    if behind and behind[0] in SEEMING:
        said = next((piece for piece in behind if piece not in SEEMING), "")
        if said in APPROVING or said in SCORE_NOUNS:
            return Tie("subject")
    if not _ends_sentence(pieces, at) or (lead.head >= 0 and pieces[lead.head] not in _BEFORE_ALL):
        return None
    if lead.total and lead.separated:
        return Tie("total", total=True)
    value = _value(pieces, at)
    before_all = lead.head >= 1 and pieces[lead.head] == "," and pieces[lead.head - 1] in CONCLUDING
    if lead.concluding or before_all:
        return Tie("conclusion")
    return Tie("verbless") if lead.article or value.unit or value.over is not None else None


def _is_own_clause(pieces: Sequence[Piece], colon: int) -> bool:
    """Whether the judge speaks before a colon ("I agree with the scorer: a 4 is right"), and no label stands there."""
    return not {"i", "i'd", "my", "we"}.isdisjoint(_sentence(pieces, colon))


_BEFORE_ALL = frozenset(".;!?\n§,:-)") | {"but", "and"}


def _ends_sentence(pieces: Sequence[Piece], at: int) -> bool:
    after = at + 1
    while after < len(pieces) and pieces[after] in {")", '"', "'", "]"}:
        after += 1
    if pieces[after : after + 2] in (["it", "is"], ["it", "stays"]):
        after += 2
    if pieces[after : after + 1] == ["for"]:
        return bool(pieces[after + 1 : after + 2]) and (
            pieces[after + 1] in {"me", "this"} or any(is_aspect(piece) or piece in RATED for piece in pieces[after + 1 : after + 3])
        )
    return after >= len(pieces) or pieces[after] in {".", "\n", "!", ";", "overall", "because", "since"}


def _names_score(pieces: Sequence[Piece], i: int, lead: _Lead) -> bool:
    """Whether the piece is a noun for a score; "answer" and the like are where they are final."""
    piece = str(pieces[i]) if i >= 0 else "\n"
    if piece in SCORE_NOUNS or ("c" in PARTS.get(piece, "") and not piece.isascii()):
        return True
    left = str(pieces[i - 1]) if i > 0 else "\n"
    if "f" in PARTS.get(left, ""):
        return piece in _FINAL_NOUNS
    return piece in {"answer", "result"} and (left in {"my", "the"} or left in BOUNDARY)


_FINAL_NOUNS = words_of("answer result conclusion decision judgment judgement verdict choice")


def _is_compound(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a word right before the aspect's name makes it the name of another one ("factual consistency")."""
    left = pieces[i - 1] if i > 0 else "\n"
    if isinstance(left, Value) or not left[0].isalpha() or left in PARTS or left in BOUNDARY or left in AUXILIARIES:
        return False
    return not (left in PREPOSITIONS or left in _BEFORE_ASPECT or _is_adverb(left) or _is_possessive(left))


_BEFORE_ASPECT = words_of(
    "regarding concerning terms whose where both great weak given of criterion about considering because since while though although "
    "when what which find found see judge consider believe assess assessing evaluating evaluate there"
)


def _further(pieces: Sequence[Piece], at: int, lead: _Lead) -> Tie | None:
    """The verb, or the noun with its "for", to the left of what the score is given to."""
    if not (lead.article or lead.linked or lead.separated or pieces[lead.head] in RATED or _is_possessive(pieces[lead.head])):
        return None
    for i in range(lead.head - 1, max(lead.head - _REACH, -1), -1):
        piece = pieces[i]
        if isinstance(piece, Value) or piece in BOUNDARY and piece not in {"and", "that", "(", ")", "-"}:
            break
        if piece in SCORE_NOUNS and not _is_verb(pieces, i):
            return _of_owner(pieces, i, lead)
        if piece in GIVING and _is_verb(pieces, i):
            found = _of_verb(pieces, i, lead.head, at, lead)
            return found
    if lead.copula and pieces[lead.head] == "it" and lead.head and is_aspect(pieces[lead.head - 1]):
        return Tie("aspect", _named(pieces, lead.head - 1, lead.head))
    if lead.copula and pieces[lead.head] == "it" and not SCORE_NOUNS.isdisjoint(_sentence(pieces, lead.head)):
        return Tie("noun")
    if lead.possible or lead.definite:
        return None
    if lead.copula and (lead.article or _value(pieces, at).over is not None) and _is_rated_subject(pieces, lead.head):
        return Tie("copula", _named(pieces, lead.head, lead.head + 1))
    return None


def _sentence(pieces: Sequence[Piece], at: int) -> list[str]:
    return [piece for piece in pieces[sentence_start(pieces, at) : at] if isinstance(piece, str)]


def _of_owner(pieces: Sequence[Piece], noun: int, lead: _Lead) -> Tie | None:
    """A noun with what it is for between it and the number: "my score for this summary is 4"."""
    between = pieces[noun + 1 : lead.head + 1]
    if not (lead.copula or lead.separated or lead.linked) or pieces[noun + 1] not in {"for", "of", "on", "to", "i", "that", "in", "this", "the", "it", "as", "would"}:
        return None
    if _is_foreign(between):
        return None
    found = _of_noun(pieces, noun, Tie("noun"))
    if found is not None:
        found.aspects |= _named(pieces, noun, lead.head + 1)
    return found


def _of_noun(pieces: Sequence[Piece], noun: int, found: Tie) -> Tie | None:
    """The tie by a score noun, if what stands before the noun leaves it a score of ours."""
    i = noun - 1
    while i >= 0 and noun - i <= _REACH:
        piece = pieces[i]
        if isinstance(piece, Value):
            return found
        if is_aspect(piece):
            found.aspects.add(int(piece[1:]))
        elif piece in OTHERS or _owner_of(piece) in OTHERS:
            return None
        elif not (_is_of_phrase(piece) or _is_possessive(piece)):
            break
        found.final |= "f" in PARTS.get(piece, "")
        found.total |= "t" in PARTS.get(piece, "")
        i -= 1
    return _governed(pieces, i, noun, found)


def _governed(pieces: Sequence[Piece], i: int, noun: int, found: Tie) -> Tie | None:
    """The tie, if the verb before the noun has a subject that may have a score of ours."""
    head = pieces[i] if i >= 0 else "\n"
    if head in OTHER_ASPECTS:
        return None
    while i >= 0 and (pieces[i] in PREPOSITIONS or pieces[i] in RATED or pieces[i] in {"the", "a"} or is_aspect(pieces[i])) and noun - i < _REACH:
        if is_aspect(pieces[i]):
            found.aspects.add(int(str(pieces[i])[1:]))
        i -= 1
    head = pieces[i] if i >= 0 else "\n"
    if head in OTHER_ASPECTS:
        return None
    if isinstance(head, str) and head in GIVING and _is_verb(pieces, i):
        return _with_subject(pieces, i, found) if _may_give(pieces, i, pieces[i + 1 : noun]) else None
    if i == noun - 1 and isinstance(head, str) and head not in BOUNDARY and head != "\n" and not PARTS.get(head) and head not in AUXILIARIES:
        return found if head.endswith(_ADJECTIVES) or head in _NEUTRAL else None
    return _with_subject(pieces, i + 1, found)


_NEUTRAL = words_of(
    "following numerical whole integer single letter point scale quality like with that same right such deserves because since while "
    "me you then or assign as get"
)


def _of_verb(pieces: Sequence[Piece], verb: int, head: int, at: int, lead: _Lead) -> Tie | None:
    """The tie by a giving verb, with what stands between it and the number as its object."""
    if pieces[verb] in MOVING and not (lead.linked or lead.separated):
        return None
    between = pieces[verb + 1 : at]
    if _is_unreal(pieces, verb, between) or pieces[verb] in {"has", "have", "having"}:
        return None
    if _is_foreign(between) or not _may_give(pieces, verb, between):
        return None
    aspects = {int(str(piece)[1:]) for piece in between if is_aspect(piece)}
    final = any("f" in PARTS.get(piece, "") for piece in between if isinstance(piece, str))
    return _with_subject(pieces, verb, Tie("verb", aspects, final))


def _is_unreal(pieces: Sequence[Piece], verb: int, between: Sequence[Piece]) -> bool:
    """Whether the verb gives nothing: it may or is to be done, or somebody is told to do it."""
    left, word = pieces[verb - 1] if verb else "\n", pieces[verb]
    if left in {"could", "might", "may"} or (word in _MAKING and RATED.isdisjoint(p for p in between if isinstance(p, str))):
        return True
    start = sentence_start(pieces, verb)
    if left == "to" and verb - 1 == start:
        return True
    told = word in _TOLD and (left in BOUNDARY or left == "\n") and left != "that"
    return told and {"i", "i'd", "i'll", "we", "i've"}.isdisjoint(_sentence(pieces, verb))


_MAKING = words_of("make makes making")
_TOLD = words_of("give assign award rate score grade")


def _may_give(pieces: Sequence[Piece], verb: int, between: Sequence[Piece]) -> bool:
    """Whether the subject of a giving verb is the judge, what is rated, or left out."""
    i = verb - 1
    while i >= 0 and verb - i < _REACH and (pieces[i] in AUXILIARIES or _is_adverb(pieces[i])):
        i -= 1
    subject = pieces[i] if i >= 0 else "\n"
    if isinstance(subject, Value):
        # "Summary 2 gets a 4" is about another text; "from 3 to 4, giving it a 4" is not.
        return False
    if subject in OTHERS or _owner_of(subject) in OTHERS or subject in OTHER_ASPECTS:
        return False
    word = str(pieces[verb])
    if subject in RATED and pieces[i - 1 : i] and pieces[i - 1] in _ANOTHER:
        return False
    if subject in BOUNDARY or subject == "\n" or _is_subject(subject) or word.endswith("ing"):
        return True
    given_to = word not in _PERSONAL and any(piece in RATED or is_aspect(piece) for piece in between)
    return given_to or word not in _STRICT


_ANOTHER = words_of("last previous other another first second third next earlier former reference human original")
_PERSONAL = words_of("gave rated assigned awarded scored granted graded marked gives rates assigns awards grants")
"""What a person does: with an unknown subject it is another judge's."""


def _is_subject(subject: str) -> bool:
    return (
        subject in SPEAKER
        or subject in RATED
        or subject in POINTING
        or subject in SCORE_NOUNS
        or is_aspect(subject)
        or subject in {"i'm", "i've", "we'd", "we'll", "we", "me", "judge", "here", "#range", "say", "would", "let", "let's"}
        or subject in {"or", "to", "as", "with", "why", "because", "since", "scale", "for"}
    )


def _with_subject(pieces: Sequence[Piece], verb: int, found: Tie) -> Tie:
    """The tie with the aspect that the verb's subject names, where it names one."""
    if not found.aspects:
        for i in range(verb - 1, max(verb - 4, -1), -1):
            if pieces[i] in BOUNDARY or isinstance(pieces[i], Value):
                break
            if is_aspect(pieces[i]):
                found.aspects.add(int(str(pieces[i])[1:]))
                break
    return found


def _named(pieces: Sequence[Piece], start: int, end: int) -> set[int]:
    return {int(str(piece)[1:]) for piece in pieces[max(start, 0) : end] if is_aspect(piece)}


def _is_foreign(between: Sequence[Piece]) -> bool:
    named = any(is_aspect(piece) for piece in between)
    return not named and any(piece in OTHER_ASPECTS or piece in OTHERS for piece in between)


def _is_rated_subject(pieces: Sequence[Piece], head: int) -> bool:
    return pieces[head] in RATED or pieces[head] in POINTING


def _is_of_phrase(piece: str) -> bool:
    if piece in OTHER_ASPECTS or piece in GIVING:
        return False
    return piece in _LEAD or bool(set(PARTS.get(piece, "")) & set("qfdpt")) or piece.endswith(_ADJECTIVES)


def _is_verb(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a word that may be a noun as well is a verb here ("I'd score it 4")."""
    piece, left = pieces[i], pieces[i - 1] if i else "\n"
    if piece == "rating" and i + 1 < len(pieces) and pieces[i + 1] in {"it", "this", "the"}:
        return left in BOUNDARY or left in AUXILIARIES or left in {"i'm", "am", "\n", "in", "for"}
    if piece not in VERB_OR_NOUN:
        return piece in GIVING
    return left in SPEAKER or left in POINTING or (left in AUXILIARIES and left not in {"is", "was", "been", "being", "be", "final", "overall"})


def _is_adverb(piece: Piece) -> bool:
    return isinstance(piece, str) and len(piece) > 4 and piece.endswith(ADVERB)  # noqa: PLR2004 - "only", "reply"


def _is_possessive(piece: Piece) -> bool:
    return isinstance(piece, str) and piece.endswith("'s")


def _owner_of(piece: Piece) -> str:
    return str(piece).removesuffix("'s")


def _ends(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the number ends its clause."""
    return at + 1 >= len(pieces) or pieces[at + 1] in {*"\n.,;|()[]\"'!", "-", "because", "since", "as", "for", "overall", "in"}
