"""Providers that speak chat completions or OpenAI's Responses: the address and the key's variable.

A preset is one entry here and one in pyproject.toml; what its models refuse is one in parameters.toml.
"""

from agentdebate.models.dialects.endpoint_model import Opener
from agentdebate.models.dialects.options import OpenAIOptions
from agentdebate.models.dialects.responses import at_interface
from agentdebate.models.provider_keys import OPENAI, Provider
from agentdebate.project.trust import LOCAL


def _preset(provider: Provider, about: str) -> Opener:
    return Opener(provider, at_interface, OpenAIOptions, about)


open_openai = _preset(OPENAI, "any endpoint of chat completions or of the Responses API, by base_url.")

open_azure = _preset(
    Provider(
        "azure",
        "{AZURE_OPENAI_ENDPOINT}/openai/v1",
        "AZURE_OPENAI_API_KEY",
        key_header="api-key",
        own_domains=(".azure.com", ".azure.us", ".azure.cn"),
    ),
    "Azure OpenAI, at AZURE_OPENAI_ENDPOINT.",
)

open_bedrock = _preset(
    Provider(
        "bedrock",
        "https://bedrock-runtime.{AWS_REGION}.amazonaws.com/openai/v1",
        "AWS_BEARER_TOKEN_BEDROCK",
        moved="BEDROCK_BASE_URL",
    ),
    "Amazon Bedrock in AWS_REGION, by an API key.",
)

open_mistral = _preset(
    Provider("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", moved="MISTRAL_BASE_URL"),
    "Mistral.",
)
"""Endpoint that spells the seed in its own way, and gives no log-probabilities."""

open_openrouter = _preset(
    Provider("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", moved="OPENROUTER_BASE_URL"),
    "OpenRouter.",
)

open_ollama = _preset(
    Provider("ollama", LOCAL["ollama"], "OLLAMA_API_KEY", moved="OLLAMA_BASE_URL", needs_key=False),
    "Ollama on this machine.",
)

open_vllm = _preset(
    Provider("vllm", LOCAL["vllm"], "VLLM_API_KEY", moved="VLLM_BASE_URL", needs_key=False),
    "vLLM on this machine.",
)
