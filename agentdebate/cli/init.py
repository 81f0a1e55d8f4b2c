"""agentdebate init: a project with the three content folders, one working example of each, a class of its own, and a test."""

import shlex
from pathlib import Path

from agentdebate.cli.console.output import out
from agentdebate.project.new_project import init_project
from agentdebate.visible import visible


def init(folder: Path = Path(), /) -> int:
    """Make a project with an agent, a task, strategies and a Python class of its own that run at once, and a test that passes.

    Example: agentdebate init my-judge

    Parameters
    ----------
    folder
        Where to make it; files that are there already are left alone.

    """
    for file in init_project(folder):
        out(f"{'made' if file.made else 'kept'}   {visible(str(file.path))}")
    go = f"  cd {shlex.quote(visible(str(folder)))}\n" if folder != Path() else ""
    out(f"\nRun it:\n\n{go}  agentdebate run headline-debate headlines.jsonl --task headline")
    out("  agentdebate run headline-panel headlines.jsonl --task headline --allow-code")
    out(
        "\nChange the files and run it again: what lies here goes before what is built in. pytest runs the test."
    )
    return 0
