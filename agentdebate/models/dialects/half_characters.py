r"""Bodies with half a character in a text, an escape such as \ud83d alone: JSON that Python reads, and that pydantic's reader refuses.

A reply that was cut in the middle of an emoji may hold one. It was paid for, and the rest of it can be read.
"""

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

_HALF = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_WHOLE = rb"\\ufffd"
"""Stands for a whole character where it is looked what else is wrong."""
_Shape = TypeVar("_Shape", bound=BaseModel)


def loaded(body: bytes) -> Any:
    """The JSON in a body. Raises ValueError for what pydantic refuses for any other reason than half a character."""
    try:
        return from_json(body)
    except ValueError:
        if not _HALF.search(body):
            raise
        from_json(_HALF.sub(_WHOLE, body))  # it raises for what else is wrong with the body
        return json.loads(body)


def read_shape(shape: type[_Shape], body: bytes) -> _Shape:
    """The object in a body. Raises ValidationError as `model_validate_json` does, but not for half a character."""
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
