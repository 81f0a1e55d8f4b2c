"""What the tests of evidence share: small evaluators, registered as anybody's are, and judges that give samples."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf

import packages
import pytest
from engine_cases import ITEM

from agentdebate.codec import read
from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.registry import GROUP
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.testing import Words
from agentdebate.usage import Usage

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


Says = Words | Sequence[str] | Callable[[ModelRequest], Completion]
"""What somebody says: a text, several samples in one reply, or what a function makes of the request."""


def speaking(**words: Says) -> Function:
    """A model that has words for purposes."""

    async def reply(request: ModelRequest) -> str | Completion:
        assert request.context is not None
        said = words[request.context.purpose]
        if isinstance(said, str):
            return said
        return said(request) if callable(said) else sampled(*said)

    return Function("speaking", reply)


def sampled(first: str, *others: str, **more: object) -> Completion:
    """Several samples in one reply, at 10 tokens each."""
    usage = Usage(calls=1, prompt_tokens=100, completion_tokens=10 * (1 + len(others)))
    return read(Completion, {"text": first, "others": others, "model": "speaking", "usage": usage, **more})


def scores(**given: float) -> str:
    """A reply that scores aspects."""
    return "\n".join(
        ["It is well made.", "", *(f"{name.capitalize()}: {score:g}" for name, score in given.items())]
    )


def plan_of(**chosen: str) -> str:
    """A planner's reply: the evaluators of each aspect."""
    return "\n".join(
        ["Read it first.", "", *(f"{name.capitalize()}: {names}" for name, names in chosen.items())]
    )


def asked(purpose: str, calls: Sequence[object]) -> list[ModelRequest]:
    """The requests of a purpose among calls."""
    requests = [call.request for call in calls]  # type: ignore[attr-defined]  # calls, or what looks like them
    return [request for request in requests if request.context and request.context.purpose == purpose]
