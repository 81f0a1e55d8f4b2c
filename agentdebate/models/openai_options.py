"""What can be set about a chat-completions endpoint."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from agentdebate.errors import UsageError, nearest
from agentdebate.models.base import Sampling
from agentdebate.models.dialect import SchemaForm
from agentdebate.models.http import Transport
from agentdebate.models.parameters import Limit

_OURS = frozenset(("messages", "model", "response_format", "stream"))


class OpenAIOptions(BaseModel):
    """How to reach an endpoint and what to send it beside the request."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    base_url: str | None = None
    """The address up to and with "/v1"; by default OPENAI_BASE_URL from the environment, then OpenAI's
    own.
    """
    api_key_env: str = "OPENAI_API_KEY"
    """The name of the environment variable that holds the key."""
    timeout: float = Field(default=60.0, gt=0, allow_inf_nan=False)
    """Seconds without an answer; connecting may take 10 of them."""
    connections: int = Field(default=64, ge=1)
    """How many connections there may be at once. Further calls wait for one."""
    extra: dict[str, Any] = {}
    """Further fields of the request body; they go before ours."""
    headers: Annotated[dict[str, str], Field(repr=False)] = {}
    """Further headers. Their values are kept as secret as the key."""
    schema_form: SchemaForm | Literal["auto"] = Field(default="auto", alias="schema")
    """How replies are held to schemas; "auto" starts with "json_schema" and follows the endpoint."""
    max_tokens_field: Limit | Literal["auto"] = "auto"
    """How the token limit is spelled; "auto" goes by the model's name, then by what the endpoint says."""
    system: bool = True
    """Whether the chat template has a system role."""
    sampling: Sampling = Sampling()
    """Parameters for requests that leave them open."""
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

    @classmethod
    def read(cls, options: Mapping[str, object]) -> "OpenAIOptions":
        """Read options by name; sampling parameters may stand among them. Raises UsageError."""
        known = {field.alias or name for name, field in cls.model_fields.items()}
        for name in options:
            if name not in known | Sampling.model_fields.keys():
                raise UsageError(f"openai models have no option {name!r}. {nearest(name, known)}")
        flat = {name: value for name, value in options.items() if name in Sampling.model_fields}
        try:
            read = cls.model_validate({name: value for name, value in options.items() if name not in flat})
            return read.model_copy(update={"sampling": read.sampling.overlaid(Sampling.model_validate(flat))})
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            raise UsageError(f"option {'.'.join(map(str, first['loc']))!r}: {first['msg']}") from error
