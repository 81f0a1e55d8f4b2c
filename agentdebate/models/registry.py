"""From a name ("provider/name") to a model, composed in one visible place."""

from importlib.metadata import entry_points
from typing import Any

from agentdebate.errors import UsageError, nearest
from agentdebate.models.base import Model

GROUP = "agentdebate.models"
"""The entry-point group under which providers are registered, ours included: a function (name, **options) -> Model."""


def registered() -> dict[str, str]:
    """The registered providers: name to where each comes from."""
    return {point.name: point.value for point in sorted(entry_points(group=GROUP))}


def model(name: str, **options: Any) -> Model:
    """The model of that name: "offline", or "openai/MODEL" for any endpoint that speaks chat completions.

    `options` go to the provider (docs/reference/models.md lists them). Raises UsageError for an unknown provider or
    option.
    """
    provider, _, rest = name.partition("/")
    points = {point.name: point for point in entry_points(group=GROUP)}
    if provider not in points:
        raise UsageError(f"there is no model provider {provider!r}. {nearest(provider, points)}")
    opened: Model = points[provider].load()(rest, **options)
    return compose(opened)


def compose(provider: Model) -> Model:
    """What stands around a provider, outermost last: a failed call is tried again where that can help."""
    if provider.name == "offline":
        return provider
    from agentdebate.models.retry import (
        Retrying,
    )  # brings stamina along, which the offline judge does not need

    return Retrying(provider)
