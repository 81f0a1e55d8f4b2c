"""Models that hold a model, and models without an endpoint: what all of each have in common."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from agentdebate.models.base import Completion, Model, ModelRequest


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
    found: list[Model] = [model]
    inner: Any = model
    while WrapperModel in type(inner).__mro__:  # as isinstance has it, which asks an abstract class in Python
        inner = inner.model
        found.append(inner)
    return found


class StandIn(ABC):
    """Has the name that it is given, and says of itself whether it holds replies to schemas."""

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
