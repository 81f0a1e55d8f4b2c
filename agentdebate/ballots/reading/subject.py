"""Who gives a score: the judge, what is rated, or somebody else."""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lead import LEAD, REACH, is_adverb
from agentdebate.ballots.reading.lexicon import (
    AUXILIARIES,
    BOUNDARY,
    OTHER_ASPECTS,
    OTHERS,
    PARTS,
    POINTING,
    PREPOSITIONS,
    RATED,
    SCORE_NOUNS,
    SPEAKER,
)
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_start
from agentdebate.ballots.words import words_of

_STATING = words_of("gives give gave given says")
_BEING = words_of("is are was be been being")
_LEFT_OPEN = words_of("could can might may not never")


def word_of_source(subject: str) -> bool:
    """Whether a subject is the text itself, which may hold a score of its own."""
    return subject == "it" or (subject in RATED and subject not in {"this", "that"})


_CAUSAL = words_of(
    "result results resulted lead leads led bring brings leave leaves make makes justify justifies warrant warrants warranted support "
    "supports suggest suggests yield yields entitle entitles put puts call calls add adds sum sums amount amounts translate translates "
    "equate equates come comes secure secures keep keeps hold"
)
"""Verbs that anything may be the subject of: "the gaps lead to a 2", "this slip earns it a 2"."""


def words_of_sentence(pieces: Sequence[Piece], at: int) -> list[str]:
    """The words of the sentence before a place."""
    return [piece for piece in pieces[sentence_start(pieces, at) : at] if isinstance(piece, str)]


def is_object(between: Sequence[Piece]) -> bool:
    """Whether what stands between a verb and its number can be what is rated: not a part of it ("the title"), nor another."""
    words = [piece for piece in between if isinstance(piece, str) and piece[0].isalpha()]
    if any(word in _ANOTHER and word not in {"better", "typical", "average"} for word in words):
        return False
    nouns = [
        word
        for word in words
        if not (
            word in LEAD
            or word in PREPOSITIONS
            or word in AUXILIARIES
            or is_adverb(word)
            or not {"q", "d"}.isdisjoint(PARTS.get(word, ""))
        )
    ]
    return (
        not nouns
        or nouns[0] in _LOOSE
        or any(
            word in RATED
            or word in POINTING
            or word in SCORE_NOUNS
            or is_aspect(word)
            or owner_of(word) in RATED
            for word in words
        )
        or any(is_aspect(piece) for piece in between)
    )


_LOOSE = words_of(
    "es ich ik wir auf met con dit het mit dem der den le il lo la ihm him them me you both out up down i i'd say be giving"
)


def is_unreal(pieces: Sequence[Piece], verb: int, between: Sequence[Piece]) -> bool:
    """Whether the verb gives nothing: it may or is to be done, or somebody is told to do it."""
    left, word = pieces[verb - 1] if verb else "\n", pieces[verb]
    if left in {"could", "might", "may"} or (
        word in _MAKING and RATED.isdisjoint(p for p in between if isinstance(p, str))
    ):
        return True
    start = sentence_start(pieces, verb)
    if left == "to" and not _TAKING.isdisjoint(words_of_sentence(pieces, verb)):
        return True
    if left == "to" and (verb - 1 == start or not _BIDDING.isdisjoint(words_of_sentence(pieces, verb))):
        return True
    told = word in _TOLD and (left in BOUNDARY or left == "\n") and left != "that"
    return told and {"i", "i'd", "i'll", "we", "i've"}.isdisjoint(words_of_sentence(pieces, verb))


_TAKING = words_of("take takes taken miracle need needs needed require requires")
"""What it would take to give a score."""
_MAKING = words_of("make makes making")
_BIDDING = words_of(
    "tell tells told ask asks instructed instructs supposed requested requests invited expected steps step"
)
"""Who is told to give a score has not given it yet."""


_TOLD = words_of("give assign award rate score grade")


