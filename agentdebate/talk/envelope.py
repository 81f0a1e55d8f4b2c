"""The envelope in which messages are written and read: `{"kind": ..., "body": ...}`, a line of JSON each.

A kind is looked up among ours and, by the entry points of the group `agentdebate.talk.messages`, among those of packages. A message
of a kind that is not known here is kept as data, and written back as it was read.
"""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from agentdebate import plugins
from agentdebate.codec import checked, json_text, plain, read
from agentdebate.datasets.json_objects import once
from agentdebate.errors import StrategyError
from agentdebate.talk.messages import KINDS, Message, Unknown, kind_of

GROUP = "agentdebate.talk.messages"
"""The entry-point group under which packages register kinds of messages: the kind, and the class."""

_UNWRITABLE = (ValueError, RecursionError)
"""Errors for values that JSON cannot hold: objects in a circle, bytes that are not text, numbers of thousands of digits."""

_OF_ALL = frozenset(one.name for one in fields(Message))
"""Fields that every message has."""


def message_line(message: Message) -> str:
    """A message as a line of JSON. A field that has its default is left out. Raises StrategyError for what JSON cannot hold."""
    try:
        if type(message) is KINDS.get(message.kind):
            return f'{{"kind":"{message.kind}","body":{json_text(message, defaults=False)}}}'
        return json.dumps({"kind": message.kind, "body": dumped(message)}, separators=(",", ":"))
    except _UNWRITABLE as error:
        raise _unwritable(message, error) from error


def dumped(message: Message, *, defaults: bool = False) -> dict[str, Any]:
    """A message's fields as JSON has them. Defaults of ours are left out; a package that is not installed could not fill in its own.

    Raises StrategyError for a message that JSON cannot hold.
    """
    try:
        if not isinstance(message, Unknown):
            return plain(message, defaults=defaults or message.kind not in KINDS)
        body = plain(message, defaults=defaults)
    except _UNWRITABLE as error:
        raise _unwritable(message, error) from error
    others = body.pop("others", {})
    body.pop("kind", None)
    return {**body, **others}


def _unwritable(message: Message, error: Exception) -> StrategyError:
    return StrategyError(
        f"message {message.seq}, of the kind {message.kind!r} and sent by {message.sender}, cannot be stored as JSON: {error}"
    )


def message_data(message: Message) -> dict[str, Any]:
    """A message as one object, as exports have it: its kind, and all of its fields."""
    return {"kind": message.kind, **dumped(message, defaults=True)}


def message_in(line: str | bytes) -> Message:
    """The message in a line; of a kind that is not known here an `Unknown`. Raises ValueError and TypeError for anything else.

    An object in it that has a key twice is a ValueError, and so is pydantic.ValidationError, for a kind that does not have the
    fields it should. Raises StrategyError for a kind that a package registers wrongly.
    """
    return message_of(*body_of(line))


def body_of(line: str | bytes) -> tuple[str, dict[str, Any]]:
    """The kind and the body of a line. Raises ValueError and TypeError for anything else."""
    data = json.loads(line, object_pairs_hook=once)
    kind, body = data["kind"], data["body"]
    if not isinstance(kind, str) or not isinstance(body, dict):
        raise TypeError("it is not an envelope of a kind and a body")
    return kind, body


def message_of(kind: str, body: Mapping[str, Any]) -> Message:
    """The message with what an envelope holds."""
    found = message_class(kind)
    if found is not Unknown:
        return read(found, body)
    known = {name: value for name, value in body.items() if name in _OF_ALL}
    others = {name: value for name, value in body.items() if name not in _OF_ALL}
    return read(Unknown, {**known, "kind": kind, "others": others})


def message_class(kind: str) -> type[Message]:
    """The class of a kind: built in, or registered by a package; `Unknown` where it is not known here.

    Raises StrategyError where what is registered is not a message of that kind.
    """
    if kind in KINDS:
        return KINDS[kind]
    found = plugins.extension(GROUP, kind, ours=KINDS)
    if found is None:
        return Unknown
    if not (isinstance(found, type) and issubclass(found, Message) and kind_of(found) == kind):
        raise StrategyError(
            f"the package that registers {kind!r} under {GROUP} gives no Message for it whose kind is {kind!r}: write kind = {kind!r}"
        )
    check_class(found)
    return found


def check_class(kind: type[Message]) -> None:
    """Raise StrategyError for a class of a package that says no kind, or whose fields were not made fields."""
    name = f"{kind.__module__}.{kind.__qualname__}"
    if not kind_of(kind):
        raise StrategyError(f'{name} says no kind: write kind = "..." in the class, with no type')
    known = {one.name for one in fields(kind)}
    strange = [name for name in vars(kind).get("__annotations__", {}) if name not in known]
    if strange:
        raise StrategyError(
            f"{name} has no field {strange[0]!r}: make the class a dataclass that is frozen, with slots, and"
            " takes keywords alone"
        )


def checked_message(message: Any) -> Any:
    """A message of a strategy, with its types checked. Raises StrategyError for what is not a message, and WrongValue, which names the field."""
    if not isinstance(message, Message):
        raise StrategyError(f"a Message is announced, not {type(message).__name__}")
    if not isinstance(message, Unknown):
        check_class(type(message))
    return checked(message)
