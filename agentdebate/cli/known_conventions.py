"""The conventions as text: what each is, and what it sets, option by option."""

import textwrap
from collections.abc import Iterator

from agentdebate.cli.console import console, out
from agentdebate.meta.conventions import CONVENTIONS, Convention

_INDENT = "  "


def print_conventions() -> None:
    """A paragraph a convention: its name, which published rows it gives, and the options that it stands for."""
    width = console().width
    for place, one in enumerate(CONVENTIONS.values()):
        if place:
            out()
        out(one.name)
        for text in (one.about, *settings(one)):
            out(
                textwrap.fill(
                    text,
                    width,
                    initial_indent=_INDENT,
                    subsequent_indent=_INDENT * (1 if text == one.about else 2),
                    break_long_words=False,
                    break_on_hyphens=False,
                )
            )


def settings(one: Convention) -> Iterator[str]:
    """The options that a convention stands for, as they would be typed."""
    yield f"--statistic {','.join(one.statistics)}"
    lists = {"--level": one.levels, "--aspects": one.aspects, "--on": one.on}
    fields = {"--group": one.group, "--system": one.system}
    yield from (f"{option} {','.join(values)}" for option, values in lists.items() if values)
    yield from (f"{option} {value}" for option, value in fields.items() if value)
    yield from (f"--where '{one.system}!={name}'" for name in one.without)
    if one.choice:
        yield f"--choice {one.choice}={one.choice}"
    if one.labels:
        yield f"--labels {','.join(f'{ours}={theirs}' for ours, theirs in one.labels.items())}"
