"""A file in strategies/: what it says, and the registered class that it uses."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from agentdebate import plugins
from agentdebate.errors import ContentError
from agentdebate.models.base import Sampling
from agentdebate.models.own_model import ModelText
from agentdebate.project.project import Project, check_name, read_as, read_toml
from agentdebate.strategies.base import Cards, Strategy
from agentdebate.strategies.code_file import class_in_file, names_code

GROUP = "agentdebate.strategies"
"""The entry-point group under which strategy classes are registered, ours included."""


class StrategyFile(BaseModel):
    """A file in strategies/."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    about: str
    uses: str
    """The registered class, or `./FILE.py:CLASS` for one in a Python file of the project."""
    source: str = ""
    """The paper and section that it follows."""
    reports: str = ""
    """The headline figure of the paper, with what it was measured on."""
    differs: str = ""
    """Differences from the paper."""
    options: Mapping[str, Any] = {}
    cast: Mapping[str, Cards] = {}
    sampling: Sampling = Sampling()
    models: Mapping[str, ModelText] = {}
    """Models of their own for some agents, by card, by role, or by address where several have one card: `judge-2`."""


def read_file(path: Path) -> StrategyFile:
    """Read and check one file. Raises ContentError."""
    file = read_as(StrategyFile, read_toml(path), path, beside=Sampling.model_fields)
    check_name(file.name, path)
    return file


def strategy_class(name: str, path: Path, project: Project) -> type[Strategy]:
    """The class registered under a name, or in a file of the project, which the file at `path` uses. Raises ContentError."""
    if names_code(name):
        return class_in_file(name, path, project)
    wrong = partial(ContentError, path=path, key="uses")
    point = plugins.find(GROUP, name, f"no strategy class is registered as {name!r}", wrong)
    found = plugins.load(point, wrong)
    if not (isinstance(found, type) and issubclass(found, Strategy)):
        raise wrong(f"{point.value} is registered as {name!r} and is no Strategy")
    return found
