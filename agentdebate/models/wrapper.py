"""A model that holds a model: what every wrapper shares."""

from abc import ABC, abstractmethod
from typing import Any

from agentdebate.models.base import Completion, Model, ModelRequest


class Wrapper(ABC):
    """Goes by the name and abilities of the model in it, and closes it."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.name = model.name
        """The name of the model in it."""

    @property
    def structured(self) -> bool:
        """Whether the model in it can hold replies to schemas."""
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
    while Wrapper in type(inner).__mro__:  # as isinstance has it, which asks an abstract class in Python
        inner = inner.model
        found.append(inner)
    return found
