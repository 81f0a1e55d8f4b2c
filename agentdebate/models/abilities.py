"""Parameters that a model is known not to take, before anything is asked of it."""

from typing import Protocol, runtime_checkable

from agentdebate.models.base import Model, Sampling
from agentdebate.models.wrapper import innermost

_NAMED = {
    "logprobs": "log-probabilities",
    "seed": "a seed",
    "stop": "texts that end a reply",
    "n": "several completions at once",
}


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


def way_out_of(model: Model) -> str:
    """Ask the model inside all wrappers how it would take what it refuses, as words behind its name (`way_out`)."""
    said: str = getattr(innermost(model), "way_out", "")
    return said


def unsent(model: Model, sampling: Sampling) -> tuple[str, ...]:
    """The parameters that requests go out without, with what was asked for: "temperature 0.0"."""
    told = abilities_of(model)
    names = told.leaves_out(sampling) if told else ()
    return tuple(f"{name} {getattr(sampling, name)}" for name in names if getattr(sampling, name) is not None)


def in_words(parameter: str) -> str:
    """Name a refused parameter for messages."""
    return _NAMED.get(parameter, parameter)
