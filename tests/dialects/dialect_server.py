"""A fault server that also speaks Anthropic's Messages and Google's generateContent, and may have a cache of prompts."""

from collections.abc import Mapping
from typing import Any, ClassVar

from agentdebate.testing.chat import Asked, Speech
from agentdebate.testing.server import FaultServer
from dialects.generate_content_speech import GENERATE_CONTENT
from dialects.messages_speech import MESSAGES
from dialects.prompt_cache import Found, PromptCache


class DialectServer(FaultServer):
    """Speaks the three protocols: at `base_url` chat completions, and at `root` the others.

    With a `prompt_cache` replies say what was read from it and written into it.
    """

    speeches: ClassVar[Mapping[str, Speech]] = {
        **FaultServer.speeches,
        r"/v1/messages()": MESSAGES,
        r"/v1(?:beta)?/models/([\w.:-]+):generateContent": GENERATE_CONTENT,
    }

    def __init__(self, *, prompt_cache: PromptCache | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.cached_tokens = 0
        self.cache_write_tokens = 0
        self._prompt_cache = prompt_cache
        self._found: dict[int, Found] = {}

    def reply(self, asked: Asked) -> dict[str, Any]:
        """The reply, with what the cache has of the prompt; one that was written out in full as it is."""
        reply = super().reply(asked)
        if self._prompt_cache is not None and reply.get("object") == "chat.completion":
            found = self._found[id(asked)] = self._prompt_cache.find(asked)
            reply["usage"] = {**reply["usage"], "prompt_tokens_details": found.details()}
        return reply

    def begins(self, asked: Asked) -> None:
        """Keep the prompt: it can be read once the reply to it has begun."""
        found = self._found.pop(id(asked), None)
        if found is not None and self._prompt_cache is not None:
            self._prompt_cache.keep(found)

    def count(self, asked: Asked, usage: Mapping[str, Any]) -> None:
        """Count a whole completion, and the cache's tokens."""
        super().count(asked, usage)
        details = usage.get("prompt_tokens_details") or {}
        self.cached_tokens += details.get("cached_tokens", 0)
        self.cache_write_tokens += details.get("cache_write_tokens", 0)
