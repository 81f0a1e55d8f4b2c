"""The small language in which choice=... says where choices are: fields, the vote of several, and sums of scores.

    choice   = [ people ] "=" judge
    people   = FIELD | of people
    judge    = term { "+" term }               one choice, or the vote of several
             | sum "," sum { "," sum }         scores, a text each: the best is the choice
    term     = FIELD | of samples | ( "flip(" | "back(" ) ( FIELD | of samples ) ")"
    of samples = "majority(" FIELD { "," FIELD } ")"
    of people  = ( "majority(" | "each(" ) FIELD { "," FIELD } ")"
    sum      = FIELD { "+" FIELD }

FIELD is a path, as in `meta.fields`. It ends at the next of = , + and, within a function, at ). A name that has one of these
in it, or looks like a function, stands in quotation marks: "score (1+2)". Blanks around a part mean nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.fields import choice_of, value_in
from agentdebate.meta.labels import Pair
from agentdebate.meta.talk import TIE

Function = Literal["", "majority", "each", "mean"]
"""What is made of the fields: "" takes what the one field holds."""

FLIP, BACK, MAJORITY, EACH, MEAN = "flip", "back", "majority", "each", "mean"
_QUOTE = '"'
_CALL = re.compile(r"\s*([a-z]+)\s*\(")
_QUOTED = re.compile(rf"\s*{_QUOTE}([^{_QUOTE}]*){_QUOTE}\s*")
_ENDS = re.compile(rf"[=,+{_QUOTE}]")
_ENDS_WITHIN = re.compile(rf"[=,+){_QUOTE}]")
_SPECIAL = re.compile(r"[=,+()]|^\s|\s$")


@dataclass(frozen=True, slots=True)
class Term:
    """What a field holds, or what several do together; `flipped` where it is said of the texts in the other order."""

    fields: tuple[str, ...]
    function: Function = ""
    flipped: bool = False
    back: bool = False
    """Whether it is of the other order, and said of the texts in their first order already."""

    def __str__(self) -> str:
        inner = ",".join(map(written, self.fields))
        inner = f"{self.function}({inner})" if self.function else inner
        return f"{FLIP if self.flipped else BACK}({inner})" if self.turned else inner

    @property
    def turned(self) -> bool:
        """Whether it is of the texts in the other order."""
        return self.flipped or self.back

    @property
    def name(self) -> str:
        """What the term is called: its field, where it is no more than that."""
        return str(self) if self.function or self.turned else self.fields[0]


@dataclass(frozen=True, slots=True)
class Expression:
    """What choice=... says: where people's choice is, and the judge's, one choice, several that vote, or scores."""

    human: Term | None
    """None where there are no people: then only the orders can be compared with one another."""
    terms: tuple[Term, ...] = ()
    sums: tuple[tuple[str, ...], ...] = ()
    """The fields of each text's scores, which are added; empty where `terms` are not."""


def parse_choice(text: str) -> Expression:
    """Read what choice=... takes. Raises UsageError that names the place in it."""
    reader = _Reader(text)
    human = None if reader.next() == "=" else reader.people()
    reader.take("=", "people's choice and the judge's have = between them")
    sums = reader.sums()
    reader.end()
    if len(sums) == 1:
        return Expression(human, terms=sums[0])
    for term in (term for each in sums for term in each):
        if term.function or term.turned:
            raise reader.error(f"{term} is a choice, and with commas there are scores, one for each text")
    return Expression(human, sums=tuple(tuple(term.fields[0] for term in each) for each in sums))


def parse_people(text: str, option: str) -> Term:
    """Read what human=... takes for a field: FIELD, majority(FIELD), mean(FIELD) or each(FIELD). Raises UsageError."""
    reader = _Reader(text, option)
    term = reader.people((MAJORITY, MEAN, EACH))
    reader.end()
    return term


def written(field: str) -> str:
    """A field's name as an expression has it, in quotation marks where it needs some."""
    needs = _SPECIAL.search(field) and _QUOTE not in field
    return f"{_QUOTE}{field}{_QUOTE}" if needs else field


