"""`init_project`: a project with the three content folders, one working example of each, a class of its own, and a test."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from agentdebate.errors import UsageError
from agentdebate.project.project import examples_root


@dataclass(frozen=True)
class NewFile:
    """A file of a new project."""

    path: Path
    made: bool
    """True if it was made now; otherwise a file was there and was kept."""


def init_project(folder: str | Path = ".") -> list[NewFile]:
    """Make a project with an agent, a task, strategies and a Python class of its own that run at once, and a test that passes.

    Files that are there already are left alone. Raises UsageError where all are, and where one cannot be written.
    """
    target, template = Path(folder), examples_root() / "project"
    files = sorted(path for path in template.rglob("*") if path.is_file() and path.suffix != ".pyc")
    found = [(path, target / path.relative_to(template)) for path in files]
    if all(path.exists() for _, path in found):
        raise UsageError(f"{target.resolve()} holds a project already; name another folder")
    return [NewFile(path, made=_made(origin, path)) for origin, path in found]


def _made(origin: Path, path: Path) -> bool:
    if path.exists():
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(origin, path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
    return True
