"""Options as they were typed: a run's record keeps them, and what goes on with the run types them again."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, get_args

from cyclopts import ArgumentCollection, Parameter

from agentdebate.cli.options.common import json_pairs
from agentdebate.models.own_model import shown as shown_model
from agentdebate.models.secrets import plain_address, without_pairs, without_secrets

Words = Annotated[tuple[str, ...], Parameter(parse=False)]
"""Options of a command line, each as --option=VALUE under its first name; the app fills them in."""

OWN = frozenset({"--project", "--allow-endpoint", "--allow-code", "--cache", "--cache-file"})
"""Options that no store decides: whose code is run, where requests go and which cache is written."""


def typed_words(line: Sequence[str], arguments: ArgumentCollection) -> tuple[str, ...]:
    """Write the options of a command line, which was parsed without an error, each under its first name."""
    known = {name: one for one in arguments if one.parse for name in one.names if name.startswith("-")}
    found, rest = list[str](), iter(line)
    for word in rest:
        name, equals, value = word.partition("=")
        if name.startswith("--"):
            name = name.replace("_", "-")
        elif name not in known and word[:2] in known:  # -c4
            name, equals, value = word[:2], "=", word[2:]
        if (one := known.get(name)) is None:
            continue  # the command, or what it is about
        if name in one.negatives:
            found.append(f"{one.name}=false")
        elif not equals and bool in (one.hint, *get_args(one.hint)):
            found.append(one.name)
        else:
            found.append(f"{one.name}={value if equals else next(rest, '')}")
    return tuple(found)


def name_of(word: str) -> str:
    """Return the option of a word."""
    return word.partition("=")[0]


def values_of(words: Iterable[str], option: str) -> list[str]:
    """List the values of an option."""
    return [word.partition("=")[2] for word in words if name_of(word) == option]


def without_repeated(words: Iterable[str], said: Iterable[str]) -> list[str]:
    """Leave out the words whose option is said once more."""
    again = {name_of(word) for word in said}
    return [word for word in words if name_of(word) not in again]


def plain_word(word: str) -> str:
    """Write a word without the secrets in it."""
    option, equals, value = word.partition("=")
    return f"{option}{equals}{_PLAIN[option](value)}" if option in _PLAIN else word


def _plain_extra(pair: str) -> str:
    ((name, value),) = without_secrets(json_pairs((pair,), "--extra")).items()
    return f"{name}={json.dumps(value)}"


def _plain_model(pair: str) -> str:
    agent, equals, model = pair.partition("=")
    return f"{agent}{equals}{shown_model(model)}"


_PLAIN: Mapping[str, Callable[[str], str]] = {
    "--model": shown_model,
    "--base-url": plain_address,
    "--extra": _plain_extra,
    "--set": without_pairs,
    "--agent-model": _plain_model,
}
"""Options that may hold a secret."""


def recorded_words(told: Mapping[str, Any]) -> list[str]:
    """The options in the record of a run; those of records that kept them by name are written as words."""
    words = told.get("options")
    if words is None:
        words = list(_named(told))
    return [str(word) for word in words if name_of(str(word)) not in OWN] if isinstance(words, list) else []


def _named(told: Mapping[str, Any]) -> Iterator[str]:
    for name, value in told.items():
        option = _RENAMED.get(name, f"--{name.replace('_', '-')}")
        if isinstance(value, Mapping):
            yield from _named(value)
        elif value is True:
            yield option
        elif name not in ("folder", "strategy", "data") and value not in (None, False):
            yield from (f"{option}={one}" for one in (value if isinstance(value, list) else [value]))


_RENAMED = {"option": "--set", "dataset": "--as"}
"""Options of such records that have another name."""
