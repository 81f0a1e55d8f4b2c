"""A column of a table: its name, and what stands in it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

Kind = Literal["text", "integer", "number", "boolean", "time", "texts", "messages"]
"""Type of a column's values: a text, a whole number, any number, true or false, a time in UTC, a list of texts, or a list of
chat messages, each with its `role` and `content`. Any of them may be missing.
"""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    kind: Kind = "text"

    def value(self, given: Any) -> Any:
        """Convert a value to the column's type, as every library takes it: texts hold no half of a character, and times are UTC."""
        return None if given is None else _AS[self.kind](given)


def _whole(text: str) -> str:
    """The text without halves of characters, which no encoding can carry."""
    return text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _texts(given: Iterable[Any]) -> list[str]:
    return [_whole(str(one)) for one in given]


def _messages(given: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    return [{name: _whole(text) for name, text in one.items()} for one in given]


_AS: Mapping[Kind, Callable[[Any], Any]] = {
    "text": lambda given: _whole(str(given)),
    "integer": int,
    "number": float,
    "boolean": bool,
    "time": _time,
    "texts": _texts,
    "messages": _messages,
}
