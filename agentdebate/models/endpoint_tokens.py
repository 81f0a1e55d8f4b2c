"""A model's vocabulary as its endpoint has it: the /tokenize of llama.cpp's server and of vLLM."""

import json
from typing import Any

from agentdebate.errors import MalformedReply, UsageError
from agentdebate.models.dialects.options import Reach
from agentdebate.models.dialects.provider_endpoint import ProviderEndpoint
from agentdebate.models.provider_keys import OPENAI, Provider
from agentdebate.models.tokens import TokenCount

_PATH = "/tokenize"
_API = "/v1"
_ENCODE = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class EndpointTokens:
    """Asks an endpoint how many tokens texts have, once for each. `model` is the name that requests give.

    /tokenize stands beside the address's /v1. Raises UsageError where the address is that of a provider in the net, such as
    OpenAI's, which has none.
    """

    def __init__(self, model: str, reach: Reach, provider: Provider = OPENAI) -> None:
        found = ProviderEndpoint(model, _PATH, reach, provider)
        address = found.address.rstrip("/")
        if provider.needs_key and provider.is_own(found.place):
            raise UsageError(f"{address} has no {_PATH}: name a tokenizer.json, or leave tokens to tiktoken")
        root = reach.model_copy(update={"base_url": address.removesuffix(_API)})
        self._model, self._endpoint = model, ProviderEndpoint(model, _PATH, root, provider)
        self._counts: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"<EndpointTokens {self._model} at {self._endpoint.place}>"

    async def learn(self, texts: frozenset[str]) -> None:
        """Ask for the texts that are new, one after the other. Raises ModelError."""
        for text in sorted(texts - self._counts.keys()):
            self._counts[text] = await self._asked(text)

    def count(self, text: str) -> TokenCount | None:
        """The tokens of a text that was learnt."""
        n = self._counts.get(text)
        return None if n is None else TokenCount(n, "exact", f"{self._endpoint.place}{_PATH}")

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._endpoint.aclose()

    async def _asked(self, text: str) -> int:
        """llama.cpp's server reads `content`, vLLM `prompt`; each passes over the other."""
        name = self._model.partition("/")[2] or self._model
        plain = text.encode("utf-8", "replace").decode("utf-8")
        bare = {"add_special": False, "add_special_tokens": False}
        answer = await self._endpoint.post(
            _ENCODE({"model": name, "content": plain, "prompt": plain, **bare}).encode()
        )
        if not 200 <= answer.status < 300:  # noqa: PLR2004 - the range of success
            raise self._endpoint.failure(self._endpoint.problem(answer))
        return _number(answer.body, self._model)


def _number(body: bytes, model: str) -> int:
    """How many tokens an answer lists. Raises MalformedReply."""
    try:
        found: Any = json.loads(body)
        tokens = found["tokens"]
        if not isinstance(tokens, list):
            raise TypeError("tokens is not a list")  # noqa: TRY301 - one way out
    except (ValueError, KeyError, TypeError) as error:
        raise MalformedReply(f"{_PATH} answered without a list of tokens: {error}", model=model) from error
    return len(tokens)
