"""What tokens cost: a dated table that a user's own goes before. A price that nobody gave is unknown, and never 0."""

import datetime as dt
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from agentdebate.project.model_spec import bare_name, beside, has_place
from agentdebate.project.project import Project, read_as, read_toml
from agentdebate.usage import Usage

FILE = "prices.toml"
"""What the table is called, ours and that of a project."""

MILLION = 1_000_000
_LOOKED_UP = 1000
"""Names of models whose prices a table keeps at hand."""

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


Amount = Annotated[float, Field(ge=0, strict=True, allow_inf_nan=False)]
"""What a million tokens cost."""


class Price(BaseModel):
    """What a million tokens of a model cost. Hidden reasoning is part of the output."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: Amount
    output: Amount
    cached_input: Amount | None = None
    """Of prompt that the endpoint had in its cache; None: as much as of any other."""
    cache_write: Amount | None = None
    """Of prompt that the endpoint wrote into its cache and bills as such; None: as much as of any other."""
    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    date: dt.date | None = None
    """When it was written down."""
    source: str = ""
    """Where it comes from."""

    @property
    def free(self) -> bool:
        """Whether nothing of it costs anything."""
        return not (self.input or self.output or self.cached_input or self.cache_write)

    def __str__(self) -> str:
        cached = "" if self.cached_input is None else f", {self.cached_input:g} cached"
        when = f", as of {self.date}" if self.date else ""
        return f"{self.input:g} in{cached}, {self.output:g} out {self.currency} a million tokens{when}"


@dataclass(frozen=True, slots=True)
class Entry:
    """A price, and the patterns of the names of the models that have it."""

    match: tuple[str, ...]
    price: Price
    anywhere: bool = True
    """Whether it holds for a model at any host, as what a user wrote does; a provider's list holds at the provider's own."""

    def fits(self, model: str) -> bool:
        """Whether one of the patterns is the model's name, with or without what stands before a "/" in it."""
        return (self.anywhere or not has_place(model)) and any(
            fnmatchcase(name, pattern) for name in _names(model) for pattern in self.match
        )


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


def kept_prices() -> KeptPrices | None:
    """The prices of the package; None where it is not installed."""
    return KeptPrices() if find_spec(_PACKAGE) is not None else None


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by model; the first entry that fits counts."""

    entries: tuple[Entry, ...] = ()
    kept: KeptPrices | None = None
    """Where prices are looked up that no entry has."""
    _found: dict[str, Price | None] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What was looked up before: patterns take their time."""

    def price_of(self, model: str) -> Price | None:
        """What a model of that name costs; None where nobody has said."""
        if model not in self._found:
            if len(self._found) >= _LOOKED_UP:  # endpoints may call themselves anything
                self._found.clear()
            entered = (entry.price for entry in self.entries if entry.fits(model))
            self._found[model] = next(entered, None) or self._kept_price(model)
        return self._found[model]

    def price_served(self, served: str, asked: str) -> Price | None:
        """What a model costs by the name that answered, or else by the name it was asked under, at the same host."""
        return self.price_of(served) or self.price_of(beside(asked, served))

    def _kept_price(self, model: str) -> Price | None:
        amounts = self.kept.amounts(model) if self.kept and not has_place(model) else None
        return None if amounts is None else Price.model_validate(amounts)

    def over(self, other: "PriceTable") -> "PriceTable":
        """The entries of both, those of this table first."""
        return PriceTable((*self.entries, *other.entries), self.kept or other.kept)


def prices(path: Path | None = None, *, project: Project | None = None) -> PriceTable:
    """The file that was named, then the project's own prices.toml where it has one, then ours, then genai-prices where it is
    installed (the extra `prices`). Raises ContentError.
    """
    named = (read_prices(path),) if path is not None else ()
    root = (project or Project.here()).root
    own = root / FILE if root is not None else None
    found = (read_prices(own),) if own is not None and own.is_file() else ()
    table = PriceTable()
    for one in (*named, *found, built_in()):
        table = table.over(one)
    return table


@cache
def built_in() -> PriceTable:
    """Our own table, whose dates say how old it is, and what genai-prices has beside it, where that is installed."""
    text = files("agentdebate.models").joinpath(FILE).read_text(encoding="utf-8")
    own = _table(_File.model_validate(_rows_with_heads(tomllib.loads(text))), anywhere=False)
    return PriceTable(own.entries, kept_prices())


def read_prices(path: Path) -> PriceTable:
    """The table in a file. Raises ContentError with the file and the key."""
    return _table(read_as(_File, _rows_with_heads(read_toml(path)), path, beside=_Row.model_fields))


def price_of(model: str, table: PriceTable) -> Price | None:
    """What a model of that name costs; None where nobody has said. A provider's price does not hold at another host."""
    return table.price_of(model)


def cost(usage: Usage, price: Price) -> float:
    """What so many tokens cost, in the price's currency: fresh prompt, prompt from and into the cache, completion."""
    cached = min(usage.cached_tokens, usage.prompt_tokens)
    written = min(usage.cache_write_tokens, usage.prompt_tokens - cached)
    cached_input = price.input if price.cached_input is None else price.cached_input
    cache_write = price.input if price.cache_write is None else price.cache_write
    fresh = (usage.prompt_tokens - cached - written) * price.input
    prompt = fresh + cached * cached_input + written * cache_write
    return (prompt + usage.completion_tokens * price.output) / MILLION


def highest_cost(usage: Usage, price: Price) -> float:
    """The most that so many tokens can cost: nothing of the prompt is read from a cache, and all of it is written into one
    where that costs more.
    """
    dearest = max(price.input, price.cache_write or 0)
    return (usage.prompt_tokens * dearest + usage.completion_tokens * price.output) / MILLION


def saved_by_cache(usage: Usage, price: Price) -> float:
    """How much less so many tokens cost than they would without a cache of prompts; below 0 where its writes cost more."""
    uncached = replace(usage, cached_tokens=0, cache_write_tokens=0)
    return cost(uncached, price) - cost(usage, price)


def total_cost(usages: Iterable[tuple[str, Usage]], table: PriceTable, *, otherwise: str) -> float | None:
    """What calls cost together, each by the name of the model that answered it, or else by the name it was asked under.

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
    """That a price is needed and unknown, as the end of a message."""
    return f"the price of {bare_name(model)}, which is unknown: {how_to_price(model)}"


def how_to_price(model: str) -> str:
    """What to write so that a model has a price, as the end of a message."""
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


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    currency: str = "USD"
    date: dt.date | None = None
    source: str = ""
    models: tuple[_Row, ...] = ()


def _rows_with_heads(data: Mapping[str, Any]) -> dict[str, Any]:
    """A file's data with what stands above the rows in each of them, where a row says nothing else."""
    head = {name: data[name] for name in ("currency", "date", "source") if name in data}
    rows = data.get("models")
    if not isinstance(rows, list):
        return dict(data)
    return {**data, "models": [{**head, **row} if isinstance(row, dict) else row for row in rows]}


def _table(file: "_File", *, anywhere: bool = True) -> PriceTable:
    return PriceTable(tuple(Entry(row.match, _price(row), anywhere) for row in file.models))


def _price(row: _Row) -> Price:
    return Price(**row.model_dump(exclude={"match"}))


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
