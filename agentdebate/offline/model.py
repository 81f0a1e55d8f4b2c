"""The embedded model: a deterministic judge that measures real features of the text and argues from them."""

import time
from collections.abc import Callable, Mapping

from agentdebate.errors import RequestRefused, UsageError
from agentdebate.models.base import Completion, Context, ModelRequest, Sampling
from agentdebate.offline import (
    critique,
    form_filling,
    fusing,
    minutes,
    opening,
    planning,
    playing,
    recruiting,
    relay,
    revision,
    ruling,
    speaking,
    steps,
)
from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.parts import Parts
from agentdebate.offline.reading import Reading
from agentdebate.offline.shelf import Shelf
from agentdebate.offline.source import Source
from agentdebate.usage import Usage

_KEPT = 2_000_000
"""Characters of text whose analysis an instance keeps, for sources and for texts under judgement each."""
_ENTRY = 200
"""What an entry weighs besides its characters."""

_BY_PURPOSE: Mapping[str, Callable[[CaseFile], str]] = {
    "score": opening.vote,
    "vote": opening.vote,
    "criticise": critique.criticise,
    "revise": revision.revise,
    "rule": ruling.rule,
    "open": relay.open_debate,
    "forward": relay.forward,
    "speak": speaking.speak,
    "summarise": minutes.summarise,
    "recruit": recruiting.recruit,
    "play": playing.play,
    "fuse": fusing.fuse,
    "steps": steps.steps,
}
_BY_REPLY: Mapping[str, Callable[[CaseFile], str]] = {
    "score": opening.vote,
    "ranking": opening.vote,
    "approval": opening.vote,
    "points": opening.vote,
    "ruling": ruling.rule,
    "critique": critique.criticise,
    "summary": minutes.summarise,
    "roster": recruiting.recruit,
    "poll": playing.play,
    "plan": planning.plan,
    "samples": fusing.fuse,
    "filled": form_filling.fill_form,
    "filled-samples": form_filling.fill_form,
    "expected": form_filling.fill_form,
}


class OfflineJudge:
    """A judge without a language model, a network or a key. It is a baseline, and no more than that.

    It measures what the surface of a text shows (coverage of its source, words the source does not have, repetition,
    order, punctuation, length, how a reply takes up the last turn, how an answer takes up the question), scores from
    some of these features, criticises from others, and quotes the text for each. Of several texts each is measured by
    itself, so that their order is nothing to it. It understands nothing, and words in other languages than English it only
    counts. It answers from a request's context alone, the same request always with the same text, and spends no tokens.
    """

    def __init__(self) -> None:
        self._sources: Shelf[Source] = Shelf(_KEPT)
        self._readings: Shelf[Reading] = Shelf(_KEPT)

    def __repr__(self) -> str:
        return f"<OfflineJudge readings={self._readings} sources={self._sources}>"

    @property
    def name(self) -> str:
        """What verdicts call it."""
        return "offline"

    @property
    def structured(self) -> bool:
        """It answers in free text with closing lines, never in a schema."""
        return False

    never_casts = frozenset({"spans"})
    """Kinds of ballots for which a text has to be read as a person reads it."""

    def refuses(self, sampling: Sampling) -> tuple[str, ...]:
        """Log-probabilities: it draws no tokens."""
        return () if sampling.logprobs is None else ("logprobs",)

    def leaves_out(self, sampling: Sampling) -> tuple[str, ...]:  # noqa: ARG002 - as `Abilities` has it
        """Nothing: what is drawn by chance elsewhere is always the same here."""
        return ()

    def warn_of(self, sampling: Sampling) -> None:
        """Nothing, since nothing is left out."""

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer from the request's context. Raises RequestRefused where it has none, or asks for log-probabilities."""
        if request.sampling.logprobs is not None:
            raise RequestRefused(
                'gives no log-probabilities: it draws no tokens. Take weights = "votes" for a poll, mode = "sampled"'
                " for a form, or a model that gives them",
                model=self.name,
            ).about("logprobs")
        context = request.context
        if context is not None and context.reply == "spans":
            raise RequestRefused(
                'marks no errors: it reads no text as a person does. Take ballot = "ratings", or a language model',
                model=self.name,
            )
        if context is None:
            raise RequestRefused(
                "this model reads no prompts; it answers requests that carry a context (task, item, aspects, purpose)."
                " Let an agent of a debate ask it, or choose another model",
                model=self.name,
            )
        started = time.perf_counter()
        text = self._turn(context)(CaseFile.open(context, lambda field: self._reading(context, field)))
        seconds = time.perf_counter() - started
        # Every further sample would be the same: there is no chance in it.
        others = (text,) * (request.sampling.n - 1)
        return Completion(text=text, model=self.name, usage=Usage(calls=1), others=others, latency=seconds)

    async def aclose(self) -> None:
        """Nothing is held open."""

    def _turn(self, context: Context) -> Callable[[CaseFile], str]:
        known = _BY_PURPOSE.get(context.purpose)
        return known or _BY_REPLY.get(context.reply, speaking.speak)

    def _reading(self, context: Context, field: str) -> Reading:
        parts = Parts.of(context.task, context.item, field)
        return self._readings.get(parts, _ENTRY + len(parts.judged), lambda: self._read(parts))

    def _read(self, parts: Parts) -> Reading:
        return Reading(
            parts, self._source(parts.source), self._source(parts.conversation), self._source(parts.question)
        )

    def _source(self, raw: str) -> Source | None:
        if not raw.strip():
            return None
        source = self._sources.get(raw, _ENTRY + len(raw), lambda: Source.read(raw))
        return source if source.text.words else None


def open_offline(name: str, **options: object) -> OfflineJudge:
    """Make the embedded model for the registry. It takes no options: raises UsageError for any, and for a name."""
    if options:
        raise UsageError(f"the offline model takes no options, not {', '.join(sorted(options))}")
    if name not in ("", "offline"):
        raise UsageError(f"there is one offline model, called 'offline', and none called {name!r}")
    return OfflineJudge()
