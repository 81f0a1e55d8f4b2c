"""Strategy classes in a Python file of the project: `uses = "./courts.py:Courtroom"`.

The file is imported, which is to say run, only where the user allows that: see project/trust.py. It is imported anew when it has
changed, as a module of its own, and may import whatever is installed.
"""

import sys
import traceback
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import TypeGuard

from agentdebate.errors import AgentDebateError, ContentError, nearest
from agentdebate.project.project import Project, read_bytes
from agentdebate.strategies.base import Strategy

ENDING = ".py"
"""Ending of the name of a file with code."""


def names_code(uses: str) -> bool:
    """Tell whether a strategy file uses code of the project, and not a registered class."""
    return "/" in uses or "\\" in uses or uses.partition(":")[0].endswith(ENDING)


def class_in_file(uses: str, path: Path, project: Project) -> type[Strategy]:
    """The class that the strategy file at `path` names as `./FILE.py:CLASS`.

    FILE is looked for in the project's folder, and then beside the strategy file. Raises ContentError: where the user has not
    allowed code, and where there is no such file or class in the project or the file cannot be imported.
    """

    def wrong(problem: str) -> ContentError:
        return ContentError(problem, path=path, key="uses")

    file, colon, name = uses.rpartition(":")
    if not (colon and file.endswith(ENDING) and name.isidentifier()):
        raise wrong(f"code is named as ./FILE.py:CLASS, such as ./courts.py:Courtroom, and not {uses!r}")
    project.trust(path).check_code(f"the key 'uses' names code of this folder, {uses!r}")
    found = _found(file, path, project)
    if found is None:
        raise wrong(f"there is no file {file} in {path.parent.parent}, nor beside this one")
    content = vars(_module(found, read_bytes(found)))
    kind = content.get(name)
    if not _is_strategy(kind):
        hint = nearest(name, [key for key, value in content.items() if _is_strategy(value)])
        raise wrong(f"{found.name} has no class {name!r} made from agentdebate.strategies.Strategy. {hint}")
    if getattr(kind, "__abstractmethods__", None):
        raise wrong(f"the class {name!r} in {found.name} has no method debate(self, floor)")
    return kind


def _found(file: str, path: Path, project: Project) -> Path | None:
    """The file with the code; None where there is none. Raises UserError for one outside of the project."""
    trust = project.trust(path)
    for base in (path.parent.parent, path.parent):
        found = trust.path(file, base, "the key 'uses'")
        if found.is_file():
            return project.inside(found).resolve()
    return None


def _is_strategy(value: object) -> TypeGuard[type[Strategy]]:
    return isinstance(value, type) and issubclass(value, Strategy) and value is not Strategy


@lru_cache(maxsize=64)
def _module(file: Path, source: bytes) -> ModuleType:
    """The module of a file as it is now. Raises ContentError for whatever keeps it from being imported."""
    module = ModuleType(f"_agentdebate_{sha256(str(file).encode()).hexdigest()[:8]}_{file.stem}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module  # where pydantic and dataclasses look annotations up
    try:
        exec(compile(source, str(file), "exec"), vars(module))  # noqa: S102 - the user has allowed this file
    except BaseException as error:
        del sys.modules[module.__name__]
        if isinstance(error, AgentDebateError) or not isinstance(error, Exception | SystemExit):
            raise
        raise _unimportable(file, error) from error
    return module


def _unimportable(file: Path, error: Exception | SystemExit) -> ContentError:
    """Turn the error that a file's import raised into one with file and line."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    for frame in traceback.extract_tb(error.__traceback__):
        line = frame.lineno if frame.filename == str(file) else line
    told = error.msg if isinstance(error, SyntaxError) else str(error)
    return ContentError(f"it cannot be imported: {type(error).__name__}: {told}", path=file, line=line)