class _Reader:
    """Reads an expression from its beginning to its end."""

    def __init__(self, text: str, option: str = "choice=...") -> None:
        self._text, self._option, self._at, self._depth = text, option, 0, 0

    def next(self) -> str:
        """The next character that is no blank; empty at the end."""
        while self._text[self._at : self._at + 1].isspace():
            self._at += 1
        return self._text[self._at : self._at + 1]

    def take(self, wanted: str, why: str) -> None:
        if self.next() != wanted:
            raise self.error(why)
        self._at += 1

    def end(self) -> None:
        if self.next():
            raise self.error("the expression should end here")

    def error(self, message: str) -> UsageError:
        rest = self._text[self._at :]
        where = f"at {rest!r} (character {self._at + 1})" if rest else "at its end"
        return UsageError(f"{self._option} {self._text!r}: {message}, {where}")

    def people(self, functions: tuple[str, ...] = (MAJORITY, EACH)) -> Term:
        name = self._function()
        if name is None:
            return Term((self._field(),))
        if name not in functions:
            raise self.error(f"{name}() is not for people's side; there are {', '.join(functions)}")
        return self._called(name)

    def sums(self) -> list[tuple[Term, ...]]:
        found = [self._terms()]
        while self.next() == ",":
            self._at += 1
            found.append(self._terms())
        return found

    def _terms(self) -> tuple[Term, ...]:
        found = [self._term()]
        while self.next() == "+":
            self._at += 1
            found.append(self._term())
        return tuple(found)

    def _term(self) -> Term:
        name = self._function()
        if name in (FLIP, BACK):
            self._open()
            inner = self._samples(self._function())
            self._close()
            return Term(inner.fields, inner.function, flipped=name == FLIP, back=name == BACK)
        return self._samples(name)

    def _samples(self, name: str | None) -> Term:
        if name is None:
            return Term((self._field(),))
        if name in (FLIP, BACK):
            raise self.error(f"{name}() is around a field or majority(), and not around another flip()")
        if name != MAJORITY:
            raise self.error(f"{name}() is not for a judge's side; there are {MAJORITY}() and {FLIP}()")
        return self._called(name)

    def _called(self, name: str) -> Term:
        self._open()
        fields = [self._field()]
        while self.next() == ",":
            self._at += 1
            fields.append(self._field())
        self._close()
        return Term(tuple(fields), cast(Function, name))

    def _function(self) -> str | None:
        """The function whose name is next, still to be read; None where a field is."""
        match = _CALL.match(self._text, self._at)
        return match[1] if match and match[1] in (FLIP, BACK, MAJORITY, EACH, MEAN) else None

    def _open(self) -> None:
        self._at = self._text.index("(", self._at) + 1
        self._depth += 1

    def _close(self) -> None:
        self.take(")", "a ) is missing")
        self._depth -= 1

    def _field(self) -> str:
        quoted = _QUOTED.match(self._text, self._at)
        if quoted:
            self._at = quoted.end()
            return quoted[1]
        end = (_ENDS_WITHIN if self._depth else _ENDS).search(self._text, self._at)
        name = self._text[self._at : end.start() if end else len(self._text)].strip()
        if not name:
            raise self.error("the name of a field is missing")
        self._at = end.start() if end else len(self._text)
        return name


def samples_in(row: Row, fields: Sequence[str]) -> tuple[str, ...]:
    """The labels in fields, each of which may hold one or a list of them; those that are empty are left out.

    Raises DataError for what names nothing.
    """
    if len(fields) == 1 and not isinstance(value := value_in(row, fields[0]), list):
        label = choice_of(row, fields[0], value)
        return () if label is None else (label,)
    found = []
    for field in fields:
        value = value_in(row, field)
        if not isinstance(value, list):
            found.append(choice_of(row, field, value))
            continue
        found += [choice_of(row, f"{field}.{n}", entry) for n, entry in enumerate(value)]
    return tuple(label for label in found if label is not None)


def sample_counts(row: Row, terms: Sequence[Term]) -> tuple[int, int]:
    """How many samples stand in lists, or in the several fields of a majority, and how many of them are empty."""
    total = empty = 0
    for term in terms:
        values = [value_in(row, field) for field in term.fields]
        entries = [one for each in values for one in (each if isinstance(each, list) else [each])]
        if len(values) > 1 or isinstance(values[0], list):
            total += len(entries)
            empty += sum(choice_of(row, term.fields[0], one) is None for one in entries)
    return total, empty


def majority(labels: Sequence[str], tie: str = TIE) -> str | None:
    """The most frequent label, a tie being one like any other; a tie where several are as frequent, None without any."""
    if len(labels) == 1:
        return labels[0]
    counts = Counter(labels).most_common()
    if not counts:
        return None
    return counts[0][0] if len(counts) == 1 or counts[0][1] > counts[1][1] else tie


def vote(choices: Sequence[str | None], tie: str = TIE) -> str | None:
    """What single votes come to: the label with the most, where a vote for a tie is for none of the texts.

    A tie where several have as many, or all are ties; None where one of the votes is missing.
    """
    if None in choices:
        return None
    return majority([choice for choice in choices if choice is not None and choice != tie], tie) or tie


def said(row: Row, term: Term, pair: Pair | None) -> str | None:
    """The choice of one term, of the texts in their first order. Raises DataError for a label that is not known."""
    labels = samples_in(row, term.fields)
    if pair is None:
        return majority(labels)
    try:
        known = [pair.known(label) for label in labels]
    except KeyError as error:
        texts = (pair.first, pair.second, pair.tie)
        raise row.error(
            f"this is none of the choices that flip() can turn around: {error.args[0]!r}. "
            f"{nearest(error.args[0], pair.words or texts)}{_how_to_say(error.args[0])}",
            term.fields[0],
        ) from error
    chosen = majority(known, pair.tie)
    return pair.flipped(chosen) if term.flipped and chosen is not None else chosen


def _how_to_say(word: str) -> str:
    """What to do about a tie that no label stands for."""
    return f" Say what a tie is called: labels='TIE={word}'" if word.casefold() == TIE else ""


def voted(row: Row, terms: Sequence[Term], pair: Pair | None) -> Row:
    """The row with the vote of the terms under their own text, which stands for a field from then on."""
    tie = pair.tie if pair else TIE
    choice = (
        vote([said(row, term, pair) for term in terms], tie) if len(terms) > 1 else said(row, terms[0], pair)
    )
    return replace(row, data={**row.data, text_of(terms): choice})


def text_of(terms: Iterable[Term]) -> str:
    """A vote as it is written."""
    return "+".join(map(str, terms))


def may_be_scores(terms: Sequence[Term]) -> bool:
    """Whether a sum has plain fields only, so that they could hold scores, or replies in both orders, as well as choices."""
    return len(terms) > 1 and not any(term.turned or term.function for term in terms)
