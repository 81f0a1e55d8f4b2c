"""Fields of replies that are read as far as they make sense: an odd one is as good as none, for the reply was paid for."""

from collections.abc import Callable
from typing import Annotated, Any, TypeGuard

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from agentdebate.models.dialects.problems import tidy

LARGEST_COUNT = 10**8
"""No call costs more; a count beyond is as good as none."""
MARK = "\ufeff"
"""A byte-order mark, which some servers put before what they send: it is no part of it."""


def mapping(value: object) -> dict[str, Any]:
    """A JSON object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def counts(*wanted: str, maybe: tuple[str, ...] = ()) -> Callable[[object], dict[str, Any]]:
    """Reads an object of numbers of tokens; one without a wanted number, or with an odd one, is as good as none.

    Half of what a call cost would pass for all of it, and where nothing is said our own count stands in for it.
    """

    def read(value: object) -> dict[str, Any]:
        said = mapping(value)
        sound = all(_is_count(said.get(name)) for name in wanted)
        return said if sound and all(_is_count(said.get(name, 0)) for name in maybe) else {}

    return read


def _text_or_none(value: object) -> object:
    return value if isinstance(value, str) else None


def _is_count(value: object) -> TypeGuard[int | float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    # An int may be too large to become a float, and NaN is in no range.
    return 0 <= value <= LARGEST_COUNT and value == int(value)


def _count(value: object) -> int:
    return int(value) if _is_count(value) else 0


Loose = Annotated[str | None, BeforeValidator(_text_or_none)]
"""A text, or None for anything else."""
Count = Annotated[int, BeforeValidator(_count)]
"""A number of tokens, or 0 for what cannot be one."""


class Shape(BaseModel):
    """An object of a reply, as far as it is read."""

    model_config = ConfigDict(frozen=True, extra="ignore", protected_namespaces=())


def what_is_wrong(error: ValidationError) -> str:
    """The first thing that is wrong, and where."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(map(str, first["loc"])) or "the body"
    return f"{tidy(place)}: {first['msg']}"
