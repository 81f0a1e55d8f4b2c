"""Settings of a run: the one value that Python's calls take and the command line's options fill."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack, get_args

from agentdebate.agents.debate_settings import DebateChanges, DebateSettings
from agentdebate.errors import UsageError
from agentdebate.models.base import Model
from agentdebate.models.budget import Budget
from agentdebate.models.cache import CompletionStore
from agentdebate.models.composition import Around, Limits
from agentdebate.models.registry import model_name
from agentdebate.models.tokens import TokenizerFile, Vocabulary
from agentdebate.project.model_spec import ModelSpec, addressed
from agentdebate.project.project import Project
from agentdebate.talk.bus import Listener, listeners_in

if TYPE_CHECKING:
    from agentdebate.strategies.base import Strategy

CacheMode = Literal["off", "read", "write", "on"]


class SettingsChanges(DebateChanges, total=False):
    """The settings as keywords, for those who change a few of them. None leaves a setting as it is, but for the model."""

    model: Model | str
    model_options: Mapping[str, Any] | None
    tokenizer: str | None
    aspects: Sequence[str] | str | None
    together: bool | None
    concurrency: int | None
    limits: Limits | None
    budget: Budget | None
    cache: CompletionStore | str | Path | None
    cache_mode: CacheMode | None
    project: Project | None
    listeners: Sequence[Listener] | None
    configuration: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Settings(DebateSettings):
    """Settings of a run: its debates, their models, and their limits. Raises UsageError for invalid values."""

    model: Model | str = "offline"
    """The model of agents without one of their own: a name such as "openai/gpt-6-luna", or a Model."""
    model_options: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Options with which it is opened by its name, such as base_url and api_key_env, as `model` takes them."""
    tokenizer: str | None = None
    """A tokenizer.json that counts its tokens [tiktoken]."""
    aspects: Sequence[str] | str | None = None
    """The aspects that are judged [the task's usual ones]."""
    together: bool | None = None
    """True if all aspects are judged in one debate, false if each has its own [as the strategy does]."""
    concurrency: int = 64
    """Debates held at once. A model that is opened by its name has as many connections."""
    limits: Limits = Limits()
    """Rate limits of models that are opened by their names."""
    budget: Budget | None = None
    """Budget of all debates together. It also applies to models that are given."""
    cache: CompletionStore | str | Path | None = None
    """A file with completions of earlier runs, or what keeps them. It goes around models that are given, too."""
    cache_mode: CacheMode = "on"
    """Use of the cache: "off", "read", "write", or "on" for both."""
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
        if not isinstance(self.concurrency, int) or self.concurrency < 1:
            raise UsageError(
                f"concurrency=... is at least 1, not {self.concurrency!r:.80}: so many debates are held at once"
            )
        named = isinstance(self.cache, str) and (Path(self.cache).suffix or Path(self.cache).exists())
        if not (named or isinstance(self.cache, Path | None) or hasattr(self.cache, "put")):
            raise UsageError(
                f"cache takes a file such as 'cache.db', or what keeps completions, not {self.cache!r:.80}"
            )
        if self.cache_mode not in get_args(CacheMode):
            raise UsageError(f"cache_mode=... is off, read, write or on, not {self.cache_mode!r:.80}")
        object.__setattr__(self, "listeners", listeners_in(self.listeners))
        for name in ("model_options", "configuration"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

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
        """These settings with some of them changed. Raises UsageError for a keyword that is none of them.

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
        if isinstance(self.model, str):
            return model_name(addressed(self.model, self.model_options.get("base_url")))
        return self.model.name

    def at_once(self, strategy: "Strategy") -> bool:
        """Tell whether a strategy judges all aspects in one debate."""
        return strategy.judges_together() if self.together is None else self.together

    @asynccontextmanager
    async def around(self) -> AsyncIterator[Around]:
        """Provide the wrappers of all models while the context lasts. Raises UsageError and StoreError."""
        limits = replace(self.limits, in_flight=self.limits.in_flight or self.concurrency)
        around = Around(limits, self.budget)
        if self.cache is None or self.cache_mode == "off":
            yield around
        elif not isinstance(self.cache, str | Path):
            yield replace(around, cache=self.cache, mode=self.cache_mode)
        else:
            _check_file(self.cache, self.cache_mode)
            from agentdebate.store.cache import CompletionCache  # brings SQLAlchemy along

            async with CompletionCache(self.cache) as cache:
                yield replace(around, cache=cache, mode=self.cache_mode)

    def vocabularies(self) -> Mapping[str, Vocabulary]:
        """Return the vocabulary of the model, by its name. Raises UserError."""
        if self.tokenizer is None or not isinstance(self.model, str):
            return {}
        return {ModelSpec.parse(self.model).name: TokenizerFile(Path(self.tokenizer))}


_KINDS: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "model": ((str, Model), "takes a name such as 'openai/gpt-6-luna', or a Model"),
    "model_options": (Mapping, "takes names with a value each"),
    "tokenizer": ((str, Path, type(None)), "takes a tokenizer.json"),
    "together": ((bool, type(None)), "is True or False"),
    "project": ((Project, type(None)), "takes a project such as Project(Path('judging'))"),
    "limits": (Limits, "takes limits such as Limits(in_flight=8)"),
    "budget": ((Budget, type(None)), "takes a budget such as Budget(tokens=30_000)"),
    "configuration": (Mapping, "takes names with a value each"),
}
"""Types of the settings, with the words for messages."""


def _check_file(cache: str | Path, mode: CacheMode) -> None:
    """Raise UsageError for a cache that is only to be read and is not there."""
    if mode == "read" and not Path(cache).is_file():
        raise UsageError(f"cache_mode='read': there is no file {cache}; cache_mode='on' begins one")


USUAL = Settings()
"""Default settings."""
