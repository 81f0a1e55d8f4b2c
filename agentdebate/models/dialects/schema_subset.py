"""Schemas in the part of JSON Schema that an endpoint holds replies to; what it does not know is told in the description."""

from collections.abc import Mapping
from typing import Any

_MOST_CHOICES = 128
"""Whole numbers between two ends that are written out as an enum."""
_ALWAYS = frozenset(
    {"$defs", "$ref", "anyOf", "type", "enum", "title", "description", "properties", "items"}
    | {"required", "additionalProperties"}
)


def subset(schema: Mapping[str, Any], keeps: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The schema with what every endpoint knows, and what `keeps` names beside it.

    `oneOf` becomes `anyOf`, `const` an enum of one, and whole numbers between two ends an enum of them, where the ends are not
    kept. Objects are closed, for some endpoints take no others.
    """
    found = _rewritten(schema, keeps)
    kept = {name: _inner(name, value, keeps) for name, value in found.items() if name in _ALWAYS | keeps}
    if kept.get("type") == "object" or "properties" in kept:
        kept["additionalProperties"] = False
    left = {name: value for name, value in found.items() if name not in kept}
    if left:
        told = ", ".join(f"{name}: {value}" for name, value in left.items())
        kept["description"] = " ".join(filter(None, (kept.get("description"), f"({told})")))
    return kept


def _rewritten(schema: Mapping[str, Any], keeps: frozenset[str]) -> dict[str, Any]:
    """The schema in other words where those that it has are not known everywhere."""
    found = dict(schema)
    if "oneOf" in found:
        found["anyOf"] = found.pop("oneOf")
    if "const" in found:
        found["enum"] = [found.pop("const")]
    low, high = found.get("minimum"), found.get("maximum")
    whole = found.get("type") == "integer" and isinstance(low, int) and isinstance(high, int)
    if whole and "minimum" not in keeps and high - low < _MOST_CHOICES:  # type: ignore[operator]  # both are whole
        del found["minimum"], found["maximum"]
        found["enum"] = list(range(low, high + 1))  # type: ignore[arg-type, operator]  # both are whole
    return found


def _inner(name: str, value: Any, keeps: frozenset[str]) -> Any:
    """The value of a keyword, with the schemas in it."""
    if name in {"properties", "$defs"} and isinstance(value, Mapping):
        return {key: subset(one, keeps) if isinstance(one, Mapping) else one for key, one in value.items()}
    if name == "anyOf" and isinstance(value, list):
        return [subset(one, keeps) if isinstance(one, Mapping) else one for one in value]
    return subset(value, keeps) if name == "items" and isinstance(value, Mapping) else value
