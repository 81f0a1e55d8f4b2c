"""Chance that can be repeated: numbers that follow from what they are for, and from nothing else."""

import hashlib
import json
import random
from collections.abc import Mapping
from typing import Any


def digest(body: Mapping[str, Any]) -> str:
    """Compute the digest of a request: the SHA-256 of its JSON, whatever the order of its keys, in hexadecimal."""
    canonical = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def share(*parts: object) -> float:
    """A number from 0 up to and without 1 that follows from the parts, and is spread evenly over them."""
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7]) / 2**56


class Draws:
    """Many such numbers, one after the other."""

    def __init__(self, *parts: object) -> None:
        # Of all that Random offers, random() alone is promised to stay the same from one Python to the next.
        self._next = random.Random("\x1f".join(map(str, parts))).random  # noqa: S311 - nothing is secret here

    def share(self) -> float:
        """The next one, from 0 up to and without 1."""
        return self._next()

    def below(self, end: int) -> int:
        """A whole number from 0 up to and without `end`."""
        return int(self._next() * end)
