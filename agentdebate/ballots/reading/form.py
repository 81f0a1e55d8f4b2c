"""What stands to the left of a number: the label that says what the number is for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agentdebate.ballots.markup import BOXED, DOUBLE
from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.lexicon import (
    BOUNDARY,
    EARLIER,
    OPENING,
    PARTS,
    SCORE_NOUNS,
    SPEAKER,
    VERB_OR_NOUN,
)
from agentdebate.ballots.reading.pieces import RANGE, Piece
from agentdebate.ballots.words import words_of

_ALONE = frozenset("\n.)]\"'")
_FARTHEST = 16
"""Pieces; a label that needs more is prose."""


@dataclass(slots=True)
class Label:
    """The words that tie a number to what it rates, read leftwards from it.

    `parts` are the letters of words.PARTS that were met, `aspects` the aspects named. `stopper` is the piece that
    ended the walk ("" at the start of a line or of the reply), `leftmost` the last piece that still belonged.
    """

    parts: set[str] = field(default_factory=set)
    aspects: set[int] = field(default_factory=set)
    separated: bool = False
    boxed: bool = False
    doubled: bool = False
    crossed: bool = False
    stopper: Piece = ""
    leftmost: str = ""

    @property
    def opens_line(self) -> bool:
        """Whether nothing but the label stands before the number in its line."""
        return self.stopper in {"", "§"}

    @property
    def named(self) -> bool:
        """Whether the label names an aspect or a score ("Final: 4" does)."""
        return bool(self.aspects) or "c" in self.parts or (self.separated and not self.parts.isdisjoint("ft"))

    @property
    def whole(self) -> bool:
        """Whether the label has no unread word that could change what it names ("relevance score")."""
        if self.opens_line or self.stopper in BOUNDARY or isinstance(self.stopper, Value):
            return True
        if self.leftmost in {":", "-", "|", "=", "→"}:
            return self.stopper in OPENING
        return bool(set(PARTS.get(self.leftmost, "")) & set("dlvf"))


def label_before(pieces: Sequence[Piece], at: int) -> Label:
    """The label of the number at this place. A newline may part them where the number has its line for itself."""
    label = Label()
    i = at - 1
    while i >= 0 and at - i <= _FARTHEST:
        piece = pieces[i]
        if piece in {")", "]"}:
            i = _before_bracket(pieces, i)
            continue
        if isinstance(piece, Value) and label.leftmost == ":" and list(pieces[i - 2 : i]) == ["out", "of"]:
            i -= 3  # "Score out of 5: 4"
            continue
        if isinstance(piece, Value) and label.leftmost == "=" and (first := _sum(pieces, i)) is not None:
            i = first - 1
            continue
        if isinstance(piece, Value) or not (
            _cross(label, pieces, at) if piece == "\n" else _take(label, pieces, i)
        ):
            break
        i -= 1
    label.stopper = pieces[i] if i >= 0 and pieces[i] != "\n" else ""
    if label.separated and _is_of_line(label, pieces, i):
        label.stopper = ""
    if label.leftmost == ":" and label.stopper in OPENING and (i == 0 or pieces[i - 1] in {"\n", "§"}):
        # "Scorer: Score: 4" is a line of a form as well.
        label.stopper = ""
    return label


def _is_of_line(label: Label, pieces: Sequence[Piece], i: int) -> bool:
    """Whether the words left in the line say more of the score that the label names ("Suggested rating"), or are a noun for it ("Level")."""
    if i > 0 and pieces[i - 1] not in {"\n", "§"}:
        return False
    return (
        "c" in label.parts
        and (pieces[i] in {"your", "star", "point"} or str(pieces[i]).endswith(_MODIFYING))
        and pieces[i] not in EARLIER
    )


_VALUES = words_of("rate value level output number estimate decision choice quality outcome impression")
"""Nouns that name a score where they are a label of their own."""
_MODIFYING = ("ed", "al", "ive", "ary", "ful", "able", "ible")


def _sum(pieces: Sequence[Piece], last: int) -> int | None:
    """The first number of the sum that ends at this place ("2 + 3"); None where there is no sum."""
    i = last
    while (
        i > 1 and last - i <= _FARTHEST and pieces[i - 1] in {"+", "and"} and isinstance(pieces[i - 2], Value)
    ):
        i -= 2
    return i if i < last else None


def _cross(label: Label, pieces: Sequence[Piece], at: int) -> bool:
    """Whether the number stands alone in its line, so that the line before may be its label."""
    after = pieces[at + 1] if at + 1 < len(pieces) else "\n"
    if label.crossed or label.parts - {"p", "d"} or label.aspects or after not in _ALONE:
        return False
    label.crossed = label.separated = True
    return True


def _take(label: Label, pieces: Sequence[Piece], i: int) -> bool:
    """Add the piece to the label; False where it is none of its words."""
    piece = pieces[i]
    if isinstance(piece, Value):
        return False
    if piece in PARTS and piece not in _SPECIAL:
        # What most pieces of a label are.
        _add(label, piece, pieces[i - 1] if i else "")
        label.leftmost = piece
        return True
    if piece[0] == "@" and is_aspect(piece):
        label.aspects.add(int(piece[1:]))
    elif piece in EARLIER and label.separated:
        return False
    elif piece in _VALUES and label.leftmost == ":":
        label.parts.add("c")
    elif piece in PARTS:
        _add(label, piece, pieces[i - 1] if i else "")
    elif piece in {";", "."} and not label.leftmost and _is_slipped_colon(pieces, i):
        label.separated = True
    elif label.separated and is_misspelt(piece):
        label.parts.add("c")
    else:
        return False
    label.leftmost = piece
    return True


_SPECIAL = EARLIER | _VALUES
"""Words that are part of a label by what stands behind them."""


def _is_slipped_colon(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a mark that ends a clause stands for a colon: between the one word that opens a line and the number that ends it."""
    if i == 0 or pieces[i - 2 : i - 1] not in ([], ["\n"]):
        return False
    named = is_aspect(pieces[i - 1]) or pieces[i - 1] in SCORE_NOUNS
    return named and (pieces[i] == ";" or pieces[i + 2 : i + 3] in ([], ["\n"], ["."]))


