"""Damaged records of a store on the command line: each is a line on standard error, and the command's exit code says so too."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from agentdebate.cli.console.output import one_line, say
from agentdebate.store.damage import KIND


class DamageLines(logging.Handler):
    """Shows what readers of stores log of damaged records; `met` says whether there were any."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.met = False

    def emit(self, record: logging.LogRecord) -> None:
        """Show a record that is about damage."""
        if getattr(record, "kind", None) == KIND:
            self.met = True
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
