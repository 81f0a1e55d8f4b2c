"""Providers that speak chat completions at an address of their own: the address and the key's variable.

A preset is one entry here and one in pyproject.toml; what its models refuse is one in parameters.toml.
"""

from agentdebate.models.dialects.chat_completions import OpenAIChat
from agentdebate.models.dialects.endpoint_model import Opener
from agentdebate.models.dialects.options import OpenAIOptions
from agentdebate.models.provider_keys import Provider
from agentdebate.project.trust import LOCAL


def _preset(provider: Provider, about: str) -> Opener:
    return Opener(provider, OpenAIChat, OpenAIOptions, about)


open_azure = _preset(
    Provider(
        "azure",
        "{AZURE_OPENAI_ENDPOINT}/openai/v1",
        "AZURE_OPENAI_API_KEY",
        key_header="api-key",
        own_domains=(".azure.com", ".azure.us", ".azure.cn"),
    ),
    "azure/DEPLOYMENT: Azure OpenAI, at the resource that AZURE_OPENAI_ENDPOINT names.",
)

open_bedrock = _preset(
    Provider(
        "bedrock",
        "https://bedrock-runtime.{AWS_REGION}.amazonaws.com/openai/v1",
        "AWS_BEARER_TOKEN_BEDROCK",
        moved="BEDROCK_BASE_URL",
    ),
    "bedrock/MODEL: Amazon Bedrock in the region that AWS_REGION names, with one of its API keys.",
)

open_mistral = _preset(
    Provider("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", moved="MISTRAL_BASE_URL"),
    "mistral/MODEL: Mistral's own endpoint.",
)
"""It spells the seed in its own way, and gives no log-probabilities."""

open_openrouter = _preset(
    Provider("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", moved="OPENROUTER_BASE_URL"),
    "openrouter/MAKER/MODEL: OpenRouter.",
)

open_ollama = _preset(
    Provider("ollama", LOCAL["ollama"], "OLLAMA_API_KEY", moved="OLLAMA_BASE_URL", needs_key=False),
    "ollama/MODEL: Ollama on this machine, which wants no key.",
)

open_vllm = _preset(
    Provider("vllm", LOCAL["vllm"], "VLLM_API_KEY", moved="VLLM_BASE_URL", needs_key=False),
    "vllm/MODEL: vLLM on this machine, which wants a key only where it was started with one.",
)
