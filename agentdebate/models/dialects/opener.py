"""What is registered as a provider: opens its models by their names."""

from collections.abc import Callable
from typing import Generic, TypeVar

from agentdebate.errors import UsageError
from agentdebate.models.dialects.endpoint_model import EndpointModel
from agentdebate.models.dialects.options import SamplingOptions
from agentdebate.models.dialects.parameters import Parameters
from agentdebate.models.provider_keys import Provider

OptionsType = TypeVar("OptionsType", bound=SamplingOptions)
ModelType = TypeVar("ModelType", bound=EndpointModel)


class Opener(Generic[OptionsType, ModelType]):
    """Opens the models of a provider: what is registered under `agentdebate.models`.

    `kind` is the dialect's class, `options` what can be set about it, and `known` what holds for all models of the provider.
    """

    def __init__(
        self,
        provider: Provider,
        kind: Callable[[str, OptionsType, Provider, Parameters], ModelType],
        options: type[OptionsType],
        known: Parameters = Parameters(),
    ) -> None:
        self.provider = provider
        """Whose models it opens, and where their keys go."""
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
