"""A judgement as a reply states it."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

from agentdebate.ballots.reading.rule import Rule

V = TypeVar("V")


class Finality(IntEnum):
    """How much a statement claims to be the last word; the lowest number counts first."""

    FINAL = 1
    """It says so itself ("final score"), is boxed, or ends a change."""
    TOTAL = 2
    """It sums up parts."""
    FORM = 3
    """It fills in a form, stands alone in its line, or opens with a word that concludes."""
    PROSE = 4
    """It is said in a sentence."""
    HINT = 5
    """It only looks like one: a bare fraction, a lone value, a comparison in one respect."""
    QUOTED = 6
    """It stands in a line that is marked as a quotation."""


@dataclass(frozen=True, slots=True)
class Statement(Generic[V]):
    """A value given to what is rated (the index of an aspect), by a rule; `at` is its piece."""

    rated: int
    value: V
    rule: Rule
    finality: Finality
    at: int
    named: bool = False
    """Whether it names what is rated."""
