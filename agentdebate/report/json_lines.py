"""JSON that is safe to look at: the same data, and no terminal obeys it."""

import json
import re
from collections.abc import Callable
from typing import IO, Any

from agentdebate.visible import HIDDEN


def as_json(data: Any, *, ascii_only: bool = False, default: Callable[[Any], Any] | None = None) -> str:
    """JSON in which what would steer a screen is escaped: the same data, and safe to look at.

    `default` makes data of what JSON does not know.
    """
    text = json.dumps(data, ensure_ascii=ascii_only, default=default)
    return HIDDEN.sub(_json_escape, text)


def json_line(data: Any) -> str:
    """One line of JSON with its end."""
    return as_json(data) + "\n"


def line_for(stream: IO[str], data: Any) -> str:
    """One line of JSON that the encoding of a stream can carry."""
    ascii_only = (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "") != "utf8"
    return as_json(data, ascii_only=ascii_only) + "\n"


def _json_escape(hidden: re.Match[str]) -> str:
    units = hidden[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))
