"""Texts that name values: NAME=VALUE, and lists with commas."""

import re
from collections.abc import Iterable, Sequence

from agentdebate.errors import UsageError


def pairs(texts: tuple[str, ...], option: str) -> dict[str, str]:
    """KEY=VALUE arguments as a mapping. Raises UsageError."""
    found: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not (key and equals and value):
            shown = (
                f"{re.split(r'[^A-Za-z0-9_.-]', text)[0]}..." if "extra" in option else text
            )  # it may hold a key
            raise UsageError(f"{option} takes NAME=VALUE, not {shown!r}")
        if key in found:
            raise UsageError(f"{option} is given twice for {key!r}")
        found[key] = value
    return found


def free_pairs(texts: Iterable[str], option: str) -> dict[str, str]:
    """KEY=VALUE arguments, several in one where a comma stands before another KEY=. Raises UsageError."""
    return pairs(tuple(part for text in texts for part in re.split(r",\s*(?=[^\s,=]+=)", text)), option)


def listed_in(text: str) -> tuple[str, ...]:
    """Split a text at its commas, but for those in brackets and quotes."""
    found, depth, quoted = [""], 0, False
    for sign in text:
        quoted ^= sign == '"'
        depth += 0 if quoted else (sign in "[{") - (sign in "]}")
        if sign == "," and not (quoted or depth):
            found.append("")
        else:
            found[-1] += sign
    return tuple(stripped for one in found if (stripped := one.strip()))


def names(given: Sequence[str] | str | None) -> tuple[str, ...]:
    """A list; a text has commas between its entries."""
    if not isinstance(given, str):
        return tuple(given or ())
    return tuple(part.strip() for part in given.split(",") if part.strip())
