"""Record of a debate: its verdict or failure, its transcript, its calls."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from agentdebate.debates.outcome import ABSTAINED, CURTAILED, FAILURE, VERDICT, Outcome
from agentdebate.errors import DebateError
from agentdebate.models.base import Call
from agentdebate.project.model_spec import families_of
from agentdebate.tables.drawing import html_of
from agentdebate.talk.messages import Brief, Evidence, Failure, Message, Verdict, of_kind
from agentdebate.tasks import Item
from agentdebate.usage import Usage, total
from agentdebate.visible import shortened

_LONGEST = 70
"""Characters of an id, and of what a record says, in its `repr`."""
OFFLINE = "offline"
OFFLINE_NOTE = "The offline judge computes text features; it is a baseline, not a language model."


def offline_note(models: Iterable[str]) -> str | None:
    """Return the note that goes beside verdicts of the offline judge; None where it is not among these models."""
    return OFFLINE_NOTE if any(name == OFFLINE for name in models) else None


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """One debate that has ended: with a verdict, or with a failure; `outcome` says in which way.

    `id` names the debate within a run, `seconds` is how long it took.
    """

    id: str
    item: Item
    task: str
    aspects: tuple[str, ...]
    strategy: str
    verdict: Verdict | None
    failure: Failure | None
    transcript: tuple[Message, ...]
    """Messages of the debate, as a `Transcript`."""
    calls: tuple[Call, ...] = field(repr=False, default=())
    error: Exception | None = field(repr=False, compare=False, default=None)
    """Error that ended a debate that failed. It is not stored; `failure` is."""
    seconds: float = 0.0

    def __repr__(self) -> str:
        said = f"{self.failure.error}: {self.failure.reason}" if self.failure else str(dict(self.scores))
        return f"<Record {shortened(self.id, _LONGEST)}: {self.outcome.name}, {shortened(said, _LONGEST)}>"

    def _repr_html_(self) -> str:
        return html_of(self)

    @property
    def outcome(self) -> Outcome:
        """Outcome of the debate."""
        if self.verdict is None:
            return FAILURE
        if self.verdict.abstained:
            return ABSTAINED
        return CURTAILED if self.verdict.curtailed else VERDICT

    @property
    def usage(self) -> Usage:
        """Usage of all calls together, those of a failed debate included; what came out of a cache cost nothing."""
        return total([call.completion.usage for call in self.calls if not call.completion.cached])

    @property
    def saved(self) -> Usage:
        """Usage of the completions that came out of a cache, as they were paid for."""
        return total([call.completion.usage for call in self.calls if call.completion.cached])

    @property
    def scores(self) -> Mapping[str, float]:
        """The verdict's scores; none where the debate failed or abstained."""
        return self.verdict.scores if self.verdict else {}

    @property
    def candidates(self) -> tuple[str, ...]:
        """Fields of the texts that were compared, in the task's order."""
        return next((said.candidates for said in self.transcript if isinstance(said, Brief)), ())

    def result(self) -> Verdict:
        """The verdict. Raises the error that ended a debate without one: a DebateError or a ModelError."""
        if self.verdict is None:
            raise self.error or DebateError(f"it has no verdict: {self!r}")
        return self.verdict

    def row(self) -> dict[str, Any]:
        """The record as one flat row for tables and JSONL.

        `families` are the makers of the models that spoke. `confidences` has that of each agent's latest ballot; one that is not known is not in it.
        Where texts were compared, `winner` is the field of the best one, or None where `winners`, all that are equally
        good, has several (a tie) or none (a failure, or an abstention). `prompt_cached` and `prompt_cache_writes` are tokens of the
        prompts that endpoints read from and wrote into their caches; `unsent` is what was asked of models that do not take it.
        """
        verdict, failure, usage = self.verdict, self.failure, self.usage
        return {
            "id": self.item.id,
            "group": self.item.group,
            "system": self.item.system,
            "task": self.task,
            "strategy": self.strategy,
            "aspects": list(self.aspects),
            "outcome": self.outcome.name,
            "scores": dict(self.scores),
            "candidates": list(self.candidates),
            "winner": verdict.winner if verdict else None,
            "winners": list(verdict.winners) if verdict else [],
            **{name: getattr(verdict, name, None) for name in ("agreed", "settled", "ended")},
            "curtailed": verdict.curtailed if verdict else "",
            "abstained": verdict.abstained if verdict else "",
            **{name: getattr(verdict, name, None) for name in ("rounds", "missing")},
            "lost": [asdict(lost) for lost in verdict.lost] if verdict else [],
            "models": list(verdict.models) if verdict else [],
            "families": list(families_of(verdict.models)) if verdict else [],
            "confidences": _confidences(verdict) if verdict else [],
            "human": {k: v for k, v in self.item.human.items() if k.partition(".")[0] in self.aspects},
            "failure": {"error": failure.error, "agent": failure.agent, "reason": failure.reason}
            if failure
            else None,
            "calls": usage.calls,
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "prompt_cached": usage.cached_tokens,
            "prompt_cache_writes": usage.cache_write_tokens,
            "unsent": list(verdict.unsent) if verdict else [],
            "cached_calls": self.saved.calls,
            "seconds": round(self.seconds, 6),
            "stages": stages(self.transcript, self.calls),
        }


def _confidences(verdict: Verdict) -> list[dict[str, Any]]:
    """List the confidence of everyone in their latest ballot, as far as it is known."""
    latest = {cast.agent: cast.ballot.confidence for cast in verdict.ballots}
    return [{"agent": agent, **asdict(sure)} for agent, sure in latest.items() if sure is not None]


def stages(transcript: Sequence[Message], calls: Sequence[Call]) -> dict[str, dict[str, float]]:
    """The stages of a debate with evaluators by name, in order: the evaluators, and every agent (Fusion-Eval, Section 3.3.2). Each has its
    seconds, its model calls and their tokens.

    None for a debate without evaluators. An evaluator's time is how long it computed, an agent's how long its model took to answer.
    Neither includes waiting for a turn.
    """
    evidence = of_kind(transcript, Evidence)
    if not evidence:
        return {}
    found = {"evaluators": {"seconds": sum(one.seconds for one in evidence), "calls": 0, "tokens": 0}}
    for call in calls:
        took = found.setdefault(call.agent.partition("#")[0], dict.fromkeys(found["evaluators"], 0))
        took["seconds"] += call.completion.latency
        took["calls"] += call.completion.usage.calls
        took["tokens"] += call.completion.usage.tokens
    return found
