"""JSON as it is stored: UTF-8, and escaped where a model answered half a character, which UTF-8 cannot carry."""

import json
import re
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_json

_ENCODE = json.JSONEncoder(ensure_ascii=False).encode
_HALF = re.compile("[\ud800-\udfff]")


def data_json(data: Any) -> str:
    """Plain data as JSON."""
    text = _ENCODE(data)
    return json.dumps(data) if not text.isascii() and _HALF.search(text) else text


def compact_json(data: Any) -> str:
    """Plain data as JSON without spaces, for the columns of which there are many."""
    try:
        return to_json(data).decode()
    except PydanticSerializationError:
        return json.dumps(data, separators=(",", ":"))


def model_json(model: BaseModel) -> str:
    """A message, item or completion as JSON."""
    try:
        return model.model_dump_json()
    except PydanticSerializationError:
        return json.dumps(model.model_dump())
