"""Forms that a reply only speaks of: 'it ends with "[[A]]"', "the line [[4]] is part of the text".

A text that is judged may hold a verdict, to sway the judge, and judges mention it. What is mentioned is not a judgement, however it is set
apart. Works on pieces around a place, and looks at a bounded number of them.
"""

from collections.abc import Sequence
from itertools import pairwise

from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_end, sentence_start
from agentdebate.ballots.words import words_of

_REACH = 14
"""Pieces before a value, or behind it, in which the words stand that mention it."""
_TELLING = words_of(
    "says said saying reads reading ends ending closes concludes contains containing includes including states stated writes wrote written "
    "quotes cites claims claiming claimed declares asserts demands begs adds prints asks tells opens begins starts holds carries has shows inserts suggests"
)
"""Verbs of a text that holds words; behind them, these are the text's."""
_DISMISSING = words_of(
    "ignore ignored ignoring disregard disregarded disregarding discard quote cite mention"
)
"""Verbs of the judge for what it does not mean."""
_SEEING = words_of("see saw find found notice noticed spot spotted read")
"""Verbs of the judge for what it comes upon in a text."""
_TELLING_TO = words_of("output reply answer write return print respond choose give")
_NAMING = words_of(
    "line lines words word sentence phrase string json instruction note remark comment text markup tag claim mark form"
)
"""Nouns for a piece of text: what follows them is mentioned."""
_BETWEEN = (
    words_of("with in by for the a an to me us judge its that this hidden last first final own such at end")
    | _NAMING
)
"""What may stand between such a verb and what is mentioned."""
_MARKS = frozenset("\"'([{:▣▢$") | {","}
_SET_APART = frozenset('"[:▣▢')
"""Without one of these before it, nothing is set apart as a form."""
_OWN = frozenset(["i", "i'd", "i'll", "i'm", "we", "my", "me", "mine", "our"])
_PLACED = words_of("stands appears occurs comes is was are at in")


def is_cited(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence only mentions the form that holds this place, as words of a text or of an instruction."""
    if _SET_APART.isdisjoint(pieces[max(at - _REACH, 0) : at]):
        return False
    start, end = sentence_start(pieces, at), sentence_end(pieces, at)
    first = _form_start(pieces, start, at)
    while first - 2 > start and pieces[first - 1] in {"or", "and"} and pieces[first - 2] in {'"', "]"}:
        # 'It asks for "[[A]]" or "[[B]]"': the judge that holds the first one holds the other.
        first = _form_start(pieces, start, first - 2)
    apart = pieces[first] == '"' or pieces[at - 1] in {"[", "▣", "▢"}
    return _is_introduced(pieces, start, first, apart=apart) or _is_commented(pieces, start, first, at, end)


def _form_start(pieces: Sequence[Piece], start: int, at: int) -> int:
    """Where the form begins that a value ends: at the quotation mark that is open, else at its brackets."""
    low = max(start, at - _REACH)
    quotes = [i for i in range(low, at) if pieces[i] == '"']
    if len(quotes) % 2:
        return quotes[-1]
    first = at
    while first > low and pieces[first - 1] in _MARKS - {",", ":"}:
        first -= 1
    return first


def _is_introduced(pieces: Sequence[Piece], start: int, first: int, *, apart: bool) -> bool:
    """Whether words lead up to a form that make it somebody's: "it ends with", "the line", "I ignore the"."""
    i = first - 1
    while (
        i >= start
        and first - i <= _REACH
        and (
            pieces[i] in _BETWEEN
            or pieces[i] in _MARKS
            or pieces[i - 1 : i] == pieces[i + 1 : i + 2] == ['"']
        )
    ):
        i -= 1
    if i < start or first - i > _REACH:
        return False
    verb = pieces[i]
    if verb in _DISMISSING or (apart and (verb in _SEEING or (verb == "is" and pieces[i - 1] == "there"))):
        return True
    subject = [piece for piece in pieces[max(start, i - 2) : i] if isinstance(piece, str)]
    if verb in _TELLING:
        return _OWN.isdisjoint(subject) and (apart or i > start)
    return (
        apart
        and verb in _TELLING_TO
        and pieces[i + 1] != ":"
        and (i == start or subject[-1:] == ["to"])
        and "would" not in subject
    )


def _is_commented(pieces: Sequence[Piece], start: int, first: int, at: int, end: int) -> bool:
    """Whether words behind a form say whose it is: "but that is part of the text", "which I ignore", "stands at the end"."""
    behind = [piece for piece in pieces[at + 1 : min(end, at + _REACH)] if isinstance(piece, str)]
    while behind and behind[0] in {"]", '"', ")", "}", ".", "'"}:
        del behind[0]
    if behind[:1] in (["if"], ["when"]) and pieces[at + 1 : at + 2] in (["]"], ['"']):
        return True
    own = not _OWN.isdisjoint(p for p in pieces[start:first] if isinstance(p, str))
    if own or not behind:
        return False
    pairs = set(pairwise(behind))
    dismissed = not _DISMISSING.isdisjoint(behind) and not _OWN.isdisjoint(behind)
    disowned = not pairs.isdisjoint(_DISOWNING)
    apart = pieces[first] == '"' or pieces[at - 1] in {"[", "▣", "▢"}
    placed = apart and behind[0] in _PLACED and (behind[0] != "is" or behind[1:2] in (["what"], ["part"]))
    return dismissed or disowned or placed


_DISOWNING = frozenset(
    [
        ("part", "of"),
        ("not", "mine"),
        ("not", "my"),
        ("an", "attempt"),
        ("an", "injection"),
        ("an", "instruction"),
        ("a", "part"),
        ("its", "end"),
    ]
)
