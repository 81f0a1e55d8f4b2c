"""What is known of providers and their models before anything is asked of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agentdebate import plugins
from agentdebate.errors import UsageError, nearest
from agentdebate.models.dialects.opener import Opener
from agentdebate.models.prices import Price, PriceTable, prices
from agentdebate.models.registry import GROUP
from agentdebate.project.project import Project

ABILITIES = ("n", "logprobs", "schema", "temperature", "seed")
"""What a model may be able to do: several completions of a request, log-probabilities, replies held to a schema, and the parameters
of those names.
"""
ANY = "NAME"
"""Stands for whatever else a provider has."""


@dataclass(frozen=True, slots=True)
class KnownModel:
    """What is known of a model, or of all of a provider's that are not named. None: nobody has said."""

    name: str
    """The provider and the model: "anthropic/claude-opus-5-5", or "anthropic/NAME" for any other."""
    n: bool | None = None
    logprobs: bool | None = None
    schema: bool | None = None
    temperature: bool | None = None
    seed: bool | None = None
    cache_floor: int | None = None
    """Tokens from which on the provider's cache of prompts is used."""
    price: Price | None = None

    def as_dict(self) -> dict[str, object]:
        """All of it as JSON."""
        price = None if self.price is None else self.price.model_dump(mode="json", exclude_none=True)
        plain = {name: getattr(self, name) for name in ("name", *ABILITIES, "cache_floor")}
        return {**plain, "price": price}


def known_models(provider: str | None = None, *, project: Project | None = None) -> tuple[KnownModel, ...]:
    """What is known of the models of every provider that is registered, or of one: what they can do, and what they cost.

    The models that are named are those of the tables of prices: the project's, ours, and that of genai-prices where it is
    installed. Raises UsageError for an unknown provider, and ContentError for a prices.toml that cannot be read.
    """
    registered = plugins.places(GROUP)
    if provider is not None and provider not in registered:
        raise UsageError(f"there is no model provider {provider!r}. {nearest(provider, registered)}")
    table = prices(project=project)
    wanted = registered if provider is None else [provider]
    return tuple(one for name in sorted(wanted) for one in _of_provider(name, table))


def _of_provider(provider: str, table: PriceTable) -> Iterator[KnownModel]:
    opener = plugins.load(plugins.find(GROUP, provider, "there is no such model provider"))
    if not isinstance(opener, Opener):
        name = provider if table.price_of(provider) else f"{provider}/{ANY}"
        yield KnownModel(name, price=table.price_of(provider))
        return
    for model in opener.models_among(table.names(provider)):
        yield _known(opener, model, table.price_of(f"{provider}/{model}"))
    yield _known(opener, ANY, None)


def _known(opener: Opener[Any, Any], model: str, price: Price | None) -> KnownModel:
    does = {name: opener.does(name, model) for name in ABILITIES}
    return KnownModel(
        f"{opener.provider.name}/{model}", **does, cache_floor=opener.cache_floor(model), price=price
    )
