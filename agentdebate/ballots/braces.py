"""Where JSON objects stand in a text, found in one pass however broken the text is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MARK = re.compile(r'\\.|["{}\[\]]', re.DOTALL)
_DEEPEST = 16
"""Brackets within brackets; what lies deeper is not a ballot."""
_RESTARTS = 8
"""How many unclosed braces may come before the object that is meant."""


@dataclass(frozen=True, slots=True)
class Span:
    """Text that starts with a brace; `closed` if its last brace closes the first."""

    text: str
    closed: bool


def spans(text: str) -> Iterator[Span]:
    """The outermost objects of a text, in order.

    A brace that never closes gives a span to the end of the text, and what lies within is looked through as well.
    """
    start = text.find("{")
    for _ in range(_RESTARTS):
        while start >= 0 and (end := _end(text, start)) is not None:
            if end > 0:
                yield Span(text[start:end], closed=True)
            start = text.find("{", abs(end))
        if start < 0:
            return
        yield Span(text[start:], closed=False)
        start = text.find("{", start + 1)


def without_objects(text: str) -> str:
    """What a text says around its closed objects."""
    kept, at = [], 0
    for span in spans(text):
        start = text.find(span.text, at) if span.closed else -1
        if start >= 0:
            kept.append(text[at:start])
            at = start + len(span.text)
    return " ".join([*kept, text[at:]])


def _end(text: str, start: int) -> int | None:
    """Where the object ends that starts here; negated if it is too deep; None if it never ends."""
    depth, deepest, quoted = 0, 0, False
    for mark in _MARK.finditer(text, start):
        if mark[0] == '"':
            quoted = not quoted
        elif quoted or mark[0][0] == "\\":
            continue
        elif mark[0] in "{[":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
            if depth <= 0:
                return mark.end() if deepest <= _DEEPEST else -mark.end()
    return None
