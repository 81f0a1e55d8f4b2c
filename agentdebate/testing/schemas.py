"""Values that fit a JSON schema, by chance: as far as replies of agents need it."""

from collections.abc import Mapping
from typing import Any

from agentdebate.testing.chance import Draws
from agentdebate.testing.forms import number, words

_MOST = 10.0
"""The upper end of a number that the schema leaves open."""
_WORDS = 5
_DEEPEST = 16


def schema_of(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The schema that a request holds its reply to, in OpenAI's form or llama.cpp's; an empty one for any JSON."""
    wanted = body.get("response_format")
    if not isinstance(wanted, Mapping) or wanted.get("type") not in {"json_schema", "json_object"}:
        return None
    named = wanted.get("json_schema")
    found = named.get("schema") if isinstance(named, Mapping) else wanted.get("schema")
    return found if isinstance(found, Mapping) else {"type": "object"}


def fitting(schema: Mapping[str, Any], draws: Draws) -> Any:
    """A value that fits the schema.

    Known are const, enum, anyOf, oneOf, $ref within the schema, objects, arrays, numbers between ends, texts with a longest
    length, booleans and null. All properties of an object are filled in.
    """
    return _fit(schema, schema, draws, 0)


def _fit(schema: Mapping[str, Any], root: Mapping[str, Any], draws: Draws, depth: int) -> Any:
    if depth > _DEEPEST:
        return None
    if "const" in schema:
        return schema["const"]
    if choices := schema.get("enum"):
        return choices[draws.below(len(choices))]
    if "$ref" in schema:
        return _fit(_referred(str(schema["$ref"]), root), root, draws, depth + 1)
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return _fit(options[draws.below(len(options))], root, draws, depth + 1)
    return _typed(schema, root, draws, depth)


def _typed(schema: Mapping[str, Any], root: Mapping[str, Any], draws: Draws, depth: int) -> Any:
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if isinstance(kind, list):
        kind = kind[draws.below(len(kind))]
    if kind == "object":
        inner = schema.get("properties", {})
        return {name: _fit(one, root, draws, depth + 1) for name, one in inner.items()}
    if kind == "array":
        return [_fit(schema.get("items", {}), root, draws, depth + 1) for _ in range(_size(schema, draws))]
    if kind in {"number", "integer"}:
        found = number(float(schema.get("minimum", 0)), float(schema.get("maximum", _MOST)), draws)
        return int(found) if found.is_integer() else found
    if kind == "boolean":
        return draws.below(2) == 1
    return None if kind == "null" else words(_WORDS, draws)[: schema.get("maxLength")]


def _size(schema: Mapping[str, Any], draws: Draws) -> int:
    least = int(schema.get("minItems", 1))
    most = int(schema.get("maxItems", max(least, 3)))
    return least + draws.below(most - least + 1)


def _referred(reference: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Any = root
    for step in reference.removeprefix("#/").split("/") if reference != "#" else ():
        found = found.get(step, {}) if isinstance(found, Mapping) else {}
    return found if isinstance(found, Mapping) else {}
