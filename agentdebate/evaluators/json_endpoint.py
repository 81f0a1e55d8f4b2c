"""Calls of an endpoint that are not chat: JSON is posted, and posted again where a call fails in a way that may pass."""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from agentdebate.errors import MalformedReply
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.dialects.options import Reach, SamplingOptions
from agentdebate.models.dialects.provider_endpoint import ProviderEndpoint
from agentdebate.models.provider_keys import OPENAI, Provider
from agentdebate.models.retry import Retrying
from agentdebate.options import read_options

Result = TypeVar("Result")
Chosen = TypeVar("Chosen", bound=BaseModel)
Connection = TypeVar("Connection", bound=SamplingOptions)

_ENCODE = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def parted(
    kind: type[Chosen], connection: type[Connection], options: Mapping[str, Any], of: str
) -> tuple[Chosen, Connection]:
    """Read the options of an evaluator, and those of its endpoint. Raises UsageError."""
    reach = {name: value for name, value in options.items() if name in Reach.model_fields}
    rest = {name: value for name, value in options.items() if name not in reach}
    return read_options(kind, rest, of=of), connection.read(reach, of=of)


class JsonEndpoint:
    """Posts to one path of an address. `name` is the model's, for errors."""

    def __init__(self, name: str, path: str, reach: Reach, provider: Provider = OPENAI) -> None:
        self._endpoint = ProviderEndpoint(name, path, reach, provider)

    @property
    def place(self) -> str:
        """The address as it may be shown."""
        return self._endpoint.place

    async def post(self, body: Mapping[str, Any], read: Callable[[bytes], Result]) -> Result:
        """Post a body and return what `read` makes of the answer's. Raises ModelError; MalformedReply where `read` raises it, twice."""
        call = _Call(self._endpoint, _ENCODE(body).encode(), read)
        await Retrying(call).complete(ModelRequest(()))
        return call.results[0]

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._endpoint.aclose()


class _Call(Generic[Result]):
    """One call in the form of a model, so that what tries models again tries it again. It keeps what came back."""

    structured = False

    def __init__(self, endpoint: ProviderEndpoint, body: bytes, read: Callable[[bytes], Result]) -> None:
        self._endpoint, self._body, self._read = endpoint, body, read
        self.name = endpoint.name
        self.results: list[Result] = []

    async def complete(self, _request: ModelRequest) -> Completion:
        answer = await self._endpoint.post(self._body)
        if not 200 <= answer.status < 300:  # noqa: PLR2004 - the range of success
            raise self._endpoint.failure(self._endpoint.problem(answer))
        try:
            self.results.append(self._read(answer.body))
        except MalformedReply as error:
            # Routers send what the provider refused with status 200.
            problem = self._endpoint.problem(answer)
            if problem.status >= HTTPStatus.BAD_REQUEST:
                raise self._endpoint.failure(problem) from error
            raise self._endpoint.placed(error, answer) from error
        return Completion(text="", model=self.name)

    async def aclose(self) -> None:
        """The connections are the poster's."""
