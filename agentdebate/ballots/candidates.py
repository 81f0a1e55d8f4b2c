"""The numbers of a reply that may be scores, each with how strongly the reply says so.

Tiers, strongest first: 1 marked as final, 2 a line of a form, 3 labelled in prose, 4 a fraction of the scale, 5 a number
that is the whole reply. A number that none of these fits is never a score.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from unicodedata import category

from agentdebate.ballots.labels import Label, is_aspect, label_before
from agentdebate.ballots.markup import BOXED, DOUBLE, HEADING
from agentdebate.ballots.numbers import Value
from agentdebate.ballots.tokens import RANGE, Piece
from agentdebate.ballots.words import (
    BOUNDARY,
    CHANGES,
    CLAUSE_ENDS,
    FOLLOW,
    GIVER,
    NEGATIVE,
    OPENING,
    OWN,
    PARTS,
    REJECTED,
    words_of,
)

FINAL, FORM, PROSE, FRACTION, WHOLE = 1, 2, 3, 4, 5

_DECORATION = frozenset([*"\n.:()[]!\"'=~,", RANGE, BOXED, DOUBLE, HEADING])
_CLOSING = frozenset(")]\"'")
_SENTENCE_ENDS, _CLAUSE_MARKS, _ENTRY_ENDS = (
    frozenset(".;!?\n"),
    frozenset(".,;!?\n"),
    frozenset("\n.,;|()[]"),
)
_SPOILING = frozenset("?%‰*^/$€£+×<>=°")
_NO_TOPIC = words_of("balance reflection whole average course me now reference that this")
_COUNTED = words_of(
    "error errors mistake mistakes issue issues typo typos sentence sentences word words euros dollars percent times"
)
_UNREAL = words_of("would might could if unless")
"""Behind the number on a line of a form, these make it a thought: "Score: 5 would be too high"."""
_MINE = words_of("i i'd i'll i've i'm my we our")
_SEATS = words_of("judge agent player critic reviewer")
_SENTENCE = 24
"""Pieces that are looked through for the start of a sentence."""
_NAMING = words_of("aspect metric criterion dimension category")
_MOVED = words_of("it this score rating grade scores ratings evaluation")
_LOOSE = words_of("slightly up down back further now")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A number that may be the score of the aspect of this index. `at` is its piece."""

    tier: int
    aspect: int
    value: Value
    at: int


@dataclass(slots=True)
class _Section:
    """What the headings above a line say: whose scores follow, and whether they are the last word."""

    aspect: int | None = None
    final: bool = False
    foreign: bool = False
    """Whether they name another aspect ("Aspect: relevance"), so that a mere "Score: 2" is not for ours."""


def find_candidates(pieces: Sequence[Piece], highs: Sequence[float]) -> Iterator[Candidate]:
    """Every candidate in a reply; `highs` are the upper ends of the wanted aspects' scales, by index."""
    section = _Section()
    for i, piece in enumerate(pieces):
        if i == 0 or piece == "\n":
            _read_heading(section, pieces, i + (piece == "\n"))
        if isinstance(piece, Value):
            found = _candidate(pieces, i, highs, section)
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
    for piece in pieces[start : start + 8]:
        if piece in {":", "\n"}:
            return head or None
        if isinstance(piece, Value) or piece in {".", ",", ";", "|"}:
            return None
        head.append(piece)
    return head if head and start + len(head) == len(pieces) else None


def _candidate(
    pieces: Sequence[Piece], at: int, highs: Sequence[float], section: _Section
) -> Candidate | None:
    value = pieces[at]
    assert isinstance(value, Value)  # the caller looks for numbers
    after = at + 1
    while after < len(pieces) and pieces[after] in _CLOSING:
        after += 1
    if not _may_follow(pieces, after) or pieces[at - 1 : at] == ["may"]:
        return None
    label, behind = label_before(pieces, at), _aspect_behind(pieces, after)
    if behind is None:
        return None
    tier, named = _tier(pieces, at, label, bool(behind)), label.aspects | behind
    if not tier and (changed := _changed(pieces, at)) is not None:
        tier, named = FINAL, named | changed
    if not tier and len(highs) == 1 and value.over == highs[0] and _stands_free(pieces, at, label):
        tier = FRACTION
    topic = _topic(pieces, at) if tier else None
    if topic is None:
        return None
    aspect = _whose(named or topic, label, len(highs), section)
    if aspect is None:
        return None
    return Candidate(FINAL if tier == FORM and section.final else tier, aspect, value, at)


def _whose(named: set[int], label: Label, wanted: int, section: _Section) -> int | None:
    """The aspect that a number is for: the one it names; where only one is wanted, that; else its section's."""
    if not named and section.foreign:
        return None
    if named or wanted == 1:
        return next(iter(named or {0})) if len(named) <= 1 else None
    return section.aspect if label.parts.isdisjoint("qf") and "c" in label.parts else None


def _may_follow(pieces: Sequence[Piece], after: int) -> bool:
    """Whether what follows a number leaves it a score: not "2 errors", "80%", "4, 5" or "4:30"."""
    piece = pieces[after] if after < len(pieces) else "\n"
    if isinstance(piece, Value) or category(piece[0]) == "Sc":
        return False
    follower = pieces[after + 1] if after + 1 < len(pieces) else "\n"
    if (piece == "may" and isinstance(follower, Value)) or (piece == "(" and follower in _COUNTED):
        return False  # "4 May 2024", "4 (errors)"
    if piece in {",", ":"}:
        return after + 1 >= len(pieces) or not isinstance(pieces[after + 1], Value)
    if not piece[0].isalnum():
        return piece not in _SPOILING
    if piece in OPENING:
        return after + 1 < len(pieces) and pieces[after + 1] == ":"
    return piece in FOLLOW or not piece[0].isascii()


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
    known = piece in PARTS or piece in {"these", "those", "that", "several", "all", "two", "some", "both"}
    ends = i + 1 >= len(pieces) or pieces[i + 1] in {
        *".,;\n)",
        "and",
        "but",
        "because",
        "since",
        "is",
        "seems",
    }
    return None if not known and (preposition == "for" or ends) else set()


