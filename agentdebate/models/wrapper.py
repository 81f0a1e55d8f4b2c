"""Models that hold a model, and models without an endpoint: what all of each have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from agentdebate.models.base import Completion, Model, ModelRequest, Sampling

_NAMED = {
    "logprobs": "log-probabilities",
    "seed": "a seed",
    "stop": "texts that end a reply",
    "n": "several completions at once",
    "effort": "such effort",
}


class WrapperModel(ABC):
    """Goes by the name and abilities of the model in it, and closes it."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.name = model.name
        """The name of the model in it."""

    @property
    def structured(self) -> bool:
        """Tell whether the model in it can hold replies to schemas."""
        return self.model.structured

    @abstractmethod
    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request."""

    async def aclose(self) -> None:
        """Close the model in it."""
        await self.model.aclose()


def innermost(model: Model) -> Model:
    """The model inside all wrappers."""
    return layers(model)[-1]


def layers(model: Model) -> list[Model]:
    """The model, and those that it holds, from the outside in."""
    found: list[Any] = [model]
    while isinstance(found[-1], WrapperModel):
        found.append(found[-1].model)
    return found


class StandIn(ABC):
    """Model that has the name that it is given, and says of itself whether it holds replies to schemas."""

    def __init__(self, name: str, *, structured: bool = False) -> None:
        self.name, self.structured = name, structured

    @abstractmethod
    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request."""

    async def aclose(self) -> None:  # noqa: B027 - a stand-in has nothing to let go of
        """Release nothing."""


def settings_of(model: Model) -> Mapping[str, Any]:
    """The `settings` of the model inside all wrappers, where it has any: its options as JSON, without keys."""
    found: Mapping[str, Any] = getattr(innermost(model), "settings", {})
    return found


def sampling_of(model: Model) -> Sampling:
    """The sampling parameters of the model inside all wrappers, for requests that leave them open."""
    found: Sampling = getattr(innermost(model), "sampling", Sampling())
    return found


def tier_of(model: Model) -> str:
    """The service tier of the model inside all wrappers; empty where none is chosen."""
    found: str = getattr(innermost(model), "tier", "")
    return found


def writes_of(model: Model) -> Callable[[ModelRequest], Sequence[str] | None]:
    """The function that says which texts of a prompt the model inside all wrappers may have written into a cache; None means all."""
    found: Callable[[ModelRequest], Sequence[str] | None] = getattr(
        innermost(model), "written", lambda _: None
    )
    return found


@runtime_checkable
class Abilities(Protocol):
    """A model that says what it does not take. One that does not say so is asked, and learnt from."""

    def refuses(self, sampling: Sampling) -> tuple[str, ...]:
        """The parameters among these with which no request makes sense."""
        ...

    def leaves_out(self, sampling: Sampling) -> tuple[str, ...]:
        """The parameters among these without which requests go out."""
        ...

    def warn_of(self, sampling: Sampling) -> None:
        """Warn, once for each, of the parameters that are left out."""
        ...


def abilities_of(model: Model) -> Abilities | None:
    """List what the model inside all wrappers does not take; None where it says nothing."""
    inner = innermost(model)
    return inner if isinstance(inner, Abilities) else None


def way_out_of(model: Model, parameter: str) -> str:
    """Ask the model inside all wrappers how it would take a parameter that it refuses, as words behind its name (`way_out`)."""
    inner = innermost(model)
    said: str = inner.way_out(parameter) if hasattr(inner, "way_out") else ""
    return said


def unsent(model: Model, sampling: Sampling) -> tuple[str, ...]:
    """The parameters that requests go out without, with what was asked for: "temperature 0.0"."""
    told = abilities_of(model)
    names = told.leaves_out(sampling) if told else ()
    return tuple(f"{name} {getattr(sampling, name)}" for name in names if getattr(sampling, name) is not None)


def in_words(parameter: str) -> str:
    """Name a refused parameter for messages."""
    return _NAMED.get(parameter, parameter)
