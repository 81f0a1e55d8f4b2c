"""An endpoint for tests: answers given in advance, and the bodies of the requests it was sent."""

import json
from collections.abc import Mapping
from typing import Any

import httpx
from fault_cases import reply

from agentdebate.models.base import ChatMessage, ModelRequest, Sampling
from agentdebate.models.dialects.endpoint_model import EndpointModel
from agentdebate.models.dialects.presets import open_openai

KEY = "sk-very-secret-0123456789"
ADDRESS = "http://127.0.0.1:9/v1"
SCHEMA = {
    "title": "Rating",
    "type": "object",
    "properties": {"score": {"enum": [1, 2, 3]}},
    "required": ["score"],
}


def refusal(message: str, **fields: object) -> dict[str, Any]:
    """An error body as OpenAI sends it."""
    return {
        "error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **fields}
    }


def ask(
    text: str = "Hi", schema: Mapping[str, Any] | None = None, system: str = "Be brief.", **sampling: Any
) -> ModelRequest:
    """A request with a system and a user message."""
    messages = ChatMessage("system", system), ChatMessage("user", text)
    return ModelRequest(messages, Sampling(**sampling), schema)


class Endpoint:
    """Gives its answers in turn, the last one for ever. `bodies` and `requests` are what it was sent."""

    def __init__(self, *answers: httpx.Response | Exception | dict[str, Any]) -> None:
        self.answers = list(answers) or [reply("fine")]
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, httpx.Response):
            return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)
        return httpx.Response(200, json=answer)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]

    @property
    def body(self) -> dict[str, Any]:
        return self.bodies[-1]

    def model(self, name: str = "tiny", **options: object) -> EndpointModel:
        """A model that talks to this endpoint."""
        return open_openai(name, **{"base_url": ADDRESS, "transport": httpx.MockTransport(self), **options})


def failed(status: int, body: object = None, **headers: str) -> httpx.Response:
    """An error answer; header names have underscores for hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if isinstance(body, bytes):
        return httpx.Response(status, content=body, headers=named)
    return httpx.Response(status, json=refusal(body) if isinstance(body, str) else body, headers=named)
