"""The last resort for scores: the one value of a short line that labels it, where nothing speaks against it.

The other rules say how a score is put. This one says what keeps a number from being a score, and takes what is left: the
closing line, or the opening one, has one number that fits the scale, set off from words of which one belongs to scoring, and no word
of another time, another judge, another case, a count or the scale itself.
"""

from collections.abc import Iterator, Sequence

from agentdebate.ballots.markup import BOXED, DOUBLE, HEADING
from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.bound import is_bound
from agentdebate.ballots.reading.calculation import COUNTING
from agentdebate.ballots.reading.citation import is_cited
from agentdebate.ballots.reading.disregard import is_disregarded
from agentdebate.ballots.reading.form import is_aspect, is_misspelt
from agentdebate.ballots.reading.lexicon import (
    CONDITION,
    EARLIER,
    GIVING,
    HYPOTHETICAL,
    NEGATION,
    OTHER_ASPECTS,
    OTHERS,
    PARTS,
    PEOPLE,
    PREPOSITIONS,
    RATED,
    SCORE_NOUNS,
)
from agentdebate.ballots.reading.other_numbers import is_other_number
from agentdebate.ballots.reading.pieces import RANGE, Piece, Pieces
from agentdebate.ballots.reading.sections import Section, read_heading
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS, sentence_end, sentence_start
from agentdebate.ballots.reading.statement import Finality, Statement
from agentdebate.ballots.words import words_of
from agentdebate.tasks import Scale

_LONGEST = 22
"""Pieces of a line that labels its value; a longer one is prose."""
_REMARK = 16
"""Pieces of a remark that may close a reply behind its score."""
_SEPARATORS = frozenset([*":=→-|]>~", BOXED, DOUBLE])
_OPENERS = frozenset([*"([<{\"'|*", "a", "an", "only", BOXED, DOUBLE, HEADING])
_MARKS = frozenset([*"()[]<>{}\"'|*.,:-=→!~/;", BOXED, DOUBLE, HEADING, RANGE])
_SCORING = (SCORE_NOUNS - {"note"}) | words_of(
    "judgement judgment points appraisal scoring scored rate rates rated give"
)
"""Words of scoring; a verb among them needs the judge beside it."""
_VERBS = words_of("points scored rate rates rated give")
_SELF = words_of("i i'd i'll i'm i've my mine")
_JUDGES = words_of(
    "judge's evaluator's rater's grader's assessor's judge evaluator rater grader assessor instructions your"
)
"""In a label these name the judge that fills the form in."""
_ASIDE = words_of(
    "was were previously before earlier initially formerly from up down confidence confident certainty sure"
)
"""In brackets behind a score: what it was before, or how sure the judge is."""
_EXTREMES = words_of("best worst highest lowest minimum maximum min max poor poorest excellent")
_HAZARDS = (
    NEGATION
    | CONDITION
    | EARLIER
    | HYPOTHETICAL
    | (OTHERS - _JUDGES)
    | (PEOPLE - _JUDGES)
    | COUNTING
    | _EXTREMES
    | words_of(
        "would could might may can should will maybe perhaps possibly probably either or between if example examples sample format template "
        "insert placeholder scale range interval threshold cutoff passing pass target baseline reference expected ideal typical average median mean "
        "confidence certainty confident sure weight weighting rank ranking place position step part section page paragraph line round turn version draft "
        "chapter question item criterion no index id date year time week month day hour level count length deduction deduct penalty bonus minus "
        "need needs seems seem looks almost nearly too question film movie hotel product star-rated review reviews viewers title "
        "rejected cancelled disputed competing alternative second-best possible withdrawn deducted automatic lower higher lowered raised missing "
        "far before after per weight margin gap difference change improvement deviation sentiment agreement sheet tied against how gpt "
        "somebody someone anybody nobody most usually often sometimes yesterday last next then until guidelines rubric instructions criteria wait"
    )
) - words_of("evaluation final")
"""Words that keep the number of a line from being the judge's score."""
_BEHIND_NOUN = (
    RATED
    | GIVING
    | PREPOSITIONS
    | words_of(
        "the a an my this that these those its i i'd i'll we me is are was be here as follows and or comment comments explanation justification reason reasons "
        "rationale remarks end above regard respect terms of given overall final only you"
    )
) - words_of("sentence statement turn utterance paragraph code against from near")
"""What may stand between the name of a score and its value."""
_LABEL_ONLY = words_of("should will criterion criteria rubric instructions for sure last no then level most")
"""Of these, what may stand in the label of a line."""
_GAP = 7
"""Pieces between an aspect and its value in a sentence that scores several."""


