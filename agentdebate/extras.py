"""Optional dependencies: imported where they are used, with the line that installs what is missing."""

import sys
from importlib import import_module
from importlib.util import find_spec
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
        raise _missing(module, extra) from error


def require(module: str, extra: str) -> None:
    """Raise MissingExtra where a module of an optional dependency is not installed. It is not imported."""
    package = module.partition(".")[0]
    if package not in sys.modules and find_spec(package) is None:
        raise _missing(module, extra)


def _missing(module: str, extra: str) -> MissingExtra:
    package = module.partition(".")[0]
    return MissingExtra(f"{package} is not installed. Install it with: pip install 'agentdebate[{extra}]'")
