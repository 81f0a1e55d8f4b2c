"""The numbers of a reply that are scores, each with the rule that makes it one and how final it is.

A number that no rule ties to a judgement is never a score, wherever it stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from agentdebate.ballots.markup import BOXED, DOUBLE, HEADING
from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.form import Label, is_aspect, label_before
from agentdebate.ballots.reading.lexicon import (
    BOUNDARY,
    CHANGES,
    FOLLOW,
    FOLLOWING_NOUNS,
    NEGATION,
    OPENING,
    OTHER_ASPECTS,
    OWN,
    PARTS,
    RATED,
)
from agentdebate.ballots.reading.pieces import RANGE, Piece, Pieces
from agentdebate.ballots.reading.prose import Tie, tie
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.reading.statement import Finality, Statement
from agentdebate.ballots.words import words_of

Score = Statement[Value]

_DECORATION = frozenset([*"\n.:()[]!\"'=~,", RANGE, BOXED, DOUBLE, HEADING])
_CLOSING = frozenset(")]\"'")
_ENTRY_ENDS = frozenset("\n.,;|()[]")
_SPOILING = frozenset("?%*^/$€£¥+×<>=°")
_NO_TOPIC = words_of("balance reflection whole average course me now example instance reference that this")
_NAMING = words_of("aspect metric criterion dimension category")
_MOVED = words_of("it this score rating grade scores ratings evaluation mark")
_LOOSE = words_of("slightly up down back further now")
_MOST_HEAD = 8
_REMARK = 16
"""Pieces of a remark that may close a reply behind its score."""
_HUNDRED = 100
"""The top of a scale on which per cent are scores."""
_PRONOUN_FOLLOWS = words_of("that which of who in with i we it to could should might from where")
"""Behind these "one" is no number: "one that I can defend"."""


@dataclass(slots=True)
class _Section:
    """What the headings above a line say: whose scores follow, and whether they are the last word."""

    aspect: int | None = None
    final: bool = False
    foreign: bool = False
    """Whether they name another aspect ("Aspect: relevance"), so that a mere "Score: 2" is not for ours."""


def find_scores(pieces: Pieces, highs: Sequence[float]) -> Iterator[Score]:
    """Every score that is stated in a reply; `highs` are the upper ends of the wanted aspects' scales, by index."""
    section = _Section()
    if pieces and pieces[0] != "\n":
        _read_heading(section, pieces, 0)
    for i in pieces.marks:
        if pieces[i] == "\n":
            _read_heading(section, pieces, i + 1)
        else:
            found = _score(pieces, i, highs, section)
            if found is not None:
                yield found


def whole_value(pieces: Sequence[Piece]) -> tuple[int, Value] | None:
    """The number that is the whole text but for marks and an echo of the scale, and its place."""
    rest = list(islice((i for i, piece in enumerate(pieces) if piece not in _DECORATION), 2))
    value = pieces[rest[0]] if len(rest) == 1 else ""
    return (rest[0], value) if isinstance(value, Value) else None


def _read_heading(section: _Section, pieces: Sequence[Piece], start: int) -> None:
    """Bring the section up to date with a line: it may open an aspect's part, or end one."""
    head = _head(pieces, start)
    if head is None:
        return
    if head[-1] in _NAMING:
        named = pieces[start + len(head) + 1] if start + len(head) + 1 < len(pieces) else "\n"
        section.foreign = isinstance(named, str) and named[0].isalpha()
        section.aspect = int(str(named)[1:]) if is_aspect(named) else None
        return
    is_heading = pieces[start] == "§"
    aspects = {int(piece[1:]) for piece in head if is_aspect(piece)}
    words = [piece for piece in head if not is_aspect(piece) and piece != "§"]
    parts = {part for word in words for part in PARTS.get(word, "?")}
    if len(aspects) == 1 and "?" not in parts:
        section.aspect, section.foreign = aspects.pop(), False
    elif is_heading or ("?" in parts and not OPENING.intersection(words)):
        section.aspect, section.final = None, False
    if {"f", "c"} <= parts and "?" not in parts and not aspects:
        section.final = True


def _head(pieces: Sequence[Piece], start: int) -> list[str] | None:
    """The words that a line opens with before a colon, or all of a short line without numbers; None if neither."""
    head: list[str] = []
    for piece in pieces[start : start + _MOST_HEAD]:
        if piece in {":", "\n"}:
            return head or None
        if isinstance(piece, Value) or piece in {".", ",", ";", "|"}:
            return None
        head.append(piece)
    return head if head and start + len(head) == len(pieces) else None


