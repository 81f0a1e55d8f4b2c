"""The page of a run's failures, by kind, with what mends each."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agentdebate.debates.outcome import FAILURE
from agentdebate.store.debate_list import DebateFilter
from agentdebate.store.reader import RunHead
from agentdebate.viewer.runs_page import RunLine, resume_command, run_line
from agentdebate.viewer.shelf import Shelf

READ = 2_000
"""Failures that are read to count their kinds; of more, the first so many are."""
_EXAMPLES = 5

MENDS: Mapping[str, str] = {
    "AuthenticationError": "Set the key that the endpoint takes, in the variable that --api-key-env names.",
    "AccessDenied": "The key may not use this model: ask for access, or name another model.",
    "RequestRefused": "The endpoint refuses what is sent: read the reason, and leave out the option that it names.",
    "ContextTooLong": "The talk is longer than the model's context: take fewer rounds, a history rule, or a model with more room.",
    "UnknownModel": "The endpoint has no model of that name: look at how it is spelt, and at --base-url.",
    "AccountSpent": "The account is out of credit, or its quota of the day is spent: pay in, wait for the next day, or name another endpoint.",
    "ContentFiltered": "The provider filtered the reply: try once more, or judge this item by another model.",
    "ReplyTooLong": "The reply was cut at the token limit: raise --max-tokens.",
    "RateLimited": "The endpoint's limit was reached: take fewer debates at once (--concurrency), then try once more.",
    "ServerFailed": "The endpoint had an error of its own: try once more later.",
    "ModelTimeout": "The model took too long: raise --timeout, or take fewer debates at once, then try once more.",
    "ConnectionFailed": "The endpoint could not be reached: look at the network and --base-url, then try once more.",
    "MalformedReply": "What came back is not a reply of the protocol: look at --base-url.",
    "UnreadableReply": "The model gave no judgement that can be read, however often it was asked: read its replies in the debate; "
    "a model that holds replies to a schema, or a lower temperature, helps.",
    "TurnTimeout": "A turn took longer than it may: raise the limit of a turn.",
    "TooFewBallots": "Too many agents were lost: look at why each was, in the debate.",
    "MergeFailed": "The ballots could not be merged: read the reason, and choose another merge.",
    "EvaluatorFailed": "An evaluator gave no score: read the reason.",
    "BudgetSpent": "The budget is spent: raise it, and go on.",
}
"""What mends a failure of each kind, before the debates are held again."""


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
