"""Labels of choices: people's and a judge's words for them, which two are texts, and their order."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import inf, isfinite

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.talk import TIE

LETTERS = (("A", "B"), ("a", "b"))
"""What two texts are called by letters."""
_USUAL = (("1", "2"), *LETTERS, ("0", "1"), ("first", "second"))
"""What the first and the second of two texts are often called, where a judge has never chosen one of them."""
_TEXTS = 2
"""Texts that can be turned around, and between which a tie lies."""


def companions(words: AbstractSet[str], more: Sequence[str] = ()) -> frozenset[str]:
    """The other words of a usual pair of names, or of `more`, to which all `words` but a tie belong: "2" where "1" is known."""
    texts = {word for word in words if word.casefold() != TIE}
    found = (names for names in (*_USUAL, more) if texts and texts <= set(names))
    return frozenset(name for names in found for name in names)


def words_of(theirs: str) -> tuple[str, ...]:
    """The judge's words for one of people's labels: the text itself, or several with commas between them."""
    parts = tuple(part.strip() for part in theirs.split(",") if part.strip())
    return parts if len(parts) > 1 else (theirs,)


def meant(labels: Mapping[str, str]) -> dict[str, str]:
    """What people call each of the judge's words; the first of their labels where several are called so."""
    found: dict[str, str] = {}
    for ours, theirs in labels.items():
        for word in words_of(theirs):
            found.setdefault(word, ours)
    return found


def one_of(labels: Mapping[str, str]) -> dict[str, str]:
    """Each of people's labels as the one that stands for it: several that a judge calls the same are one."""
    words = meant(labels)
    return {ours: words[words_of(theirs)[0]] for ours, theirs in labels.items()}


def tie_among(labels: Mapping[str, str]) -> str | None:
    """The label of people's that says that texts are equally good; None where none does."""
    called = next((ours for word, ours in meant(labels).items() if word.casefold() == TIE), None)
    return called or next((ours for ours in labels if ours.casefold() == TIE), None)


def tie_of(named: Mapping[str, str], labels: Iterable[str]) -> str | None:
    """The label of people's for a tie, as `named` by the user or as it is among all `labels`; None where there is none."""
    return tie_among(named) or next((label for label in labels if label.casefold() == TIE), None)


@dataclass(frozen=True)
class Pair:
    """The judge's words for two texts, and for a tie."""

    first: str
    second: str
    tie: str = TIE
    words: Mapping[str, str] | None = None
    """Each of the judge's words as the one of these three that stands for it; where None, each is itself."""

    def known(self, word: str) -> str:
        """The word that stands for this one. Raises KeyError for one that means neither text and no tie."""
        if self.words is not None:
            return self.words[word]
        if word.casefold() == TIE:
            return self.tie
        return {self.first: self.first, self.second: self.second}[word]

    def flipped(self, word: str) -> str:
        """What a choice means where the texts were shown in the other order. Raises KeyError as `known` does."""
        known = self.known(word)
        return {self.first: self.second, self.second: self.first}.get(known, known)


def pair_of(labels: Mapping[str, str], seen: Iterable[str], tie: str = TIE) -> Pair:
    """The two texts that labels stand for; without labels, the two words among those that were `seen`, `tie` aside.

    Raises UsageError where there are not two.
    """
    if labels:
        return _named(labels)
    found = sorted({word for word in seen if word.casefold() != TIE})
    if len(found) == 1:
        usual = next((each for each in _USUAL if found[0] in each), ())
        found = list(usual) or found
    if not found:
        found = list(_USUAL[0])
    if len(found) != _TEXTS:
        raise UsageError(
            f"flip() turns two texts around, and the choices are {', '.join(found[:9])}: labels=... says which of them is which "
            "text, and which a tie, such as labels='first=A,second=B,tie=C'"
        )
    return Pair(found[0], found[1], tie)


def _named(labels: Mapping[str, str]) -> Pair:
    tie, one = tie_among(labels), one_of(labels)
    word_for = {ours: words_of(labels[ours])[0] for ours in one.values()}
    texts = [ours for ours in word_for if ours != tie]
    if len(texts) != _TEXTS:
        raise UsageError(
            f"flip() turns two texts around, and labels=... has {', '.join(texts) or 'none'} besides a tie. "
            f"{nearest('', texts)}"
        )
    words = {word: word_for[ours] for word, ours in meant(labels).items()}
    return Pair(word_for[texts[0]], word_for[texts[1]], word_for[tie] if tie else TIE, words)


def in_order(labels: Iterable[str], tie: str | None = None) -> tuple[str, ...]:
    """Each label once: numbers as numbers, a tie between the two texts that it is of, and others as they are given.

    A `tie` None is the label that reads "tie".
    """
    known = tuple(dict.fromkeys(labels))
    if all(isfinite(_number(label)) for label in known):
        return tuple(sorted(known, key=lambda label: (_number(label), label)))
    ties = [label for label in known if label == tie or label.casefold() == TIE]
    texts = [label for label in known if label not in ties]
    if len(texts) != _TEXTS:
        return known
    first, second = sorted(texts, key=_number)
    return first, *ties, second


def sorted_labels(labels: Iterable[str], tie: str | None = None) -> tuple[str, ...]:
    """Labels of which nobody has said an order: as `in_order` has them, others by name, and a tie behind those."""
    named = sorted(
        set(labels), key=lambda label: (label == tie or label.casefold() == TIE, _number(label), label)
    )
    return in_order(named, tie)


def _number(label: str) -> float:
    try:
        return float(label)
    except ValueError:
        return inf
