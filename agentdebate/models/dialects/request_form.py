"""What requests to one endpoint have in common, as JSON that is written once."""

import json
from collections.abc import Mapping
from json.encoder import encode_basestring_ascii
from typing import Any

from pydantic_core import from_json

from agentdebate.models.base import ModelRequest, Sampling
from agentdebate.models.dialects.dialect import Dialect
from agentdebate.models.reply_size import largest_answer

_ENCODE = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_TEXT = encode_basestring_ascii
_KNOWN = 64
"""Schemas whose JSON is kept."""


class RequestForm:
    """The body of requests with the same sampling parameters in one dialect; what differs is filled in.

    `extra` holds further fields, which go before ours.
    """

    def __init__(self, model: str, sampling: Sampling, dialect: Dialect, extra: Mapping[str, Any]) -> None:
        self.sampling, self.dialect = sampling, dialect
        self.largest = largest_answer(sampling)
        """The bytes up to which the answer is read."""
        self.plain = sampling.n == 1 and sampling.logprobs is None
        """Whether one text is all that is asked for."""
        parameters = dialect.parameters(sampling)
        self.names = ("model", "messages", *(name for name in parameters if name not in extra))
        """The fields that are ours to change, but for what holds a reply to a schema."""
        before = {name: extra.get(name, value) for name, value in parameters.items()}
        after = {name: value for name, value in extra.items() if name not in parameters}
        self._head = f'{{"model":{_TEXT(model)},"messages":['
        self._before, self._after = "]" + _fields(before), _fields(after) + "}"
        self._formats: dict[int, tuple[Mapping[str, Any], Mapping[str, Any], str]] = {}

    def __repr__(self) -> str:
        return f"<RequestForm of {', '.join(self.names)}>"

    def body(self, request: ModelRequest) -> bytes:
        """The body of a request."""
        messages = self.dialect.messages(request.messages)
        said = [f'{{"role":{_TEXT(one.role)},"content":{_TEXT(one.content)}}}' for one in messages]
        held = "" if request.schema is None else self._format(request.schema)
        return f"{self._head}{','.join(said)}{self._before}{held}{self._after}".encode()

    def _format(self, schema: Mapping[str, Any]) -> str:
        """The field that holds a reply to a schema. It is written once for a schema, as long as nobody changes that."""
        known = self._formats.get(id(schema))
        if known is not None and known[0] is schema and known[1] == schema:
            return known[2]
        if len(self._formats) >= _KNOWN:
            self._formats.clear()
        text = _fields(self.dialect.response_format(schema))
        self._formats[id(schema)] = schema, from_json(_ENCODE(schema)), text
        return text


def _fields(fields: Mapping[str, Any]) -> str:
    """Fields of an object as JSON, behind others."""
    return f",{_ENCODE(fields)[1:-1]}" if fields else ""
