"""Form of one model's requests: which parameters, how they are spelled, whether replies are held to schemas.

What is known of models by their names stands in parameters.toml.
"""

import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict

from agentdebate.models.base import ChatMessage, Effort, Sampling
from agentdebate.visible import is_blank

Limit = Literal["max_tokens", "max_completion_tokens", "max_output_tokens"]
"""Name of the token limit."""
Droppable = Literal["temperature", "top_p", "frequency_penalty", "presence_penalty"]
"""Parameters without which a reply is still a reply to the request."""
Required = Literal["logprobs", "seed", "stop", "n"]
"""Parameters on which a caller that sets them relies."""

_DROPPABLE: tuple[Droppable, ...] = get_args(Droppable)
_SCHEMA_WORDS = frozenset(
    {"$defs", "$ref", "anyOf", "type", "enum", "title", "description", "properties", "items"}
    | {"required", "additionalProperties"}
)
_TOP = 20
_NEUTRAL = {"temperature": 1, "top_p": 1, "frequency_penalty": 0, "presence_penalty": 0}
"""Values with which a parameter changes nothing, so that a request without it is the same request."""


class Dialect(BaseModel):
    """Parameters that one model takes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    match: tuple[str, ...] = ()
    drops: frozenset[Droppable] = frozenset()
    refuses: frozenset[Required] = frozenset()
    lacks: frozenset[Droppable | Required] = frozenset()
    """Parameters for which the protocol has no field, at any effort."""
    api: Literal["chat", "responses"] = "chat"
    """The interface that has the model."""
    limit: Limit = "max_tokens"
    seed: str = "seed"
    """Name of the seed."""
    holds: bool = True
    """Tells whether replies are held to schemas."""
    single: bool = False
    """Tells whether a request gets one completion, however many are wanted; a caller that wants more asks again."""
    cache_floor: int | None = None
    """Tokens that a prompt's beginning has to have so that the endpoint's cache keeps it."""
    cache_marks: bool = False
    """Tells whether the endpoint's cache takes marks, up to which a prompt is kept."""
    free_at: str = ""
    """The effort at which nothing is dropped or refused; empty where there is none such."""
    effort: str = ""
    """The effort where a request asks for none, as far as it is known."""
    efforts: tuple[Effort, ...] = get_args(Effort)
    """The efforts that can be asked for."""
    budgets: bool = False
    """Tells whether an effort is sent as a budget of tokens."""
    follows: bool = True
    """Tells whether schemas are left out from where the endpoint refuses one."""

    def at(self, effort: object) -> Self:
        """The dialect where requests ask for this effort, or for none in particular (None)."""
        if not self.free_at or (effort or self.effort) != self.free_at:
            return self
        return self.model_copy(update={"drops": frozenset(), "refuses": frozenset(), "free_at": ""})

    def choosing(self, schema: str) -> Self:
        """Copy with what the user chose of schemas."""
        return self.model_copy(update={"holds": schema != "none", "follows": schema == "auto"})

    def fits(self, model: str) -> bool:
        """Tell whether one of the patterns is the model's name, or the last part of it."""
        names = model.lower(), model.lower().rpartition("/")[2]
        return any(fnmatchcase(name, pattern) for name in names for pattern in self.match)

    def way_out(self, parameter: str) -> str:
        """Say how the model takes a parameter that it refuses, as the end of a message; empty where nothing does."""
        if parameter == "effort":
            return f" (it takes {', '.join(self.efforts)})"
        return (
            f" (with effort={self.free_at} it does)" if self.free_at and parameter not in self.lacks else ""
        )

    def refusals(self, sampling: Sampling) -> tuple[str, ...]:
        """The parameters that are asked for and that the model is known to refuse."""
        asked = {"logprobs": sampling.logprobs is not None, "seed": sampling.seed is not None}
        asked |= {"stop": bool(sampling.stop), "n": sampling.n > 1}
        found = tuple(name for name in sorted(self.refuses | self.lacks) if asked.get(name))
        return found if sampling.effort in (None, *self.efforts) else (*found, "effort")

    def dropped(self, sampling: Sampling) -> list[str]:
        """The parameters that are asked for and left out, where that makes a difference."""
        gone = sorted(self.drops | self.lacks & _NEUTRAL.keys())
        return [name for name in gone if getattr(sampling, name) not in (None, _NEUTRAL[name])]

    def parameters(self, sampling: Sampling) -> dict[str, Any]:
        """The sampling parameters as they are sent."""
        sent: dict[str, Any] = {
            name: getattr(sampling, name) for name in _DROPPABLE if name not in self.drops | self.lacks
        }
        sent |= {self.seed: sampling.seed, self.limit: sampling.max_tokens}
        if sampling.n > 1 and not self.single:
            sent["n"] = sampling.n
        if sampling.logprobs is not None:
            # Some endpoints give nothing for zero alternatives, so one is asked for and cut off again.
            sent |= {"logprobs": True, "top_logprobs": min(max(sampling.logprobs, 1), _TOP)}
        if sampling.stop:
            sent["stop"] = list(sampling.stop)
        return {name: value for name, value in sent.items() if value is not None}


@cache
def known() -> tuple[Dialect, ...]:
    """The entries of parameters.toml."""
    text = (files("agentdebate.models.dialects") / "parameters.toml").read_text(encoding="utf-8")
    return tuple(map(Dialect.model_validate, tomllib.loads(text)["models"]))


def dialect_of(model: str) -> Dialect:
    """Look up what is known of a model, such as "mistral/NAME": its entries, one laid over the other."""
    found = Dialect()
    for entry in known():
        if entry.fits(model):
            found = found.model_copy(update={name: getattr(entry, name) for name in entry.model_fields_set})
    return found


def turns(messages: tuple[ChatMessage, ...]) -> tuple[str, list[ChatMessage]]:
    """Split the system's words from the turns after it, for protocols that keep them apart and take no empty text."""
    said = [one for one in messages if not is_blank(one.content)]
    system = "\n\n".join(one.content for one in said if one.role == "system")
    rest = [one for one in said if one.role != "system"]
    # There has to be something that a user says.
    return (system, rest) if rest else ("", [ChatMessage("user", system)])


def subset(schema: Mapping[str, Any], keeps: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The schema with what every endpoint knows, and what `keeps` names beside it; the rest is told in the description.

    Objects are closed, for some endpoints take no others.
    """
    kept = {
        name: _inner(name, value, keeps) for name, value in schema.items() if name in _SCHEMA_WORDS | keeps
    }
    if kept.get("type") == "object" or "properties" in kept:
        kept["additionalProperties"] = False
    left = ", ".join(f"{name}: {value}" for name, value in schema.items() if name not in kept)
    if left:
        kept["description"] = " ".join(filter(None, (kept.get("description"), f"({left})")))
    return kept


def _inner(name: str, value: Any, keeps: frozenset[str]) -> Any:
    """The value of a keyword, with the schemas in it."""
    if name in {"properties", "$defs"}:
        return {key: subset(one, keeps) for key, one in value.items()}
    if name == "anyOf":
        return [subset(one, keeps) for one in value]
    return subset(value, keeps) if name == "items" else value
