"""JSON in a reply: the objects that stand anywhere in a text, as pairs of keys and values, keys that stand twice among them."""

import json
from collections.abc import Iterator
from typing import Any

_MOST_TRIES = 50
"""Braces at which an object is looked for: a text of braces alone would take long."""

NAMED = ":"
"""Prefix of the name that an object gives itself."""
_NAMES = ("aspect", "criterion", "dimension", "metric", "name")

Pairs = list[tuple[str, Any]]
"""The keys and values of an object, in order."""


class Object(Pairs):
    """An object of JSON, told apart from a list by its type."""


_DECODER = json.JSONDecoder(object_pairs_hook=Object, strict=False)


def objects(text: str) -> Iterator[tuple[Object, int, int]]:
    """Give the outermost objects of a text, each with the places where it begins and ends."""
    at = text.find("{")
    for _ in range(_MOST_TRIES):
        if at < 0:
            return
        try:
            found, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield found, at, end
        at = text.find("{", end)


def is_json(text: str) -> bool:
    """Tell a text that is one object, in a fence or not, from one that holds something else."""
    bare = text.strip().removeprefix("```json").strip("`").strip()
    return bare.startswith("{") and bare.endswith("}")


def as_object(text: str) -> Object | None:
    """Read a text that is one object and nothing else."""
    try:
        found = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, Object) else None


def walk(value: Any) -> Iterator[Object]:
    """Give an object and all those inside it, in lists too, the outer ones first."""
    if isinstance(value, Object):
        yield value
        for _, inner in value:
            yield from walk(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner)


def leaves(found: Object) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Give each value inside an object with all keys above it, the outer ones first.

    The name that an object gives itself ({"aspect": "Coherence", "score": 4}) stands among them, behind a mark of its own.
    """
    waiting: list[tuple[tuple[str, ...], Any]] = [((), found)]
    while waiting:
        keys, value = waiting.pop()
        if isinstance(value, Object):
            names = [f"{NAMED}{key_of(one)}" for key, one in value if key in _NAMES and isinstance(one, str)]
            waiting += [((*keys, *names, key_of(key)), inner) for key, inner in reversed(value)]
        elif isinstance(value, list):
            waiting += [(keys, inner) for inner in reversed(value)]
        else:
            yield keys, value


def key_of(name: str) -> str:
    """Write a key in small letters, with underscores for what parts its words."""
    if name.isidentifier() and name.islower():
        return name
    return "_".join(name.lower().replace("-", " ").replace("_", " ").split())
