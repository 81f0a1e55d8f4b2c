"""Which request parameters a model takes: data in parameters.toml, looked up by the model's name."""

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict

Limit = Literal["max_tokens", "max_completion_tokens"]
"""How the token limit is spelled."""
Droppable = Literal["temperature", "top_p", "frequency_penalty", "presence_penalty"]
"""Parameters without which a reply is still a reply to the request."""
Required = Literal["logprobs", "seed", "stop", "n"]
"""Parameters that whoever sets them relies on."""


class Parameters(BaseModel):
    """What is known of a model. None and empty mean that nothing is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    match: tuple[str, ...] = ()
    drops: frozenset[Droppable] = frozenset()
    refuses: frozenset[Required] = frozenset()
    limit: Limit | None = None
    system: bool = True
    seed: str = "seed"
    """How the seed is spelled."""
    cache_floor: int | None = None
    """Tokens that a prompt's beginning has to have so that the endpoint's cache keeps it."""
    free_at: str = ""
    """The effort (reasoning_effort) at which nothing is dropped or refused; empty where there is none such."""
    effort: str = ""
    """The effort where a request asks for none, as far as it is known."""

    def at(self, effort: object) -> "Parameters":
        """What is known where requests ask for this effort, or for none in particular (None)."""
        if not self.free_at or (effort or self.effort) != self.free_at:
            return self
        return self.model_copy(update={"drops": frozenset(), "refuses": frozenset(), "free_at": ""})

    def over(self, other: "Parameters") -> "Parameters":
        """What is known here laid over what else is known: both drop and refuse, and else what stands here goes first."""
        changes = {name: getattr(self, name) for name in self.model_fields_set}
        both = {"drops": self.drops | other.drops, "refuses": self.refuses | other.refuses}
        return other.model_copy(update={**changes, **both})

    def fits(self, model: str) -> bool:
        """Whether one of the patterns is the model's name, or the last part of it."""
        names = model.lower(), model.lower().rpartition("/")[2]
        return any(fnmatchcase(name, pattern) for name in names for pattern in self.match)


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    models: tuple[Parameters, ...]


@cache
def known() -> tuple[Parameters, ...]:
    """The entries of parameters.toml."""
    text = files("agentdebate.models.dialects").joinpath("parameters.toml").read_text(encoding="utf-8")
    return _File.model_validate(tomllib.loads(text)).models


def parameters_of(model: str) -> Parameters:
    """What is known of a model of that name: its entries, one laid over the other."""
    found = Parameters()
    for entry in known():
        if entry.fits(model):
            found = found.model_copy(update={name: getattr(entry, name) for name in entry.model_fields_set})
    return found
