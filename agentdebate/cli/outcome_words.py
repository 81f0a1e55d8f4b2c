"""How many debates ended in which way, in words and as columns."""

from collections.abc import Iterable, Mapping

from agentdebate.cli.console import number
from agentdebate.debates.outcome import OutcomeCounts


def ended_words(ended: OutcomeCounts, *, beside_verdicts: str = "") -> str:
    """The counts in words: "3 verdicts, 1 failure". What is said `beside_verdicts` stands behind their number."""
    verdicts, *others = (number(count, noun) for count, noun in ended.nouns)
    return ", ".join([f"{verdicts}{beside_verdicts}", *others])


def ended_columns(outcomes: Mapping[str, int], everywhere: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The counts of one run as columns: verdicts, failures, and whatever occurred in any of the runs `everywhere`."""
    met = {name for one in everywhere for name, count in one.items() if count}
    counts = {noun: count for count, noun in OutcomeCounts(outcomes).nouns}
    nouns = [noun for _, noun in OutcomeCounts(dict.fromkeys(sorted(met), 1)).nouns]
    return {f"{noun}s": counts.get(noun, 0) for noun in nouns}
