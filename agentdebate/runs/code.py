"""The code that a run is held with, by what tells it from other code: every process that works on the run needs the same."""

import hashlib
import sys
from functools import cache
from pathlib import Path
from typing import Any

from agentdebate import __version__
from agentdebate.strategies.base import Strategy

_OURS = "agentdebate"
"""This package, whose digest is that of all of it."""


def code_of(strategy: Strategy) -> dict[str, Any]:
    """The version and digest of this package, and the digest of each module of another package that the strategy is made of."""
    return {"agentdebate": __version__, "digest": _package(), "strategy": _modules(strategy)}


def _modules(strategy: Strategy) -> dict[str, str]:
    """The modules of a strategy's classes, of those in it included, as far as they are not ours."""
    found: dict[str, str] = {}
    for each in _parts(strategy):
        for kind in type(each).__mro__:
            name = kind.__module__
            file = getattr(sys.modules.get(name), "__file__", None)
            if file and issubclass(kind, Strategy) and name.partition(".")[0] != _OURS:
                found[name] = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    return dict(sorted(found.items()))


def _parts(strategy: Strategy) -> list[Strategy]:
    """A strategy and those in it."""
    inner = [value for value in vars(strategy).values() if isinstance(value, Strategy)]
    return [strategy, *(part for one in inner for part in _parts(one))]


@cache
def _package() -> str:
    """The digest of every module of this package."""
    root = Path(__file__).parents[1]
    whole = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        whole.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()
