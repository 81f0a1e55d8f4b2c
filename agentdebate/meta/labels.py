"""Labels of choices: people's, a judge's words for them, which two are texts, and their order."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from statistics import multimode
from typing import TypeVar

from agentdebate.errors import UsageError
from agentdebate.meta.talk import TIE

OTHER = "another answer"
"""The label of all answers that people never give."""
LabelT = TypeVar("LabelT", bound=float | str)
_TEXTS = 2
"""Texts that can be turned around, and between which a tie lies."""
_NAMED = 9
"""Labels that an error names."""


def words_of(theirs: str) -> tuple[str, ...]:
    """The judge's words for one of people's labels: the text itself, or several with commas between them."""
    parts = tuple(part.strip() for part in theirs.split(",") if part.strip())
    return parts if len(parts) > 1 else (theirs,)


def is_tie(word: str) -> bool:
    """Decide whether a word is the usual one for a tie, in capitals or not."""
    return word.casefold() == TIE


@dataclass(frozen=True)
class Labels:
    """Labels of people, and the label of each word that people or a judge use."""

    people: Mapping[str, str]
    """Each of people's words with the label that it is: several that a judge calls the same are one."""
    judge: Mapping[str, str]
    """Each of the judge's words with people's label for it."""
    tie: str
    """People's label for a tie."""
    named: tuple[str, ...] = ()
    """Every label, where labels=... says which there are."""
    open: bool = False
    """True if a judge's word that people never use counts as wrong instead of as an error."""

    @classmethod
    def given(cls, labels: Mapping[str, str], *, open: bool = False) -> "Labels":
        """The labels as labels=... has them: people's, each with what the judge calls it."""
        words: dict[str, str] = {}
        for ours, theirs in labels.items():
            for word in words_of(theirs):
                words.setdefault(word, ours)
        people = {ours: words[words_of(theirs)[0]] for ours, theirs in labels.items()}
        tie = next((ours for word, ours in (*words.items(), *people.items()) if is_tie(word)), TIE)
        return cls(people, words, tie, tuple(dict.fromkeys(people.values())), open)

    @classmethod
    def seen(cls, words: Collection[str], *, open: bool = False) -> "Labels":
        """The labels that people say, and a judge too."""
        tie = next(filter(is_tie, sorted(words)), TIE)
        known = {word: tie if is_tie(word) else word for word in words}
        return cls(known, known, tie, open=open)

    @property
    def texts(self) -> tuple[str, ...]:
        """The labels that are texts: all but that of a tie."""
        labels = self.named or sorted(set(self.judge.values()))
        return tuple(label for label in labels if label != self.tie)

    def turned(self, label: str) -> str:
        """Translate a choice of the texts that were shown in the other order. Raises UsageError where there are not two texts."""
        if label in (self.tie, OTHER):
            return label
        if len(self.texts) != _TEXTS:
            raise UsageError(
                f"flip() turns two texts around, and the choices are {', '.join(self.texts[:_NAMED])}: labels=... says which is which, "
                "as labels='first=A,second=B,tie=C'"
            )
        first, second = self.texts
        return {first: second, second: first}[label]

    def label(self, word: str, *, of_people: bool) -> str | None:
        """The label that a word of people's, or of the judge's, stands for; None where that is not known."""
        known = self.people if of_people else self.judge
        if word not in known and is_tie(word):
            return self.tie
        return known.get(word, OTHER if self.open and not of_people else None)

    def unknown(self, word: str, *, of_people: bool) -> str:
        """Describe the problem of a word without a label."""
        known = self.people if of_people else self.judge
        return (
            f"{word!r:.80} is not among the labels of {'people' if of_people else 'the judge'} ({', '.join(list(known)[:_NAMED])}): "
            "labels=... says what the judge calls each of people's labels, and labels='open' that its other words are wrong"
        )

    def ordered(self, used: Iterable[str]) -> tuple[tuple[str, ...], str | None]:
        """All labels in their order, and the one for a tie; None where no one can say it."""
        known = (*self.named, *sorted_labels(used, self.tie))
        tie = self.tie if self.tie in known else None
        return in_order(known, tie), tie


def in_order(labels: Iterable[str], tie: str | None = None) -> tuple[str, ...]:
    """Each label once: numbers as numbers, a tie between the two texts that it is of, and others as they are given.

    A `tie` None is the label that reads "tie".
    """
    known = tuple(dict.fromkeys(labels))
    if all(isfinite(_number(label)) for label in known):
        return tuple(sorted(known, key=_rank))
    ties = [label for label in known if label == tie or is_tie(label)]
    texts = [label for label in known if label not in ties]
    if len(texts) != _TEXTS:
        return known
    first, second = sorted(texts, key=_number)
    return first, *ties, second


def sorted_labels(labels: Iterable[str], tie: str | None = None) -> tuple[str, ...]:
    """Labels without a given order: as `in_order` has them, others by name, and a tie behind those."""
    return in_order(sorted(labels, key=lambda label: (label == tie or is_tie(label), *_rank(label))), tie)


def _rank(label: str) -> tuple[float, str]:
    return _number(label), label


def majority(labels: Sequence[LabelT], tie: LabelT | None) -> LabelT | None:
    """The most frequent label or score; a `tie` where several are as frequent, None without any."""
    best = multimode(labels)
    return (best[0] if len(best) == 1 else tie) if best else None


def vote(choices: Sequence[str | None], tie: str = TIE) -> str | None:
    """Merge single votes: the label with the most, where a vote for a tie is for none of the texts.

    A tie where several have as many, or all are ties; None where one of the votes is missing.
    """
    if None in choices:
        return None
    return majority([choice for choice in choices if choice is not None and choice != tie], tie) or tie


def _number(label: str) -> float:
    try:
        return float(label)
    except ValueError:
        return inf
