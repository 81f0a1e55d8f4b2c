"""Completions kept between runs: what was asked of a model once is not paid for again."""

import hashlib
import json
from dataclasses import replace
from typing import Literal, Protocol, get_args, runtime_checkable

import anyio

from agentdebate.errors import UsageError
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.event_loop import OneLoop
from agentdebate.models.single_flight import SingleFlight
from agentdebate.models.wrapper import WrapperModel, settings_of

Mode = Literal["read", "write", "on"]
"""read: what is there is served, and nothing is written; write: everything is asked for and kept; on: both."""

_IRRELEVANT = frozenset(("connections", "timeout", "tier"))
"""Settings that no reply depends on."""

_ANSWERS = frozenset(("stop", "length", "other"))
"""Endings of completions that are the model's own answer: not those that a filter cut or that refuse one."""


@runtime_checkable
class CompletionStore(Protocol):
    """Store of completions."""

    async def get(self, key: str) -> Completion | None:
        """The completion that is kept under a key, if there is one. Raises StoreError."""
        ...

    async def put(self, key: str, completion: Completion, *, model: str) -> None:
        """Keep a completion, in the place of an earlier one; it is on disk when this returns. Raises StoreError."""
        ...


class Cached(WrapperModel):
    """A model whose completions are kept in a store, and served from there to equal requests, marked as `cached`.

    Requests are equal where the model's name, its settings (but for timeouts, connections and the tier), the messages, the sampling
    parameters, the schema and the sample number are. Their structured context does not count: a model that answers by it,
    as the offline judge does, is not for a cache.

    Errors are neither kept nor served, nor are refusals and what a filter cut. Where completions are served, equal
    requests that come at once are asked once: the others wait. Where that fails, is refused or is cancelled, the next of
    them asks for itself. A completion is on disk before it is used. The store is its owner's to close.
    """

    def __init__(self, model: Model, store: CompletionStore, mode: Mode = "on") -> None:
        if mode not in get_args(Mode):
            raise UsageError(f"a cache is in mode {', '.join(get_args(Mode))}, not {mode!r}")
        super().__init__(model)
        self.mode = mode
        self.served, self.asked = 0, 0
        self._store = store
        settings = {name: one for name, one in settings_of(model).items() if name not in _IRRELEVANT}
        self._identity = json.dumps([model.name, settings], sort_keys=True, default=str)
        self._flights = SingleFlight[str, Completion](shared=_is_answer)
        self._loop = OneLoop()

    def __repr__(self) -> str:
        return f"<Cached {self.mode}: {self.served} served, {self.asked} asked: {self.model!r}>"

    def key(self, request: ModelRequest) -> str:
        """Compute the key of a request's completion."""
        return hashlib.sha256(f"{self._identity}\n{request.key()}".encode()).hexdigest()

    async def complete(self, request: ModelRequest) -> Completion:
        """The completion that is kept, or the model's. Raises ModelError, and StoreError from the store.

        Raises UsageError where calls of another event loop are under way.
        """
        key = self.key(request)
        with self._loop.call(self) as left:
            if left:
                self._flights.abandon()
            if self.mode == "write":
                return await self._ask(key, request)
            landed = await self._flights.run(key, lambda: self._found(key, request))
            return landed.found if landed.first else self._serve(landed.found)

    async def _found(self, key: str, request: ModelRequest) -> Completion:
        """Look it up, and ask where it is not there."""
        kept = await self._store.get(key)
        return self._serve(kept) if kept is not None and _is_answer(kept) else await self._ask(key, request)

    def _serve(self, completion: Completion) -> Completion:
        self.served += 1
        return replace(completion, cached=True)

    async def _ask(self, key: str, request: ModelRequest) -> Completion:
        self.asked += 1
        completion = await self.model.complete(request)
        if self.mode != "read" and _is_answer(completion):
            await self._keep(key, completion)
        return completion

    async def _keep(self, key: str, completion: Completion) -> None:
        """Have it on disk; a caller that is cancelled meanwhile has paid for it, and others may use it."""
        with anyio.CancelScope(shield=True):
            await self._store.put(key, completion, model=self.name)


def _is_answer(outcome: Completion | Exception) -> bool:
    return isinstance(outcome, Completion) and outcome.finish in _ANSWERS
