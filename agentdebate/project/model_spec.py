"""How a model is written, with how it is reached: its name, and options behind a colon.

    openai/gpt-4o-mini
    openai/gpt-4o:base_url=https://models.example.org/v1,api_key_env=OTHER_KEY
    ollama/llama3:8b:base_url=http://localhost:11434/v1

A name may have colons and slashes of its own, and a value commas and colons: what begins the options is the first colon with NAME=
behind it, and what ends a value is a comma with NAME= behind it. In a file a table says the same: `{ model = "...", base_url = "..." }`.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agentdebate.errors import UsageError

_NAMED = r"(?=[A-Za-z_]\w*\s*=)"
_OPTIONS = re.compile(rf":\s*{_NAMED}")
_NEXT = re.compile(rf",\s*{_NAMED}")


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
        for part in _NEXT.split(behind[0]) if behind else ():
            option, _, value = (one.strip() for one in part.partition("="))
            if option in options:
                raise UsageError(f"{name} has the option {option!r} twice", option=option)
            if not value:
                raise UsageError(f"{name}, option {option!r}: the value is missing", option=option)
            options[option] = _value(value)
        return cls(name.strip(), options)

    @classmethod
    def of_table(cls, table: Mapping[str, Any]) -> "ModelSpec":
        """Read a table of a file, in which `model` is the name. Raises UsageError."""
        name = table.get("model")
        if not isinstance(name, str) or not name.strip():
            raise UsageError(
                'a table for a model names it: { model = "openai/gpt-4o", base_url = "https://..." }'
            )
        spec = cls.parse(name)
        return cls(
            spec.name, {**spec.options, **{key: value for key, value in table.items() if key != "model"}}
        )

    def __str__(self) -> str:
        written = ",".join(f"{name}={_written(value)}" for name, value in self.options.items())
        return f"{self.name}:{written}" if written else self.name


def spec_text(given: object) -> object:
    """A model's table as it is written in one text; anything else as it is."""
    return str(ModelSpec.of_table(given)) if isinstance(given, Mapping) else given


def _value(text: str) -> Any:
    """JSON where it is a table or a list; other values are read by what they are for."""
    if text[0] not in "{[":
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
