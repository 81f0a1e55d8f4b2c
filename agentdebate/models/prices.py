"""Prices of tokens: by a table of the user's own, else by the dated snapshot of genai-prices. What neither says is unknown, and never 0."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from agentdebate.project.model_spec import APART, bare_name, beside, has_place
from agentdebate.project.project import Project, read_as, read_toml
from agentdebate.usage import Usage

FILE = "prices.toml"
"""File name of a project's table."""

MILLION = 1_000_000
_LOOKED_UP = 1000
"""Names of models whose prices a table keeps at hand."""
_PROVIDERS = {"bedrock": "aws", "gemini": "google"} | {
    name: name for name in ("anthropic", "azure", "mistral", "openai", "openrouter")
}
"""Names of our providers in genai-prices. The others have no prices, such as a server of one's own."""

PerMillion = Annotated[float, Field(ge=0, strict=True, allow_inf_nan=False)]
"""Price of a million tokens."""


class Price(BaseModel):
    """Price of a million tokens of a model. Hidden reasoning is part of the output."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: PerMillion
    output: PerMillion
    cached_input: PerMillion | None = None
    """Price of prompt from the endpoint's cache; None: as much as of any other."""
    cache_write: PerMillion | None = None
    """Price of prompt that the endpoint wrote into its cache; None: as much as of any other."""
    cache_write_1h: PerMillion | None = None
    """Price of prompt that it wrote for an hour rather than minutes; None: twice the fresh price, as Anthropic has it (2026-11-29)."""
    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    date: dt.date | None = None
    """Date of the price."""
    source: str = ""
    """Source of the price."""

    @property
    def free(self) -> bool:
        """Tell whether nothing of it costs anything."""
        return not (self.input or self.output or self.cached_input or self.cache_write)

    def at(self, name: str) -> "Price":
        """The price that the end of the name of the model that answered tells of: at "flex" all costs half, as OpenAI and Google
        price it (2026-11-29), and at "1h-writes" it is `cache_write_1h`.
        """
        if name.endswith(" 1h-writes"):
            hour = 2 * self.input if self.cache_write_1h is None else self.cache_write_1h
            return self.model_copy(update={"cache_write": hour})
        if not name.endswith(" flex"):
            return self
        whole = self.model_dump(exclude={"currency", "date", "source"}, exclude_none=True)
        return self.model_copy(update={part: value / 2 for part, value in whole.items()})

    def __str__(self) -> str:
        cached = "" if self.cached_input is None else f", {self.cached_input:g} cached"
        written = "" if self.cache_write is None else f", {self.cache_write:g} written into a cache"
        when = f", as of {self.date}" if self.date else f" ({self.source})" if self.source else ""
        return (
            f"{self.input:g} in{cached}{written}, {self.output:g} out {self.currency} a million tokens{when}"
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A price, and the patterns of the names of the models that have it."""

    match: tuple[str, ...]
    price: Price

    def fits(self, model: str) -> bool:
        """Tell whether one of the patterns is the model's name, with or without what stands before a "/" in it."""
        return any(fnmatchcase(name, pattern) for name in _names(model) for pattern in self.match)


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by model: of the first entry that fits, else of the snapshot."""

    entries: tuple[Entry, ...] = ()
    _found: dict[str, Price | None] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Earlier look-ups: patterns take their time."""

    def price_of(self, model: str) -> Price | None:
        """Look up the price of a model; None where it is unknown. A provider's price does not hold at another host."""
        if model not in self._found:
            if len(self._found) >= _LOOKED_UP:  # endpoints may call themselves anything
                self._found.clear()
            name = model
            for end in APART:
                name = name.removesuffix(f" at {end}").removesuffix(f" {end}")
            entered = (entry.price for entry in self.entries if entry.fits(name))
            price = next(entered, None) or _kept_price(name)
            self._found[model] = price and price.at(model)
        return self._found[model]

    def price_served(self, served: str, asked: str) -> Price | None:
        """Look up the price of a model by the name that answered, or else by the name it was asked under, at the same host."""
        return self.price_of(served) or self.price_of(beside(asked, served))

    def over(self, other: "PriceTable") -> "PriceTable":
        """The entries of both, those of this table first."""
        return PriceTable((*self.entries, *other.entries))


def prices(path: Path | None = None, *, project: Project | None = None) -> PriceTable:
    """The file that was named, then the project's own prices.toml where it has one, then the snapshot. Raises ContentError."""
    root = (project or Project.here()).root
    own = [] if root is None or not (root / FILE).is_file() else [root / FILE]
    tables = [read_prices(one) for one in (*([path] if path else []), *own)]
    return PriceTable(tuple(entry for table in tables for entry in table.entries))


@cache
def built_in() -> PriceTable:
    """The prices of the snapshot alone."""
    return PriceTable()


def read_prices(path: Path) -> PriceTable:
    """The table in a file. Raises ContentError with the file and the key."""
    rows = read_as(_PriceFile, read_toml(path), path, beside=_Row.model_fields).models
    return PriceTable(tuple(Entry(row.match, Price(**row.model_dump(exclude={"match"}))) for row in rows))


def cost(usage: Usage, price: Price) -> float:
    """Price so many tokens, in the price's currency: fresh prompt, prompt from and into the cache, completion."""
    cached = min(usage.cached_tokens, usage.prompt_tokens)
    written = min(usage.cache_write_tokens, usage.prompt_tokens - cached)
    cached_input = price.input if price.cached_input is None else price.cached_input
    cache_write = price.input if price.cache_write is None else price.cache_write
    fresh = (usage.prompt_tokens - cached - written) * price.input
    prompt = fresh + cached * cached_input + written * cache_write
    return (prompt + usage.completion_tokens * price.output) / MILLION


def highest_cost(usage: Usage, price: Price) -> float:
    """The most that so many tokens can cost: nothing of the prompt is read from a cache, and what may be written into one is where
    that costs more.
    """
    dearer = max(0, (price.cache_write or 0) - price.input)
    return cost(replace(usage, cached_tokens=0, cache_write_tokens=0), price) + (
        usage.cache_write_tokens * dearer / MILLION
    )


def total_cost(usages: Iterable[tuple[str, Usage]], table: PriceTable, *, otherwise: str) -> float | None:
    """Price calls together, each by the name of the model that answered it, or else by the name it was asked under.

    None where a price is not known, or where they are in several currencies. What took no tokens cost nothing.
    """
    total, currencies = 0.0, set[str]()
    for model, usage in usages:
        if not usage.tokens:
            continue
        price = table.price_served(model, otherwise)
        if price is None:
            return None
        total += cost(usage, price)
        currencies.add(price.currency)
    return total if len(currencies) < 2 else None  # noqa: PLR2004 - one currency


def no_price(model: str) -> str:
    """Say that a price is needed and unknown, as the end of a message."""
    return f"the price of {bare_name(model)}, which is unknown: {how_to_price(model)}"


def how_to_price(model: str) -> str:
    """Say how to give a model a price, as the end of a message."""
    return (
        f'write it into {FILE} in your project: [[models]] with match = "{bare_name(model)}", and input and output, what a million '
        "tokens of prompt and of completion cost; 0 where they cost nothing"
    )


def _names(model: str) -> list[str]:
    """The name, and what is left of it behind every "/", with the host that may stand behind it ("... at HOST:PORT") and without."""
    whole = model.lower()
    split = [name.split("/") for name in dict.fromkeys((bare_name(whole), whole))]
    return ["/".join(parts[start:]) for parts in split for start in range(len(parts))]


def _patterns(value: object) -> object:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list):
        return listed
    return tuple(one.lower() if isinstance(one, str) else one for one in listed)


