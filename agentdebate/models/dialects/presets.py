"""Providers that speak chat completions or OpenAI's Responses: the address and the key's variable.

A preset is one entry here and one in pyproject.toml; what its models refuse is one in parameters.toml.
"""

from agentdebate.models.dialects.endpoint_model import Opener
from agentdebate.models.dialects.options import ChatOptions, OpenAIOptions
from agentdebate.models.dialects.responses import at_interface
from agentdebate.models.provider_keys import OPENAI, Provider
from agentdebate.project.trust import LOCAL


def _preset(provider: Provider, about: str) -> Opener:
    return Opener(provider, at_interface, ChatOptions, about)


open_openai = Opener(
    OPENAI,
    at_interface,
    OpenAIOptions,
    "any endpoint of chat completions or of the Responses API, by base_url.",
)

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

open_vertex = _preset(
    Provider(
        "vertex",
        "https://{GOOGLE_CLOUD_LOCATION}-aiplatform.googleapis.com/v1/projects/{GOOGLE_CLOUD_PROJECT}"
        "/locations/{GOOGLE_CLOUD_LOCATION}/endpoints/openapi",
        "GOOGLE_OAUTH_ACCESS_TOKEN",
        moved="VERTEX_BASE_URL",
    ),
    "Google's Vertex AI in GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, such as vertex/google/gemini-3.5-flash.",
)


def _local(name: str, about: str) -> Opener:
    upper = name.upper()
    return _preset(
        Provider(name, LOCAL[name], f"{upper}_API_KEY", moved=f"{upper}_BASE_URL", needs_key=False),
        f"{about} on this machine.",
    )


open_ollama, open_vllm = _local("ollama", "Ollama"), _local("vllm", "vLLM")
open_llamacpp = _local("llamacpp", "The server of llama.cpp")
