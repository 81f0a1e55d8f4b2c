"""What is registered as a provider: opens its models by their names."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Generic, TypeVar

from agentdebate.errors import UsageError
from agentdebate.models.dialects.endpoint_model import EndpointModel
from agentdebate.models.dialects.options import SamplingOptions
from agentdebate.models.dialects.parameters import Parameters, parameters_of
from agentdebate.models.provider_keys import Provider

OptionsType = TypeVar("OptionsType", bound=SamplingOptions)
ModelType = TypeVar("ModelType", bound=EndpointModel)


@dataclass(frozen=True, slots=True)
class Profile:
    """What the models of a provider are known to do, where nothing else is known of one of them."""

    can: frozenset[str] = frozenset()
    """Among "n", "logprobs", "schema", "temperature" and "seed"; what stands in neither is not known."""
    of: tuple[str, ...] = ("*",)
    """Shell patterns of the names of the models that `can` holds for."""
    cannot: frozenset[str] = frozenset()
    cache_floor: int | None = None
    """Tokens from which on its cache of prompts is used; None where nothing is known of one."""
    names: tuple[str, ...] = ()
    """Shell patterns of the names of its models."""


class Opener(Generic[OptionsType, ModelType]):
    """Opens the models of a provider: what is registered under `agentdebate.models`.

    `kind` is the dialect's class, `options` what can be set about it, `known` what holds for all models of the provider, and
    `profile` what is told of them before anything is asked.
    """

    def __init__(
        self,
        provider: Provider,
        kind: Callable[[str, OptionsType, Provider, Parameters], ModelType],
        options: type[OptionsType],
        known: Parameters = Parameters(),
        profile: Profile = Profile(),
    ) -> None:
        self.provider = provider
        """Whose models it opens, and where their keys go."""
        self.profile = profile
        """What its models are known to do."""
        self._kind, self._options, self._known = kind, options, known

    def __repr__(self) -> str:
        return f"<Opener of {self.provider.name}/...>"

    def __call__(self, name: str, *, connections: object = None, **options: object) -> ModelType:
        """Open the model `name`. The options are those of the dialect, and sampling parameters.

        `connections` is a parameter of its own, so that an evaluation can set it without knowing whose model it opens.
        Raises UsageError where a key or an address is missing, or an option means nothing.
        """
        model = name.strip()
        if not model:
            raise UsageError(f"name a model after the provider: {self.provider.name}/NAME")
        given = options if connections is None else {**options, "connections": connections}
        read = self._options.read(given, of=f"{self.provider.name}/{model}")
        return self._kind(model, read, self.provider, self._known)

    def does(self, ability: str, model: str) -> bool | None:
        """Whether a model does what `Profile.can` may name; None where that is not known."""
        known = self._known.over(parameters_of(model).at(None))
        if ability in {*self.profile.cannot, *known.drops, *known.refuses}:
            return False
        told = any(fnmatchcase(model, pattern) for pattern in self.profile.of)
        return True if told and ability in self.profile.can else None

    def cache_floor(self, model: str) -> int | None:
        """Tokens from which on the cache of prompts is used; None where nothing is known of one."""
        floor = self.profile.cache_floor
        return None if floor is None else parameters_of(model).cache_floor or floor

    def models_among(self, names: Iterable[str]) -> list[str]:
        """The names among these that are names of its models, in their order."""
        return [name for name in names if any(fnmatchcase(name, pattern) for pattern in self.profile.names)]
