"""Looks at the list of runs, which grows with every run that another process begins."""

from agentdebate.viewer.live import Seen
from agentdebate.viewer.runs_page import runs_page
from agentdebate.viewer.shelf import Shelf


class RunsWatch:
    """Looks at one page of the list of runs. It is never over: another run may begin."""

    def __init__(self, shelf: Shelf, page: int = 1) -> None:
        self._shelf, self._page = shelf, page

    def __repr__(self) -> str:
        return f"<RunsWatch of page {self._page}>"

    def look(self) -> Seen:
        """What there is now. Raises StoreError."""
        return Seen(runs_page(self._shelf, self._page, sums=False).mark, over=False)