def lone_score(pieces: Pieces, scale: Scale, *, opening: bool) -> Statement[Value] | None:
    """The score by the last resort, in the closing sentence or, with `opening`, in the first one; None where nothing, or more than one, is left."""
    values = [i for i in pieces.marks if isinstance(pieces[i], Value)]
    found = [
        at
        for at in _candidates(pieces, values, opening=opening)
        if _is_labelled(pieces, at, scale) and not is_bound(pieces, at)
    ]
    if not found or len({_value(pieces, at).on(scale) for at in found}) > 1:
        return None
    return Statement(0, _value(pieces, found[0]), "label", Finality.FORM, found[0])


def _value(pieces: Sequence[Piece], at: int) -> Value:
    value = pieces[at]
    assert isinstance(value, Value)  # only numbers are looked at
    return value


def _candidates(pieces: Pieces, values: Sequence[int], *, opening: bool) -> Iterator[int]:
    """The numbers of the closing sentence, and of the opening one."""
    if not values:
        return
    last, first = values[-1], values[0]
    if _closes(pieces, last):
        start = sentence_start(pieces, last)
        yield from (at for at in values if at >= start)
    if opening and sentence_start(pieces, first) == 0 and not _closes(pieces, first):
        end = sentence_end(pieces, first)
        yield from (at for at in values if at < end)


def _closes(pieces: Sequence[Piece], at: int) -> bool:
    """Whether nothing follows a number's sentence but a short remark in a line of its own."""
    end = sentence_end(pieces, at)
    rest = [i for i in range(end, min(end + _REMARK + 2, len(pieces))) if pieces[i] not in _MARKS]
    if not rest:
        return True
    return pieces[rest[0]] == "\n" and len(rest) <= _REMARK and ":" not in pieces[rest[0] : rest[-1] + 1]


def _is_labelled(pieces: Sequence[Piece], at: int, scale: Scale) -> bool:
    """Whether a number is what its line labels, and no word of the line speaks against it."""
    start, end = sentence_start(pieces, at), sentence_end(pieces, at)
    value = _value(pieces, at)
    if (
        end - start > _LONGEST
        or value.on(scale) is None
        or value.moved
        or pieces[end : end + 1] == ["?"]
        or is_cited(pieces, at)
        or clause.is_quoted(pieces, at)
        or is_other_number(pieces, at)
        or is_disregarded(pieces, at)
        or _is_of_other_part(pieces, at)
    ):
        return False
    skipped = _asides(pieces, start, end, at, scale)
    if any(isinstance(pieces[i], Value) and i != at and i not in skipped for i in range(start, end)):
        return False
    label = [p for i in range(start, at) if i not in skipped and isinstance(p := pieces[i], str)]
    behind = [p for i in range(at + 1, end) if i not in skipped and isinstance(p := pieces[i], str)]
    heading = _heading(pieces, start) if _is_bare(label) else []
    return (
        (_is_set_off(pieces, start, at) or bool(heading))
        and _is_over(behind)
        and _names_score(_behind_comma([*heading, *label]))
        and _is_harmless([*heading, *label], behind)
    )


