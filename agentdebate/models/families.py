"""Makers of models: models of one family tend to make the same mistakes, so a panel of several says more."""

from collections.abc import Iterable
from functools import lru_cache

from agentdebate.project.model_spec import bare_name

OFFLINE = "offline"

_HEADS = {
    "openai": ("gpt", "chatgpt", "o1", "o3", "o4"),
    "anthropic": ("claude",),
    "google": ("gemini", "gemma"),
    "mistral": ("mistral", "ministral", "magistral", "codestral", "mixtral"),
    "meta": ("llama",),
    "alibaba": ("qwen", "qwq"),
    "deepseek": ("deepseek",),
    "microsoft": ("phi",),
}
"""Prefixes of models' names, by their maker."""
_MAKERS = {"gemini": "google"}
"""Providers that go by another name than the maker of their models."""


@lru_cache(maxsize=256)
def family_of(model: str) -> str:
    """The maker of a model, by its name wherever it is served; its provider where the name tells nothing."""
    provider, _, rest = bare_name(model).lower().partition("/")
    for part in reversed((rest or provider).replace(":", "/").split("/")):
        bare = part.rpartition(".")[2] if part.startswith(("anthropic.", "meta.", "mistral.")) else part
        for maker, heads in _HEADS.items():
            if bare.startswith(heads):
                return maker
    return _MAKERS.get(provider, provider)


def families_of(models: Iterable[str]) -> tuple[str, ...]:
    """The families of models, each once, in the order of the models. The offline judge is one only where another model is there."""
    given = list(models)
    families = tuple(dict.fromkeys(family_of(model) for model in given if model != OFFLINE))
    return (*families, OFFLINE) if families and OFFLINE in given else families
