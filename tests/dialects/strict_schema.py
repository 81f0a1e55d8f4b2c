"""What an endpoint that takes a part of JSON Schema says of a schema beyond it."""

from collections.abc import Mapping
from typing import Any


def schema_fault(schema: Any, keywords: frozenset[str], *, closed: bool = True, at: str = "") -> str | None:
    """The first thing in a schema that is not known; None where there is nothing.

    Objects have to be `closed` where that is so: `additionalProperties` false.
    """
    if not isinstance(schema, Mapping):
        return f"{at or 'schema'} is not an object"
    for name in schema:
        if name not in keywords:
            return f"{at or 'schema'}: the keyword '{name}' is not supported"
    if closed and schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        return f"{at or 'schema'}: For 'object' type, 'additionalProperties' must be explicitly set to false"
    for place, inner in _inner(schema):
        fault = schema_fault(inner, keywords, closed=closed, at=f"{at}.{place}" if at else place)
        if fault:
            return fault
    return None


def _inner(schema: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The schemas within a schema, with their places."""
    named = [
        (f"{name}.{key}", one)
        for name in ("properties", "$defs")
        for key, one in schema.get(name, {}).items()
    ]
    listed = [
        (f"{name}[{number}]", one)
        for name in ("anyOf", "allOf")
        for number, one in enumerate(schema.get(name, []))
    ]
    return [*named, *listed, *([("items", schema["items"])] if "items" in schema else [])]
