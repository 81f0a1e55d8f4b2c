"""An evaluator under another name: what tells two of a kind apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from agentdebate.evaluators.base import Evaluator, Pair, Range


@dataclass(frozen=True, slots=True)
class Named:
    """An evaluator that is called something else than it calls itself."""

    inner: Evaluator
    name: str

    @property
    def version(self) -> str:
        """The evaluator's own."""
        return self.inner.version

    @property
    def range(self) -> Range:
        """The evaluator's own."""
        return self.inner.range

    @property
    def premise(self) -> str:
        """The evaluator's own."""
        return self.inner.premise

    async def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score a pair, in order."""
        return await self.inner.score(pairs)

    async def aclose(self) -> None:
        """Close the evaluator."""
        await self.inner.aclose()
