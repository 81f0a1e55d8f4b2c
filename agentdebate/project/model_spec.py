"""Written form of a model and its options: its name, and options behind a colon.

    openai/gpt-6-luna
    openai/gpt-6.1-sol:base_url=https://models.example.org/v1,api_key_env=OTHER_KEY
    ollama/llama3:8b:base_url=http://localhost:11434/v1

A name may have colons and slashes of its own, and a value commas and colons: what begins the options is the first colon with NAME=
behind it, and what ends a value is a comma with NAME= behind it. A value that would not be read as it is may be JSON. In a file a table says the same: `{ model = "...", base_url = "..." }`.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from agentdebate.errors import UsageError

_NAMED = r"(?=[A-Za-z_]\w*\s*=)"
_OPTIONS = re.compile(rf":\s*{_NAMED}")
_NEXT = re.compile(rf",\s*{_NAMED}")
_AT = " at "
APART = ("flex", "1h-writes")
"""Endings of the name that a model answers under, whose prices are other ones: the tier flex, and prompts written into a cache for an hour."""
_JSON = ("{", "[", '"')
"""Beginnings of a value that is JSON, if it can be read as that."""
OFFLINE = "offline"
_HEADS = {
    "openai": ("gpt", "chatgpt", "o1", "o3", "o4"),
    "anthropic": ("claude",),
    "google": ("gemini", "gemma"),
    "mistral": ("mistral", "ministral", "magistral", "codestral", "mixtral"),
    "meta": ("llama",),
    "alibaba": ("qwen", "qwq"),
    "deepseek": ("deepseek",),
    "microsoft": ("phi",),
}
"""Prefixes of models' names, by their maker."""
_MAKERS = {"gemini": "google"}
"""Providers that go by another name than the maker of their models."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model by name, and the options that it is opened with."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> "ModelSpec":
        """Read what is written. Raises UsageError for an option that is there twice, or has no value."""
        name, *behind = _OPTIONS.split(text.strip(), maxsplit=1)
        options: dict[str, Any] = {}
        for option, value in _pairs(behind[0]) if behind else ():
            if option in options:
                raise UsageError(f"{name} has the option {option!r} twice", option=option)
            if value is None:
                raise UsageError(f"{name}, option {option!r}: the value is missing", option=option)
            options[option] = value
        return cls(name.strip(), options)

    @classmethod
    def of_table(cls, table: Mapping[str, Any]) -> "ModelSpec":
        """Read a table of a file, in which `model` is the name. Raises UsageError."""
        name = table.get("model")
        if not isinstance(name, str) or not name.strip():
            raise UsageError(
                'a table for a model names it: { model = "openai/gpt-6.1-sol", base_url = "https://..." }'
            )
        spec = cls.parse(name)
        return cls(
            spec.name, {**spec.options, **{key: value for key, value in table.items() if key != "model"}}
        )

    def __str__(self) -> str:
        written = ",".join(f"{name}={_written(value)}" for name, value in self.options.items())
        return f"{self.name}:{written}" if written else self.name


def bare_name(name: str) -> str:
    """A model's name without the place that may stand behind it: "openai/gpt-6.1-sol at models.example.org:443"."""
    return name.partition(_AT)[0]


def has_place(name: str) -> bool:
    """Tell whether a model's name has a place behind it."""
    return _AT in name


@lru_cache(maxsize=64)
def placed_name(name: str, place: str) -> str:
    """A model's name with the host and port that it is at."""
    return f"{bare_name(name)}{_AT}{place}"


def beside(name: str, other: str) -> str:
    """A model's name at the place of another one, where that has a place in its name."""
    place = other.partition(_AT)[2]
    return placed_name(name, place) if place else name


def addressed(model: str, address: str | None) -> str:
    """Return the written form of a model, with an address where one is given."""
    spec = ModelSpec.parse(model)
    return str(ModelSpec(spec.name, {**spec.options, "base_url": address})) if address else model


def spec_text(given: object) -> object:
    """A model's table as it is written in one text; anything else as it is."""
    return str(ModelSpec.of_table(given)) if isinstance(given, Mapping) else given


def _pairs(text: str) -> Iterator[tuple[str, Any]]:
    """Each option and its value; None where that is missing."""
    while text:
        option, _, behind = text.partition("=")
        value, text = _value(behind.lstrip())
        yield option.strip(), value


def _value(text: str) -> tuple[Any, str]:
    """The value that a text begins with, and the options behind it. Values other than a table, a list or quoted text are read by their purpose."""
    if text.startswith(_JSON):
        try:
            value, end = json.JSONDecoder().raw_decode(text)
        except (json.JSONDecodeError, RecursionError):
            pass  # a text like any other
        else:
            behind = text[end:].lstrip()
            found = _NEXT.match(behind)
            if found or not behind:
                return value, behind[found.end() :] if found else ""
    found = _NEXT.search(text)
    plain = text[: found.start()] if found else text
    return plain.strip() or None, text[found.end() :] if found else ""


def _written(value: Any) -> str:
    """The value as it is read again: as it is where it can be, and else as JSON."""
    return value if isinstance(value, str) and _is_plain(value) else json.dumps(value, default=str)


def _is_plain(text: str) -> bool:
    return bool(text) and text == text.strip() and not text.startswith(_JSON) and not _NEXT.search(text)


@lru_cache(maxsize=256)
def family_of(model: str) -> str:
    """The maker of a model, by its name wherever it is served; its provider where the name tells nothing."""
    provider, _, rest = bare_name(model).lower().partition("/")
    for part in reversed((rest or provider).replace(":", "/").split("/")):
        bare = part.rpartition(".")[2] if part.startswith(("anthropic.", "meta.", "mistral.")) else part
        for maker, heads in _HEADS.items():
            if bare.startswith(heads):
                return maker
    return _MAKERS.get(provider, provider)


def families_of(models: Iterable[str]) -> tuple[str, ...]:
    """The families of models, each once, in the order of the models. The offline judge is one only where another model is there."""
    given = list(models)
    families = tuple(dict.fromkeys(family_of(model) for model in given if model != OFFLINE))
    return (*families, OFFLINE) if families and OFFLINE in given else families
