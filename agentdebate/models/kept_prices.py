"""Prices that a package keeps: genai-prices, where it is installed (the extra `prices`)."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

_PACKAGE = "genai_prices"
_PROVIDERS = {
    "anthropic": "anthropic",
    "azure": "azure",
    "bedrock": "aws",
    "gemini": "google",
    "mistral": "mistral",
    "openai": "openai",
    "openrouter": "openrouter",
}
"""What the package calls our providers. The others have no prices, such as a server of one's own."""


@dataclass(frozen=True, slots=True)
class KeptPrices:
    """The prices of the package, by our names of models. It is not loaded before it is asked."""

    def amounts(self, model: str) -> dict[str, float | str] | None:
        """What a model costs today, as the fields of a Price, by a name such as "openai/gpt-6.1-sol"; None where the package does not say."""
        ours, _, name = model.partition("/")
        provider = _provider(ours) if name else None
        if provider is None:
            return None
        found = provider.find_model(name.lower(), all_providers=_snapshot().providers)
        return None if found is None else _amounts(found.get_prices(dt.datetime.now(dt.UTC)))

    def names(self, provider: str) -> Iterator[str]:
        """The names of a provider's models that the package has, without those that are no longer served."""
        for model in getattr(_provider(provider), "models", ()):
            if not model.deprecated:
                yield model.id


def kept_prices() -> KeptPrices | None:
    """The prices of the package; None where it is not installed."""
    return KeptPrices() if find_spec(_PACKAGE) is not None else None


@cache
def _snapshot() -> Any:
    from genai_prices import data_snapshot

    return data_snapshot.get_snapshot()


def _provider(ours: str) -> Any:
    """The package's provider under our name of it; None where it has none."""
    wanted = _PROVIDERS.get(ours)
    return next((one for one in _snapshot().providers if one.id == wanted), None) if wanted else None


def _amounts(found: Any) -> dict[str, float | str] | None:
    """The fields of a Price; None where it is not known what tokens cost. Of prices in tiers it is the first."""
    told = {
        "input": _first(getattr(found, "input_mtok", None)),
        "output": _first(getattr(found, "output_mtok", None)),
        "cached_input": _first(getattr(found, "cache_read_mtok", None)),
        "cache_write": _first(getattr(found, "cache_write_mtok", None)),
    }
    if told["input"] is None or told["output"] is None:
        return None
    source = f"genai-prices {version('genai-prices')}; longer prompts may cost more"
    return {**{name: one for name, one in told.items() if one is not None}, "source": source}


def _first(amount: Any) -> float | None:
    amount = getattr(amount, "base", amount)
    return float(amount) if isinstance(amount, Decimal | int | float) else None
