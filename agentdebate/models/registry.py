"""From a name ("provider/name") to a model, composed in one visible place."""

import inspect
from collections.abc import Callable
from typing import Any

from agentdebate import plugins
from agentdebate.errors import UsageError, nearest
from agentdebate.models.base import Model

GROUP = "agentdebate.models"
"""The entry-point group under which providers are registered, ours included: a function (name, **options) -> Model."""


def registered() -> dict[str, str]:
    """The registered providers: name to where each comes from."""
    return plugins.places(GROUP)


def model(name: str, **options: Any) -> Model:
    """The model of that name: "offline", or "openai/MODEL" for any endpoint that speaks chat completions.

    `options` go to the provider (docs/reference/models.md lists them). Raises UsageError for an unknown provider or
    option.
    """
    provider, rest = _provider(name)
    return compose(provider(rest, **options))


def opener(connections: int) -> Callable[[str], Model]:
    """What opens models by name with so many connections, where the provider's function has a parameter of that name."""

    def opened(name: str) -> Model:
        provider, rest = _provider(name)
        takes = "connections" in inspect.signature(provider).parameters
        return compose(provider(rest, connections=connections) if takes else provider(rest))

    return opened


def _provider(name: str) -> tuple[Callable[..., Model], str]:
    """The function that opens a provider's models, and what stands behind the provider's name."""
    provider, _, rest = name.partition("/")
    points = plugins.registered(GROUP)
    if provider not in points:
        raise UsageError(f"there is no model provider {provider!r}. {nearest(provider, points)}")
    found: Callable[..., Model] = points[provider].load()
    return found, rest


def compose(provider: Model) -> Model:
    """What stands around a provider, outermost last: a failed call is tried again where that can help."""
    if provider.name == "offline":
        return provider
    from agentdebate.models.retry import Retrying  # which the offline judge does not need

    return Retrying(provider)
