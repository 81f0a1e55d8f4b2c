"""The page of a run's failures, by kind, with what mends each."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agentdebate.debates.outcome import FAILURE
from agentdebate.store.debate_list import DebateFilter
from agentdebate.store.run_head import RunHead
from agentdebate.viewer.runs_page import RunLine, resume_command, run_line
from agentdebate.viewer.shelf import Shelf

READ = 2_000
"""Failures that are read to count their kinds; of more, the first so many are."""
_EXAMPLES = 5

MENDS: Mapping[str, str] = {
    "AuthenticationError": "Set the key that the endpoint takes, in the variable that --api-key-env names.",
    "ContextTooLong": "Take fewer rounds, a history rule, or a model with more room.",
    "UnknownModel": "Look at how the model's name is spelt, and at --base-url.",
    "AccountSpent": "Pay in, wait for the next day, or name another endpoint.",
    "ReplyTooLong": "Raise --max-tokens.",
    "RateLimited": "Take fewer debates at once (--concurrency), then try once more.",
    "ModelTimeout": "Raise --timeout, or take fewer debates at once, then try once more.",
    "ConnectionFailed": "Look at the network and --base-url, then try once more.",
    "ContentFiltered": "Try once more, or judge this item by another model.",
    "UnreadableReply": "Read the replies in the debate; a model that holds them to a schema, or a lower temperature, helps.",
}
"""Remedy for a failure of each kind, before the debates are held again."""


@dataclass(frozen=True)
class FailureKind:
    """Failures with the same error."""

    error: str
    count: int
    mend: str
    reasons: tuple[tuple[str, int], ...]
    """The reasons with how often each came, the most frequent first."""
    examples: tuple[Mapping[str, Any], ...]
    """The rows of the first ones."""


@dataclass(frozen=True)
class FailuresPage:
    """The failures of a run."""

    run: RunLine
    kinds: tuple[FailureKind, ...]
    total: int
    read: int
    retry: str
    """The command that holds the failed debates again."""


def failures_page(shelf: Shelf, head: RunHead) -> FailuresPage:
    """The failures of a run, by kind, the most frequent first."""
    failed = DebateFilter(outcome=FAILURE.name)
    rows = shelf.debates(head.id).part(failed, most=READ)
    by_kind: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_kind.setdefault((row["failure"] or {}).get("error", "unknown"), []).append(row)
    kinds = sorted((_kind(error, some) for error, some in by_kind.items()), key=lambda kind: -kind.count)
    return FailuresPage(
        run=run_line(shelf, head),
        kinds=tuple(kinds),
        total=head.failures,
        read=len(rows),
        retry=resume_command(shelf, head, "--retry-failed"),
    )


def _kind(error: str, rows: list[Mapping[str, Any]]) -> FailureKind:
    reasons = Counter(str((row["failure"] or {}).get("reason", "")) for row in rows)
    mend = MENDS.get(error, "Read the reason; where it is nothing of yours, try once more.")
    return FailureKind(error, len(rows), mend, tuple(reasons.most_common(3)), tuple(rows[:_EXAMPLES]))
