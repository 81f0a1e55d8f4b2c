"""Optional dependencies: imported where they are used, with the line that installs what is missing."""

from importlib import import_module
from typing import Any

from agentdebate.errors import MissingExtra


def optional(module: str, extra: str) -> Any:
    """A module of an optional dependency. `extra` is the extra of this package that brings it.

    Raises MissingExtra where it is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or module.partition(".")[0] != error.name.partition(".")[0]:
            raise  # it is there, and lacks something of its own
        raise MissingExtra(
            f"{module.partition('.')[0]} is not installed. Install it with: pip install 'agentdebate[{extra}]'"
        ) from error
