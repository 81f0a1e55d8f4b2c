"""Labels of choices: people's, a judge's words for them, which two are texts, and their order."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.talk import TIE

OTHER = "another answer"
"""The label of all answers that people never give."""
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
        tie = next((ours for word, ours in words.items() if is_tie(word)), None)
        tie = tie or next((ours for ours in people if is_tie(ours)), TIE)
        return cls(people, words, tie, tuple(dict.fromkeys(people.values())), open)

    @classmethod
    def seen(
        cls, people: Collection[str], judge: Collection[str], *, turned: bool = False, open: bool = False
    ) -> "Labels":
        """The labels of people and a judge that say the same; where texts are `turned` around, both sides' are known."""
        tie = next(filter(is_tie, sorted(people)), TIE)
        both = {*people, *judge} if turned or not people else {*people}
        known = {word: tie if is_tie(word) else word for word in both}
        ties = {word: tie for word in judge if is_tie(word)}
        return cls(known, {**known, **ties}, tie, open=open)

    @property
    def texts(self) -> tuple[str, ...]:
        """The labels that are texts: all but that of a tie."""
        labels = self.named or sorted(set(self.judge.values()))
        return tuple(label for label in labels if label != self.tie)

    def turned(self, label: str) -> str:
        """Translate a choice of the texts that were shown in the other order. Raises UsageError where there are not two texts."""
        if label == self.tie:
            return label
        if len(self.texts) != _TEXTS:
            raise UsageError(
                f"flip() turns two texts around, and the choices are {', '.join(self.texts[:_NAMED])}: labels=... says which of "
                "them is which text, and which a tie, such as labels='first=A,second=B,tie=C'"
            )
        first, second = self.texts
        return {first: second, second: first}[label]

    def of_people(self, word: str) -> str:
        """People's word as a label."""
        return self.people[word]

    def of_judge(self, word: str) -> str:
        """The judge's word as people's label."""
        return self.judge.get(word, OTHER) if self.open else self.judge[word]

    def unknown(self, word: str, *, of_people: bool = False) -> str:
        """Describe the problem of a word; empty where there is none."""
        if word in (self.people if of_people else self.judge) or (self.open and not of_people):
            return ""
        if self.named:
            return f"labels=... does not list {word:.80}. {nearest(word, self.people if of_people else self.judge)}"
        people = sorted(self.people)
        return (
            f"the judge says {word!r:.80}, which people never say ({', '.join(people[:_NAMED])}): labels=... says what each label is "
            f"called by the judge, {people[0]}=...; open among them counts it as wrong; of raw replies, read='auto' finds the choice"
        )

    def ordered(self, used: Iterable[str], *, several: bool) -> tuple[tuple[str, ...], str | None]:
        """All labels in their order, and the one for a tie; `several` says that choices together can come to one."""
        seen = set(used)
        if self.named:
            more = [OTHER] * (OTHER in seen) + [self.tie] * (several or self.tie in seen)
            labels = tuple(dict.fromkeys((*self.named, *more)))
        else:
            labels = sorted_labels(seen, self.tie)
        tie = self.tie if several or self.tie in labels else None
        return in_order(labels, tie), tie


def in_order(labels: Iterable[str], tie: str | None = None) -> tuple[str, ...]:
    """Each label once: numbers as numbers, a tie between the two texts that it is of, and others as they are given.

    A `tie` None is the label that reads "tie".
    """
    known = tuple(dict.fromkeys(labels))
    if all(isfinite(_number(label)) for label in known):
        return tuple(sorted(known, key=lambda label: (_number(label), label)))
    ties = [label for label in known if label == tie or is_tie(label)]
    texts = [label for label in known if label not in ties]
    if len(texts) != _TEXTS:
        return known
    first, second = sorted(texts, key=_number)
    return first, *ties, second


def sorted_labels(labels: Iterable[str], tie: str | None = None) -> tuple[str, ...]:
    """Labels without a given order: as `in_order` has them, others by name, and a tie behind those."""
    named = sorted(set(labels), key=lambda label: (label == tie or is_tie(label), _number(label), label))
    return in_order(named, tie)


def majority(labels: Sequence[str], tie: str | None = TIE) -> str | None:
    """The most frequent label, a tie being one like any other; a tie where several are as frequent, None without any."""
    counts = {label: labels.count(label) for label in labels}
    best = [label for label, count in counts.items() if count == max(counts.values())]
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