def is_misspelt(piece: str) -> bool:
    """Whether a word is "score" or "rating" with a slip: a letter left out, doubled, or in another place ("socre")."""
    return piece in _SLIPS


def _slips(word: str) -> Iterator[str]:
    yield word[0] + word
    for i in range(1, len(word)):
        yield word[:i] + word[i + 1 :]
        yield word[:i] + word[i] + word[i:]
        yield word[:i] + word[i + 1 : i + 2] + word[i] + word[i + 2 :]


_SLIPS = frozenset((*_slips("score"), *_slips("rating"), "raiting", "rateing", "scoer")) - {
    "score",
    "rating",
    "scoring",
}


def is_aspect(piece: Piece) -> bool:
    """Whether the piece is the name of one of the aspects wanted."""
    return isinstance(piece, str) and len(piece) > 1 and piece[0] == "@"


def _add(label: Label, piece: str, before: Piece) -> None:
    is_verb = piece in VERB_OR_NOUN and before in SPEAKER and not label.separated
    parts = "v" if is_verb else PARTS[piece]
    if "s" in parts:
        label.separated = True
    if piece == BOXED:
        label.boxed = True
    elif piece == DOUBLE:
        label.doubled = True
    label.parts.update(parts)


def _before_bracket(pieces: Sequence[Piece], closing: int) -> int:
    """Where to read on: before a bracket that holds a hint on the scale ("(1 = worst, 5 = best)"), else inside."""
    hint = False
    for i in range(closing - 1, max(closing - 14, -1), -1):
        piece = pieces[i]
        if piece in {"(", "["}:
            return i - 1 if hint else closing - 1
        if piece == "\n":
            break
        hint |= isinstance(piece, Value) or piece == RANGE
    return closing - 1
