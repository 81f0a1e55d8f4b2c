"""How replies were read, in words: by the form, by JSON, by a pattern, after a question back, or not at all."""

from collections import Counter
from collections.abc import Iterable, Mapping

from agentdebate.meta.replies import Account


def ways_of(accounts: Iterable[Account]) -> Counter[str]:
    """How many replies of several accounts were read in which way."""
    found = Counter[str]()
    for account in accounts:
        found.update(account.ways)
    return found


def read_by(ways: Mapping[str, int]) -> str:
    """Say how many were read in which way: "2,130 were read by the form, 0 by JSON, 2,957 by a pattern"."""
    said = [f"{count:,} by {way}" for way, count in ways.items()]
    return ", ".join(said).replace(" by", " were read by", 1)
