"""The embedded model: a deterministic judge that measures a text and argues from what it finds."""

import time
from collections.abc import Callable, Mapping
from functools import lru_cache

from agentdebate.errors import RequestRefused, UsageError
from agentdebate.models.base import Completion, Context, ModelRequest, Sampling
from agentdebate.offline import ballots, evaluators, roles, turns
from agentdebate.offline.case import Case
from agentdebate.offline.reading import Fields, Reading
from agentdebate.usage import Usage

_KEPT = 256
"""Readings that an instance keeps for the next turns of their debates."""

_BY_PURPOSE: Mapping[str, Callable[[Case], str]] = {
    "revise": ballots.revise,
    "rule": ballots.rule,
    "open": turns.open_debate,
    "plead": turns.plead,
    "forward": turns.forward,
    "fuse": evaluators.fuse,
}
"""The purposes that say more than the kind of reply does."""
_BY_REPLY: Mapping[str, Callable[[Case], str]] = {
    **dict.fromkeys(("score", "ranking", "approval", "points"), ballots.vote),
    **dict.fromkeys(("filled", "filled-samples", "expected"), ballots.fill),
    **dict.fromkeys(("critique", "critique-literal"), turns.criticise),
    "ruling": ballots.rule,
    "summary": turns.summarise,
    "roster": roles.recruit,
    "poll": roles.play,
    "plan": evaluators.plan,
    "steps": evaluators.steps,
    "samples": evaluators.fuse,
}
"""The kinds of reply; any other is talk."""


class OfflineJudge:
    """A judge without a language model, a network or a key. It is a baseline, and no more than that.

    It measures what the surface of a text shows: how much of its source it covers, which words and names the source does not have,
    repetition, order, length. It scores from some of these features, criticises from others, and quotes the text for each.
    Of several texts each is measured by itself, so that their order is nothing to it. It understands nothing, and answers
    from a request's context alone, the same request always with the same text, in text and without a token spent.
    """

    def __init__(self) -> None:
        self._read = lru_cache(_KEPT)(Reading)

    def __repr__(self) -> str:
        return f"<OfflineJudge with {self._read.cache_info().currsize} readings>"

    @property
    def name(self) -> str:
        """Name in verdicts."""
        return "offline"

    @property
    def structured(self) -> bool:
        """It answers in text with a form's lines at the end, never in a schema."""
        return False

    def refuses(self, sampling: Sampling) -> tuple[str, ...]:
        """Log-probabilities: it draws no tokens."""
        return () if sampling.logprobs is None else ("logprobs",)

    def leaves_out(self, sampling: Sampling) -> tuple[str, ...]:  # noqa: ARG002 - as `Abilities` has it
        """Return no parameter: what is drawn by chance elsewhere is always the same here."""
        return ()

    def warn_of(self, sampling: Sampling) -> None:
        """Warn of nothing, since nothing is left out."""

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer from the request's context. Raises RequestRefused where it has none, or wants what a program of features cannot give."""
        if request.sampling.logprobs is not None:
            raise RequestRefused(
                'gives no log-probabilities: it draws no tokens. Take weights = "votes" for a poll, mode = "sampled"'
                " for a form, or a model that gives them",
                model=self.name,
            ).about("logprobs")
        context = request.context
        if context is None:
            raise RequestRefused(
                "this model reads no prompts; it answers requests that carry a context (task, item, aspects, purpose)."
                " Let an agent of a debate ask it, or choose another model",
                model=self.name,
            )
        if context.reply == "spans":
            raise RequestRefused(
                'marks no errors: it reads no text as a person does. Take ballot = "ratings", or a language model',
                model=self.name,
            )
        started = time.perf_counter()
        text = self._answer(context)
        # Every further sample would be the same: there is no chance in it.
        others = (text,) * (request.sampling.n - 1)
        seconds = time.perf_counter() - started
        return Completion(text=text, model=self.name, usage=Usage(calls=1), others=others, latency=seconds)

    async def aclose(self) -> None:
        """Close nothing: nothing is held open."""

    def _answer(self, context: Context) -> str:
        reply = _BY_PURPOSE.get(context.purpose) or _BY_REPLY.get(context.reply, turns.speak)
        return reply(Case.of(context, lambda field: self._read(Fields.of(context.task, context.item, field))))


def open_offline(name: str, **options: object) -> OfflineJudge:
    """offline: the embedded judge of text features, without network and key; a baseline and no language model. Raises UsageError for options."""
    if options:
        raise UsageError(f"the offline model takes no options, not {', '.join(sorted(options))}")
    if name not in ("", "offline"):
        raise UsageError(f"there is one offline model, called 'offline', and none called {name!r}")
    return OfflineJudge()
