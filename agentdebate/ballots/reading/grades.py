"""Signs of order between two names: "[[A>>B]]", "B = A"."""

from collections.abc import Iterator, Sequence

from agentdebate.ballots.markup import BOXED
from agentdebate.ballots.reading.names import TIE, Names, named
from agentdebate.ballots.reading.placement import is_verbless
from agentdebate.ballots.reading.sentence import sentence_start
from agentdebate.ballots.reading.statement import Finality, Statement
from agentdebate.ballots.reading.vetoes import is_void
from agentdebate.ballots.reading.winners import winner_of
from agentdebate.ballots.words import words_of

_SIGNS = frozenset("<>=")


def find_grades(words: Sequence[str], names: Names) -> Iterator[Statement[int]]:
    """Signs of order between two names or keys: "[[A>>B]]"."""
    for i, word in enumerate(words):
        if word not in _SIGNS or i == 0 or words[i - 1] in _SIGNS:
            continue
        end = i + 1
        while end < len(words) and words[end] in _SIGNS and end - i < 3:  # noqa: PLR2004 - there are two signs at most
            end += 1
        left, right = _place(words, i - 1, names), _place(words, end, names)
        if left is None or right is None or left == right or _is_no_order(words, i, end):
            continue
        place = left if word == ">" else right if word == "<" else TIE
        start = i - 1
        boxed = start >= 1 and words[start - 1] in {"[", BOXED}
        form = (
            start == 0
            or words[start - 1] in {"\n", ":"}
            or list(words[start - 2 : start]) == [":", '"']
            or winner_of(words, start, end + 1) is not None
            or (words[start - 1] == "," and is_verbless(words, start, end + 1))
            or _is_said(words, start, end + 1)
        )
        if boxed or (form and not is_void(words, i)):
            yield Statement(0, place, "grade", Finality.FINAL if boxed else Finality.FORM, start)


def _is_no_order(words: Sequence[str], i: int, end: int) -> bool:
    """Whether signs between two names order nothing: "A<>B", or a number that a text is given ("A=2")."""
    return {"<", ">"} <= set(words[i:end]) or words[i - 1].isdigit() != words[end].isdigit()


def _is_said(words: Sequence[str], start: int, end: int) -> bool:
    """Whether the judge says a grade in a sentence, and nothing else: "I'd say B>A"."""
    lead = words[sentence_start(words, start) : start]
    over = end >= len(words) or words[end] in {".", "!", "\n"}
    return over and _SAYING.issuperset(lead) and not _FIRST_PERSON.isdisjoint(lead)


_FIRST_PERSON = frozenset(("i", "i'd", "i'll", "we", "we'd", "my"))
_SAYING = _FIRST_PERSON | words_of(
    "would say go with choose pick vote rate it this as so overall , thus therefore verdict is"
)


def _place(words: Sequence[str], at: int, names: Names) -> int | None:
    if not 0 <= at < len(words):
        return None
    place = named(words[at])
    return names.keys.get(words[at]) if place is None else place
