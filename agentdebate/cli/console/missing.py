"""What a command says at once where judgements are missing."""

from collections.abc import Sequence

from agentdebate.cli.console.output import one_line, say
from agentdebate.meta.coverage import Coverage
from agentdebate.report.coverage import coverage_sentences


def warn_of_missing(coverages: Sequence[Coverage]) -> None:
    """A line on standard error for each judge and aspect of which much is missing, or all."""
    for line in coverage_sentences(coverages):
        say(one_line(f"warning: {line}"))
