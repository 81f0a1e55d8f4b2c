"""What readers of stores meet, on the command line: each damaged record is a line on standard error, and the command's exit code says so too."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from agentdebate.cli.console.output import one_line, say
from agentdebate.store.place import DAMAGED, MIGRATED


class DamageLines(logging.Handler):
    """Shows what is logged of damaged records, and of stores that older versions cannot read from now on.

    `met` says whether there was damage.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.met = False

    def emit(self, record: logging.LogRecord) -> None:
        """Show a record that is about either."""
        kind = getattr(record, "kind", None)
        self.met = self.met or kind == DAMAGED
        if kind in (DAMAGED, MIGRATED):
            say(f"agentdebate: {one_line(record.getMessage())}")


@contextmanager
def damage_shown() -> Iterator[DamageLines]:
    """Show damage while the context lasts."""
    lines, stores = DamageLines(), logging.getLogger("agentdebate.store")
    stores.addHandler(lines)
    try:
        yield lines
    finally:
        stores.removeHandler(lines)