def _score(pieces: Sequence[Piece], at: int, highs: Sequence[float], section: _Section) -> Score | None:
    after = at + 1
    while after < len(pieces) and pieces[after] in _CLOSING:
        after += 1
    behind = _aspect_behind(pieces, after) if _may_follow(pieces, at, after, percent=highs[0] == _HUNDRED) else None
    if behind is None:
        return None
    label = label_before(pieces, at)
    found = _of_form(pieces, at, label) or _of_sentence(pieces, at, label, behind, highs)
    if found is None and len(highs) == 1 and _has_its_line(pieces, at, after):
        found = "line", Finality.FORM, set()
    if found is None:
        return None
    rule, finality, named = found
    topic = _topic(pieces, at)
    if topic is None:
        return None
    rated = _whose(named | behind or topic, label, len(highs), section)
    if rated is None:
        return None
    if finality == Finality.FORM and section.final:
        finality = Finality.FINAL
    return Statement(rated, pieces[at], rule, finality, at, named=bool(named | behind))


def _has_its_line(pieces: Sequence[Piece], at: int, after: int) -> bool:
    """Whether the number is the reply's first or last line, or opens the reply before its reasons."""
    start = at
    while start > 0 and pieces[start - 1] in _DECORATION and pieces[start - 1] != "\n":
        start -= 1
    while after < len(pieces) and (pieces[after] in _CLOSING or pieces[after] == "."):
        after += 1
    last, first = _is_over(pieces, after), start == 0
    if first and after < len(pieces):
        follows = pieces[after]
        return follows in {"\n", "-", ":"} or pieces[after - 1] == "." or follows in {"because", "since"} or follows == ","
    return last and start > 0 and pieces[start - 1] == "\n" and (start < 2 or pieces[start - 2] != ":")  # noqa: PLR2004


def _is_over(pieces: Sequence[Piece], after: int) -> bool:
    """Whether nothing comes behind, or at most a short remark in a line of its own without a number ("I hope this helps!")."""
    rest = pieces[after : after + _REMARK + 1]
    if all(piece in _DECORATION for piece in rest[:3]):
        return True
    return rest[0] == "\n" and len(rest) <= _REMARK and not any(isinstance(piece, Value) or piece == ":" for piece in rest)


_Found = tuple[Rule, Finality, set[int]]


def _of_form(pieces: Sequence[Piece], at: int, label: Label) -> _Found | None:
    """The score of an entry of a form: "Coherence: 4", "Score 4/5", "Fluency (3)"; or one that is boxed."""
    value = pieces[at]
    final = "f" in label.parts or (isinstance(value, Value) and value.moved and label.named)
    rank = Finality.FINAL if final else Finality.TOTAL if "t" in label.parts and not label.aspects else Finality.FORM
    rule: Rule = "total" if rank == Finality.TOTAL else "form"
    if pieces[at - 1] in {BOXED, DOUBLE} and at and label.crossed:
        return "boxed", Finality.FINAL if pieces[at - 1] == BOXED else Finality.FORM, set()
    if label.crossed:
        return (rule, rank, label.aspects) if label.named and label.opens_line and label.parts.isdisjoint("vo") else None
    if label.named and label.opens_line and "v" not in label.parts:
        ends = at + 1 >= len(pieces) or pieces[at + 1] in _ENTRY_ENDS
        if label.separated or (ends and label.parts.isdisjoint("l")):
            return (rule, Finality.FINAL if label.boxed else rank, label.aspects)
    if (label.boxed or label.doubled) and (not label.separated or label.opens_line or label.named):
        return ("boxed", Finality.FINAL if label.boxed or final else Finality.FORM, label.aspects)
    return None


def _of_sentence(
    pieces: Sequence[Piece], at: int, label: Label, behind: set[int], highs: Sequence[float]
) -> _Found | None:
    """The score that a sentence gives, or a fraction of the scale that stands free."""
    if clause.is_asked(pieces, at) or clause.is_turned_down(pieces, at):
        return None
    changed = _changed(pieces, at)
    if changed is not None:
        return "change", Finality.FINAL, changed
    value = pieces[at]
    assert isinstance(value, Value)  # the caller looks for numbers
    if clause.is_quoted(pieces, at) or clause.is_denied(pieces, at) or clause.is_of_others(pieces, at) or clause.is_supposed(pieces, at):
        return None
    found = tie(pieces, at)
    if found is None and pieces[at + 1 : at + 2] and pieces[at + 1] in FOLLOWING_NOUNS:
        found = Tie("noun")
    if found is None and behind and (label.opens_line or label.stopper in BOUNDARY or isinstance(label.stopper, Value)):
        found = Tie("aspect")
    if found is not None:
        return found.rule, _finality(pieces, at, found, moved=value.moved), found.aspects
    if len(highs) == 1 and clause.is_corrected(pieces, at) and _ends_clause(pieces, at):
        return "correction", Finality.FORM, set()
    if len(highs) == 1 and value.over == highs[0] and _stands_free(label):
        return "fraction", Finality.FORM if clause.concludes(pieces, at) else Finality.HINT, label.aspects
    return None


def _ends_clause(pieces: Sequence[Piece], at: int) -> bool:
    return at + 1 >= len(pieces) or pieces[at + 1] in _ENTRY_ENDS


