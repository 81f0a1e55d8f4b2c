"""The options that all endpoints of OpenAI's kind have in common: how they are reached."""

import json
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

Client = Literal["httpx", "aiohttp"]
"""Whose connections, requests and answers are used."""


class Reach(BaseModel):
    """How to reach an endpoint, and what to send it beside what is asked of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ours: ClassVar[frozenset[str]] = frozenset()
    """The fields of a request's body that are not for `extra` to set."""

    base_url: str | None = Field(default=None, repr=False)
    """The address up to and with "/v1"; by default OPENAI_BASE_URL from the environment, then OpenAI's
    own.
    """
    api_key_env: str | None = None
    """The name of the environment variable that holds the key. By default OPENAI_API_KEY for OpenAI's own address and
    the one in OPENAI_BASE_URL, what endpoints.toml says for an address there, and for any other address none.
    """
    timeout: float = Field(default=60.0, gt=0, allow_inf_nan=False)
    """Seconds without an answer; connecting may take 10 of them."""
    connections: int = Field(default=64, ge=1)
    """How many connections there may be at once. Further calls wait for one."""
    extra: dict[str, Any] = Field(default={}, repr=False)
    """Further fields of the request body; they go before ours."""
    headers: Annotated[dict[str, str], Field(repr=False)] = {}
    """Further headers. Their values are kept as secret as the key."""
    client: Client = "httpx"
    """What carries the requests: "httpx", or "aiohttp", which takes half the CPU time a call."""
    transport: Any = Field(default=None, repr=False)
    """What carries the requests of httpx, for tests: an httpx.AsyncBaseTransport."""

    @field_validator("extra")
    @classmethod
    def _is_json(cls, extra: dict[str, Any]) -> dict[str, Any]:
        if taken := cls.ours & extra.keys():
            raise ValueError(f"{', '.join(sorted(taken))}: not for you to set")
        try:
            json.dumps(extra, allow_nan=False)
        except TypeError as error:
            raise ValueError(f"it is not JSON: {error}") from error
        return extra

    @field_validator("client", mode="before")
    @classmethod
    def _is_named(cls, client: object) -> object:
        if isinstance(client, str):
            return client
        raise PydanticCustomError(
            "client",
            "it must be 'httpx' or 'aiohttp', not {given}; to carry requests in a way of your own, give "
            "an httpx.AsyncBaseTransport as 'transport'.",
            {"given": type(client).__name__},
        )

    @field_validator("transport")
    @classmethod
    def _is_of_httpx(cls, transport: object) -> object:
        if transport is None:
            return None
        from httpx import AsyncBaseTransport  # takes 7 MB, which aiohttp alone does without

        if not isinstance(transport, AsyncBaseTransport):
            given = {"given": type(transport).__name__}
            raise PydanticCustomError(
                "transport", "it must be an httpx.AsyncBaseTransport, not {given}", given
            )
        return transport