def _topic(pieces: Sequence[Piece], at: int) -> set[int] | None:
    """The aspect that the sentence opens with ("For coherence, I give a 4"); None where that is another one."""
    start = at
    while start > 0 and at - start < _SENTENCE and pieces[start - 1] not in _SENTENCE_ENDS:
        start -= 1
    head = [piece for piece in pieces[start : start + 6] if piece not in {"as", "the", "in", "terms"}]
    opening, topic, comma = (*head, "", "", "")[:3]
    if _is_anothers(pieces[start:at]):
        return None
    if opening not in {"for", "on", "of", "regarding", "concerning"} or comma not in {",", ":"}:
        return set()
    if is_aspect(topic):
        return {int(str(topic)[1:])}
    return set() if topic in _NO_TOPIC or topic in PARTS else None


def _is_anothers(before: Sequence[Piece]) -> bool:
    """Whether a sentence opens with whose number it is: "Judge 2: 4", "According to the critic, 4"."""
    opening, following = (*before, "", "")[:2]
    if not _MINE.isdisjoint(piece for piece in before if isinstance(piece, str)):
        return False
    seat = opening in _SEATS and (
        isinstance(following, Value) or (len(following) == 1 and following.isalpha())
    )
    return seat or (opening == "according" and "," in before)


def _tier(pieces: Sequence[Piece], at: int, label: Label, behind: bool) -> int:
    """How strongly the label makes the number a score; 0 where it does not."""
    value = pieces[at]
    final = "f" in label.parts or (isinstance(value, Value) and value.moved and label.named)
    if label.crossed:
        return (FINAL if final else FORM) * (
            label.named and label.opens_line and label.parts.isdisjoint("vo")
        )
    if _is_form(pieces, at, label):
        if pieces[at + 1 : at + 2] and pieces[at + 1] in _UNREAL:
            return 0
        return FINAL if final or label.boxed else FORM
    if _is_prose(pieces, at, label, behind) and not _turned_down(pieces, at):
        return FINAL if final or label.boxed else PROSE
    if (label.boxed or label.doubled) and not label.named and (not label.separated or label.opens_line):
        return FINAL if label.boxed else FORM
    return 0


def _is_form(pieces: Sequence[Piece], at: int, label: Label) -> bool:
    """Whether the number stands in a line of its own behind its label: "Coherence: 4", "Score 4/5", "Fluency (3)"."""
    if not (label.named and label.opens_line) or "v" in label.parts:
        return False
    return label.separated or (_ends_entry(pieces, at) and label.parts.isdisjoint("l"))


def _ends_entry(pieces: Sequence[Piece], at: int) -> bool:
    return at + 1 >= len(pieces) or pieces[at + 1] in _ENTRY_ENDS


def _is_prose(pieces: Sequence[Piece], at: int, label: Label, behind: bool) -> bool:
    """Whether words tie the number to a score: "a score of 4", "I'd give it a 4", "fluency a 3", "4 for fluency"."""
    if "v" in label.parts:
        return label.opens_line or label.stopper in GIVER or label.stopper in BOUNDARY
    if label.named:
        tied = label.separated or "l" in label.parts
        if label.aspects and not tied:
            # "Coherence 4, fluency 3." and "a 4 for coherence and fluency a 3".
            tied = "d" in label.parts or _ends_entry(pieces, at)
        return tied and label.whole
    return behind and (label.opens_line or label.stopper in BOUNDARY or isinstance(label.stopper, Value))


def _stands_free(pieces: Sequence[Piece], at: int, label: Label) -> bool:
    """Whether a fraction of the scale has no label that gives it to something else."""
    if label.named or _turned_down(pieces, at):
        return False
    if label.separated:
        return label.opens_line or label.stopper in OPENING
    return label.opens_line or label.stopper in BOUNDARY or label.stopper in OWN


def _clause_before(pieces: Sequence[Piece], at: int) -> Iterator[Piece]:
    for i in range(at - 1, max(at - 14, -1), -1):
        if pieces[i] in _CLAUSE_MARKS:
            return
        yield pieces[i]


def _turned_down(pieces: Sequence[Piece], at: int) -> bool:
    """Whether its clause refuses the number, compares with it, explains it, or gives it to another."""
    if any(piece in NEGATIVE for piece in _clause_before(pieces, at)):
        return True
    for piece in pieces[at + 1 : at + 8]:
        if piece in CLAUSE_ENDS:
            return False
        if piece in REJECTED:
            return True
    return False


def _changed(pieces: Sequence[Piece], at: int) -> set[int] | None:
    """The aspects named where the number ends a change of a score ("I raise it from 3 to 4"); None where it does not."""
    if at == 0 or pieces[at - 1] not in {"to", "from"}:
        return None
    clause = list(_clause_before(pieces, at - 1))
    if any(piece in NEGATIVE for piece in clause):
        return None
    chain = list(takewhile(_is_of_change, clause))
    aspects = {int(str(piece)[1:]) for piece in chain if is_aspect(piece)}
    moves = not CHANGES.isdisjoint(chain) and (aspects or not _MOVED.isdisjoint(chain))
    return aspects if moves else None


def _is_of_change(piece: Piece) -> bool:
    return is_aspect(piece) or piece in CHANGES or piece in OWN or piece in _LOOSE or piece in PARTS
