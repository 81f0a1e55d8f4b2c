"""Base of assistant evaluators: pairs of texts in, scores out (Fusion-Eval, Section 3.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

NOT_THEIRS = ("as",)
"""Options that may stand with those of any evaluator: the registry reads them."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Pair of texts that an evaluator compares. The premise is what is given: a source, or one or several references."""

    premise: tuple[str, ...]
    hypothesis: str

    def __post_init__(self) -> None:
        if isinstance(self.premise, str):
            raise TypeError(
                "the premise of a pair is a tuple of one text or several: Pair((reference,), text)"
            )


@dataclass(frozen=True, slots=True)
class Range:
    """The scores that an evaluator can give, from worst to best. A score always means: the more, the better."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(f"a range runs from low to high, not from {self.low:g} to {self.high:g}")

    def share(self, score: float) -> float:
        """A score as a share of the range, from 0 to 1; what lies outside counts as the nearer end."""
        return min(max((score - self.low) / (self.high - self.low), 0.0), 1.0)


@runtime_checkable
class Evaluator(Protocol):
    """Scores texts. It is used from many debates at once, so `score` gets pairs of several items together."""

    @property
    def name(self) -> str:
        """Name in evidence and tables: "rouge-l"."""
        ...

    @property
    def version(self) -> str:
        """Version of everything but the texts that decides its scores: package, version and options. A cache trusts it."""
        ...

    @property
    def range(self) -> Range:
        """The scores that it can give."""
        ...

    @property
    def premise(self) -> str:
        """The item's field that it compares with: "source", or "reference"."""
        ...

    async def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score a pair, in order. It does not keep the event loop from other work."""
        ...

    async def aclose(self) -> None:
        """Release models and connections. Safe to call twice."""
        ...
