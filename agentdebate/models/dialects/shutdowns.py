"""Models that end: dates in shutdowns.toml, and the line that a run is told of one."""

import datetime as dt
import tomllib
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

_SOON = dt.timedelta(days=60)


class _Shutdown(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    match: tuple[str, ...]
    ends: dt.date
    successor: str = ""


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    models: tuple[_Shutdown, ...]


@cache
def shutdowns() -> tuple[_Shutdown, ...]:
    """The entries of shutdowns.toml."""
    text = files("agentdebate.models.dialects").joinpath("shutdowns.toml").read_text(encoding="utf-8")
    return _File.model_validate(tomllib.loads(text)).models


def ending(model: str, today: dt.date) -> str:
    """A line on a model ("openai/gpt-4o") that has ended at its provider, or does so within 60 days; empty for any other.

    One at an address of its own ("... at HOST:PORT") is none of the provider's.
    """
    found = next((one for one in shutdowns() if any(fnmatchcase(model, match) for match in one.match)), None)
    if found is None or found.ends > today + _SOON:
        return ""
    verb = "ended" if found.ends <= today else "ends"
    successor = f"; its provider names {found.successor} in its place" if found.successor else ""
    return f"{model} {verb} on {found.ends}{successor}"
