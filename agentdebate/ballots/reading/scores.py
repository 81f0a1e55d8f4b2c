"""The numbers of a reply that are scores, each with the rule that makes it one and how final it is.

A number that no rule ties to a judgement is never a score, wherever it stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile

from agentdebate.ballots.markup import BOXED, DOUBLE
from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.alternative_score import alternative, both
from agentdebate.ballots.reading.attribution import is_of_others
from agentdebate.ballots.reading.bound import is_bound, is_most
from agentdebate.ballots.reading.calculation import is_calculated
from agentdebate.ballots.reading.citation import is_cited
from agentdebate.ballots.reading.closing_sentence import closing_scores
from agentdebate.ballots.reading.condition import is_possible, is_supposed
from agentdebate.ballots.reading.correction import is_corrected, is_set_against
from agentdebate.ballots.reading.denial import is_denied
from agentdebate.ballots.reading.disclaimer import is_disclaimed
from agentdebate.ballots.reading.disregard import is_disregarded
from agentdebate.ballots.reading.division import all_shares, is_divided
from agentdebate.ballots.reading.event_score import is_of_event
from agentdebate.ballots.reading.first_thought import is_provisional, is_superseded
from agentdebate.ballots.reading.follower import may_follow
from agentdebate.ballots.reading.form import Label, is_aspect, label_before
from agentdebate.ballots.reading.lead import Tie
from agentdebate.ballots.reading.lexicon import (
    BOUNDARY,
    CHANGES,
    FOLLOWING_NOUNS,
    JUDGE_WORDS,
    NEGATION,
    OPENING,
    OTHER_ASPECTS,
    OWN,
    PARTS,
    PEOPLE,
    RATED,
    SCORE_NOUNS,
)
from agentdebate.ballots.reading.other_numbers import is_other_number
from agentdebate.ballots.reading.own_line import CLOSING_MARKS, DECORATION, REMARK, has_its_line
from agentdebate.ballots.reading.pieces import Piece, Pieces
from agentdebate.ballots.reading.prose import tie
from agentdebate.ballots.reading.rejection import defines_scale, is_turned_down
from agentdebate.ballots.reading.revision import is_thought_over, replacing_score
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.reading.sections import Section, read_heading
from agentdebate.ballots.reading.sentence import sentence_end, sentence_start
from agentdebate.ballots.reading.statement import Finality, Statement
from agentdebate.ballots.reading.subject import is_another, is_strangers
from agentdebate.ballots.reading.topic import aspect_behind, topic_of
from agentdebate.ballots.words import words_of

Score = Statement[Value]
_Found = tuple[Rule, Finality, set[int]]
_ENTRY_ENDS = frozenset("\n.,;|()[]")
_ASKING = words_of(
    "asks asked begs begged commands demands demanded expects insists instructs invites invited like likes orders ordered pleads pushes "
    "requests requested says tells told urges urged wants wanted wishes"
)
_OF_JUDGE = words_of("me my i")
_PASSIVE = words_of("am i'm was were been being")
"""Before "asked" and the like: somebody else asks."""
_UNREAL = words_of("would might could if unless")
"""Behind the number on a line of a form, these make it a thought: "Score: 5 would be too high"."""
_MOVED = words_of("it this that score rating grade scores ratings evaluation mark")
_LOOSE = words_of("slightly up down back further now")
_NUMBERED = tuple(
    [word]
    for word in [
        "text",
        "summary",
        "story",
        "answer",
        "response",
        "part",
        "page",
        "turn",
        "round",
        "item",
        "chapter",
        "question",
        "step",
        "number",
        "section",
        "version",
        "dialogue",
    ]
)
"""Before a number, these are counted: "part 4 of 5"."""
_OF_LINE = frozenset(("form", "line", "total", "boxed", "aspect"))
"""By these rules a number may have its line for itself, which the lines around it may give to a text."""
_HUNDRED = 100
"""The top of a scale on which per cent are scores."""
_AT_EACH_END = 500
"""Numbers at the start of a reply, and at its end, that are weighed. No judgement has thousands, and each takes a while."""


def find_scores(pieces: Pieces, highs: Sequence[float]) -> Iterator[Score]:
    """Every score that is stated in a reply; `highs` are the upper ends of the wanted aspects' scales, by index."""
    section, taken = Section(), set[int]()
    if pieces and pieces[0] != "\n":
        read_heading(section, pieces, 0)
    for i in _weighed(pieces):
        if pieces[i] == "\n":
            read_heading(section, pieces, i + 1)
        else:
            found = _score(pieces, i, highs, section)
            if found is not None:
                taken.add(i)
                yield _with_alternative(pieces, found)
    if len(highs) == 1:
        yield from _closing(pieces, frozenset(taken), highs[0], foreign=section.foreign)


