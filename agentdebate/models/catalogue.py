"""What is known of providers and their models before anything is asked of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agentdebate import plugins
from agentdebate.models.dialects.opener import Opener
from agentdebate.models.prices import Price, PriceTable, prices
from agentdebate.models.registry import GROUP, check_provider
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
    """What is known of the models of every provider that is registered, of one, or of one model: what they can do and cost.

    The models that are named are those of the tables of prices: the project's, ours, and that of genai-prices where it is
    installed. Raises UsageError for an unknown provider, and ContentError for a prices.toml that cannot be read.
    """
    registered, table = plugins.places(GROUP), prices(project=project)
    if provider is None:
        return tuple(one for name in sorted(registered) for one in _of_provider(name, table))
    name, _, model = provider.partition("/")
    check_provider(name)
    return tuple(_of_provider(name, table, model))


def _of_provider(provider: str, table: PriceTable, only: str = "") -> Iterator[KnownModel]:
    opener = plugins.load(plugins.find(GROUP, provider, "there is no such model provider"))
    if not isinstance(opener, Opener):
        name = f"{provider}/{only or ANY}" if only or not table.price_of(provider) else provider
        yield KnownModel(name, price=table.price_of(name if only else provider))
        return
    if only:
        yield _known(opener, only, table.price_of(f"{provider}/{only}"))
        return
    for model in opener.models_among(table.names(provider)):
        yield _known(opener, model, table.price_of(f"{provider}/{model}"))
    yield _known(opener, ANY, None)


def _known(opener: Opener[Any, Any], model: str, price: Price | None) -> KnownModel:
    does = {name: opener.does(name, model) for name in ABILITIES}
    return KnownModel(
        f"{opener.provider.name}/{model}", **does, cache_floor=opener.cache_floor(model), price=price
    )