def may_give(  # noqa: PLR0911 - one for each kind of subject
    pieces: Sequence[Piece], verb: int, between: Sequence[Piece]
) -> bool:
    """Whether the subject of a giving verb is the judge, what is rated, or left out."""
    if not _INVERTED.isdisjoint(p for p in between if isinstance(p, str)):
        return True
    i = verb - 1
    while i >= 0 and verb - i < REACH and (pieces[i] in AUXILIARIES or is_adverb(pieces[i])):
        i -= 1
    i = _head_of(pieces, i)
    subject = pieces[i] if i >= 0 else "\n"
    if isinstance(subject, Value):
        # "Summary 2 gets a 4" is about another text; "from 3 to 4, giving it a 4" is not.
        return pieces[verb] in {"leaves", "becomes"} or pieces[i - 1 : i] in (["+"], ["plus"], ["minus"])
    if word_of_source(subject) and pieces[verb] in _STATING:
        # What is said to be given a score gets it, and gives none; "could be given" leaves it open.
        passive = pieces[verb] == "given" and not _BEING.isdisjoint(pieces[i + 1 : verb])
        if not passive or not _LEFT_OPEN.isdisjoint(pieces[i + 1 : verb]):
            return False
    if (
        subject in {"scale", "range", "rubric", "form"}
        or subject in OTHERS
        or owner_of(subject) in OTHERS
        or subject in OTHER_ASPECTS
    ):
        return False
    word = str(pieces[verb])
    if subject in RATED and pieces[i - 1 : i] and pieces[i - 1] in _ANOTHER:
        return False
    if subject in RATED and _is_of_part(pieces, i):
        return False
    if subject in BOUNDARY or subject == "\n" or _is_subject(subject) or word.endswith("ing"):
        return True
    given_to = word not in _PERSONAL and any(piece in RATED or is_aspect(piece) for piece in between)
    return given_to or word in _CAUSAL


def _head_of(pieces: Sequence[Piece], i: int) -> int:
    """The place of what is rated, where the noun at this place only says what it is of: "the summary of the trial gets"."""
    for of in range(i - 1, max(i - _OF_WHAT, 0), -1):
        piece = pieces[of]
        if piece in {"of", "about", "on"}:
            return of - 1 if pieces[of - 1] in _TEXTS and pieces[i] not in RATED else i
        if isinstance(piece, Value) or not piece[0].isalpha() or piece in BOUNDARY:
            break
    return i


_TEXTS = words_of(
    "summary story dialogue dialog translation headline caption review poem essay answer response"
)
_OF_WHAT = 5
"""Pieces of a phrase that says what a text is of."""
_INVERTED = words_of("ich ik wir")
"""The judge as the subject behind its verb, as in German: "daher vergebe ich 4 Punkte"."""
_ANOTHER = words_of(
    "more careful model perfect ideal flawless better average typical last previous other another first second third next earlier former reference human original"
)


def _is_of_part(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a noun before what is rated makes it a part of it, or another state of it: "an earlier version of this story"."""
    of = i - 1
    while of > 0 and pieces[of] in {"the", "this", "that", "a"}:
        of -= 1
    return of > 0 and pieces[of] == "of" and pieces[of - 1] in _STATES


_STATES = words_of(
    "version draft title opening ending beginning half part paragraph section revision edition sentence line start close"
)


_PERSONAL = words_of(
    "give gives gave given rate rates rated assign assigns assigned award awards awarded score scores scored grant grants granted grade "
    "grades graded mark marks marked"
)
"""What a person does: with an unknown subject it is another judge's."""


def _is_subject(subject: str) -> bool:
    return (
        subject in SPEAKER
        or subject in RATED
        or subject in POINTING
        or subject in SCORE_NOUNS
        or is_aspect(subject)
        or subject
        in {
            "i'm",
            "i've",
            "we'd",
            "we'll",
            "we",
            "me",
            "ich",
            "je",
            "le",
            "lui",
            "gli",
            "yo",
            "das",
            "dies",
            "dit",
            "eu",
            "io",
            "ik",
            "я",
            "wir",
            "nous",
            "here",
            "#range",
            "say",
            "would",
            "let",
            "let's",
        }
        or subject in {"or", "to", "as", "with", "why", "because", "since", "for"}
    )


def is_another(before: Sequence[Piece]) -> bool:
    """Whether words before a noun make it another text, or one that is only thought of ("a more careful summary")."""
    comma = max((k for k, piece in enumerate(before) if piece == ","), default=-1)
    return any(piece in _ANOTHER for piece in before[comma + 1 :])


def is_possessive(piece: Piece) -> bool:
    """Whether a piece names an owner ("the summary's")."""
    return isinstance(piece, str) and piece.endswith("'s")


def is_strangers(pieces: Sequence[Piece], i: int) -> bool:
    """Whether the owner that is named here is neither what is rated nor who made it: "the experts' rating", "the teacher's score"."""
    piece = pieces[i]
    if piece == "'":
        return i > 0 and str(pieces[i - 1]).endswith("s")
    owner = owner_of(piece)
    if owner in OTHERS or not is_possessive(piece):
        return owner in OTHERS
    if pieces[i - 1 : i] and pieces[i - 1] in _ANOTHER | {"baseline", "gold"}:
        return True
    return not (is_aspect(owner) or owner in RATED or owner in _MAKERS)


_MAKERS = words_of(
    "judge model assistant student author writer system bot ai chatbot candidate speaker today it that here let what"
)


def owner_of(piece: Piece) -> str:
    """The owner that a piece names, or the piece itself."""
    return str(piece).removesuffix("'s")