def _weighed(pieces: Pieces) -> list[int]:
    """The places of line ends and of numbers, without the numbers in the middle of thousands."""
    if len(pieces.marks) <= 2 * _AT_EACH_END:
        return pieces.marks
    numbers = [i for i in pieces.marks if pieces[i] != "\n"]
    between = set(numbers[_AT_EACH_END:-_AT_EACH_END])
    return [i for i in pieces.marks if i not in between]


def _closing(pieces: Pieces, taken: frozenset[int], high: float, *, foreign: bool) -> Iterator[Score]:
    """The score of a closing sentence that no other rule reads."""
    for at in () if foreign else closing_scores(pieces, taken, high):
        value = pieces[at]
        assert isinstance(value, Value)  # only numbers are looked at
        if (
            may_follow(pieces, at, _after(pieces, at), percent=high == _HUNDRED)
            and topic_of(pieces, at) is not None
            and not is_other_number(pieces, at)
            and not (clause.is_asked(pieces, at) or is_turned_down(pieces, at) or _is_void(pieces, at))
        ):
            shared = is_divided(pieces, at)
            value, finality = (all_shares(pieces, at), Finality.HINT) if shared else (value, Finality.PROSE)
            yield _with_alternative(pieces, Statement(0, value, "closing", finality, at))


def _with_alternative(pieces: Sequence[Piece], stated: Score) -> Score:
    """A score, or both numbers where the judge offers another one behind it: it has not decided."""
    other = alternative(pieces, stated.at)
    return stated if other is None else replace(stated, value=both(stated.value, other))


def _after(pieces: Sequence[Piece], at: int) -> int:
    after = at + 1
    while after < len(pieces) and pieces[after] in CLOSING_MARKS:
        after += 1
    return after


def whole_value(pieces: Sequence[Piece]) -> tuple[int, Value] | None:
    """The number that is the whole text but for marks and an echo of the scale, and its place."""
    rest = list(islice((i for i, piece in enumerate(pieces) if piece not in DECORATION), 2))
    value = pieces[rest[0]] if len(rest) == 1 else ""
    return (rest[0], value) if isinstance(value, Value) else None


def _score(pieces: Sequence[Piece], at: int, highs: Sequence[float], section: Section) -> Score | None:
    after = _after(pieces, at)
    behind = (
        aspect_behind(pieces, after) if may_follow(pieces, at, after, percent=highs[0] == _HUNDRED) else None
    )
    if behind is None or is_other_number(pieces, at) or is_bound(pieces, at):
        return None
    label = label_before(pieces, at)
    past = pieces[at - 1 : at] == ["was"] and is_superseded(pieces, at)
    wanted = pieces[at + 1 : at + 2] == ["the"] and is_turned_down(pieces, at)
    form = None if past or wanted else _of_form(pieces, at, label)
    found = form or _of_sentence(pieces, at, label, behind, highs)
    divided = form is None and found is not None and found[0] != "total" and is_divided(pieces, at)
    if found is None and _is_within(pieces[at], highs[0]):
        found = _of_line(pieces, at, after, len(highs), section)
    if found is None or (found[0] in _OF_LINE and is_disregarded(pieces, at)):
        return None
    rule, finality, named = found
    topic = topic_of(pieces, at)
    if topic is None:
        return None
    rated = _whose(named | behind or topic, label, len(highs), section)
    if rated is None:
        return None
    if finality == Finality.FORM and section.final:
        finality = Finality.FINAL
    stated = Statement(rated, _number(pieces[at]), rule, finality, at, named=bool(named | behind))
    if form is not None:
        return _as_revised(pieces, stated)
    return (
        replace(stated, value=all_shares(pieces, at), finality=Finality.HINT, named=False)
        if divided
        else stated
    )


