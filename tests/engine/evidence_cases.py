"""What the tests of evidence share: small evaluators, registered as anybody's are, and judges that give samples."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

import packages
import pytest
from engine_cases import ITEM

from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.registry import GROUP

NOTED = ITEM.model_copy(update={"fields": {**ITEM.fields, "note": "Cats sit."}})
"""An item of 6 words that has a note to compare with."""


@dataclass
class Length:
    """Counts words. Ten of them are the best that there can be."""

    premise: str
    name: str = "length"
    version: str = "length 1"
    range: Range = field(default=Range(0, 10))
    scored: list[Pair] = field(default_factory=list)

    async def score(self, pairs: Sequence[Pair]) -> list[float]:
        self.scored.extend(pairs)
        return [float(len(pair.hypothesis.split())) for pair in pairs]

    async def aclose(self) -> None:
        """Nothing to close."""


@dataclass
class Always(Length):
    """Gives one score whatever the text."""

    given: float = 0.0

    async def score(self, pairs: Sequence[Pair]) -> list[float]:
        return [self.given for _ in pairs]


def length(rest: str, *, premise: str = "note") -> Length:
    """The evaluator "length"."""
    return Length(premise)


def flat(rest: str, *, premise: str = "note", given: float = 0.25) -> Always:
    """The evaluator "flat", from 0 to 1."""
    return Always(premise, name="flat", version="flat 1", range=Range(0, 1), given=given)


def endless(rest: str, *, premise: str = "note") -> Always:
    """The evaluator "endless", whose range has no lower end."""
    return Always(premise, name="endless", version="endless 1", range=Range(-inf, 0), given=-2.0)


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the evaluators length, flat and endless beside the real ones."""
    packages.register(monkeypatch, GROUP, "evidence_cases", "length", "flat", "endless")
