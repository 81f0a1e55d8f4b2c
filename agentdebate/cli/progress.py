"""How far a run has come, on the terminal of a command."""

from contextlib import AbstractContextManager

from agentdebate.cli.console import console
from agentdebate.runs.progress import Progress
from agentdebate.runs.progress_line import Line
from agentdebate.runs.progress_line import showing as showing_on


def showing(progress: Progress) -> AbstractContextManager[Line]:
    """Show a run's progress on standard error while the context lasts."""
    return showing_on(progress, console(stderr=True))
