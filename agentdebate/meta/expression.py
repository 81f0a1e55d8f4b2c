"""The small language in which choice=... and human=... say where judgements are: fields, several together, and both orders.

    choice   = people "=" judge
    people   = FIELD | ( "majority(" | "each(" | "mean(" ) FIELD { "," FIELD } ")"       mean() is of scores
    judge    = term [ "+" term ]               one choice, or the vote of both orders
             | sum "," sum { "," sum }         scores, a text each: the best is the choice
    term     = samples | "flip(" samples ")"
    samples  = FIELD | "majority(" FIELD { "," FIELD } ")"
    sum      = FIELD { "+" FIELD }

FIELD is a path, as in `meta.fields`. A name with one of = , + ( ) in it stands in quotation marks: "score (1+2)". Blanks around a
part mean nothing.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal, cast

from agentdebate.errors import UsageError

Function = Literal["", "majority", "each", "mean"]
"""Function of the values of several fields: "" takes the only one."""
Order = Literal["", "flip", "mapped"]
"""Order in which the texts were shown: "flip" is the other one, and "mapped" the other one in words of the first."""

_TOKEN = re.compile(r'"[^"]*"|[=,+()]|[^=,+()"]+')


@dataclass(frozen=True, slots=True)
class Term:
    """Value of a field, or of several together."""

    fields: tuple[str, ...]
    function: Function = ""
    order: Order = ""


@dataclass(frozen=True, slots=True)
class Expression:
    """Fields of people's choice and of the judge's: one choice, both orders that vote, or scores."""

    human: Term
    terms: tuple[Term, ...] = ()
    sums: tuple[tuple[str, ...], ...] = ()
    """The fields of each text's scores, which are added; empty where `terms` are not."""


def parse_choice(text: str) -> Expression:
    """Read what choice=... takes. Raises UsageError that names the place in it."""
    reader = _Reader(
        text,
        "choice=... takes PEOPLE=JUDGE, each FIELD or majority(FIELD,FIELD); people's may be each(FIELD), the judge's FIELD+flip(FIELD) or "
        "FIELD+FIELD for two orders, or FIELD,FIELD for scores of texts",
    )
    human = reader.term("majority", "each")
    reader.take("=")
    sides = [reader.terms()]
    while reader.took(","):
        sides.append(reader.terms())
    reader.end()
    kinds = [(term.function, term.order) for side in sides for term in side]
    if len(sides) > 1 and set(kinds) == {("", "")}:
        return Expression(human, sums=tuple(tuple(term.fields[0] for term in side) for side in sides))
    first, *second = sides[0]
    if len(sides) > 1 or len(second) > 1:
        raise reader.error()
    return Expression(human, (first, *(replace(term, order=term.order or "mapped") for term in second)))


def parse_people(text: str) -> Term:
    """Read what human=... takes for a field: FIELD, majority(FIELD), mean(FIELD) or each(FIELD). Raises UsageError."""
    reader = _Reader(text, "human=... takes ASPECT=FIELD, or majority(FIELD), mean(FIELD) or each(FIELD)")
    term = reader.term("majority", "mean", "each")
    reader.end()
    return term


class _Reader:
    """Reads an expression part by part; `takes` says what it may be."""

    def __init__(self, text: str, takes: str) -> None:
        self._text, self._takes = text, takes
        self._parts = [part for part in map(str.strip, _TOKEN.findall(text)) if part]

    def took(self, wanted: str) -> bool:
        """Take the next part where it is the one that is wanted, and tell whether it was."""
        there = self._parts[:1] == [wanted]
        if there:
            del self._parts[0]
        return there

    def take(self, wanted: str) -> None:
        if not self.took(wanted):
            raise self.error()

    def end(self) -> None:
        if self._parts:
            raise self.error()

    def error(self) -> UsageError:
        where = f"before {''.join(self._parts)!r}" if self._parts else "at its end"
        return UsageError(f"{self._takes}; {self._text!r} cannot be read {where}")

    def terms(self) -> tuple[Term, ...]:
        """Terms of a judge with + between them."""
        terms = [self.term("majority", "flip")]
        while self.took("+"):
            terms.append(self.term("majority", "flip"))
        return tuple(terms)

    def term(self, *functions: str) -> Term:
        """A field, or one of the functions of fields."""
        if self._parts[1:2] != ["("]:
            return Term((self._field(),))
        name = self._parts[0]
        if name not in functions:
            raise self.error()
        del self._parts[:2]
        if name == "flip":
            term = replace(self.term("majority"), order="flip")
        else:
            fields = [self._field()]
            while self.took(","):
                fields.append(self._field())
            term = Term(tuple(fields), cast(Function, name))
        self.take(")")
        return term

    def _field(self) -> str:
        if not self._parts or self._parts[0] in "=,+()":
            raise self.error()
        return self._parts.pop(0).strip('"')
