"""Numbers that have a line for themselves, as the first or the last thing that a reply says."""

from collections.abc import Sequence

from agentdebate.ballots.markup import BOXED, DOUBLE, HEADING
from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.pieces import RANGE, Piece
from agentdebate.ballots.words import words_of

DECORATION = frozenset([*"\n.:()[]!\"'=~,→>", RANGE, BOXED, DOUBLE, HEADING])
CLOSING_MARKS = frozenset(")]\"'")
REMARK = 16
"""Pieces of a remark that may close a reply behind its score."""


def has_its_line(pieces: Sequence[Piece], at: int, after: int) -> bool:
    """Whether the number is the reply's first or last line, or opens the reply before its reasons."""
    start = at
    while start > 0 and pieces[start - 1] in DECORATION and pieces[start - 1] != "\n":
        start -= 1
    while after < len(pieces) and (pieces[after] in CLOSING_MARKS or pieces[after] in {".", "%"}):
        after += 1
    after = _past_certainty(pieces, after)
    last, first = _is_over(pieces, after), start == 0
    if first and after < len(pieces):
        follows = pieces[after]
        if isinstance(follows, Value) and pieces[after + 1 : after + 2] in ([], ["\n"], ["."]):
            return False  # the first item of a list: "1. 4"
        if follows in _DEFINING and _begins_legend(pieces, after):
            return False
        return (
            follows in {"\n", "-", ":"}
            or (follows == "(" and _is_remark(pieces, after))
            or pieces[after - 1] == "."
            or follows in {"because", "since"}
            or follows == ","
        )
    return last and start > 0 and pieces[start - 1] == "\n" and (start < 2 or pieces[start - 2] != ":")  # noqa: PLR2004


def _begins_legend(pieces: Sequence[Piece], mark: int) -> bool:
    """Whether the lines below go on with the numbers behind this one and the same mark, so that the scale is repeated: "1: poor", "2: fair"."""
    below = [
        pieces[i + 1]
        for i in range(mark + 1, min(mark + _LEGEND, len(pieces) - 2))
        if pieces[i] == "\n" and isinstance(pieces[i + 1], Value) and pieces[i + 2] == pieces[mark]
    ]
    row = [piece.numbers[0] for piece in (pieces[mark - 1], *below[:2]) if isinstance(piece, Value)]
    return len(row) > 2 and row[2] - row[1] == row[1] - row[0] and abs(row[1] - row[0]) == 1  # noqa: PLR2004 - two steps


_LEGEND = 120
"""Pieces in which the next two lines of a legend begin."""
_DEFINING = frozenset(":-")
"""Behind a number, these lead to what it stands for, or to the reasons for it."""


def _is_remark(pieces: Sequence[Piece], bracket: int) -> bool:
    """Whether a bracket holds words and no number, and is all that follows: "4 (good)"."""
    end = next((i for i in range(bracket, min(bracket + REMARK, len(pieces))) if pieces[i] == ")"), None)
    return (
        end is not None
        and not any(isinstance(piece, Value) for piece in pieces[bracket:end])
        and (end + 1 >= len(pieces) or pieces[end + 1] in {".", "\n", ":", "-"})
    )


def _past_certainty(pieces: Sequence[Piece], after: int) -> int:
    """The place behind a remark on how sure the judge is, in the rest of a line: "4, with 80% certainty"."""
    if pieces[after : after + 1] not in ([","], ["("], ["-"]):
        return after
    end = next(
        (i for i in range(after, min(after + REMARK, len(pieces))) if pieces[i] == "\n"),
        min(after + REMARK, len(pieces)),
    )
    return end if not _SURE.isdisjoint(p for p in pieces[after:end] if isinstance(p, str)) else after


_SURE = words_of("certainty confidence confident sure certain")


def _is_over(pieces: Sequence[Piece], after: int) -> bool:
    """Whether nothing comes behind, or at most a short remark in a line of its own without a number ("I hope this helps!")."""
    rest = pieces[after : after + REMARK + 1]
    if all(piece in DECORATION for piece in rest[:3]):
        return True
    return (
        rest[0] == "\n"
        and len(rest) <= REMARK
        and not any(isinstance(piece, Value) or piece == ":" for piece in rest)
    )
