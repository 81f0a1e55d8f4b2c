"""The options of `agree` on judges and fields, as users write them, and what they say."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import nan

from agentdebate.datasets.named_values import free_pairs, names
from agentdebate.datasets.row import no_label
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.conditions import Condition
from agentdebate.meta.conventions import Convention
from agentdebate.meta.expression import Term, parse_people
from agentdebate.meta.fields import as_label
from agentdebate.meta.joining import Match
from agentdebate.meta.judgements import is_score
from agentdebate.meta.labels import words_of
from agentdebate.meta.replies import How
from agentdebate.store.place import USUAL_STORE
from agentdebate.tasks import Scale

OPEN = "open"
"""Among labels=...: an answer that people never give is wrong, and no error."""
PEOPLE = "people"
"""The name under which people's own scale is declared."""


@dataclass(frozen=True)
class AgreementOptions:
    """Which judges, whose data, and which fields of them hold what."""

    data: str | None = None
    dataset: str | None = None
    """The dataset that the data is published as."""
    subset: bool = False
    scores: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    reply: tuple[str, ...] = ()
    read: str | None = None
    scale: tuple[str, ...] = ()
    store: str = USUAL_STORE
    by: str | None = None
    orders: str | None = None
    grades: tuple[str, ...] = ()
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
    ceiling: bool = False
    annotators: tuple[str, ...] = ()
    reliability: tuple[str, ...] = ()

    @property
    def besides(self) -> tuple[str, ...]:
        """The options that change what a convention says of which rows and which scores are compared."""
        given = {"aspects": [self.aspects], "where": self.where, "choice": [self.choice]}
        return tuple(f"{option}='{value}'" for option, values in given.items() for value in values if value)

    def matches(self, convention: Convention | None) -> tuple[Match, ...]:
        """The fields that name a text."""
        return Match.parse(names(self.on) or (convention.on if convention else ()))

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions that rows have to fulfil."""
        return tuple(map(Condition.parse, self.where))

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
    def reply_fields(self) -> Mapping[str, str]:
        """The fields of replies by aspect; under the empty name that of all other aspects."""
        return _named(self.reply, "reply=...")

    @property
    def how(self) -> How:
        """The way in which replies are read. Raises UsageError."""
        return How.parse(self.read or "auto")

    @property
    def grade_numbers(self) -> Mapping[str, float]:
        """The scores that words stand for. Raises UsageError."""
        found = {word: _number(text) for word, text in free_pairs(self.grades, "grades=...").items()}
        if not all(map(is_score, found.values())):
            raise UsageError(f"grades=... takes WORD=NUMBER, not {', '.join(self.grades)!r}")
        return found

    @property
    def annotator_fields(self) -> Mapping[str, tuple[str, ...]]:
        """The fields of single ratings by aspect; under the empty name the kind of people. Raises UsageError."""
        return {aspect: names(value) for aspect, value in _named(self.annotators, "annotators=...").items()}

    @property
    def order(self) -> tuple[str, str, str]:
        """The field that says which order a row is of, and its two values. Raises UsageError."""
        field, _, values = (self.orders or "").partition("=")
        both = names(values)
        if not field.strip() or len(set(both)) != 2:  # noqa: PLR2004 - two texts have two orders
            raise UsageError(f"orders=... takes FIELD=FIRST,SECOND, not {self.orders!r}")
        return field.strip(), *both  # type: ignore[return-value]  # they are two

    @property
    def aspect_names(self) -> tuple[str, ...]:
        """The aspects that are named anywhere; none where that is left open. Raises UsageError."""
        named = names(self.aspects)
        if len(set(named)) < len(named):
            raise UsageError(f"aspects='{self.aspects}' names an aspect twice")
        mapped = dict.fromkeys([*self.human_terms, *self.score_fields, *filter(None, self.reply_fields)])
        for name in mapped:
            if named and name not in named:
                raise UsageError(f"{name!r} has a field of its own and is not among aspects='{self.aspects}'")
        return named or tuple(mapped)

    @property
    def label_words(self) -> dict[str, str]:
        """The judge's words for each of people's labels. Raises UsageError for a word that is not a label."""
        found = free_pairs([text for text in self.labels if text != OPEN], "labels=...")
        for word in (word for ours, theirs in found.items() for word in (ours, *words_of(theirs))):
            if no_label(word):
                raise UsageError(
                    f"labels=...: {word} in a column of labels is a missing choice; missing=... says what that counts as"
                )
        return {as_label(ours): ",".join(map(as_label, words_of(theirs))) for ours, theirs in found.items()}

    def scale_of(self, judge: str, aspect: str, own: Scale | None = None) -> Scale | None:
        """The scale of a judge's scores, or of people's; `own` is the one that is known of it. None where none is known.

        What is said of the judge goes before what is said of the aspect, and a scale for everything comes last.
        """
        texts = _named(self.scale, "scale=...")
        known = (f"{judge}:{aspect}", judge, *([aspect] if judge != PEOPLE else []))
        name = next((name for name in known if name in texts), None)
        if name is not None:
            return Scale.parse(texts[name])
        return own or (Scale.parse(texts[""]) if "" in texts and judge != PEOPLE else None)

    def check_scales(self, judges: Collection[str], aspects: Collection[str]) -> None:
        """Raise UsageError for a scale of a name that is neither a judge, nor people, nor an aspect, nor one of both with a colon."""
        known = [*aspects, *judges, PEOPLE]
        both = {f"{who}:{aspect}" for who in (*judges, PEOPLE) for aspect in aspects}
        for name in filter(None, _named(self.scale, "scale=...")):
            if name not in both.union(known):
                raise UsageError(
                    f"scale=...: there is no aspect and no judge {name!r}. {nearest(name, known)}"
                )


def _named(texts: tuple[str, ...], option: str) -> dict[str, str]:
    """Read VALUE, which is named "", and NAME=VALUE. Raises UsageError for several without a name."""
    plain = [text for text in texts if "=" not in text]
    if len(plain) > 1:
        raise UsageError(
            f"{option} is given several times, {' and '.join(plain)}: say what each is of, NAME={plain[1]}"
        )
    return {
        **free_pairs([text for text in texts if "=" in text], option),
        **({"": plain[0]} if plain else {}),
    }


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return nan