def _as_revised(pieces: Sequence[Piece], stated: Score) -> Score:
    """The score of a line of a form, or what the rest of the line puts in its place."""
    later = replacing_score(pieces, stated.at)
    if later is not None and _number(pieces[later]).over == stated.value.over:
        return replace(stated, value=_number(pieces[later]), rule="change", at=later)
    over = stated.value.over is None and is_thought_over(pieces, stated.at)
    return replace(stated, value=all_shares(pieces, stated.at)) if over else stated


def _number(piece: Piece) -> Value:
    assert isinstance(piece, Value)  # the callers look for numbers
    return piece


def _of_line(pieces: Sequence[Piece], at: int, after: int, wanted: int, section: Section) -> _Found | None:
    """A number that has its line for itself: of the reply, or of an aspect's part below its heading."""
    if wanted == 1:
        return ("line", Finality.FORM, set()) if has_its_line(pieces, at, after) else None
    alone = at > 0 and pieces[at - 1] == "\n" and (after >= len(pieces) or pieces[after] == "\n")
    return ("line", Finality.FORM, {section.aspect}) if alone and section.aspect is not None else None


def _is_within(piece: Piece, high: float) -> bool:
    """Whether a number lies within the scale: a long number in a line of its own is something else."""
    return isinstance(piece, Value) and all(number <= high for number in piece.numbers)


def _of_form(  # noqa: PLR0911 - one for each kind of entry
    pieces: Sequence[Piece], at: int, label: Label
) -> _Found | None:
    """The score of an entry of a form: "Coherence: 4", "Score 4/5", "Fluency (3)"; or one that is boxed."""
    value = pieces[at]
    final = "f" in label.parts or (isinstance(value, Value) and value.moved and label.named)
    rank = (
        Finality.FINAL
        if final
        else Finality.TOTAL
        if "t" in label.parts and not label.aspects
        else Finality.FORM
    )
    rule: Rule = "total" if rank == Finality.TOTAL else "form"
    if at and _is_mentioned(pieces, at, label):
        return None
    if pieces[at - 1] in {BOXED, DOUBLE} and at and label.crossed:
        return "boxed", Finality.FINAL if pieces[at - 1] == BOXED else Finality.FORM, set()
    summed = (
        pieces[at - 1 : at] == ["="]
        and isinstance(pieces[at - 2], Value)
        and pieces[at - 3 : at - 2] in (["+"], ["-"])
    )
    if summed and not label.named and sentence_end(pieces, at) <= at + 2:
        return "total", Finality.TOTAL, set()
    if label.crossed:
        return (
            (rule, rank, label.aspects)
            if label.named and label.opens_line and label.parts.isdisjoint("vo")
            else None
        )
    if label.named and (label.opens_line or _is_repeated(pieces, at)) and "v" not in label.parts:
        over = isinstance(value, Value) and value.over is not None
        ends = at + 1 >= len(pieces) or pieces[at + 1] in _ENTRY_ENDS or (over and pieces[at + 1] == ":")
        if pieces[at + 1 : at + 2] and pieces[at + 1] in _UNREAL:
            return None
        if label.separated or (ends and label.parts.isdisjoint("l")):
            return (rule, Finality.FINAL if label.boxed else rank, label.aspects)
    if (label.boxed or label.doubled) and (not label.separated or label.opens_line or label.named):
        return ("boxed", Finality.FINAL if label.boxed else Finality.FORM, label.aspects)
    return None


