"""What a clause does with a number or a name that stands in it: denies it, asks, supposes, compares, or quotes it.

Works on pieces (see pieces.py) around a place, and looks at a bounded number of them.
"""

from collections.abc import Iterator, Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.lexicon import (
    ATTRIBUTING,
    CLAUSE_ENDS,
    COMPARED,
    CONCLUDING,
    CONDITION,
    EARLIER,
    FORCED,
    MISSED,
    NEGATION,
    OTHERS,
    PARTS,
    PEOPLE,
    REJECTED,
    SCORE_NOUNS,
    WITHDRAWING,
)
from agentdebate.ballots.reading.pieces import RANGE, Piece
from agentdebate.ballots.reading.sentence import sentence_at, sentence_end, sentence_start, sentence_words
from agentdebate.ballots.withdrawal import WITHDRAWN

_DECIDING = frozenset(["chose", "settled", "decided", "picked", "opted", "went"])
"""Verbs that end a doubt: "I hesitated between 3 and 4 and chose 4"."""
CLAUSE_MARKS = frozenset(".,;!?\n")
_CLAUSE, _NEAR = 16, 4
"""Pieces that are looked through for the ends of a clause, and for what governs a piece directly."""
_OPENING = 7
_LINE = 200
_AROUND = frozenset("([*>-§•")
_CONJUNCTIONS = frozenset(("but", "so", "yet", "therefore", "hence", "thus", "still"))


def before(pieces: Sequence[Piece], at: int) -> Iterator[Piece]:
    """The pieces of the clause before a place, the nearest first."""
    for i in range(at - 1, max(at - _CLAUSE, -1), -1):
        piece = pieces[i]
        if (
            piece == "and"
            and (pieces[i + 1] in _TAKING_UP)
            and any(isinstance(p, Value) for p in pieces[max(i - _CLAUSE, 0) : i])
        ):
            return
        if (
            piece in CLAUSE_MARKS
            or piece in _CONJUNCTIONS
            or piece == "("
            or (piece == ":" and not _is_label(pieces, i))
        ):
            return
        yield piece


_TAKING_UP = frozenset(
    [
        "decide",
        "settle",
        "opt",
        "choose",
        "keep",
        "i",
        "i'd",
        "i'll",
        "i'm",
        "i've",
        "my",
        "give",
        "go",
        "say",
        "stay",
        "pick",
    ]
)
"""Behind "and", in a sentence that has told another number, these begin a clause of the judge's own."""


def _is_label(pieces: Sequence[Piece], colon: int) -> bool:
    """Whether a colon stands behind the name of a score: then what is before it says whose score it is."""
    left = pieces[colon - 1] if colon else "\n"
    return isinstance(left, str) and (left[0] == "@" or "c" in PARTS.get(left, ""))


