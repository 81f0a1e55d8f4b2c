"""Use of an endpoint's cache of prompts: where the prompts of a debate are the same, and which call has to go first."""

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.wrapper import WrapperModel, innermost
from agentdebate.talk.turn_clock import in_line

_BYTES = 4
"""Bytes of UTF-8 that are taken for a token where nothing counts them."""


@dataclass(frozen=True, slots=True)
class PromptCaching:
    """Rules of an endpoint's cache: prompts whose beginning it has had before are cheaper."""

    floor: int
    """Tokens that a beginning has to have; a shorter one is not kept."""
    lifetime: float = 300.0
    """Seconds for which it is kept at least."""
    on: bool = True
    """Tell whether it is to be used."""
    mark: Mapping[str, Any] | None = None
    """Fields of a block of a prompt up to which the endpoint keeps it, and nothing behind the last; None where it chooses by itself."""
    parted_by_schema: bool = False
    """Tell whether replies are better asked for in words: requests with different schemas, or with none, find nothing of each other,
    and what each of them writes costs extra.
    """

    def takes(self, text: str) -> bool:
        """Tell whether a beginning is probably long enough."""
        return self.on and len(text.encode("utf-8", "replace")) >= self.floor * _BYTES


def prompt_caching_of(model: Model) -> PromptCaching | None:
    """Ask the model inside all wrappers about its endpoint's cache (`prompt_caching`); None where it says nothing, or has none."""
    found: PromptCaching | None = getattr(innermost(model), "prompt_caching", None)
    return found


def brief_of(request: ModelRequest) -> str:
    """Return what all agents of a debate are shown first: what stands in the system's messages."""
    return "\n\n".join(one.content for one in request.messages if one.role == "system")


def pieces(content: str, talk: Sequence[str]) -> list[str]:
    """A message's text in pieces that end where something that was heard ends, and the rest; together they are the text."""
    found, start = list[str](), 0
    for said in talk:
        place = content.find(said, start)
        if place < 0:
            break
        end = place + len(said)
        found.append(content[start:end])
        start = end
    return [*found, content[start:]]


_MOST = 10_000
"""Briefs of which it is remembered when they were last sent."""


class BriefFirst(WrapperModel):
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
        """Return what has to be the same: the brief, and the schema, which endpoints put before it; None for what is not kept."""
        brief = brief_of(request)
        if not self._caching.takes(brief):
            return None
        text = f"{brief}\0{json.dumps(request.schema, sort_keys=True)}"
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()

    def _is_cached(self, key: bytes) -> bool:
        now = asyncio.get_running_loop().time()
        # The clock of another event loop may have begun elsewhere.
        if key not in self._sent or not 0 <= now - self._sent[key] < self._caching.lifetime / 2:
            return False
        self._note(key)
        return True

    def _note(self, key: bytes) -> None:
        self._sent[key] = asyncio.get_running_loop().time()
        self._sent.move_to_end(key)
        if len(self._sent) > _MOST:
            self._sent.popitem(last=False)
