"""Limits that hold over several processes: each draws blocks of a minute's requests and tokens.

What a process draws it uses at once, for the calls that wait, or gives back; so within any minute the processes together
start no more calls than the limit, but for what was drawn a moment before the minute began.
"""

from collections.abc import Mapping
from math import ceil
from typing import Protocol

import anyio

from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.limits.rate import Estimate
from agentdebate.models.wrapper import Wrapper
from agentdebate.talk.turn_clock import in_line

AHEAD = 240
"""A block is what a limit allows within a minute's part in so many, or what waits, whichever is more."""

_SOON = 0.05


class Source(Protocol):
    """Where blocks are drawn from: what all processes share."""

    async def draw_of_minute(
        self, wants: Mapping[str, tuple[float, float, float]]
    ) -> tuple[Mapping[str, float], float]:
        """Blocks by the name of their limit, for (at least, better, limit); or nothing, and how many seconds to wait."""
        ...


class SharedLimits:
    """What models of a run share with those of other processes. Until it is bound to a source it holds nothing back."""

    def __init__(
        self, *, requests_per_minute: int | None = None, tokens_per_minute: int | None = None
    ) -> None:
        self.limits = {
            name: float(limit)
            for name, limit in (("requests", requests_per_minute), ("tokens", tokens_per_minute))
            if limit is not None
        }
        self.source: Source | None = None
        self._models: list[Shared] = []

    def __repr__(self) -> str:
        return f"<SharedLimits {self.limits or 'none'} for {len(self._models)} models>"

    def around(self, model: Model) -> "Shared":
        """The model, with its calls held back by what all processes share."""
        made = Shared(model, self)
        self._models.append(made)
        return made

    def corrections(self) -> dict[str, float]:
        """What was drawn and not used, or used and not drawn, since this was last asked, by the name of the limit."""
        return {name: amount for one in self._models for name, amount in one.corrections().items() if amount}


class Shared(Wrapper):
    """A model whose calls wait for their share of what several processes may do together."""

    def __init__(self, model: Model, shared: SharedLimits) -> None:
        super().__init__(model)
        self._shared, self._estimate = shared, Estimate()
        self._lock, self._waiting = anyio.Lock(), 0
        self._left = {f"{name}:{model.name}": 0.0 for name in shared.limits}
        self._wrong = dict.fromkeys(self._left, 0.0)

    def __repr__(self) -> str:
        return f"<Shared {self._waiting} waiting: {self.model!r}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request when there is a share for it. Raises ModelError."""
        if self._shared.source is None:
            return await self.model.complete(request)
        need = self._estimate.of(request) if "tokens" in self._shared.limits else 0.0
        with in_line():
            await self._turn(need)
        completion = await self.model.complete(request)
        self._estimate.learn(completion.usage, request.sampling.n)
        if need and completion.usage.tokens:
            self._wrong[f"tokens:{self.name}"] += completion.usage.tokens - need
        return completion

    def corrections(self) -> dict[str, float]:
        """What is to be entered beside what was drawn: what calls took beyond their estimates, less what is left."""
        found = {name: self._wrong[name] - (0 if self._waiting else self._left[name]) for name in self._left}
        self._wrong = dict.fromkeys(self._left, 0.0)
        if not self._waiting:
            self._left = dict.fromkeys(self._left, 0.0)
        return found

    async def _turn(self, need: float) -> None:
        """Wait for a share, first come first served."""
        self._waiting += 1
        try:
            async with self._lock:
                if self._left:
                    await self._drawn(need)
        finally:
            self._waiting -= 1

    async def _drawn(self, need: float) -> None:
        """Take one call's share, of what is left or of a new block."""
        least = {name: 1.0 if name.startswith("requests:") else need for name in self._left}
        limits = {name: self._shared.limits[name.partition(":")[0]] for name in self._left}
        needs = {name: min(amount, limits[name]) for name, amount in least.items()}
        source = self._shared.source
        assert source is not None, "it was bound"
        while short := [name for name in needs if self._left[name] < needs[name]]:
            wants = {name: self._want(needs[name], self._left[name], limits[name]) for name in short}
            granted, wait = await source.draw_of_minute(wants)
            for name, amount in granted.items():
                self._left[name] += amount
            if not granted:
                await anyio.sleep(max(wait, _SOON))
        for name, amount in needs.items():
            self._left[name] -= amount

    def _want(self, need: float, left: float, limit: float) -> tuple[float, float, float]:
        most = max(need * self._waiting, float(ceil(limit / AHEAD)))
        return need - left, min(most, limit) - left, limit
