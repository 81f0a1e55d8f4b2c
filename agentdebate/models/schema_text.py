"""What is written of the schemas that replies are held to: they are few, and go with every call."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Generic, TypeVar

Text = TypeVar("Text")

_KNOWN = 64
"""Schemas of which it is kept what was written."""


class WrittenOnce(Generic[Text]):
    """What `write` makes of a schema, made once for each, as long as nobody changes that."""

    def __init__(self, write: Callable[[Mapping[str, Any]], Text]) -> None:
        self._write = write
        self._known: dict[int, tuple[Mapping[str, Any], Mapping[str, Any], Text]] = {}

    def __repr__(self) -> str:
        return f"<WrittenOnce of {len(self._known)} schemas>"

    def of(self, schema: Mapping[str, Any]) -> Text:
        """What is written of a schema."""
        known = self._known.get(id(schema))
        if known is not None and known[0] is schema and known[1] == schema:
            return known[2]
        if len(self._known) >= _KNOWN:
            self._known.clear()
        text = self._write(schema)
        self._known[id(schema)] = schema, deepcopy(schema), text
        return text
