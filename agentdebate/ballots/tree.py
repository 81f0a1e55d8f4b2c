"""JSON with the place of every value: as json.loads reads it, but each value knows where it stands in the text."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agentdebate.ballots.braces import spans

_STRINGS = json.JSONDecoder(strict=False)
"""Not strict: grammars of some servers let raw line ends into strings."""
_BLANK = re.compile(r"[ \t\r\n]*")
_PLAIN = re.compile(r"-?[0-9][0-9.eE+-]{0,40}|true|false|null")


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands. `value` is a list of Entry (an object), a list of Node, or a plain value."""

    value: Any
    start: int
    end: int

    @property
    def entries(self) -> "list[Entry]":
        """What an object holds; nothing where it is none."""
        return [one for one in self.value if isinstance(one, Entry)] if isinstance(self.value, list) else []

    @property
    def nodes(self) -> "list[Node]":
        """What an array holds; nothing where it is none."""
        return [one for one in self.value if isinstance(one, Node)] if isinstance(self.value, list) else []


@dataclass(frozen=True, slots=True)
class Entry:
    """A key of an object, where it stands, and its value."""

    key: str
    start: int
    node: Node


def objects(text: str) -> Iterator[Node]:
    """The outermost objects of a text that are whole JSON, in order."""
    at = 0
    for span in spans(text):
        if not span.closed:
            continue
        start = text.find(span.text, at)
        at = start + len(span.text)
        try:
            yield _value(text, start)
        except (ValueError, IndexError, RecursionError):
            continue


def _value(text: str, at: int) -> Node:
    mark = text[at]
    if mark == '"':
        value, end = _STRINGS.raw_decode(text, at)
        return Node(value, at, end)
    if mark in "{[":
        return _many(text, at, closing="}" if mark == "{" else "]")
    plain = _PLAIN.match(text, at)
    if plain is None:
        raise ValueError(at)
    return Node(json.loads(plain[0]), at, plain.end())


def _many(text: str, start: int, closing: str) -> Node:
    """An object or an array; raises ValueError or IndexError where it is broken."""
    held: list[Entry | Node] = []
    at = _skip(text, start + 1)
    while text[at] != closing:
        one = _entry(text, at) if closing == "}" else _value(text, at)
        held.append(one)
        at = _skip(text, one.node.end if isinstance(one, Entry) else one.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
            if text[at] == closing:
                raise ValueError(at)
        elif text[at] != closing:
            raise ValueError(at)
    return Node(held, start, at + 1)


def _entry(text: str, at: int) -> Entry:
    if text[at] != '"':
        raise ValueError(at)
    key, end = _STRINGS.raw_decode(text, at)
    colon = _skip(text, end)
    if text[colon] != ":":
        raise ValueError(colon)
    return Entry(key, at, _value(text, _skip(text, colon + 1)))


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at
