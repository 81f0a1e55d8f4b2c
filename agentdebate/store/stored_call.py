"""The model calls of a stored run, with the whole prompt that was sent."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from agentdebate.models.base import ChatMessage
from agentdebate.store.reader import Reader, StoredCall
from agentdebate.tables.column import Column
from agentdebate.talk.messages import Brief

PAGE = 200
"""Calls whose briefs are read at once."""

COLUMNS = (
    *(Column("debate"), Column("item"), Column("number", "integer"), Column("agent")),
    *(Column(name, "integer") for name in ("round", "ask", "attempt", "sample")),
    *(Column("model"), Column("served"), Column("sent", "messages"), Column("reply"), Column("finish")),
    *(Column("schema", "boolean"), Column("cached", "boolean")),
    *(Column(name, "integer") for name in ("prompt_tokens", "cached_tokens", "cache_write_tokens")),
    *(Column(name, "integer") for name in ("completion_tokens", "reasoning_tokens")),
    Column("seconds", "number"),
)


@dataclass(frozen=True, kw_only=True)
class RunCall(StoredCall):
    """A model call of a stored run: who made it in which debate, what was sent, word for word, and what came back."""

    debate: str
    model: str
    """The model, by the name that ballots have; `completion.model` is what the endpoint calls it."""
    brief: str
    """What every call of the sitting begins with; it was sent as the system message, in front of `prompt`."""

    def __repr__(self) -> str:
        return f"<RunCall {self.number} of {self.debate[:80]!r}: {self.agent[:40]}, round {self.round}>"

    @property
    def sent(self) -> tuple[ChatMessage, ...]:
        """All that was sent: the brief and what comes after it."""
        first = [ChatMessage("system", self.brief)] if self.brief else []
        return (*first, *(ChatMessage(**one) for one in self.prompt))  # type: ignore[arg-type]  # as they were stored

    def row(self) -> dict[str, Any]:
        """The call as one flat row."""
        completion = self.completion
        return {
            **vars(self),
            "item": self.debate.rpartition("/")[0],
            "served": completion.model,
            "sent": [{"role": one.role, "content": one.content} for one in self.sent],
            "reply": completion.text,
            "finish": completion.finish,
            "cached": completion.cached,
            **completion.usage.model_dump(exclude={"calls"}),
            "seconds": completion.latency,
        }


def calls_of(reader: Reader, run: str, calls: Iterable[tuple[str, StoredCall]]) -> Iterator[RunCall]:
    """Calls of a run, each with the id of its debate, with the briefs that they begin with."""
    rest, names = iter(calls), reader.spoken_models(run)
    while some := list(islice(rest, PAGE)):
        briefs = reader.briefs(run, sorted({debate for debate, _ in some}))
        for debate, call in some:
            brief = _brief(call.agent, briefs.get(debate, ()))
            model = names.get(call.agent.partition("#")[0]) or call.completion.model
            yield RunCall(**vars(call), debate=debate, model=model, brief=brief)


def _brief(agent: str, briefs: Sequence[Brief]) -> str:
    """What the agent's sitting was shown first. An agent that sat down later has the brief of the others."""
    sitting = agent.partition("#")[2]
    own = [one.text for one in briefs if any(name.partition("#")[2] == sitting for name in one.to)]
    return own[-1] if own else next((one.text for one in briefs), "")