def _finality(pieces: Sequence[Piece], at: int, found: Tie, *, moved: bool) -> Finality:
    if found.final or moved:
        return Finality.FINAL
    if found.total and not found.aspects and found.rule in {"noun", "total"}:
        return Finality.TOTAL
    return Finality.FORM if clause.concludes(pieces, at) else Finality.PROSE


def _whose(named: set[int], label: Label, wanted: int, section: _Section) -> int | None:
    """The aspect that a number is for: the one it names; where only one is wanted, that; else its section's."""
    if not named and section.foreign:
        return None
    if named or wanted == 1:
        return next(iter(named or {0})) if len(named) <= 1 else None
    return section.aspect if label.parts.isdisjoint("qf") and "c" in label.parts else None


def _may_follow(pieces: Sequence[Piece], at: int, after: int, *, percent: bool) -> bool:
    """Whether what follows a number leaves it a score: not "2 errors", "80%", "4, 5" or "4:30"."""
    piece = pieces[after] if after < len(pieces) else "\n"
    value = pieces[at]
    if isinstance(piece, Value) or (piece in _PRONOUN_FOLLOWS and isinstance(value, Value) and value.shown == "one"):
        return False
    if piece in {",", ":"}:
        return after + 1 >= len(pieces) or not isinstance(pieces[after + 1], Value)
    if not piece[0].isalnum():
        return piece not in _SPOILING or (piece == "%" and percent)
    if piece in OPENING:
        return after + 1 < len(pieces) and pieces[after + 1] == ":"
    if piece in RATED and piece not in FOLLOW:
        return pieces[at - 1] in {"a", "an", "-"} or (at > 1 and pieces[at - 2] in {"a", "an"}) if at else False
    return piece in FOLLOW or not piece[0].isascii() or piece in FOLLOWING_NOUNS


def _aspect_behind(pieces: Sequence[Piece], after: int) -> set[int] | None:
    """The aspect that a number is said to be for after it ("4 for coherence"); None where that is another one."""
    if after >= len(pieces) or pieces[after] not in {"for", "on", "in", "regarding"}:
        return set()
    preposition, i = pieces[after], after + 1
    while i < len(pieces) and pieces[i] in {"the", "its", "overall", "terms", "of"}:
        i += 1
    piece = pieces[i] if i < len(pieces) else "\n"
    if is_aspect(piece):
        return {int(str(piece)[1:])}
    if isinstance(piece, Value) or not piece[0].isalpha() or i > after + 1 or piece.endswith("ing"):
        return set()
    # One bare noun ("4 for relevance", "2 on style,") is the name of an aspect; "4 for this summary" is not.
    known = piece in PARTS or piece in {"these", "those", "that", "me", "us", "now", "several", "all", "two", "some", "both"}
    ends = i + 1 >= len(pieces) or pieces[i + 1] in {*".,;\n)", "and", "but", "because", "since", "is", "seems"}
    return None if not known and (preposition == "for" or ends) else set()


def _topic(pieces: Sequence[Piece], at: int) -> set[int] | None:
    """The aspect that the sentence opens with ("For coherence, I give a 4"); None where that is another one."""
    start = clause.sentence_start(pieces, at)
    head = [piece for piece in pieces[start : start + 6] if piece not in {"as", "the", "in", "terms"}]
    opening, topic, comma = (*head, "", "", "")[:3]
    if opening not in {"for", "on", "of", "regarding", "concerning"}:
        return set()
    if comma not in {",", ":"}:
        return None if topic in OTHER_ASPECTS and "but" not in pieces[start:at] else set()
    if is_aspect(topic):
        return {int(str(topic)[1:])}
    return set() if topic in _NO_TOPIC or topic in PARTS else None


def _stands_free(label: Label) -> bool:
    """Whether a fraction of the scale has no label that gives it to something else."""
    if label.named:
        return False
    if label.separated:
        return label.opens_line or label.stopper in OPENING
    return label.opens_line or label.stopper in BOUNDARY or label.stopper in OWN


def _changed(pieces: Sequence[Piece], at: int) -> set[int] | None:
    """The aspects named where the number ends a change of a score ("I raise it from 3 to 4"); None where it does not."""
    if at == 0 or pieces[at - 1] not in {"to", "from"}:
        return None
    words = list(clause.before(pieces, at - 1))
    if any(piece in NEGATION for piece in words) or clause.is_of_others(pieces, at):
        return None
    chain = list(takewhile(_is_of_change, words))
    aspects = {int(str(piece)[1:]) for piece in chain if is_aspect(piece)}
    value = pieces[at]
    from_to = isinstance(value, Value) and value.moved and "i" in chain
    moves = not CHANGES.isdisjoint(chain) and (aspects or from_to or not _MOVED.isdisjoint(chain))
    return aspects if moves else None


def _is_of_change(piece: Piece) -> bool:
    return is_aspect(piece) or piece in CHANGES or piece in OWN or piece in _LOOSE or piece in PARTS
