"""What can be set about a chat-completions endpoint."""

from typing import ClassVar, Literal

from pydantic import Field

from agentdebate.models.dialects.dialect import SchemaForm
from agentdebate.models.dialects.parameters import Limit
from agentdebate.models.dialects.sampling_options import SamplingOptions


class OpenAIOptions(SamplingOptions):
    """How to reach an endpoint and what to send it beside the request."""

    ours: ClassVar[frozenset[str]] = frozenset(("messages", "model", "response_format", "stream"))

    schema_form: SchemaForm | Literal["auto"] = Field(default="auto", alias="schema")
    """How replies are held to schemas; "auto" starts with "json_schema" and follows the endpoint."""
    max_tokens_field: Limit | Literal["auto"] = "auto"
    """How the token limit is spelled; "auto" goes by the model's name, then by what the endpoint says."""
    prompt_cache: Literal["auto", "on", "in_memory", "24h", "off"] = "auto"
    """Whether requests over the same brief name it (prompt_cache_key), so that they reach the same cache, and the first of them goes
    alone; "in_memory" and "24h" also say how long it is kept (prompt_cache_retention). "auto" does so at OpenAI's own address only.
    """
    system: bool = True
    """Whether the chat template has a system role."""
