"""Settings of a run: the one value that Python's calls take and the command line's options fill."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack, get_args

from agentdebate.agents.debate_settings import DebateChanges, DebateSettings
from agentdebate.errors import UsageError
from agentdebate.models.base import Model, Tier
from agentdebate.models.budget import Budget
from agentdebate.models.cache import CompletionStore
from agentdebate.models.composition import Around, Limits
from agentdebate.models.prices import PriceTable, prices
from agentdebate.models.registry import model_name, usual_address_of
from agentdebate.models.tokens import TokenizerFile, Vocabulary
from agentdebate.options import OptionKind
from agentdebate.project.model_spec import ModelSpec, addressed
from agentdebate.project.project import Project
from agentdebate.project.trust import Trust
from agentdebate.prompts.prompts import load_task
from agentdebate.talk.bus import Listener, listeners_in
from agentdebate.tasks import Task

if TYPE_CHECKING:
    from agentdebate.strategies.base import Strategy

CacheMode = Literal["off", "read", "write", "on"]


class SettingsChanges(DebateChanges, total=False):
    """The settings as keywords, for those who change a few of them. None leaves a setting as it is, but for the model."""

    model: Model | str
    base_url: str | None
    api_key_env: str | None
    extra: Mapping[str, Any] | None
    tier: Tier | None
    tokenizer: str | None
    aspects: Sequence[str] | str | None
    together: bool | None
    concurrency: int | None
    limits: Limits | None
    budget: Budget | None
    cache: CacheMode | None
    cache_file: CompletionStore | str | Path | None
    project: Project | None
    listeners: Sequence[Listener] | None
    configuration: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Settings(DebateSettings):
    """Settings of a run: its debates, their models, and their limits. Raises UsageError for invalid values."""

    model: Model | str = "offline"
    """offline, openai/NAME for any chat-completions endpoint, anthropic/NAME, gemini/NAME, ...; options follow a colon:
    openai/NAME:timeout=30. It is the model of agents without one of their own."""
    base_url: str | None = field(default=None, repr=False)
    """The endpoint's address up to /v1 [OPENAI_BASE_URL, or the provider's]."""
    api_key_env: str | None = None
    """The environment variable that holds the key [such as OPENAI_API_KEY]."""
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """KEY=JSON: a further field of the request's body."""
    tier: Tier | None = None
    """Service tier of a model of OpenAI's or Gemini's: flex costs half and may take 15 minutes. A turn has 1,800 seconds then, unless `deadline` says otherwise."""
    tokenizer: str | None = None
    """A tokenizer.json that counts the model's tokens [tiktoken]."""
    aspects: Sequence[str] | str | None = None
    """Aspects to judge, with commas [the task's usual ones]."""
    together: bool | None = None
    """Judge all aspects in one debate, or each in its own [as the strategy does]."""
    concurrency: int = 64
    """Debates held at once. A model that is opened by its name has as many connections."""
    limits: Limits = Limits()
    """Rate limits of models that are opened by their names."""
    budget: Budget | None = None
    """Budget of all debates together. It also applies to models that are given."""
    cache: CacheMode = "off"
    """Use completions of earlier runs: read, write, or on for both."""
    cache_file: CompletionStore | str | Path = "agentdebate-cache.db"
    """The file that keeps them. It serves models that are given, too."""
    project: Project | None = None
    """Folder of the content files [the current one]."""
    listeners: Sequence[Listener] = field(default=(), repr=False)
    """Called with every message; `agentdebate.telemetry.about()` says to them of which debate."""
    configuration: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Further values to store in the run's configuration."""

    def __post_init__(self) -> None:
        DebateSettings.__post_init__(self)  # `super()` does not work in a class with slots that is made anew
        for name, (kinds, wanted) in _KINDS.items():
            value = getattr(self, name)
            if not isinstance(value, kinds):
                raise UsageError(f"{name} {wanted}, not {value!r:.80}")
        if type(self.concurrency) is not int or self.concurrency < 1:
            raise UsageError(
                f"concurrency=... is at least 1, not {self.concurrency!r:.80}: so many debates are held at once"
            )
        if self.cache not in get_args(CacheMode):
            raise UsageError(f"cache=... is off, read, write or on, not {self.cache!r:.80}")
        object.__setattr__(self, "listeners", listeners_in(self.listeners))
        for name in ("extra", "configuration"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        if self.model_options and not isinstance(self.model, str):
            raise UsageError(
                "base_url=..., api_key_env=..., extra=... and tier=... go with a model that is named: say them to model(NAME, ...)"
            )

    @classmethod
    def given(
        cls, settings: "Settings | None", changes: SettingsChanges, *, to: Callable[..., Any] | None = None
    ) -> "Settings":
        """The settings that a caller gives `to` a function as one value, as keywords, or as both: keywords go before. Raises UsageError."""
        if not isinstance(settings, Settings | None):
            raise UsageError(f"settings takes Settings(...), not {settings!r:.80}")
        beside = signature(to).parameters.keys() - {"changes"} if to else ()
        return (settings or USUAL)._changed(changes, beside)  # noqa: SLF001 - it is one of ours

    def but(self, **changes: Unpack[SettingsChanges]) -> Self:
        """Copy with some settings changed. Raises UsageError for a keyword that is none of them.

        A model that is None is refused: a caller who forgot it does not want the offline judge.
        """
        return self._changed(changes, ())

    def _changed(self, changes: SettingsChanges, beside: Iterable[str]) -> Self:
        if "model" in changes and changes["model"] is None:
            raise UsageError(f"model {_KINDS['model'][1]}, not None")
        return self.changed(changes, beside=beside)

    @property
    def model_name(self) -> str:
        """The name of the model, with its host where that is not the provider's own."""
        return model_name(addressed(self.model, self.base_url) if isinstance(self.model, str) else self.model)

    @property
    def model_options(self) -> dict[str, Any]:
        """Options that were given for the model, as `model` takes them."""
        given = {name: getattr(self, name) for name in ("base_url", "api_key_env", "tier")}
        given["extra"] = dict(self.extra)
        return {name: value for name, value in given.items() if value}

    @property
    def price_table(self) -> PriceTable:
        """Prices that were given, then the project's, then the built-in ones. Raises ContentError."""
        usual = prices(project=self.project)
        return usual if self.prices is None else self.prices.over(usual)

    def task(self, given: Task | str) -> Task:
        """Look up a task as it is judged: the caller's own or a file's, on the scales that were named. Raises UserError."""
        known = given if isinstance(given, Task) else self.tasks.get(given)
        return (known or load_task(str(given), project=self.project)).rescaled(self.scales)

    def strategy(self, given: "Strategy | str") -> "Strategy":
        """Look up a strategy: the caller's own or a file's. Raises UserError."""
        from agentdebate.strategies.load import strategy  # brings all of them along

        return strategy(given, project=self.project) if isinstance(given, str) else given

    def check_trusted(self, trust: Trust, stored: "Settings") -> None:
        """Raise UserError where what is `stored` of these settings has something sent or fetched that the user has not allowed."""
        trust.check_model(stored.model, "model=...")
        # The key in a variable that the store names would go to whatever address is used, also to one that the user names.
        key = stored.api_key_env
        if key or stored.base_url:
            address = self.base_url or usual_address_of(str(self.model))
            trust.check_address(address, key, "base_url=...")
        trust.check_options(stored.extra, lambda _: OptionKind.TEXT, "extra=...")

    def at_once(self, strategy: "Strategy") -> bool:
        """Tell whether a strategy judges all aspects in one debate."""
        return strategy.judges_together() if self.together is None else self.together

    @asynccontextmanager
    async def around(self) -> AsyncIterator[Around]:
        """Provide the wrappers of all models while the context lasts. Raises UserError and StoreError."""
        around = Around(
            replace(self.limits, in_flight=self.limits.in_flight or self.concurrency), self.budget
        )
        if self.budget is not None:
            self.budget.prices = self.price_table
        if self.cache == "off":
            yield around
        elif not isinstance(self.cache_file, str | Path):
            yield replace(around, cache=self.cache_file, mode=self.cache)
        else:
            _check_file(self.cache_file, self.cache)
            from agentdebate.store.cache import CompletionCache  # brings SQLAlchemy along

            async with CompletionCache(self.cache_file) as cache:
                yield replace(around, cache=cache, mode=self.cache)

    def vocabularies(self) -> Mapping[str, Vocabulary]:
        """Return the vocabulary of the model, by its name. Raises UserError."""
        if self.tokenizer is None or not isinstance(self.model, str):
            return {}
        return {ModelSpec.parse(self.model).name: TokenizerFile(Path(self.tokenizer))}


_KINDS: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "model": ((str, Model), "takes a name such as 'openai/gpt-6-luna', or a Model"),
    "base_url": ((str, NoneType), "is the address of an endpoint"),
    "api_key_env": ((str, NoneType), "names an environment variable"),
    "extra": (Mapping, "takes names with a value each"),
    "tier": ((str, NoneType), "is standard or flex"),
    "tokenizer": ((str, Path, NoneType), "takes a tokenizer.json"),
    "together": ((bool, NoneType), "is True or False"),
    "cache_file": (
        (str, Path, CompletionStore),
        "takes a file such as 'cache.db', or a CompletionStore",
    ),
    "project": ((Project, NoneType), "takes a project: Project(PATH)"),
    "limits": (Limits, "takes limits such as Limits(in_flight=8)"),
    "budget": ((Budget, NoneType), "takes a budget such as Budget(tokens=30_000)"),
    "configuration": (Mapping, "takes names with a value each"),
}
"""Types of the settings, with the words for messages."""


def _check_file(cache: str | Path, mode: CacheMode) -> None:
    """Raise UsageError for a cache that is only to be read and is not there."""
    if mode == "read" and not Path(cache).is_file():
        raise UsageError(f"cache='read': there is no file {cache}; cache='on' begins one")


USUAL = Settings()
"""Default settings."""
