"""Words of the command line in what is printed: options in the place of arguments, and commands to see a run and to go on."""

import re
import shlex
from collections.abc import Iterable, Mapping

from agentdebate.cli.options.common import STORE
from agentdebate.store.place import shown
from agentdebate.visible import visible


def see_run(run: str | None, store: str) -> str:
    """The command line that shows a run, or else the newest."""
    return _line("show", store, *([run] if run else []))


def go_on(run: str, store: str, more: Iterable[str] = (), *, queued: bool = False) -> str:
    """The command line that goes on with a run, `queued` or not; `more` is what the user has to say once more."""
    return " ".join([_line("work" if queued else "resume", store, run), *map(shlex.quote, more)])


def _line(command: str, store: str, *words: str) -> str:
    """A command line that can be copied into a shell."""
    typed = ["agentdebate", command, *(shlex.quote(visible(word)) for word in words)]
    return " ".join(typed if store == STORE else [*typed, "--store", shlex.quote(visible(shown(store)))])


OPTIONS: Mapping[str, str] = {
    "allow_endpoints": "--allow-endpoint",
    "cells": "--cell",
    "dataset": "--as",
    "fields": "--field",
    "ids": "--id",
    "models": "--agent-model",
    "options": "--set",
    "scales": "--scale",
}
"""The arguments of the library that have an option of another name."""

_ARGUMENT = re.compile(r"(?<![\w.:])(?<!\w\()([a-z][a-z_]*)=(?:\.\.\.|True\b|'([^']*)')")
"""An argument as the library's sentences have it, outside of a call: store=..., subset=True, missing='wrong'."""


def in_options(text: str) -> str:
    """Rewrite a sentence with options in the place of the arguments that it names: --store, --subset, --missing wrong."""
    return _ARGUMENT.sub(_option, text)


def _option(found: re.Match[str]) -> str:
    name, value = option_of(found[1]), found[2]
    return name if value is None else f"{name} {shlex.quote(value)}"


def option_of(argument: str) -> str:
    """Name the option that gives an argument of the library."""
    return OPTIONS.get(argument, f"--{argument.replace('_', '-')}")
