"""Options of models behind endpoints: how the endpoint is reached, what to sample with, and how it wants its requests."""

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from agentdebate.models.base import Sampling, Tier
from agentdebate.models.dialects.dialect import dialect_of
from agentdebate.models.prompt_cache import PromptCaching
from agentdebate.models.secrets import plain_address, without_secrets
from agentdebate.options import OptionKind, read_options
from agentdebate.project.model_spec import bare_name, has_place

_FLEX_TIMEOUT = 900.0
"""Seconds that OpenAI's guide to flex says to wait for an answer."""

_FLOOR = 1024
"""Fewest tokens that OpenAI's cache keeps."""
_CACHE_OPTIONS = frozenset({"prompt_cache_options", "prompt_cache_retention"})
"""Fields of the user's with which there are no marks of ours."""
_MARK = {"prompt_cache_breakpoint": {"mode": "explicit"}}
"""Mark of a prompt's beginning, as of openai 3.57.0 (2026-11-29). It is kept for half an hour at least."""


class Reach(BaseModel):
    """Options of an endpoint."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ours: ClassVar[frozenset[str]] = frozenset()
    """The fields of a request's body that are not for `extra` to set."""

    base_url: Annotated[str | None, OptionKind.ADDRESS] = Field(default=None, repr=False)
    """The address up to and with "/v1"; by default OPENAI_BASE_URL from the environment, then OpenAI's
    own.
    """
    api_key_env: Annotated[str | None, OptionKind.VARIABLE] = None
    """The name of the environment variable that holds the key. By default OPENAI_API_KEY for OpenAI's own address and
    the one in OPENAI_BASE_URL, what endpoints.toml says for an address there, and for any other address none.
    """
    timeout: float = Field(default=60.0, gt=0, allow_inf_nan=False)
    """Seconds without an answer; connecting may take 10 of them."""
    connections: int = Field(default=64, ge=1)
    """Most connections at once. Further calls wait for one."""
    extra: dict[str, Any] = Field(default={}, repr=False)
    """Further fields of the request body; they go before ours."""
    headers: Annotated[dict[str, str], OptionKind.SECRET, Field(repr=False)] = {}
    """Further headers. Their values are kept as secret as the key."""
    client: Literal["httpx", "aiohttp"] = "httpx"
    """HTTP client: "httpx", or "aiohttp" (extra `fast`), which takes a quarter of its CPU time."""
    transport: Annotated[Any, OptionKind.SECRET] = Field(default=None, repr=False)
    """Transport of httpx, for tests: an httpx.AsyncBaseTransport."""

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


class SamplingOptions(Reach):
    """Options of an endpoint, with sampling parameters that a request leaves open."""

    sampling: Sampling = Sampling()
    """Parameters for requests that leave them open."""

    def caching(self, name: str) -> PromptCaching | None:  # noqa: ARG002 - for others to use
        """Rules of the cache of the model of that name, with its host where that is not its provider's; None where nothing is known of one."""
        return None

    def settings(self, address: str, hide: Callable[[str], str]) -> dict[str, Any]:
        """The options that were given, as JSON for the record, with the address that is used.

        `hide` takes known keys out of a text. No header's value is there, and no text under a name such as api_key.
        """
        kept = self.model_dump(
            mode="json",
            by_alias=True,
            exclude_unset=True,
            exclude={"api_key_env", "headers", "client", "transport"},
        )
        more = {"headers": sorted(self.headers)} if self.headers else {}
        shown: dict[str, Any] = without_secrets({**kept, "base_url": plain_address(address)})
        found: dict[str, Any] = _each_text({**shown, **more}, hide)
        return found

    @classmethod
    def read(cls, options: Mapping[str, object], *, of: str = "a model") -> Self:
        """Read options by name; sampling parameters may stand among them. `of` names the model. Raises UsageError."""
        flat = {name: value for name, value in options.items() if name in Sampling.model_fields}
        own = {name: value for name, value in options.items() if name not in flat}
        read = read_options(cls, own, of=of, beside=Sampling.model_fields)
        return read.model_copy(
            update={"sampling": read.sampling.overlaid(read_options(Sampling, flat, of=of))}
        )


class DialectOptions(SamplingOptions):
    """Options of an endpoint of chat models."""

    schema_form: Literal["auto", "json_schema", "none"] = Field(default="auto", alias="schema")
    """Tell whether replies are held to schemas; "auto" begins so and follows the endpoint."""
    prompt_cache: Literal["auto", "on", "off"] = "auto"
    """Tell whether the endpoint's cache of prompts is used: the first call over a long brief goes alone, and requests say what is to be
    kept (`cache_control` of Messages) or which brief they are over (`prompt_cache_key` of chat completions). With the latter "auto"
    does so at OpenAI's own address only.
    """


class TierOptions(DialectOptions):
    """Options of an endpoint of chat models with a choice of tiers."""

    tier: Tier | None = None
    """Service tier: "flex" costs half, is slower and may have no room, at OpenAI and Gemini. A call waits up to 15 minutes then."""

    @model_validator(mode="after")
    def _waits(self) -> Self:
        patient = self.tier != "flex" or "timeout" in self.model_fields_set
        return self if patient else self.model_copy(update={"timeout": _FLEX_TIMEOUT})


class ChatOptions(DialectOptions):
    """Options of an endpoint of chat completions, or of the Responses API."""

    ours: ClassVar[frozenset[str]] = frozenset(("input", "messages", "model", "response_format", "stream"))

    api: Literal["auto", "chat", "responses"] = "auto"
    """The interface that is asked; "auto" is chat completions, and at OpenAI's own address the Responses API for models that only it has."""

    def caching(self, name: str) -> PromptCaching | None:
        """Rules of the cache. Where it takes marks it is told to write nothing else, since a prompt is found up to a mark only."""
        ours = name.startswith("openai/") and not has_place(name)
        if self.prompt_cache != "on" and not ours:
            return None
        dialect, on = dialect_of(bare_name(name)), self.prompt_cache != "off"
        marks = dialect.cache_marks and not _CACHE_OPTIONS & self.extra.keys()
        floor = dialect.cache_floor or _FLOOR
        return PromptCaching(floor, 1800, on, _MARK) if marks else PromptCaching(floor, on=on)


class OpenAIOptions(TierOptions, ChatOptions):
    """Options of an endpoint of chat completions, or of the Responses API, with a choice of tiers."""


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    """JSON with every text in it changed."""
    if isinstance(value, Mapping):
        return {name: _each_text(inner, change) for name, inner in value.items()}
    if isinstance(value, list):
        return [_each_text(inner, change) for inner in value]
    return change(value) if isinstance(value, str) else value
