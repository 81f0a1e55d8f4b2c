"""Fields of replies that are read as far as they make sense: an odd one is as good as none, for the reply was paid for."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from agentdebate.models.dialects.problems import tidy

LARGEST_COUNT = 10**8
"""No call costs more; a count beyond is as good as none."""
MARK = "\ufeff"
"""A byte-order mark, which some servers put before what they send: it is no part of it."""


def mapping(value: object) -> dict[str, Any]:
    """A JSON object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def _text_or_none(value: object) -> object:
    return value if isinstance(value, str) else None


def _count(value: object) -> int:
    # An int may be too large to become a float, and NaN is in no range.
    return int(value) if isinstance(value, int | float) and 0 <= value <= LARGEST_COUNT else 0


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
