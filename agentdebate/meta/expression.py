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
Order = Literal["", "flip"]
"""Order in which the texts were shown: "flip" is the other one."""

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
    reader = _Reader(text, "choice=...")
    human = reader.term("majority", "each")
    reader.take("=")
    sides = [reader.terms()]
    while reader.took(","):
        sides.append(reader.terms())
    reader.end()
    if len(sides) > 1:
        if any(term.function or term.order for side in sides for term in side):
            raise reader.error(
                "with commas there are scores, one for each text, and neither majority() nor flip()"
            )
        return Expression(human, sums=tuple(tuple(term.fields[0] for term in side) for side in sides))
    if len(sides[0]) > 1 and [term.order for term in sides[0]] != ["", "flip"]:
        raise reader.error(
            "+ is the vote of both orders, FIELD+flip(FIELD); several samples are majority(FIELD,FIELD), and "
            "scores that are added have a comma between the texts, FIELD+FIELD,FIELD+FIELD"
        )
    return Expression(human, sides[0])


def parse_people(text: str) -> Term:
    """Read what human=... takes for a field: FIELD, majority(FIELD), mean(FIELD) or each(FIELD). Raises UsageError."""
    reader = _Reader(text, "human=...")
    term = reader.term("majority", "mean", "each")
    reader.end()
    return term


class _Reader:
    """Reads an expression part by part."""

    def __init__(self, text: str, option: str) -> None:
        self._said = f"{option} {text!r}"
        self._parts = [part for part in map(str.strip, _TOKEN.findall(text)) if part]

    def took(self, wanted: str) -> bool:
        """Take the next part where it is the one that is wanted, and tell whether it was."""
        found = self._parts[:1] == [wanted]
        if found:
            del self._parts[0]
        return found

    def take(self, wanted: str) -> None:
        if not self.took(wanted):
            raise self.error(f"{wanted} is missing")

    def end(self) -> None:
        if self._parts:
            raise self.error("the expression should end")

    def error(self, message: str) -> UsageError:
        where = f"before {''.join(self._parts)!r}" if self._parts else "at its end"
        return UsageError(f"{self._said}: {message}, {where}")

    def terms(self) -> tuple[Term, ...]:
        """Terms of a judge with + between them."""
        found = [self.term("majority", "flip")]
        while self.took("+"):
            found.append(self.term("majority", "flip"))
        return tuple(found)

    def term(self, *functions: str) -> Term:
        """A field, or one of the functions of fields."""
        if self._parts[1:2] != ["("]:
            return Term((self._field(),))
        name = self._parts[0]
        if name not in functions:
            raise self.error(f"there is no {name}() here, only {', '.join(f'{one}()' for one in functions)}")
        del self._parts[:2]
        if name == "flip":
            found = replace(self.term("majority"), order="flip")
        else:
            found = Term(self._fields(), cast(Function, name))
        self.take(")")
        return found

    def _fields(self) -> tuple[str, ...]:
        found = [self._field()]
        while self.took(","):
            found.append(self._field())
        return tuple(found)

    def _field(self) -> str:
        if not self._parts or self._parts[0] in "=,+()":
            raise self.error("the name of a field is missing")
        return self._parts.pop(0).strip('"')
