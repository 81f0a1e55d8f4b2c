"""What requests to one endpoint have in common, as JSON that is written once."""

import json
from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

from agentdebate.models.base import ModelRequest, Sampling
from agentdebate.models.dialects.dialect import Dialect
from agentdebate.models.prompt_caching import PromptCaching, brief_of
from agentdebate.models.reply_size import largest_answer
from agentdebate.models.schema_text import WrittenOnce

_ENCODE = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_CACHE_KEY = "prompt_cache_key"


class RequestForm:
    """The body of requests with the same sampling parameters in one dialect; what differs is filled in.

    `extra` holds further fields, which go before ours.
    """

    def __init__(
        self,
        model: str,
        sampling: Sampling,
        dialect: Dialect,
        extra: Mapping[str, Any],
        *,
        caching: PromptCaching | None = None,
        keeping: str = "",
    ) -> None:
        self.sampling, self.dialect = sampling, dialect
        self._caching = None if _CACHE_KEY in extra else caching
        self._keeping = {"prompt_cache_retention": keeping} if keeping else {}
        self.largest = largest_answer(sampling)
        """The bytes up to which the answer is read."""
        self.plain = sampling.n == 1 and sampling.logprobs is None
        """Whether one text is all that is asked for."""
        parameters = dialect.parameters(sampling)
        self.names = ("model", "messages", *(name for name in parameters if name not in extra))
        """The fields that are ours to change, but for what holds a reply to a schema."""
        before = {name: extra.get(name, value) for name, value in parameters.items()}
        after = {name: value for name, value in extra.items() if name not in parameters}
        self._head = b'{"model":%b,"messages":[' % _ENCODE(model).encode()
        self._before, self._after = b"]" + _fields(before), _fields(after) + b"}"
        self._format = WrittenOnce(lambda schema: _fields(dialect.response_format(schema)))

    def __repr__(self) -> str:
        return f"<RequestForm of {', '.join(self.names)}>"

    def sent(self, *, held: bool) -> Collection[str]:
        """The fields of a body that are ours to change; `held` says that there is a schema in it."""
        return (*self.names, "response_format") if held else self.names

    def body(self, request: ModelRequest) -> bytes:
        """The body of a request."""
        messages = request.messages if self.dialect.system else self.dialect.messages(request.messages)
        try:
            said = [
                b'{"role":%b,"content":%b}' % (to_json(one.role), to_json(one.content)) for one in messages
            ]
        except PydanticSerializationError:  # halves of characters, which only JSON in ASCII can carry
            said = [_ENCODE({"role": one.role, "content": one.content}).encode() for one in messages]
        held = b"" if request.schema is None else self._format.of(request.schema)
        if self._caching is not None:
            held += self._cache_fields(request, self._caching)
        return b"%b%b%b%b%b" % (self._head, b",".join(said), self._before, held, self._after)

    def _cache_fields(self, request: ModelRequest, caching: PromptCaching) -> bytes:
        """The fields that have requests over the same brief reach the same cache, where it is long enough for one."""
        brief = brief_of(request).encode("utf-8", "replace")
        if not caching.may_take(len(brief)):
            return b""
        return _fields({_CACHE_KEY: f"agentdebate-{sha256(brief).hexdigest()[:32]}", **self._keeping})


def _fields(fields: Mapping[str, Any]) -> bytes:
    """Fields of an object as JSON, behind others."""
    return b"," + _ENCODE(fields)[1:-1].encode() if fields else b""
