"""How far a run has come, on the terminal of a command."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from agentdebate.cli.console.output import console, one_line, say
from agentdebate.cli.options.names import in_options
from agentdebate.runs.progress import Progress
from agentdebate.runs.progress_line import Line
from agentdebate.runs.progress_line import showing as showing_on


def showing(progress: Progress) -> AbstractContextManager[Line]:
    """Show a run's progress on standard error while the context lasts."""
    return showing_on(progress, console(stderr=True))


class FailureKinds:
    """Says the first failure of each kind when it comes."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def __repr__(self) -> str:
        return f"<FailureKinds {self._told}>"

    def tell(self, debate: str, row: Mapping[str, Any]) -> None:
        """Take in a row of a debate, which may not be of a failure."""
        failure = row["failure"]
        if failure and failure["error"] not in self._told:
            self._told.add(failure["error"])
            reason = in_options(failure["reason"])
            say(one_line(f"first failure of its kind: {debate}: {failure['error']}: {reason}"))
