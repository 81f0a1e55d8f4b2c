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
        given = {"requests": requests_per_minute, "tokens": tokens_per_minute}
        self.limits = {name: float(limit) for name, limit in given.items() if limit is not None}
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
    """A model whose calls wait for their share of what several processes may do together, first come first served."""

    def __init__(self, model: Model, shared: SharedLimits) -> None:
        super().__init__(model)
        self._shared, self._estimate = shared, Estimate()
        self._lock, self._waiting = anyio.Lock(), 0
        self._left = dict.fromkeys(shared.limits, 0.0)
        self._wrong = dict.fromkeys(shared.limits, 0.0)

    def __repr__(self) -> str:
        return f"<Shared {self._waiting} waiting: {self.model!r}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request when there is a share for it. Raises ModelError."""
        source = self._shared.source
        if source is None:
            return await self.model.complete(request)
        need = self._estimate.of(request)
        self._waiting += 1
        try:
            with in_line():
                async with self._lock:
                    await self._draw(source, {"requests": 1.0, "tokens": need})
        finally:
            self._waiting -= 1
        completion = await self.model.complete(request)
        self._estimate.learn(completion.usage, request.sampling.n)
        if "tokens" in self._wrong and completion.usage.tokens:
            self._wrong["tokens"] += completion.usage.tokens - need
        return completion

    def corrections(self) -> dict[str, float]:
        """What is to be entered beside what was drawn: what calls took beyond their estimates, less what is left."""
        left = dict.fromkeys(self._left, 0.0) if self._waiting else self._left
        found = {f"{name}:{self.name}": wrong - left[name] for name, wrong in self._wrong.items()}
        self._wrong = dict.fromkeys(self._wrong, 0.0)
        if not self._waiting:
            self._left = dict.fromkeys(self._left, 0.0)
        return found

    async def _draw(self, source: Source, call: Mapping[str, float]) -> None:
        """Take one call's share, of what is left or of a new block."""
        limits, left = self._shared.limits, self._left
        needs = {name: min(call[name], limit) for name, limit in limits.items()}
        while short := [name for name in needs if left[name] < needs[name]]:
            wants = {}
            for name in short:
                block = min(max(needs[name] * self._waiting, ceil(limits[name] / AHEAD)), limits[name])
                wants[f"{name}:{self.name}"] = needs[name] - left[name], block - left[name], limits[name]
            granted, wait = await source.draw_of_minute(wants)
            for name, amount in granted.items():
                left[name.partition(":")[0]] += amount
            if not granted:
                await anyio.sleep(max(wait, _SOON))
        for name, amount in needs.items():
            left[name] -= amount