def is_quoted(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a place lies in a quotation within a line; a value alone in quotation marks is not quoted, it is set apart."""
    if _is_cited(pieces, at):
        return True
    if '"' not in pieces[max(at - _LINE, 0) : at]:
        return False
    start = at
    while start > 0 and at - start < _LINE and pieces[start - 1] != "\n":
        start -= 1
    if list(pieces[start:at]).count('"') % 2 == 0:
        return False
    opened = max(i for i in range(start, at) if pieces[i] == '"')
    closing = next((i for i in range(at, min(at + _LINE, len(pieces))) if pieces[i] == '"'), len(pieces) - 1)
    if pieces[closing + 1 : closing + 2] == [","]:
        return True
    alone = opened == at - 1 and at + 1 < len(pieces) and pieces[at + 1] == '"'
    whole = all(piece in _AROUND for piece in pieces[start:opened])
    return not (alone or whole)


def _is_cited(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a colon before it, in its sentence, says that somebody's words follow ("the text ends with: ...")."""
    start, _, words, _ = sentence_at(pieces, at)
    return ":" in words and any(
        pieces[i] == ":" and (pieces[i - 1] in _CITING or pieces[i - 2 : i] == ["ends", "with"])
        for i in range(start + 2, at)
    )


_CITING = frozenset(
    [
        "says",
        "states",
        "reads",
        "writes",
        "wrote",
        "said",
        "claims",
        "asks",
        "quotes",
        "contains",
        "includes",
        "demands",
    ]
)


def after(pieces: Sequence[Piece], at: int, most: int = 8) -> Iterator[Piece]:
    """The pieces of the clause behind a place."""
    for piece in pieces[at + 1 : at + most]:
        if piece in CLAUSE_ENDS:
            return
        yield piece


def is_asked(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence is a question."""
    end = sentence_end(pieces, at)
    return end < len(pieces) and pieces[end] == "?"


def is_supposed(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence speaks of another case than this one; "if I had to give a score" does not."""
    start, _, words, numbers = sentence_at(pieces, at)
    if _SUPPOSING.isdisjoint(words):
        return False
    if "but" in words:
        while "but" in pieces[start + 1 : at]:
            start = pieces.index("but", start + 1) + 1
    told = next((i for i in reversed(numbers) if start < i < at), None)
    if told is not None and "now" in pieces[told:at]:
        start = told + 1
    if _is_aim(pieces, start, at) or _is_otherwise(pieces, start, at):
        return True
    if "have" not in words and _CONDITIONAL.isdisjoint(words):
        return False
    return any(_is_condition(pieces, i, start) or _is_past_case(pieces, i) for i in range(start, at))


_CONDITIONAL = CONDITION | {"should", "provided", "case"}
_SUPPOSING = _CONDITIONAL | {
    "only",
    "could",
    "would",
    "will",
    "might",
    "i'd",
    "we'd",
    "it'd",
    "with",
    "without",
    "for",
    "to",
}
"""A sentence without any of these speaks of the case at hand."""


def _is_aim(pieces: Sequence[Piece], start: int, at: int) -> bool:
    """Whether a number is what the sentence says something is needed for: "for a 5, ...", "to get a 5, ..."."""
    opening = list(pieces[start : start + 3])
    if opening[:2] in (["for", "a"], ["for", "an"]) and at == start + 2:
        return True
    phrase = "," not in pieces[start:at] and "," in pieces[at : at + _NEAR]
    return opening[:1] in (["to"], ["for"]) and phrase and "i" not in opening


def _is_otherwise(pieces: Sequence[Piece], start: int, at: int) -> bool:
    """Whether words before or behind a place say what else there would have to be: "with a better ending it would be a 5"."""
    behind = [piece for piece in pieces[at + 1 : at + 5] if isinstance(piece, str)]
    if pieces[start] in _ONCE and "will" in pieces[start:at] and not any(p in _OWN for p in pieces[start:at]):
        return True
    if behind[:3] == [",", "if", "only"] or behind[:2] == ["if", "only"]:
        return True
    if behind[:1] in (["with"], ["without"]) and not _MORE.isdisjoint(behind):
        return True
    if "would" not in pieces[start:at]:
        return False
    if (
        behind[:1] in (["without"], ["if"], ["but"])
        and pieces[at + 1 : at + 2] != [","]
        and _SURE.isdisjoint(behind)
        and (behind[0] != "but" or behind[1:2] == ["for"])
    ):
        return True
    opening = [piece for piece in pieces[start : start + 3] if isinstance(piece, str)]
    changed = opening[:1] == ["with"] and not _MORE.isdisjoint(opening)
    return opening[:1] in (["without"], ["otherwise"], ["had"]) or opening[:2] == ["but", "for"] or changed


def _is_condition(  # noqa: PLR0911 - one for each kind of condition
    pieces: Sequence[Piece], i: int, start: int
) -> bool:
    """Whether a word opens a condition, and not a way to give a score ("if I had to", "were I to")."""
    piece = pieces[i]
    if piece == "provided":
        return pieces[i + 1 : i + 2] == ["that"]
    if piece == "case" and i > 0 and pieces[i - 1] == "in":
        return pieces[i + 1 : i + 2] != ["of"]
    if _is_remark(pieces, i):
        return False
    if piece == "should" and i == start and pieces[i + 1 : i + 2] not in (["i"], ["we"]):
        return True
    if piece not in CONDITION or (piece == "were" and i != start):
        return False
    follow = pieces[i + 1 : i + 5]
    if (
        piece in {"if", "assuming", "supposing"}
        and any(isinstance(p, Value) for p in follow[:2])
        and not _DEFINING.isdisjoint(p for p in follow if isinstance(p, str))
    ):
        return False  # "If 1 means a failure and 5 a success, this is a 4"
    if piece == "if" and RANGE in pieces[i + 1 : i + 7]:
        return False  # "If I rate it from 1 to 5, I end up with 4"
    if piece == "were":
        return follow[:2] not in (["i", "to"], ["we", "to"])
    forced = not FORCED.isdisjoint(p for p in follow if isinstance(p, str))
    if piece != "if" or not forced or (follow[1:2] == ["were"] and follow[2:3] != ["to"]):
        return True
    return not (follow[0] in {"i", "we"} or follow[0] in FORCED)


def _is_remark(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a condition only speaks of how the judge puts it, or grants what changes nothing: "if I am honest", "unless I missed it", "even if"."""
    follow = tuple(pieces[i + 1 : i + 3])
    return (pieces[i] == "if" and i > 0 and pieces[i - 1] == "even") or follow in _REMARKS.get(
        str(pieces[i]), frozenset()
    )


_REMARKS = {
    "if": frozenset((("i", "am"), ("you", "ask"), ("i", "may"), ("i'm", "honest"))),
    "unless": frozenset(
        (("i", "missed"), ("i", "am"), ("i", "misread"), ("i", "overlooked"), ("i'm", "mistaken"))
    ),
}


_DEFINING = frozenset(["mean", "means", "is", "stands", "represents", "denotes", "marks", "meant"])


def _is_past_case(pieces: Sequence[Piece], i: int) -> bool:
    """Whether "would have" and the like stand here, and not "would have to"."""
    return pieces[i] in _MODALS and pieces[i + 1] == "have" and pieces[i + 2] not in {"to", "a", "an"}


_ONCE = frozenset(["once", "when", "after", "until"])
"""With "will", at the head of a sentence: it speaks of a text that is not there yet ("Once the typo is fixed it will be a 4")."""
_SURE = frozenset(["hesitation", "doubt", "question", "reservation", "reservations", "i"])
_MORE = frozenset(["better", "more", "fewer", "stronger", "another", "less", "clearer", "tighter"])
_MODALS = frozenset(("could", "would", "might", "should", "i'd", "we'd", "it'd"))


def is_possible(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the clause before a place says what may be, and not the judge what it may give."""
    if _MAY.isdisjoint(sentence_words(pieces, at)):
        return False
    clause = list(before(pieces, at))
    return not _MAY.isdisjoint(clause) and _WE_MAY.isdisjoint(clause)


_MAY, _WE_MAY = frozenset(("might", "may")), frozenset(("i", "we", "be"))


def _is_of_verb_alone(clause: Sequence[Piece], distance: int) -> bool:
    """Whether a negated verb says that the score, or a view, is kept: "I will not change my rating: 4"."""
    behind = [piece for piece in reversed(clause[:distance]) if isinstance(piece, str)]
    return not _MOVING_AWAY.isdisjoint(behind[:2])


_MOVING_AWAY = frozenset(
    [
        "change",
        "changes",
        "changed",
        "alters",
        "alter",
        "revise",
        "adjust",
        "move",
        "budge",
        "modify",
        "reconsider",
    ]
)


def is_denied(  # noqa: PLR0911 - one for each kind of denial
    pieces: Sequence[Piece], at: int
) -> bool:
    """Whether the clause before a place denies it, compares with it, or says that it was missed."""
    if _DENYING.isdisjoint(sentence_words(pieces, at)):
        return False
    clause = list(before(pieces, at))
    if any(piece in _HESITATING for piece in clause) and any(piece in _NOT for piece in clause):
        return False
    for distance, piece in enumerate(clause):
        if isinstance(piece, Value) and not _OWN.isdisjoint(
            p for p in clause[:distance] if isinstance(p, str)
        ):
            return False  # what stands before is said of that number: "instead of a 3 I give it a 4"
        if piece in NEGATION:
            return not _is_of_verb_alone(clause, distance) and (piece != "without" or distance < _NEAR)
        # "the above" is further from the number than "above 3".
        near = 2 if piece in {"over", "under", "above", "below"} else _NEAR
        if distance < near and (piece in COMPARED or (piece in MISSED and "enough" not in clause)):
            return True
        if piece == "instead" and distance and pieces[at - distance] == "of":
            return True
        if piece == "nobody" or (piece == "way" and clause[distance + 1 : distance + 2] == ["no"]):
            return True
    return _is_anything_but(pieces, at)


def _is_anything_but(pieces: Sequence[Piece], at: int) -> bool:
    """Whether "anything but" leads up to a number: it is the one score that is not meant."""
    i = next((i for i in range(at - 1, max(at - _NEAR, 0), -1) if pieces[i] == "but"), 0)
    return i > 0 and pieces[i - 1] == "anything"


_DENYING = NEGATION | COMPARED | MISSED | {"instead", "nobody", "anything", "way"}
_HESITATING = frozenset(["hesitate", "hesitation"])
_NOT = frozenset(["not", "don't", "no", "without", "won't"])


def is_of_others(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the clause before a place gives it to another judge, or to an earlier time."""
    if _OF_OTHERS.isdisjoint(sentence_words(pieces, at)):
        return False
    clause = list(before(pieces, at))
    if _is_elsewhere(clause) or _is_at_first(pieces, at):
        return True
    if "i" in clause and any(piece in _AGREEING for piece in clause):
        return False
    given = next((given for k in range(len(clause)) if (given := _whose(clause, k)) is not None), None)
    if given is not None:
        return given
    opening = clause[-3:] if len(clause) < _CLAUSE else []
    return any(piece in OTHERS for piece in opening) or _is_earlier(clause)


def _is_at_first(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence opens with an earlier time or another's view: "In the first round, I gave it a 4", "In the critic's view"."""
    start = sentence_start(pieces, at)
    opening = [piece for piece in pieces[start : min(start + _NEAR, at)] if isinstance(piece, str)]
    early = tuple(opening[:2]) in _AT_FIRST or (
        opening[:1] in (["in"], ["on"], ["at"], ["during"])
        and "this" not in opening
        and not (_BYGONE.isdisjoint(opening) and (_FORMER.isdisjoint(opening) or _TIMES.isdisjoint(opening)))
    )
    viewed = opening[:1] in (["in"], ["to"], ["for"]) and not _VIEWERS.isdisjoint(opening)
    if viewed or opening[:2] == ["in", "parts"]:
        return not any(piece in _OWN for piece in pieces[start:at])
    told = [piece for piece in pieces[start:at] if isinstance(piece, str)]
    if any(isinstance(pieces[i], Value) and pieces[i - 1] not in _TIMES for i in range(start + 2, at)):
        return False  # the number of the earlier time has been told, and this one is of another
    until = (
        not _UNTIL.isdisjoint(opening[:2]) or opening[:3] == ["when", "i", "first"]
    ) and not _HELD.isdisjoint(told)
    return (early or until) and _PRESENT.isdisjoint(told[2:])


_UNTIL = frozenset(["before", "until", "till", "prior", "yesterday", "previously", "earlier"])
_HELD = frozenset(["was", "had", "gave", "rated", "scored", "thought", "been", "stood", "i'd"])
_AT_FIRST = frozenset([("at", "first"), ("last", "time"), ("back", "then")])
_BYGONE = frozenset(["former", "previous", "earlier", "prior"])
_TIMES = frozenset(
    ["round", "turn", "ballot", "vote", "pass", "session", "debate", "try", "attempt", "occasion"]
)
_FORMER = frozenset(["first", "previous", "last", "earlier", "opening", "second"])
_VIEWERS = frozenset(word for word in OTHERS if word.endswith("'s")) | PEOPLE
_PRESENT = frozenset(["but", "now", "then", "however", "yet", "still", "keep", "remains"])


def _is_elsewhere(clause: Sequence[Piece]) -> bool:
    """Whether a clause, the nearest piece first, speaks of other texts and times, or of what was about to be given."""
    if any(piece in _OTHERWISE for piece in clause) or clause[-1:] == ["most"]:
        return True
    if any(piece == "once" and clause[k - 1] in _PAST_GIVEN for k, piece in enumerate(clause) if k):
        return True
    if (
        any(piece == "had" and k and clause[k - 1] != "to" for k, piece in enumerate(clause))
        and "now" not in clause
    ):
        return True
    going = any(isinstance(piece, str) and piece.endswith("ing") for piece in clause[-6:])
    return "was" in clause and ("about" in clause or going)


_PAST_GIVEN = frozenset(["got", "gave", "had", "was", "received", "scored", "earned"])


def _whose(clause: Sequence[Piece], k: int) -> bool | None:
    """Whether the piece at this distance gives the number to others; None where it does not tell."""
    piece = clause[k]
    if piece in _DECIDING:
        return False
    if piece in _OWN and _is_kept(clause):
        return False
    if piece in _OWN:
        return _is_earlier(clause[:k]) or (clause[-1] == "in" and _is_earlier(clause))
    if piece in _WEIGHING:
        return True if clause[k + 1 : k + 2] not in (["things"], ["everything"]) else None
    if piece in OTHERS:
        joined = "with" in clause[k + 1 : k + 3] and "i" in clause[k:]
        near = k < _NEAR + 2 or not ATTRIBUTING.isdisjoint(clause[:k])
        return None if joined or not near else clause[k + 1 : k + 2] != ["as"]
    return True if piece in ATTRIBUTING and piece not in _JUDGES_OWN else None


_OWN = frozenset(["i", "i'd", "i'll", "we", "i'm", "i've", "my"])
_JUDGES_OWN = frozenset(["gave", "assigned", "recommend", "thought"])
"""Verbs that attribute, but are as often the judge's."""
_OTHERWISE = frozenset(
    [
        "usually",
        "week",
        "month",
        "year",
        "typically",
        "rarely",
        "seldom",
        "similar",
        "yesterday",
        "before",
        "round",
    ]
)
"""Words of other texts and other times."""
_WEIGHING = frozenset(
    [
        "considered",
        "expected",
        "hoped",
        "wished",
        "wanted",
        "used",
        "thinking",
        "contemplated",
        "debated",
        "tempted",
        "hesitated",
        "wondered",
        "imagined",
    ]
)
"""Verbs of what the judge weighed and did not do."""
_AGREEING = frozenset(["agree", "concur", "join", "side"])
_KEEPING = frozenset(["stand", "stick", "stay", "keep", "maintain", "hold", "uphold", "remain", "confirm"])
_JUDGES = OTHERS | {"judge", "judge's", "round", "turn", "evaluation", "ballot"}


_OF_OTHERS = (
    _OTHERWISE
    | OTHERS
    | EARLIER
    | _WEIGHING
    | (ATTRIBUTING - _JUDGES_OWN)
    | _UNTIL
    | _BYGONE
    | _FORMER
    | _VIEWERS
    | {"most", "once", "had", "was", "time", "then", "parts"}
)
"""A sentence without any of these tells of nobody else, and of no other time."""


def _is_kept(clause: Sequence[Piece]) -> bool:
    """Whether the judge still gives what it gave before: "I stand by my original score of 4"."""
    words = {piece for piece in clause if isinstance(piece, str)}
    return not (_KEEPING.isdisjoint(words) or _OWN.isdisjoint(words))


def _is_earlier(clause: Sequence[Piece]) -> bool:
    return any(
        piece in EARLIER
        and (
            distance < 2  # noqa: PLR2004 - right before the number
            or not SCORE_NOUNS.isdisjoint(p for p in clause[max(distance - 2, 0) : distance])
            or str(piece).endswith("ly")
            or clause[distance - 1] in _JUDGES
        )
        for distance, piece in enumerate(clause)
    )


def is_turned_down(  # noqa: C901, PLR0911 - one for each way to say so
    pieces: Sequence[Piece], at: int
) -> bool:
    """Whether the clause behind a place explains it or turns it down, and does not give it."""
    clause = list(after(pieces, at))
    start = sentence_start(pieces, at)
    if clause[:2] in (["at", "most"], ["at", "best"], ["at", "worst"]) or pieces[start : start + 2] in (
        ["at", "best"],
        ["at", "worst"],
        ["at", "most"],
    ):
        return True
    if clause[:1] == ["would"] and clause[1:2] and clause[1] in _ASKING:
        return True
    if _is_asked_for(pieces, start, clause):
        return True
    if clause[:1] == ["in"] and not _PLACES.isdisjoint(p for p in clause[1:5] if isinstance(p, str)):
        return True
    for distance, piece in enumerate(clause):
        if clause[:2] == ["is", "for"] or "round" in clause:
            return True
        if (
            piece == "to"
            and clause[distance + 1 : distance + 2]
            and clause[distance + 1] in {"a", "an", "perfect", "other", "texts", "some", "others", "many"}
        ):
            return True
        agent = [p for p in clause[distance + 1 : distance + 4] if isinstance(p, str)]
        if piece in {"by", "from"} and not OTHERS.isdisjoint(agent):
            return True
        if (
            piece == "by"
            and agent[:1] in (["the"], ["a"], ["an"], ["its"], ["their"], ["our"])
            and not _PASSIVE.isdisjoint(before(pieces, at))
        ):
            return True
        if piece in REJECTED and not (piece == "too" and distance == len(clause) - 1):
            return True
        if piece == "not" and not any(isinstance(p, Value) for p in clause[distance + 1 : distance + 3]):
            return distance < 3 and clause[:1] not in (["because"], ["rather"])  # noqa: PLR2004 - near its verb
    return False


def _is_asked_for(pieces: Sequence[Piece], start: int, behind: Sequence[Piece]) -> bool:
    """Whether a sentence says what a score is given for: "For a rating of 5 the guidelines ask for a text without faults"."""
    words = [piece for piece in behind[: _NEAR + 2] if isinstance(piece, str)]
    if not words:
        return False
    rules = not _RULEBOOKS.isdisjoint(words)
    return (
        any(word in _ASKING or word[:-1] in _ASKING for word in words)
        and (rules or pieces[start] in {"for", "to"})
        and _OWN.isdisjoint(words)
    )


_RULEBOOKS = frozenset(
    ["guidelines", "rubric", "criteria", "instructions", "scale", "definition", "task", "form"]
)
_ASKING = frozenset(["ask", "expect", "want", "need", "require", "take", "demand", "presuppose", "call"])
"""With "would": what a score is not given without ("a perfect score of 5 would need more detail")."""
_PLACES = frozenset(
    ["study", "survey", "poll", "contest", "competition", "exam", "benchmark", "dataset", "trial", "league"]
)
"""What takes place elsewhere: a score in it is not the judge's."""


def defines_scale(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence says what a number stands for, and gives it to nothing: "a 1 would be for nonsense", "from 1 (lowest)"."""
    behind = [piece for piece in pieces[at + 1 : at + 7] if piece != "the"]
    if behind[:1] == ["("] and behind[1:2] and behind[1] in _ENDS_OF_SCALE:
        return True
    while behind and (behind[0] in _BEING or str(behind[0]).endswith("ly")):
        del behind[0]
        if behind[:1] and behind[0] in _STANDING_FOR:
            return behind[0] != "where" or behind[1:2] not in (["i"], ["it"], ["we"])
    return False


_ENDS_OF_SCALE = frozenset(["lowest", "highest", "worst", "best", "minimum", "maximum", "poorest"])
_BEING = frozenset(["is", "are", "was", "would", "will", "be", "should", "goes"])
_STANDING_FOR = frozenset(["for", "to", "reserved", "when", "where", "if", "meant", "used", *_ENDS_OF_SCALE])


def is_provisional(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence says how it looks so far, or at first sight, and not how it is."""
    start, end, words, _ = sentence_at(pieces, at)
    if _LAST_OF_SO_FAR.isdisjoint(words):
        return False
    goes_on = any(isinstance(piece, Value) for piece in pieces[start:at]) or pieces[start] in {
        "no",
        "nothing",
    }
    return not goes_on and any((pieces[i], pieces[i + 1]) in _SO_FAR for i in range(start, end - 1))


_SO_FAR = frozenset(
    [
        *[
            ("so", "far"),
            ("this", "point"),
            ("first", "glance"),
            ("first", "sight"),
            ("first", "look"),
            ("first", "reading"),
        ],
        *[
            ("quick", "reading"),
            ("quick", "read"),
            ("this", "respect"),
            ("this", "regard"),
            ("this", "sense"),
            ("that", "respect"),
        ],
        *[("that", "sense"), ("one", "respect"), ("some", "respects"), ("until", "now")],
    ]
)


_LAST_OF_SO_FAR = frozenset(last for _, last in _SO_FAR)


def is_superseded(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence goes on from a number that was thought of first to another one ("I started at 3, then dropped to 2")."""
    start, end, words, numbers = sentence_at(pieces, at)
    goes_on = bool(numbers) and numbers[-1] > at
    if not goes_on and "(" not in words and "was" not in words:
        return False
    if _is_recalled(pieces, start, at) or ("was" in before(pieces, at) and _is_past_now(pieces, end)):
        return True
    later = next((i for i in numbers if i > at), end)
    if later == end or any(isinstance(p, str) and p[0] == "@" for p in pieces[start:later]):
        return False
    opening = next((p for p in pieces[start : start + 2] if p in _CONTRASTED), None)
    if opening is not None and "," in pieces[at:later]:
        return True
    turns = not _TURNS.isdisjoint(p for p in pieces[at + 1 : later] if isinstance(p, str))
    return turns and not _FIRST.isdisjoint(p for p in pieces[start:later] if isinstance(p, str))


def _is_recalled(pieces: Sequence[Piece], start: int, at: int) -> bool:
    """Whether a number is in brackets behind another one, which says what it was before: "my rating: 85 (it was 71)"."""
    opened = next((i for i in range(at - 1, max(at - _NEAR - 1, start), -1) if pieces[i] == "("), start)
    inside = [piece for piece in pieces[opened + 1 : at] if isinstance(piece, str)]
    return isinstance(pieces[opened - 1], Value) and opened > start and not _RECALLING.isdisjoint(inside)


_RECALLING = EARLIER | {"was", "were", "before", "from", "formerly"}


def _is_past_now(pieces: Sequence[Piece], end: int) -> bool:
    """Whether the next sentence tells another number that holds now: "my score was 2; it is now 4"."""
    follow = pieces[end + 1 : sentence_end(pieces, min(end + 1, len(pieces)))]
    return "now" in follow[:4] and any(isinstance(piece, Value) for piece in follow)


_CONTRASTED = frozenset(
    ["unlike", "although", "though", "while", "whereas", "despite", "instead", "compared"]
)
_TURNS = (
    frozenset(
        [
            "but",
            "yet",
            "however",
            "then",
            "so",
            "finally",
            "now",
            "ultimately",
            "eventually",
            "later",
            "end",
            "down",
            "until",
            "before",
            "closer",
        ]
    )
    | _DECIDING
)
_FIRST = frozenset(
    [
        *[
            "first",
            "initially",
            "originally",
            "started",
            "start",
            "starting",
            "begin",
            "beginning",
            "began",
            "was",
            "had",
            "tempted",
        ],
        *[
            "inclined",
            "thought",
            "considered",
            "intended",
            "hesitated",
            "leaning",
            "leaned",
            "earlier",
            "initial",
            "impulse",
            "impression",
        ],
        *[
            "mind",
            "why",
            "someone",
            "one",
            "some",
            "harsh",
            "generous",
            "wanted",
            "planned",
            "looked",
            "seemed",
            "wavered",
            "between",
        ],
    ]
)
"""Words of a first thought, or of one that is set aside."""


_PASSIVE = frozenset(
    ["rated", "given", "scored", "awarded", "judged", "graded", "assigned", "ranked", "marked"]
)
"""With "by" behind the number, these name another judge."""


def concludes(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence opens with words that sum up ("Overall, ...", "Therefore, ...")."""
    start = sentence_start(pieces, at)
    return not CONCLUDING.isdisjoint(pieces[start : min(start + _OPENING, at)])


def withdrawals(pieces: Sequence[Piece]) -> Iterator[int]:
    """The places of words at the head of a sentence after which another judgement goes before the ones so far ("Wait, ...")."""
    for i, piece in enumerate(pieces):
        if (
            piece in WITHDRAWING
            and (i == 0 or pieces[i - 1] in _HEADS)
            and pieces[i + 1 : i + 2]
            and pieces[i + 1] in _PAUSES
        ):
            yield i


def is_set_against(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the number is what holds in place of another one in the sentence: "not 3, as I said before, but 4"."""
    i = at - 1
    while i > 0 and pieces[i] in {"a", "an", "rather", "at"}:
        i -= 1
    if i < 1 or pieces[i] != "but":
        return False
    told = pieces[sentence_start(pieces, at) : i]
    return any(
        isinstance(p, Value)
        and not {"not", "isn't", "longer"}.isdisjoint(
            q for q in told[max(k - 3, 0) : k] if isinstance(q, str)
        )
        for k, p in enumerate(told)
    )


def is_corrected(pieces: Sequence[Piece], at: int) -> bool:
    """Whether words that take back what was said lead to the number in the same sentence ("Actually, 4.")."""
    if pieces[at - 1 : at] == [WITHDRAWN]:
        return True
    start = sentence_start(pieces, at)
    if start == at and start > 0 and pieces[start - 1] != "\n":
        ends = pieces[at + 1 : at + 2] in ([], ["."], ["\n"])
        return ends and WITHDRAWN in pieces[sentence_start(pieces, start - 1) : start]
    if at - start > _CORRECTION or pieces[at - 1] in {"the", "my"}:
        return False
    return WITHDRAWN in pieces[start:at] or any(True for _ in withdrawals(pieces[start:at]))


_HEADS = frozenset(".;!?\n(-:,")
_PAUSES = frozenset([",", ".", ":", "-", "!", "\n", "i", "the", "it", "this", "my", "make", "let", "that"])
_CORRECTION = 8