def _is_repeated(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the same label stands before the number and, in the same line, before the one that it follows: "Final: 7. Final: 5"."""
    before = next((i for i in range(at - 1, max(at - REMARK, -1), -1) if isinstance(pieces[i], Value)), None)
    if before is None or pieces[before + 1 : before + 2] not in (["."], [";"], [","]):
        return False
    label = list(pieces[before + 2 : at])
    return len(label) > 1 and label[-1] == ":" and list(pieces[max(before - len(label), 0) : before]) == label


def _is_mentioned(pieces: Sequence[Piece], at: int, label: Label) -> bool:
    """Whether a form is only spoken of; one that fills its line is not."""
    apart = label.boxed or label.doubled or pieces[at - 1] in {BOXED, DOUBLE}
    opened = '"' in pieces[max(at - REMARK, 0) : at]
    return (apart or opened) and is_cited(pieces, at)


def _of_sentence(
    pieces: Sequence[Piece], at: int, label: Label, behind: set[int], highs: Sequence[float]
) -> _Found | None:
    """The score that a sentence gives, or a fraction of the scale that stands free."""
    changed = _changed(pieces, at)
    found: _Found | None = (
        ("change", Finality.FINAL, changed)
        if changed is not None
        else _tied(pieces, at, label, behind, highs)
    )
    # The clause is looked at last, since most numbers are tied to nothing.
    if found is None or clause.is_asked(pieces, at):
        return None
    calculated = found[0] == "total" and is_calculated(pieces, at)
    if is_turned_down(pieces, at) and not calculated:
        return None
    if found[0] == "total":
        supposed = is_supposed(pieces, at) and not calculated
        of_others = _is_of_people(pieces, at) or is_of_event(pieces, at)
        void = clause.is_quoted(pieces, at) or supposed or of_others
        return None if void else found
    return (
        found if changed is not None or not (_is_void(pieces, at) or _is_of_strangers(pieces, at)) else None
    )


def _is_of_strangers(pieces: Sequence[Piece], at: int) -> bool:
    """Whether an owner of a score in the clause is neither the judge nor what is rated: "the editors' score stands at 4"."""
    if SCORE_NOUNS.isdisjoint(pieces[max(at - REMARK, 0) : at]):
        return False
    for i in range(at - 1, max(at - REMARK, -1), -1):
        if pieces[i] in clause.CLAUSE_MARKS or pieces[i] in JUDGE_WORDS:
            return False
        if pieces[i + 1] in SCORE_NOUNS and is_strangers(pieces, i):
            return True
    return False


def _is_of_people(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence says whose average or total a number is, and it is that of others."""
    start = sentence_start(pieces, at)
    return any(piece in PEOPLE for piece in pieces[start:at])


def _is_void(pieces: Sequence[Piece], at: int) -> bool:
    return (
        clause.is_quoted(pieces, at)
        or is_cited(pieces, at)
        or (is_denied(pieces, at) and not is_most(pieces, at))
        or defines_scale(pieces, at)
        or is_superseded(pieces, at)
        or is_provisional(pieces, at)
        or is_of_others(pieces, at)
        or is_possible(pieces, at)
        or is_supposed(pieces, at)
        or is_of_event(pieces, at)
        or is_disclaimed(pieces, at)
        or list(pieces[at + 1 : at + 3]) == ["at", "first"]
        or _is_asked_of_judge(pieces, at)
    )


def _is_asked_of_judge(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the clause says that the text asks the judge for the number: "the summary wants to see my score go up to 5"."""
    words = list(clause.before(pieces, at))
    return _is_asked_for(words) and not RATED.isdisjoint(words) and not _OF_JUDGE.isdisjoint(words)


def _tied(
    pieces: Sequence[Piece], at: int, label: Label, behind: set[int], highs: Sequence[float]
) -> _Found | None:
    """What ties the number to a judgement: a noun, a verb and the like, a correction, or the top of the scale."""
    value = pieces[at]
    assert isinstance(value, Value)  # the caller looks for numbers
    found = tie(pieces, at) or _tie_behind(pieces, at, label, behind)
    if found is not None:
        return found.rule, _finality(pieces, at, found, moved=value.moved), found.aspects
    if len(highs) > 1:
        return None
    if is_corrected(pieces, at) and _ends_clause(pieces, at):
        return "correction", Finality.FORM, set()
    if is_set_against(pieces, at) and _ends_clause(pieces, at):
        return "correction", Finality.PROSE, set()
    if (
        value.over == highs[0]
        and (_stands_free(label) or _is_called(pieces, at))
        and pieces[at - 1 : at] not in _NUMBERED
    ):
        return "fraction", Finality.FORM if clause.concludes(pieces, at) else Finality.HINT, label.aspects
    return None


def _tie_behind(pieces: Sequence[Piece], at: int, label: Label, behind: set[int]) -> Tie | None:
    """The tie by what follows: "a 4 rating", "4 for coherence"."""
    if pieces[at + 1 : at + 2] and pieces[at + 1] in FOLLOWING_NOUNS:
        return Tie("noun")
    free = label.opens_line or label.stopper in BOUNDARY or isinstance(label.stopper, Value)
    return Tie("aspect") if behind and free else None


def _ends_clause(pieces: Sequence[Piece], at: int) -> bool:
    return at + 1 >= len(pieces) or pieces[at + 1] in _ENTRY_ENDS or pieces[at + 1] in {"instead", "rather"}


def _finality(pieces: Sequence[Piece], at: int, found: Tie, *, moved: bool) -> Finality:
    if found.final or moved:
        return Finality.FINAL
    if found.total and not found.aspects and found.rule in {"noun", "total"}:
        return Finality.TOTAL
    own = found.own or (
        found.rule in {"verb", "aspect"} and not JUDGE_WORDS.isdisjoint(clause.before(pieces, at))
    )
    return Finality.FORM if own or clause.concludes(pieces, at) else Finality.PROSE


def _whose(named: set[int], label: Label, wanted: int, section: Section) -> int | None:
    """The aspect that a number is for: the one it names; where only one is wanted, that; else its section's."""
    if not named and section.foreign:
        return None
    if named or wanted == 1:
        return next(iter(named or {0})) if len(named) <= 1 else None
    alone = label.crossed and not label.parts
    return section.aspect if alone or (label.parts.isdisjoint("qf") and "c" in label.parts) else None


def _stands_free(label: Label) -> bool:
    """Whether a fraction of the scale has no label that gives it to something else."""
    if label.named:
        return False
    if label.separated:
        return label.opens_line or label.stopper in OPENING
    return label.opens_line or label.stopper in BOUNDARY or label.stopper in OWN


def _is_called(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a colon behind what the text is called leads to a fraction of the scale: "A near-perfect translation: 97/100"."""
    start = sentence_start(pieces, at)
    called = pieces[start + 1 : at - 2]
    return (
        pieces[at - 1 : at] == [":"]
        and pieces[start] in {"a", "an"}
        and 0 < len(called) <= _LABEL
        and pieces[at - 2] in RATED
        and not is_another(called)
        and all(isinstance(piece, str) and piece not in OTHER_ASPECTS for piece in called)
        and (at + 1 >= len(pieces) or pieces[at + 1] in _ENTRY_ENDS)
    )


_LABEL = 4
"""Adjectives and adverbs of what the text is called."""


def _changed(pieces: Sequence[Piece], at: int) -> set[int] | None:
    """The aspects named where the number ends a change of a score ("I raise it from 3 to 4"); None where it does not."""
    if at == 0 or pieces[at - 1] not in {"to", "from"}:
        return None
    words = list(clause.before(pieces, at - 1))
    if any(piece in NEGATION for piece in words) or is_of_others(pieces, at):
        return None
    value = pieces[at]
    if pieces[at - 1] == "from" and not (isinstance(value, Value) and value.moved):
        return None  # what it was before
    chain = list(takewhile(_is_of_change, words))
    if _is_asked_for(words[len(chain) :]):
        return None
    aspects = {int(str(piece)[1:]) for piece in chain if is_aspect(piece)}
    from_to = isinstance(value, Value) and value.moved and not JUDGE_WORDS.isdisjoint(chain)
    bracketed = pieces[at - 1 - len(chain) - 1 : at - 1 - len(chain)] == ["("]
    moves = not CHANGES.isdisjoint(chain) and (
        aspects or bracketed or from_to or "i" in chain or not _MOVED.isdisjoint(chain)
    )
    return aspects if moves else None


def _is_asked_for(words: Sequence[Piece]) -> bool:
    """Whether the words before a change, the nearest first, say that somebody else asks for it: "the text begs me to raise my score"."""
    at = next((k for k, word in enumerate(words) if word in _ASKING), None)
    if at is None:
        return False
    subject = words[at + 1 :]
    return subject[:1] != [] and (subject[0] in _PASSIVE or JUDGE_WORDS.isdisjoint(subject))


def _is_of_change(piece: Piece) -> bool:
    return is_aspect(piece) or piece in CHANGES or piece in OWN or piece in _LOOSE or piece in PARTS
