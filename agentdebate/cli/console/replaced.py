"""Word of the files that stand in the place of built-in ones, before a debate is held by them."""

from agentdebate.cli.console.output import one_line, say
from agentdebate.runs.agenda import DebateSetup
from agentdebate.store.reader import replaced_told


def say_replaced(prepared: DebateSetup) -> None:
    """Say which files of the project stand in the place of built-in ones, where some do."""
    if told := replaced_told(prepared.replaced):
        say(one_line(told))
