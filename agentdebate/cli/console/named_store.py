"""The store in command lines that errors name: they come from where nobody knows how the user spelled it."""

import re
import shlex
from collections.abc import Sequence

from agentdebate.store.place import shown
from agentdebate.visible import visible

_WITHOUT_STORE = re.compile(r"agentdebate (?:agree|resume|show|stop|work) (?>[\w-]+)(?<=[0-9a-f]{4})(?! --)")
"""A command line about a run that names no store."""


def with_store(text: str, words: Sequence[str]) -> str:
    """The sentence with the store that the command's words name in the command lines that it names."""
    store = _store_of(words)
    if store is None:
        return text
    option = f" --store {shlex.quote(visible(shown(store)))}"
    return _WITHOUT_STORE.sub(lambda found: found[0] + option, text)


def _store_of(words: Sequence[str]) -> str | None:
    for number, word in enumerate(words):
        if word == "--store":
            return next(iter(words[number + 1 :]), None)
        if word.startswith("--store="):
            return word.removeprefix("--store=")
    return None
