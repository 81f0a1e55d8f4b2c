"""Schemas in the part of JSON Schema that an endpoint holds replies to; what it does not know is told in the description."""

from collections.abc import Mapping
from typing import Any

_ALWAYS = frozenset(
    {"$defs", "$ref", "anyOf", "type", "enum", "title", "description", "properties", "items"}
    | {"required", "additionalProperties"}
)


def subset(schema: Mapping[str, Any], keeps: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The schema with what every endpoint knows, and what `keeps` names beside it.

    Objects are closed, for some endpoints take no others.
    """
    kept = {name: _inner(name, value, keeps) for name, value in schema.items() if name in _ALWAYS | keeps}
    if kept.get("type") == "object" or "properties" in kept:
        kept["additionalProperties"] = False
    left = ", ".join(f"{name}: {value}" for name, value in schema.items() if name not in kept)
    if left:
        kept["description"] = " ".join(filter(None, (kept.get("description"), f"({left})")))
    return kept


def _inner(name: str, value: Any, keeps: frozenset[str]) -> Any:
    """The value of a keyword, with the schemas in it."""
    if name in {"properties", "$defs"}:
        return {key: subset(one, keeps) for key, one in value.items()}
    if name == "anyOf":
        return [subset(one, keeps) for one in value]
    return subset(value, keeps) if name == "items" else value
