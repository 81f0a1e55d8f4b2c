"""Which fields of the data hold what, and what a convention says of it where the user does not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agentdebate.datasets.missing_words import no_label
from agentdebate.datasets.named_values import free_pairs, names
from agentdebate.datasets.row import Row
from agentdebate.errors import DataError, UsageError
from agentdebate.meta.choosing import Choosing
from agentdebate.meta.conventions import Convention
from agentdebate.meta.expression import Term, parse_choice, parse_people
from agentdebate.meta.fields import all_of, as_label, known_fields, score_of
from agentdebate.meta.joining import Match
from agentdebate.meta.labels import words_of
from agentdebate.meta.where import Condition

OPEN = "open"
"""Among labels=...: an answer that people never give is wrong, and no error."""


@dataclass(frozen=True)
class AgreementFields:
    """Which fields of the data hold what."""

    on: str | None = None
    aspects: str | None = None
    human: tuple[str, ...] = ()
    score: tuple[str, ...] = ()
    group: str | None = None
    system: str | None = None
    where: tuple[str, ...] = ()
    choice: str | None = None
    labels: tuple[str, ...] = ()
    """Of two sides' words each; and "open", where a judge may say what people never do."""
    confidences: str | None = None
    """The field of how sure the judge is of each judgement."""
    rater: str | None = None
    """The field that says who judged, where the data has a row for every person."""

    @property
    def besides(self) -> tuple[str, ...]:
        """The options that change what a convention says of which rows and which scores are compared."""
        given = {
            "aspects": (self.aspects,) if self.aspects else (),
            "where": self.where,
            "choice": (self.choice,),
        }
        return tuple(f"{option}='{value}'" for option, values in given.items() for value in values if value)

    @property
    def human_fields(self) -> Mapping[str, str]:
        """People's fields by aspect; what several people's scores come to stands for a field."""
        return {aspect: one.name for aspect, one in self.human_terms.items()}

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
    def scored(self) -> tuple[str, ...]:
        """The fields that are known to hold scores, of people or of the judge."""
        sums = parse_choice(self.choice).sums if self.choice else ()
        named = [*names(self.aspects), *self.score_fields.values(), *(name for one in sums for name in one)]
        of_people = [name for term in self.human_terms.values() for name in term.fields]
        return tuple(dict.fromkeys([*of_people, *named]))

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions that rows have to fulfil."""
        return tuple(Condition.parse(text) for text in self.where)

    def used(self, convention: Convention | None) -> Iterator[str]:
        """The fields that options name, and those of a convention. Raises UsageError."""
        yield from (name for match in self.matches(convention) for name in (match.data, match.scores))
        yield from (condition.field for condition in self.conditions)
        yield from (*self.scored, *self.human_fields, *self.score_fields)
        named = [self.group, self.system, self.rater, self.confidences]
        if convention:
            named += [convention.group, convention.system, convention.choice, *convention.aspects]
        if self.choice:
            choosing = Choosing.parse(self.choice, {})
            named += [choosing.human, *choosing.judge, *choosing.fields]
            named += choosing.people.fields if choosing.people else ()
            named += [name for one in choosing.judge for name in one.split("+")]
        yield from filter(None, named)

    def matches(self, convention: Convention | None) -> tuple[Match, ...]:
        """The fields that name a text."""
        return Match.parse(names(self.on) or (convention.on if convention else ()))

    def named_aspects(self, more: Sequence[str] = ()) -> tuple[str, ...]:
        """The aspects that are named anywhere; none where that is left open. Raises UsageError."""
        named = names(self.aspects)
        for number, name in enumerate(named):
            if name in named[:number]:
                raise UsageError(f"aspects=... names {name!r} twice")
        mapped = tuple(dict.fromkeys([*self.human_fields, *self.score_fields, *more]))
        for name in mapped:
            if named and name not in named:
                raise UsageError(f"{name!r} has a field of its own and is not among aspects='{self.aspects}'")
        return named or mapped

    def choosing(self, convention: Convention | None) -> Choosing | None:
        """People's choice and the judge's, where texts are compared by choice; of a run's judge field nothing is known."""
        labels = self._named_labels() or (convention.labels if convention else {})
        given = "human=..." if self.human else "score=..." if self.score else None
        if self.choice and given:
            raise UsageError(
                f"{given} names scores, and with choice=... texts are compared by choices: leave one of the two out"
            )
        if self.choice:
            return replace(
                Choosing.parse(self.choice, labels), open=OPEN in self.labels, confidence=self.confidences
            )
        if convention and convention.choice:
            return Choosing(convention.choice, convention.choice, (), labels)
        if labels:
            raise UsageError(
                "labels=... is for choice=..., which says where people's choice is, and the judge's"
            )
        return None

    def _named_labels(self) -> dict[str, str]:
        """What the judge calls each of people's labels. Raises UsageError for a word that is no label."""
        found = free_pairs([text for text in self.labels if text != OPEN], "labels=...")
        for word in (word for ours, theirs in found.items() for word in (ours, *words_of(theirs))):
            if no_label(word):
                raise UsageError(
                    f"labels=...: {word} in a column of labels is a missing choice; missing=... says what that counts as"
                )
        return {as_label(ours): ",".join(map(as_label, words_of(theirs))) for ours, theirs in found.items()}


def shared_numbers(
    rows: Sequence[Row], others: Sequence[Row], besides: Sequence[str | None]
) -> tuple[str, ...]:
    """The fields that hold numbers on both sides, without those that name the text."""
    return tuple(
        name
        for name in known_fields(rows)
        if name not in besides and _has_numbers(rows, name) and _has_numbers(others, name)
    )


def _has_numbers(rows: Sequence[Row], name: str) -> bool:
    """Whether some rows have a number in the field, and no row has anything else."""
    try:
        scores = list(all_of(rows, name, score_of))
    except DataError:
        return False
    return any(score is not None for score in scores)
