"""The fields of the data that hold judgements and names, and a convention's where the user names none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agentdebate.datasets.named_values import free_pairs, names
from agentdebate.datasets.row import no_label
from agentdebate.errors import UsageError
from agentdebate.meta.conventions import Convention
from agentdebate.meta.expression import Term, parse_choice, parse_people
from agentdebate.meta.fields import Condition, as_label
from agentdebate.meta.joining import Match
from agentdebate.meta.labels import words_of
from agentdebate.meta.readers import Choosing

OPEN = "open"
"""Among labels=...: an answer that people never give is wrong, and no error."""


@dataclass(frozen=True)
class AgreementFields:
    """Names of the data's fields."""

    on: str | None = None
    aspects: str | None = None
    human: tuple[str, ...] = ()
    score: tuple[str, ...] = ()
    group: str | None = None
    system: str | None = None
    where: tuple[str, ...] = ()
    choice: str | None = None
    labels: tuple[str, ...] = ()
    """Labels with the words of both sides; and "open", where a judge may say what people never do."""
    confidences: str | None = None
    """The field of how sure the judge is of each judgement."""
    rater: str | None = None
    """The field that says who judged, where the data has a row for every person."""

    @property
    def besides(self) -> tuple[str, ...]:
        """The options that change what a convention says of which rows and which scores are compared."""
        given = {"aspects": [self.aspects], "where": self.where, "choice": [self.choice]}
        return tuple(f"{option}='{value}'" for option, values in given.items() for value in values if value)

    @property
    def human_terms(self) -> Mapping[str, Term]:
        """People's fields by aspect, and what is made of several people's scores in them. Raises UsageError."""
        given = free_pairs(self.human, "human=...")
        return {aspect: parse_people(text, "human=...") for aspect, text in given.items()}

    @property
    def score_fields(self) -> Mapping[str, str]:
        """The judge's fields by aspect."""
        return free_pairs(self.score, "score=...")

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions that rows have to fulfil."""
        return tuple(Condition.parse(text) for text in self.where)

    def used(self, convention: Convention | None) -> Iterator[str]:
        """The fields that options name, and those of a convention. Raises UsageError."""
        yield from (name for match in self.matches(convention) for name in (match.data, match.scores))
        yield from (condition.field for condition in self.conditions)
        yield from names(self.aspects)
        for aspect, term in self.human_terms.items():
            yield from (aspect, *term.fields)
        for aspect, name in self.score_fields.items():
            yield from (aspect, name)
        named = [self.group, self.system, self.rater, self.confidences]
        if convention:
            named += [convention.group, convention.system, convention.choice, *convention.aspects]
        choosing = self.choosing(convention)
        if choosing:
            named += [*choosing.fields, *(choosing.human.fields if choosing.human else ())]
        yield from filter(None, named)

    def of_people(self, convention: Convention | None) -> Iterator[str]:
        """The fields of people's judgements, as far as options or the convention name them. Raises UsageError."""
        choosing = self.choosing(convention)
        if choosing:
            yield from choosing.human.fields if choosing.human else ()
            return
        for aspect in self.named_aspects() or (convention.aspects if convention else ()):
            yield from self.human_terms.get(aspect, Term((aspect,))).fields

    def matches(self, convention: Convention | None) -> tuple[Match, ...]:
        """The fields that name a text."""
        return Match.parse(names(self.on) or (convention.on if convention else ()))

    def named_aspects(self, more: Sequence[str] = ()) -> tuple[str, ...]:
        """The aspects that are named anywhere; none where that is left open. Raises UsageError."""
        named = names(self.aspects)
        if len(set(named)) < len(named):
            raise UsageError(f"aspects='{self.aspects}' names an aspect twice")
        mapped = tuple(dict.fromkeys([*self.human_terms, *self.score_fields, *more]))
        for name in mapped:
            if named and name not in named:
                raise UsageError(f"{name!r} has a field of its own and is not among aspects='{self.aspects}'")
        return named or mapped

    def choosing(self, convention: Convention | None) -> Choosing | None:
        """People's choice and the judge's, where texts are compared by choice. Raises UsageError."""
        labels = self._named_labels() or (convention.labels if convention else {})
        if self.choice:
            if self.human or self.score:
                raise UsageError(
                    "human=... and score=... name scores, and with choice=... texts are compared by choices: leave one of the two out"
                )
            asked = parse_choice(self.choice)
            is_open = OPEN in self.labels
            return Choosing(asked.human, asked.terms, asked.sums, labels, is_open, self.confidences)
        if convention and convention.choice:
            same = Term((convention.choice,))
            return Choosing(same, (same,), labels=labels, confidence=self.confidences)
        if self.labels:
            raise UsageError(
                "labels=... is for choice=..., which says where people's choice is, and the judge's"
            )
        return None

    def _named_labels(self) -> dict[str, str]:
        """The judge's words for each of people's labels. Raises UsageError for a word that is not a label."""
        found = free_pairs([text for text in self.labels if text != OPEN], "labels=...")
        for word in (word for ours, theirs in found.items() for word in (ours, *words_of(theirs))):
            if no_label(word):
                raise UsageError(
                    f"labels=...: {word} in a column of labels is a missing choice; missing=... says what that counts as"
                )
        return {as_label(ours): ",".join(map(as_label, words_of(theirs))) for ours, theirs in found.items()}
