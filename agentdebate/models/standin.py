"""A model without an endpoint: what every stand-in for one shares."""

from abc import ABC, abstractmethod

from agentdebate.models.base import Completion, ModelRequest


class StandIn(ABC):
    """Has the name that it is given, and says of itself whether it holds replies to schemas."""

    def __init__(self, name: str, *, structured: bool = False) -> None:
        self._name, self._structured = name, structured

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    @property
    def structured(self) -> bool:
        """Whether it says that it holds replies to schemas."""
        return self._structured

    @abstractmethod
    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request."""

    async def aclose(self) -> None:  # noqa: B027 - a stand-in has nothing to let go of
        """Nothing to let go of."""
