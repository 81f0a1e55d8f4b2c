"""Readers of files into the long table: rows of the data, each beside the judge's row about the same text."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import fsum
from typing import Any

from agentdebate.datasets.row import Row
from agentdebate.meta.expression import Order, Term, written
from agentdebate.meta.fields import choice_of, entries_in, score_in, score_of, value_in
from agentdebate.meta.joining import Joined, Text
from agentdebate.meta.judgements import Choices, Judgements
from agentdebate.meta.labels import Labels
from agentdebate.meta.long_table import PEOPLE, Judgement, chosen, scored
from agentdebate.meta.talk import TIE, Value
from agentdebate.meta.two_orders import TwoOrders, two_orders

Read = Callable[[Row, str, Any], Value | None]
"""Reads one value of a field: a score, a word for a choice, or the judgement in a reply."""

_DECIMALS = 9


@dataclass(frozen=True, slots=True)
class Scored:
    """An aspect, and the fields of people's score of it and of the judge's."""

    aspect: str
    human: Term
    score: str
    confidence: str | None = None
    """The field of how sure the judge is."""


@dataclass(frozen=True)
class Choosing:
    """The fields of people's choice and of the judge's: one, both orders, or scores of the texts, the best of which is its choice."""

    human: Term | None
    """Field of people's choice; None where there are no people."""
    terms: tuple[Term, ...] = ()
    sums: tuple[tuple[str, ...], ...] = ()
    """The fields of each text's scores, which are added; a judge then says the field of the best one, or its number from 1."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Judge's words for each of people's labels, several with commas between them; where empty, both say the same."""
    open: bool = False
    """True if a judge's word that people never use counts as wrong instead of as an error."""
    confidence: str | None = None
    about: str = ""

    @property
    def aspect(self) -> str:
        """The name of the choice where it is printed: the field that people's is from, unless it is `about` something by name."""
        return self.about or ",".join(self.human.fields) if self.human else "choice"

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields that the judge's choice is from."""
        several = [name for term in self.terms for name in term.fields] + [
            name for one in self.sums for name in one
        ]
        return tuple(dict.fromkeys(several))

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders that the judge saw the texts in."""
        return tuple(term.order for term in self.terms) or ("",)


def score_rows(
    joined: Joined, judge: str, asked: Scored, of_people: Read, of_judge: Read, *, replies: bool = False
) -> Iterator[Judgement]:
    """The rows of one aspect: people's scores and the judge's, a sample each."""
    for text, pair in zip(joined.texts, joined.pairs, strict=True):
        yield from people_rows(text, pair.data, asked.aspect, asked.human.fields, of_people)
        if pair.scores is not None:
            sure = score_in(pair.scores, asked.confidence) if asked.confidence else None
            for name, place, value in entries_in(pair.scores, (asked.score,), samples=replies):
                score = of_judge(pair.scores, place, value)
                yield Judgement(*text, judge, asked.aspect, score, name, confidence=sure)


def people_rows(text: Text, row: Row, aspect: str, fields: Sequence[str], read: Read) -> Iterator[Judgement]:
    """People's judgements of one text, a person each; one that is empty where no one says anything."""
    entries = list(entries_in(row, fields)) or [("", fields[0], None)]
    for name, place, value in entries:
        yield Judgement(*text, PEOPLE, aspect, read(row, place, value), name)


def judgements(
    judge: str, joined: Joined, asked: Scored, of_judge: Read, grades: Mapping[str, float], *, recorded: bool
) -> Judgements:
    """One judge's scores of an aspect beside people's. Raises DataError for a score that is not a number."""

    def of_people(row: Row, place: str, value: Any) -> float | None:
        return score_of(row, place, value, grades)

    rows = score_rows(joined, judge, asked, of_people, of_judge, replies=not recorded)
    found = scored(judge, asked.aspect, rows, asked.human.function)
    return replace(found, left_out=joined.left_out, recorded=recorded)


@dataclass
class _Words:
    """The words of one side, each with where it first stands."""

    first: dict[str, tuple[Row, str]] = field(default_factory=dict)

    def hear(self, row: Row, place: str, word: Value | None) -> Value | None:
        if isinstance(word, str):
            self.first.setdefault(word, (row, place))
        return word

    def check(self, labels: Labels, *, of_people: bool) -> None:
        """Raise DataError for a word that is not known."""
        for word, (row, place) in self.first.items():
            problem = labels.unknown(word, of_people=of_people)
            if problem:
                raise row.error(problem, place)


