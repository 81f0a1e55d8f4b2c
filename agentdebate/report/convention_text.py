"""The conventions as text: what each is, and what it sets, argument by argument."""

import textwrap
from collections.abc import Iterator, Mapping

from agentdebate.meta.conventions import CONVENTIONS, Convention

_INDENT = "  "


def convention_lines(width: int, options: Mapping[str, str]) -> Iterator[str]:
    """A paragraph a convention: its name, which published rows it gives, and the arguments that it stands for.

    `options` says what each argument is called, where it is not called by its own name.
    """
    for place, one in enumerate(CONVENTIONS.values()):
        if place:
            yield ""
        yield one.name
        yield _filled(one.about, width, 1)
        for name, value in settings(one):
            yield _filled(f"{options.get(name, name)} {value}", width, 2)


def settings(one: Convention) -> Iterator[tuple[str, str]]:
    """The arguments that a convention stands for, and their values as they would be typed."""
    yield "statistic", ",".join(one.statistics)
    lists = {"level": one.levels, "aspects": one.aspects, "on": one.on}
    yield from ((name, ",".join(values)) for name, values in lists.items() if values)
    yield from ((name, value) for name, value in (("group", one.group), ("system", one.system)) if value)
    yield from (("where", f"'{one.system}!={name}'") for name in one.without)
    if one.choice:
        yield "choice", f"{one.choice}={one.choice}"
    if one.labels:
        yield "labels", ",".join(f"{ours}={theirs}" for ours, theirs in one.labels.items())


def _filled(text: str, width: int, deep: int) -> str:
    return textwrap.fill(
        text,
        width,
        initial_indent=_INDENT,
        subsequent_indent=_INDENT * deep,
        break_long_words=False,
        break_on_hyphens=False,
    )
