"""From a name ("provider/name") to a model, composed in one visible place."""

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agentdebate import plugins
from agentdebate.models.base import Model
from agentdebate.models.provider_keys import Provider

if TYPE_CHECKING:
    from agentdebate.models.composition import Around

GROUP = "agentdebate.models"
"""The entry-point group under which providers are registered, ours included: a function (name, **options) -> Model."""


def registered() -> dict[str, str]:
    """The registered providers: name to where each comes from."""
    return plugins.places(GROUP)


def model(name: str, *, around: "Around | None" = None, **options: Any) -> Model:
    """The model of that name: "offline", "openai/MODEL" for any endpoint that speaks chat completions, "anthropic/MODEL", ...

    `options` go to the provider (docs/reference/models.md lists them); `around` is what it shares with other models: limits,
    a budget, a cache. Raises UsageError for an unknown provider or option.
    """
    provider, rest = _provider(name)
    made = compose(provider(rest, **options), around)
    if around is not None:
        around.known[name] = made
    return made


def open_bare(name: str, **options: Any) -> Model:
    """The model of that name as its provider opens it, with nothing around: nothing is tried again. Raises as `model` does."""
    provider, rest = _provider(name)
    return provider(rest, **options)


def opener(connections: int, around: "Around | None" = None) -> Callable[[str], Model]:
    """What opens models by name with so many connections, where the provider's function has a parameter of that name."""

    def opened(name: str) -> Model:
        if around is not None and name in around.known:
            return around.known[name]
        provider, rest = _provider(name)
        made = provider(rest, connections=connections) if takes_connections(name) else provider(rest)
        return compose(made, around, in_flight=connections)

    return opened


def takes_connections(name: str) -> bool:
    """Whether the function that opens this model has a parameter for how many connections there may be. Raises UsageError."""
    return "connections" in inspect.signature(_provider(name)[0]).parameters


def provider_of(name: str) -> Provider | None:
    """Whose address and key a model of that name has; None where it has none that we know of. Raises UsageError."""
    found = getattr(_provider(name)[0], "provider", None)
    return found if isinstance(found, Provider) else None


def usual_address_of(name: str) -> str:
    """Where the requests of a model of that name go where no address is given. Raises UsageError.

    What is no provider of ours has no address that anybody else could allow.
    """
    provider = provider_of(name)
    return f"of {name}" if provider is None else provider.usual_address()


def _provider(name: str) -> tuple[Callable[..., Model], str]:
    """The function that opens a provider's models, and what stands behind the provider's name."""
    provider, _, rest = name.partition("/")
    point = plugins.find(GROUP, provider, f"there is no model provider {provider!r}")
    found: Callable[..., Model] = plugins.load(point)
    return found, rest


def compose(provider: Model, around: "Around | None" = None, *, in_flight: int = 64) -> Model:
    """A provider with what stands around it. The embedded judge needs nothing of the kind."""
    if provider.name == "offline":
        return provider
    from agentdebate.models.composition import Around  # which the offline judge does not need

    return (around or Around(in_flight=in_flight)).compose(provider)
