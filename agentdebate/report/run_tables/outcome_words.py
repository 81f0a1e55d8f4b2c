"""How many debates ended in which way, in words and as columns."""

from collections.abc import Iterable, Mapping
from typing import Any

from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.meta.prose import number_of


def ended_words(ended: OutcomeCounts, *, beside_verdicts: str = "") -> str:
    """The counts in words: "3 verdicts, 1 failure". What is said `beside_verdicts` stands behind their number."""
    verdicts, *others = (number_of(count, noun) for count, noun in ended.nouns)
    return ", ".join([f"{verdicts}{beside_verdicts}", *others])


def ended_columns(outcomes: Mapping[str, int], everywhere: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The counts of one run as columns: verdicts, failures, and whatever occurred in any of the runs `everywhere`."""
    met = {name for one in everywhere for name, count in one.items() if count}
    counts = {noun: count for count, noun in OutcomeCounts(outcomes).nouns}
    nouns = [noun for _, noun in OutcomeCounts(dict.fromkeys(sorted(met), 1)).nouns]
    return {f"{noun}s": counts.get(noun, 0) for noun in nouns}


def usage_line(row: Mapping[str, Any]) -> str:
    """Calls and tokens in words."""
    return (
        f"{number_of(row['calls'], 'call')}, {row['prompt_tokens']} prompt and "
        f"{row['completion_tokens']} completion tokens"
    )