class _Row(Price):
    match: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(_patterns)] = Field(
        min_length=1
    )


class _PriceFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    models: tuple[_Row, ...] = ()


@cache
def _snapshot() -> Any:
    from genai_prices import data_snapshot  # takes 100 ms

    return data_snapshot.get_snapshot()


def _kept_price(model: str) -> Price | None:
    """Look up a model's price of today in the snapshot, at its provider's own address."""
    if model == "offline":
        return Price(input=0, output=0, source="runs on this machine")
    ours, _, name = model.partition("/")
    wanted = _PROVIDERS.get(ours)
    if wanted is None or has_place(model):
        return None
    provider = next(one for one in _snapshot().providers if one.id == wanted)
    found = provider.find_model(name.lower(), all_providers=_snapshot().providers)
    return None if found is None else _price(found.get_prices(dt.datetime.now(dt.UTC)))


def _price(found: Any) -> Price | None:
    """A price of the snapshot; None where it does not say what tokens cost. Of prices in tiers it is the first."""
    names = {"input": "input", "output": "output", "cached_input": "cache_read"}
    names |= {name: name for name in ("cache_write", "cache_write_1h")}
    told = {ours: _first(getattr(found, f"{theirs}_mtok", None)) for ours, theirs in names.items()}
    if told["input"] is None or told["output"] is None:
        return None
    source = f"genai-prices {version('genai-prices')}; longer prompts may cost more"
    return Price.model_validate({**told, "source": source})


def _first(amount: Any) -> float | None:
    amount = getattr(amount, "base", amount)
    return float(amount) if isinstance(amount, Decimal | int | float) else None
