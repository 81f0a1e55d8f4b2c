"""What can be set about an embeddings endpoint."""

import json
from typing import Any

from pydantic import Field, field_validator

from agentdebate.embedders.options import Options
from agentdebate.models.http import Transport

_OURS = frozenset(("model", "input", "encoding_format"))


class EndpointOptions(Options):
    """How to reach an endpoint and what to send it beside the texts."""

    eps: float = Field(default=0.38, gt=0, le=2)
    """That of MiniLM. Vectors of other models may lie closer together or further apart: try it on roles of yours."""
    base_url: str | None = None
    """The address up to and with "/v1"; by default OPENAI_BASE_URL from the environment, then OpenAI's own."""
    api_key_env: str = "OPENAI_API_KEY"
    """The name of the environment variable that holds the key."""
    timeout: float = Field(default=60.0, gt=0, allow_inf_nan=False)
    """Seconds without an answer; connecting may take 10 of them."""
    connections: int = Field(default=64, ge=1)
    """How many connections there may be at once. Further calls wait for one."""
    batch: int = Field(default=256, ge=1, le=256)
    """How many texts go into one call at most."""
    extra: dict[str, Any] = Field(default_factory=dict)
    """Further fields of the request body, such as "dimensions"."""
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    """Further headers. Their values are kept as secret as the key."""
    transport: Transport | None = Field(default=None, repr=False)
    """What carries the requests, for tests."""

    @field_validator("extra")
    @classmethod
    def _is_json(cls, extra: dict[str, Any]) -> dict[str, Any]:
        if taken := _OURS & extra.keys():
            raise ValueError(f"{', '.join(sorted(taken))}: not for you to set")
        try:
            json.dumps(extra, allow_nan=False)
        except TypeError as error:
            raise ValueError(f"no JSON: {error}") from error
        return extra