def _is_of_other_part(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the number stands below the heading of an aspect that is not asked for."""
    section = Section()
    for i in (-1, *(i for i in range(at) if pieces[i] == "\n")):
        read_heading(section, pieces, i + 1)
    return section.foreign


def _asides(pieces: Sequence[Piece], start: int, end: int, at: int, scale: Scale) -> set[int]:
    """The places of brackets beside a number that repeat the scale, or say what the score was before or how sure the judge is."""
    skipped, i = set[int](), start
    while i < end:
        close = next((k for k in range(i, end) if pieces[k] in {")", "]"}), end)
        if pieces[i] in {"(", "["} and not i < at < close:
            inside = [pieces[k] for k in range(i + 1, close)]
            ends = all(p.numbers[0] in (scale.low, scale.high) for p in inside if isinstance(p, Value))
            told = any(p in _ASIDE for p in inside if isinstance(p, str))
            numbers = sum(isinstance(p, Value) for p in inside)
            if RANGE in inside or (i > at and told and numbers) or (i < at and ends and numbers):
                skipped.update(range(i, min(close + 1, end)))
            i = close
        i += 1
    return skipped | _ends_explained(pieces, start, at, scale)


def _ends_explained(pieces: Sequence[Piece], start: int, at: int, scale: Scale) -> set[int]:
    """The places of both ends of the scale, with what they mean, between a label and its colon: "where 1 is the worst and 5 the best"."""
    ends = [i for i in range(start, at) if isinstance(pieces[i], Value)]
    if pieces[at - 1 : at] != [":"] or [_value(pieces, i).numbers for i in ends] != [
        (scale.low,),
        (scale.high,),
    ]:
        return set()
    return set(range(max(ends[0] - 1, start), at - 1))


def _is_bare(label: Sequence[str]) -> bool:
    return all(piece in _MARKS or piece in _OPENERS for piece in label)


def _heading(pieces: Sequence[Piece], start: int) -> list[str]:
    """The words of the line before, where it is short, or ends in a colon, so that it heads the next one."""
    if start < 2 or pieces[start - 1] != "\n":  # noqa: PLR2004 - a word and a line's end
        return []
    first, longest = start - 1, _LONGEST if pieces[start - 2] == ":" else _GAP
    while first > 0 and start - first <= longest and pieces[first - 1] not in SENTENCE_ENDS:
        first -= 1
    line = list(pieces[first : start - 1])
    if start - first > longest or any(isinstance(p, Value) for p in line):
        return []
    return [p for p in line if isinstance(p, str)]


def _is_set_off(pieces: Sequence[Piece], start: int, at: int) -> bool:
    """Whether a mark sets the number off from the words before it."""
    if pieces[at - 1 : at] == ["("] and pieces[at + 1 : at + 2] == [")"]:
        return _value(pieces, at).over is not None
    i, apart = at - 1, 0
    while i >= start and pieces[i] in _OPENERS:
        apart += pieces[i] in {"<", "[", "{", BOXED, DOUBLE}
        i -= 1
    return i > start and (
        pieces[i] in _SEPARATORS or (apart > 0 and pieces[at + 1 : at + 2] in ([">"], ["]"], ["}"]))
    )


def _is_over(behind: Sequence[str]) -> bool:
    """Whether behind the number the line is over, or goes on behind a mark."""
    return (
        not behind
        or behind[0] in _MARKS - {"/", "~"}
        or behind[0] in {"for", "points", "because", "since", "as"}
    )


def _behind_comma(label: Sequence[str]) -> Sequence[str]:
    """The label without what leads up to it: "Based on the criteria, here is my score"."""
    comma = max((k + 1 for k, word in enumerate(label) if word == ","), default=0)
    return label[comma:] if any(word[0].isalpha() for word in label[comma:]) else label


def _names_score(label: Sequence[str]) -> bool:
    """Whether the label names a score or the aspect, or the judge gives one in it, and goes on with nothing that makes it another thing."""
    own = not _SELF.isdisjoint(label)
    places = [
        k
        for k, word in enumerate(label)
        if is_aspect(word) or is_misspelt(word) or (word in _SCORING and (own or word not in _VERBS))
    ]
    if not places:
        return False
    first = places[0]
    of = not _HEADING_ON.isdisjoint(label[:first]) and not own
    behind = [word for word in label[first + 1 :] if word not in _MARKS]
    return not of and all(
        word in _BEHIND_NOUN or is_aspect(word) or word in _SCORING or is_misspelt(word) for word in behind
    )


_HEADING_ON = words_of("of in between per to from")
"""Before the name of a score: what is counted is something of it ("Change of score")."""


def _is_harmless(label: Sequence[str], behind: Sequence[str]) -> bool:
    """Whether no word makes the number another's, another thing's or another time's. What stands before a comma only leads up to the label."""
    tail = _behind_comma(label)
    own = tail if not _SELF.isdisjoint(tail) or "here" in tail else label
    named = any(is_aspect(word) for word in label)
    words = {*own, *behind[:_GAP]}
    foreign = not named and not OTHER_ASPECTS.isdisjoint(words)
    counted = next((w for w in reversed(label) if w not in _MARKS), "")
    plural = counted.endswith("s") and not (
        counted in _SCORING
        or counted in _BEHIND_NOUN
        or is_aspect(counted)
        or counted.endswith(("ss", "'s", "is", "this"))
    )
    conditional = not CONDITION.isdisjoint(label)
    owned = any(
        word.endswith("'s") and word not in _JUDGES and word not in {"it's", "that's", "here's", "let's"}
        for word in label
    )
    return not (
        owned
        or foreign
        or plural
        or conditional
        or _is_of_other_score(label)
        or not (_HAZARDS - _LABEL_ONLY).isdisjoint(words)
    )


def _is_of_other_score(label: Sequence[str]) -> bool:
    """Whether a noun before the name of a score, or of the aspect, says that it is one of something else: "plagiarism score"."""
    return any(
        (is_aspect(word) or word in SCORE_NOUNS)
        and k > 0
        and not _may_describe(label[k - 1], adjectives=not is_aspect(word))
        for k, word in enumerate(label)
    )


def _may_describe(left: str, *, adjectives: bool) -> bool:
    """Whether a word before the name of a score, or of an aspect, leaves it the judge's; "factual consistency" is another aspect."""
    return (
        not left[0].isalpha()
        or not left.isascii()
        or is_aspect(left)
        or left in PARTS
        or left in _DESCRIBING
        or left in _SELF
        or left in _JUDGES
        or left in PREPOSITIONS
        or left in _SCORING
        or (adjectives and left.endswith(_ADJECTIVES))
    )


_DESCRIBING = words_of(
    "begin start new that which and or is have has see answer main single whole one this each numeric integer"
)
_ADJECTIVES = ("ed", "al", "able", "ible")


def paired_scores(pieces: Pieces, scales: Sequence[Scale]) -> list[Statement[Value]]:
    """A score of every aspect, each beside its name in lines or sentences that hold as many numbers as names; nothing where one lacks.

    That every aspect has just one such value is what makes them a ballot.
    """
    found: dict[int, list[tuple[int, Value]]] = {}
    starts = sorted({sentence_start(pieces, i) for i in pieces.marks if isinstance(pieces[i], Value)})
    for start in starts:
        for rated, at in _pairs(pieces, start):
            value = _value(pieces, at)
            if value.on(scales[rated]) is not None:
                found.setdefault(rated, []).append((at, value))
    whole = len(found) == len(scales) and all(
        len({value.on(scales[rated]) for _, value in some}) == 1 for rated, some in found.items()
    )
    if not whole:
        return []
    return [
        Statement(k, found[k][-1][1], "label", Finality.FORM, found[k][-1][0], named=True)
        for k in range(len(scales))
    ]


def _pairs(pieces: Pieces, start: int) -> Iterator[tuple[int, int]]:
    """The aspects and the places of their values in a sentence in which they take turns."""
    end = min(start, len(pieces) - 1)
    # Rows of a table begin often and end once: without a bound each would be read to that end.
    bound = min(len(pieces), start + _SENTENCE)
    while end < bound and pieces[end] not in SENTENCE_ENDS:
        end += 1
    if end == bound < len(pieces):
        return
    turns = [i for i in range(start, end) if isinstance(pieces[i], Value) or is_aspect(pieces[i])]
    names = [i for i in turns if is_aspect(pieces[i])]
    kinds = [isinstance(pieces[i], Value) for i in turns]
    if len(turns) < 2 or len(turns) != 2 * len(names) or kinds != [kinds[0], not kinds[0]] * len(names):  # noqa: PLR2004 - a pair
        return
    pairs = list(zip(turns[::2], turns[1::2], strict=True))
    if pieces[end : end + 1] == ["?"] or not all(_is_pair(pieces, *pair) for pair in pairs):
        return
    words = {p for p in pieces[start:end] if isinstance(p, str)}
    if not (_HAZARDS - _LABEL_ONLY - {"would"}).isdisjoint(words):
        return
    for one, other in pairs:
        name, at = (other, one) if isinstance(pieces[one], Value) else (one, other)
        yield int(str(pieces[name])[1:]), at


def _is_pair(pieces: Sequence[Piece], one: int, other: int) -> bool:
    """Whether an aspect and a value are tied: by a mark, or by "for" or "on" from the value to the aspect."""
    between = [p for p in pieces[one + 1 : other] if isinstance(p, str)]
    if len(between) > _GAP:
        return False
    if isinstance(pieces[one], Value):
        return between[:1] in (["for"], ["on"], ["in"]) and len(between) <= 2  # noqa: PLR2004 - with an article
    return any(p in _SEPARATORS for p in between) and all(
        p in _MARKS or p in _SCORING or p in _NAMING for p in between
    )


_NAMING = words_of("name of the a is")
_SENTENCE = 80
"""Pieces that a sentence with a score of every aspect may have."""