@dataclass(frozen=True)
class Compared:
    """A judge's choices beside people's, and those of both orders where it saw both."""

    choices: Choices
    orders: TwoOrders | None
    labels: Labels


class ChoiceReader:
    """Reads people's choices and one judge's. Raises DataError for a word that is not known."""

    def __init__(self, joined: Joined, judge: str, asked: Choosing) -> None:
        self._joined, self._judge, self._asked = joined, judge, asked
        self._people, self._said = _Words(), _Words()
        self._of_people = [list(self._people_of(text, pair.data)) for text, pair in self._pairs()]

    @property
    def words(self) -> Collection[str]:
        """The words by which the judge may call the texts: those of labels=..., or people's."""
        return Labels.given(self._asked.labels).judge if self._asked.labels else self._people.first.keys()

    def read(self, read: Read, *, recorded: bool) -> Compared:
        """The choices, where `read` reads a value of the judge's."""
        asked = self._asked
        table = list(self._rows(read, replies=not recorded))
        labels = self._labels()
        self._people.check(labels, of_people=True)
        self._said.check(labels, of_people=False)
        function = asked.human.function if asked.human else ""
        found = chosen(self._judge, asked.aspect, table, labels, people=function, orders=asked.orders)
        both = two_orders(found, table, labels, function) if len(asked.orders) > 1 else None
        choices = replace(found, left_out=self._joined.left_out, recorded=recorded)
        return Compared(choices, both, labels)

    def _labels(self) -> Labels:
        if self._asked.labels:
            return Labels.given(self._asked.labels, open=self._asked.open)
        turned = any(self._asked.orders)
        return Labels.seen(self._people.first, self._said.first, turned=turned, open=self._asked.open)

    def _pairs(self) -> Iterator[tuple[Text, Any]]:
        return zip(self._joined.texts, self._joined.pairs, strict=True)

    def _people_of(self, text: Text, row: Row) -> Iterator[Judgement]:
        human = self._asked.human
        if human is None:
            return iter([Judgement(*text, PEOPLE, self._asked.aspect, None)])
        if not human.function and isinstance(value_in(row, human.fields[0]), list):
            name = written(human.fields[0])
            raise row.error(
                f"a list of labels is here: choice=... says with majority({name}) or each({name}) what it comes to",
                human.fields[0],
            )
        return people_rows(text, row, self._asked.aspect, human.fields, self._of_person)

    def _of_person(self, row: Row, place: str, value: Any) -> Value | None:
        return self._people.hear(row, place, choice_of(row, place, value))

    def _rows(self, read: Read, *, replies: bool) -> Iterator[Judgement]:
        for rows, (text, pair) in zip(self._of_people, self._pairs(), strict=True):
            yield from rows
            if pair.scores is not None:
                yield from self._of_judge(text, pair.scores, read, replies=replies)

    def _of_judge(self, text: Text, row: Row, read: Read, *, replies: bool) -> Iterator[Judgement]:
        asked = self._asked
        sure = score_in(row, asked.confidence) if asked.confidence else None
        if asked.sums:
            word = self._said.hear(row, asked.fields[0], self._best(row))
            yield Judgement(*text, self._judge, asked.aspect, word, confidence=sure)
        for term in asked.terms:
            for name, place, value in entries_in(row, term.fields, samples=replies):
                word = self._said.hear(row, place, read(row, place, value))
                yield Judgement(*text, self._judge, asked.aspect, word, name, term.order, confidence=sure)

    def _best(self, row: Row) -> str | None:
        """The text with the greatest sum of scores, by its field or its number; a tie where several have it."""
        scores = [[score_in(row, name) for name in one] for one in self._asked.sums]
        if any(None in one for one in scores):
            return None
        # Sums that are equal as they are written are equal here: 8.1 + 7.3 is 8.2 + 7.2.
        sums = [round(fsum(score or 0.0 for score in one), _DECIMALS) for one in scores]
        if sums.count(max(sums)) > 1:
            return TIE
        place = sums.index(max(sums))
        name = "+".join(self._asked.sums[place])
        return name if name in self.words else str(place + 1)
