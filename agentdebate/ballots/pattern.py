"""Patterns that are compiled when they are first used: a program that reads no such reply does not wait for them."""

import re
from typing import Any, cast


class _Pattern:
    """Stands for a compiled pattern. Its methods are looked up once."""

    def __init__(self, source: str, flags: re.RegexFlag | int) -> None:
        self._source, self._flags = source, flags

    def __repr__(self) -> str:
        return f"<Pattern {self._source!r}>"

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._source, self._flags)  # which remembers the last hundreds
        value = self.__dict__[name] = getattr(compiled, name)
        return value


def pattern(source: str, flags: re.RegexFlag | int = 0) -> re.Pattern[str]:
    """The pattern of a module, as `re.compile` gives it, compiled at its first use. What is wrong with it shows then."""
    return cast("re.Pattern[str]", _Pattern(source, flags))
