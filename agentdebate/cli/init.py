"""agentdebate init: a project with the three content folders, one working example of each, a class of its own, and a test."""

import shlex
import shutil
from pathlib import Path

from agentdebate.cli.console import out
from agentdebate.errors import UsageError
from agentdebate.project.project import examples_root
from agentdebate.visible import visible


def init(folder: Path = Path(), /) -> int:
    """Make a project with an agent, a task, strategies and a Python class of its own that run at once, and a test that passes.

    Parameters
    ----------
    folder
        Where to make it; files that are there already are left alone.

    """
    template = examples_root() / "project"
    files = sorted(path for path in template.rglob("*") if path.is_file() and path.suffix != ".pyc")
    taken = [path for path in files if (folder / path.relative_to(template)).exists()]
    if len(taken) == len(files):
        raise UsageError(f"{folder.resolve()} holds a project already; name another folder")
    for path in files:
        target = folder / path.relative_to(template)
        if path in taken:
            out(f"kept   {visible(str(target))}")
            continue
        _copy(path, target)
        out(f"made   {visible(str(target))}")
    out("\nRun it:\n")
    if folder != Path():
        out(f"  cd {shlex.quote(visible(str(folder)))}")
    out("  agentdebate run headline-debate headlines.jsonl --task headline")
    out("  agentdebate list\n")
    out(
        "headline_panel.py is a way of talking in Python: agentdebate run headline-panel headlines.jsonl --task headline "
        "--allow-code. pytest runs its test, test_headline_panel.py."
    )
    out("Change the files and run it again: what lies here goes before what is built in.")
    return 0


def _copy(source: Path, target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror}") from error
