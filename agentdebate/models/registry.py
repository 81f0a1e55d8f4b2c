"""Models by name ("provider/name"), composed in one visible place."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import EntryPoint
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from agentdebate import plugins
from agentdebate.models.base import Model, ModelRequest
from agentdebate.models.completion_check import checked
from agentdebate.models.provider_keys import Provider
from agentdebate.project.model_spec import ModelSpec, has_place

if TYPE_CHECKING:
    from agentdebate.models.composition import Around

GROUP = "agentdebate.models"
"""The entry-point group under which providers are registered, ours included: a function (name, **options) -> Model."""


def registered() -> dict[str, str]:
    """The registered providers: name to where each comes from."""
    return plugins.places(GROUP)


def model(name: str, *, around: "Around | None" = None, **options: Any) -> Model:
    """The model of that name: "offline", "openai/MODEL" for any endpoint that speaks chat completions, "anthropic/MODEL", ...

    `options` go to the provider (docs/reference/models.md lists them), and so do those behind a colon in the name:
    "openai/gpt-6.1-sol:base_url=https://...,api_key_env=OTHER_KEY". A host that is not the provider's own, wherever its address comes from, is
    part of the model's name with its port, "openai/gpt-6.1-sol at models.example.org:443", in ballots, costs and tables; `around` is what it
    shares with other models: limits, a budget, a cache. Raises UsageError for an unknown provider or option.
    """
    made = compose(_opened(ModelSpec.parse(name), options), around)
    if around is not None:
        around.known[name] = made
    return made


def model_name(model: Model | str) -> str:
    """The name of a model that is named or given, with its host where that is not the provider's own: as it has it once it is open.

    What no provider opens has the name that it is given.
    """
    if not isinstance(model, str):
        return model.name
    spec = ModelSpec.parse(model)
    known = not has_place(spec.name) and spec.name.partition("/")[0] in registered()
    provider = provider_of(spec.name) if known else None
    return spec.name if provider is None else provider.placed(spec.name, spec.options.get("base_url"))


def writes_of(name: str) -> Callable[[ModelRequest], Sequence[str] | None]:
    """The function that says which texts of a prompt a model that is written so may write into its endpoint's cache; None means all."""
    spec = ModelSpec.parse(name)
    provider, _, rest = spec.name.partition("/")
    known = not has_place(spec.name) and provider in registered()
    writes = getattr(_provider(spec.name)[0], "writes", None) if known else None
    return writes(rest, spec.options) if writes else lambda _: None


def open_bare(name: str, **options: Any) -> Model:
    """The model of that name as its provider opens it, with nothing around: nothing is tried again. Raises as `model` does."""
    return _opened(ModelSpec.parse(name), options)


def opener(
    connections: int,
    around: "Around | None" = None,
    options: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> Callable[[str], Model]:
    """Make a function that opens models by name, each with its own options and with so many connections, where the provider's function has a
    parameter of that name.
    """

    def opened(name: str) -> Model:
        if around is not None and name in around.known:
            return around.known[name]
        more = {"connections": connections} if takes_connections(name) else {}
        spec = ModelSpec.parse(name)
        return compose(_opened(spec, {**more, **options.get(name, {})}), around, in_flight=connections)

    return opened


def check_provider(name: str) -> None:
    """Raise UsageError for a model of an unknown provider; the provider is not imported."""
    _entry(name)


def takes_connections(name: str) -> bool:
    """Tell whether the function that opens this model has a parameter for how many connections there may be. Raises UsageError."""
    return "connections" in inspect.signature(_provider(name)[0]).parameters


def provider_of(name: str) -> Provider | None:
    """Find the provider of a model by its name; None where it has none that we know of. Raises UsageError."""
    found = getattr(_provider(name)[0], "provider", None)
    return found if isinstance(found, Provider) else None


def usual_address_of(name: str) -> str:
    """Return the address of a model by its name where no address is given. Raises UsageError.

    Only a provider of ours has an address that others can allow.
    """
    provider = provider_of(name)
    return f"of {name}" if provider is None else provider.usual_address()


def _opened(spec: ModelSpec, more: Mapping[str, Any]) -> Model:
    """The model itself, with what its name says and what was said beside it, which goes before."""
    provider, rest = _provider(spec.name)
    return provider(rest, **{**spec.options, **more})


def _provider(name: str) -> tuple[Callable[..., Model], str]:
    """The function that opens a provider's models, and what stands behind the provider's name."""
    point, rest = _entry(name)
    found: Callable[..., Model] = plugins.load(point)
    return found, rest


def _entry(name: str) -> tuple[EntryPoint, str]:
    """Find the provider's registration, and the rest of a model's name."""
    provider, slash, rest = ModelSpec.parse(name).name.partition("/")
    hint = "" if slash else f" (a model is named PROVIDER/NAME, such as openai/{provider})"
    return plugins.find(GROUP, provider, f"there is no model provider {provider!r}{hint}"), rest


def compose(provider: Model, around: "Around | None" = None, *, in_flight: int = 64) -> Model:
    """A provider with what stands around it. The embedded judge needs nothing of the kind."""
    if provider.name == "offline":
        return provider
    from agentdebate.models.composition import Around, Limits  # which the offline judge does not need

    return (around or Around(Limits(in_flight))).compose(checked(provider))
