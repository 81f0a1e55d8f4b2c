"""The small language in which choice=... says where choices are: fields, the vote of several, and sums of scores.

    choice   = [ people ] "=" judge
    people   = FIELD | of people
    judge    = term { "+" term }               one choice, or the vote of several
             | sum "," sum { "," sum }         scores, a text each: the best is the choice
    term     = FIELD | of samples | "flip(" ( FIELD | of samples ) ")"
    of samples = "majority(" FIELD { "," FIELD } ")"
    of people  = ( "majority(" | "each(" ) FIELD { "," FIELD } ")"
    sum      = FIELD { "+" FIELD }

FIELD is a path, as in `meta.fields`. It ends at the next of = , + and, within a function, at ). A name that has one of these
in it, or looks like a function, stands in quotation marks: "score (1+2)". Blanks around a part mean nothing.
"""

import re
from dataclasses import dataclass
from typing import Literal, cast

from agentdebate.errors import UsageError

Function = Literal["", "majority", "each", "mean"]
"""What is made of the fields: "" takes what the one field holds."""

FLIP, MAJORITY, EACH, MEAN = "flip", "majority", "each", "mean"
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

    def __str__(self) -> str:
        inner = ",".join(map(written, self.fields))
        inner = f"{self.function}({inner})" if self.function else inner
        return f"{FLIP}({inner})" if self.flipped else inner

    @property
    def name(self) -> str:
        """What the term is called: its field, where it is no more than that."""
        return str(self) if self.function or self.flipped else self.fields[0]


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
        if term.function or term.flipped:
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
        if name == FLIP:
            self._open()
            inner = self._samples(self._function())
            self._close()
            return Term(inner.fields, inner.function, flipped=True)
        return self._samples(name)

    def _samples(self, name: str | None) -> Term:
        if name is None:
            return Term((self._field(),))
        if name == FLIP:
            raise self.error("flip() is around a field or majority(), and not around another flip()")
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
        return match[1] if match and match[1] in (FLIP, MAJORITY, EACH, MEAN) else None

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
