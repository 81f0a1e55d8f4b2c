r"""Bodies with half a character in a text, an escape such as \ud83d alone, or a number of thousands of digits: JSON that Python reads,
and that pydantic's reader refuses.

A reply that was cut in the middle of an emoji may hold the one, a broken count of tokens the other. It was paid for, and the rest of it can be read.
"""

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

_HALF = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_WHOLE = rb"\\ufffd"
"""Stands for a whole character where it is looked what else is wrong."""
_MOST_DIGITS = 400
_DIGITS = re.compile(rb"\d{%d,}" % _MOST_DIGITS)
"""No float has so many digits before its point."""
_Shape = TypeVar("_Shape", bound=BaseModel)


def loaded(body: bytes) -> Any:
    """The JSON in a body. Raises ValueError for what pydantic refuses for any other reason than half a character or a long number."""
    try:
        return from_json(body)
    except ValueError:
        if not (_HALF.search(body) or _DIGITS.search(body)):
            raise
        # It raises for what else is wrong with the body.
        from_json(_DIGITS.sub(b"1", _HALF.sub(_WHOLE, body)))
        return json.loads(body, parse_int=_number)


def _number(digits: str) -> float:
    """A whole number; infinity for one that Python would take seconds to read, or refuse."""
    return int(digits) if len(digits) < _MOST_DIGITS else float("inf")


def read_shape(shape: type[_Shape], body: bytes) -> _Shape:
    """The object in a body. Raises ValidationError as `model_validate_json` does, but not for half a character or a long number."""
    try:
        return shape.model_validate_json(body)
    except ValidationError as error:
        if error.errors(include_url=False, include_input=False)[0]["type"] != "json_invalid":
            raise
        try:
            found = loaded(body)
        except ValueError:
            raise error from None
        return shape.model_validate(found)
