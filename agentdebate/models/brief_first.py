"""The first call over a brief goes alone, where the others then read the brief from the endpoint's cache."""

import asyncio
import hashlib
import json
from collections import OrderedDict

from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.prompt_caching import PromptCaching, brief_of
from agentdebate.models.wrapper import Wrapper
from agentdebate.talk.turn_clock import in_line

_MOST = 10_000
"""Briefs of which it is remembered when they were last sent."""


class BriefFirst(Wrapper):
    """Holds calls back while the first one over the same brief is under way: what is not yet in the endpoint's cache would be
    paid for in full by each.

    A brief counts as cached for half of its lifetime in the cache. Whether the first call succeeds or fails, the others go
    then, all at once. Their turns do not run out of time while they wait.
    """

    def __init__(self, model: Model, caching: PromptCaching) -> None:
        super().__init__(model)
        self._caching = caching
        self._under_way: dict[bytes, asyncio.Future[None]] = {}
        self._sent: OrderedDict[bytes, float] = OrderedDict()

    def __repr__(self) -> str:
        return f"<BriefFirst around {self.model!r}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request, after the first one over its brief. Raises what the model in it raises."""
        key = self._key(request)
        if key is None or self._is_cached(key):
            return await self.model.complete(request)
        first = self._under_way.get(key)
        if first is None or first.get_loop() is not asyncio.get_running_loop():
            return await self._lead(key, request)
        with in_line():
            await asyncio.shield(first)
        return await self.model.complete(request)

    async def _lead(self, key: bytes, request: ModelRequest) -> Completion:
        mine = self._under_way[key] = asyncio.get_running_loop().create_future()
        try:
            completion = await self.model.complete(request)
            self._note(key)
            return completion
        finally:
            if self._under_way.get(key) is mine:
                del self._under_way[key]
            mine.set_result(None)

    def _key(self, request: ModelRequest) -> bytes | None:
        """What has to be the same: the brief, and the schema, which endpoints put before it; None for what is not kept."""
        brief = brief_of(request)
        if not self._caching.takes(brief):
            return None
        text = f"{brief}\0{json.dumps(request.schema, sort_keys=True)}"
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()

    def _is_cached(self, key: bytes) -> bool:
        sent = self._sent.get(key)
        now = asyncio.get_running_loop().time()
        # The clock of another event loop may have begun elsewhere.
        if sent is None or not 0 <= now - sent < self._caching.lifetime / 2:
            return False
        self._note(key)
        return True

    def _note(self, key: bytes) -> None:
        self._sent[key] = asyncio.get_running_loop().time()
        self._sent.move_to_end(key)
        if len(self._sent) > _MOST:
            self._sent.popitem(last=False)
