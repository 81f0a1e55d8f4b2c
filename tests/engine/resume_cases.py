"""What the tests of resuming share: a model that counts what it is paid for, and what is on disk at any moment."""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from engine_cases import ITEM, NO_ISSUE, OBJECTION, PAIR, TASKS, UNREADABLE

import agentdebate as ad
from agentdebate.codec import plain
from agentdebate.models.base import Completion, Context, ModelRequest
from agentdebate.models.wrapper import StandIn
from agentdebate.store.reader import read_store
from agentdebate.store.run_tables import RunCall
from agentdebate.strategies.base import Strategy
from agentdebate.talk.envelope import message_data
from agentdebate.talk.messages import Message

STORE = "runs.db"

Asked = tuple[str, str, str]
"""One call: the item, the agent, and the digest of what it was asked."""


class Hashed(StandIn):
    """Says what the digest of the request makes it say, so that a word that differs in a prompt shows in every later reply.

    Some replies cannot be read, so that agents are asked again. It gives two samples at once at most. `paid` counts
    its answers; `watch` is called before each of them, with what is asked and not answered yet.
    """

    def __init__(
        self,
        watch: Callable[["Hashed"], None] | None = None,
        *,
        name: str = "hashed",
        unreadable: int = 5,
        turns: int = 0,
    ) -> None:
        super().__init__(name, structured=False)
        self.paid, self.flying = Counter[Asked](), Counter[Asked]()
        self.most = 0
        self._watch, self._unreadable, self._turns = watch, unreadable, turns

    async def complete(self, request: ModelRequest) -> Completion:
        assert request.context is not None
        digest = int(hashlib.sha256(f"{self.name}, {request.key()}".encode()).hexdigest(), 16)
        asked = (request.context.item.id, request.context.agent, request.key())
        self.flying[asked] += 1
        self.most = max(self.most, self.flying.total())
        try:
            await anyio.lowlevel.checkpoint()
            for _ in range(digest % self._turns if self._turns else 0):
                await anyio.lowlevel.checkpoint()
            if self._watch:
                self._watch(self)
        finally:
            self.flying[asked] -= 1
        self.paid[asked] += 1
        texts = [
            self._said(request.context, digest >> 8 * place) for place in range(min(request.sampling.n, 2))
        ]
        usage = ad.Usage(calls=1, prompt_tokens=digest % 100, completion_tokens=digest % 7)
        return Completion(text=texts[0], others=tuple(texts[1:]), model=self.name, usage=usage)

    def _said(self, context: Context, digest: int) -> str:
        readable = not self._unreadable or digest % self._unreadable
        if readable or context.reply in {"statement", "summary"}:
            return said(context, digest)
        return (
            f"{NO_ISSUE}. Still, {OBJECTION}"
            if context.reply == "critique"
            else f"{UNREADABLE} {digest % 1000}"
        )


def said(context: Context, digest: int) -> str:
    """Words of the kind that is wanted."""
    if context.reply == "critique":
        return NO_ISSUE if digest % 3 == 0 else f"{OBJECTION} {digest % 1000}"
    if context.reply == "roster":
        return "\n".join(f"{number}. Reader {number}: Reads page {number}." for number in range(1, 6))
    if context.reply == "poll":
        return "\n\n".join(
            f"Role {number}: {player.title}\nReason: Point {digest % 100}.\n"
            f"Vote: {context.candidates[(digest >> number) % len(context.candidates)].label}"
            for number, player in enumerate(context.players, 1)
        )
    if context.reply in {"statement", "summary"}:
        return f"I say {digest % 10_000}."
    numbers = [
        f"{line.aspect.title}: {1 + (digest >> place) % 5}" for place, line in enumerate(context.lines)
    ]
    return "\n".join([f"For reason {digest % 10_000}.", "", *numbers])


@dataclass(frozen=True)
class Case:
    """A run that is held once undisturbed and then from whatever was on disk."""

    strategy: Strategy | str
    items: Sequence[Any]
    aspects: Sequence[str]
    options: dict[str, Any] = field(default_factory=dict)


def texts(count: int) -> list[Any]:
    fields = [{"text": f"The cat sat on mat {number}."} for number in range(count)]
    return [ITEM.model_copy(update={"id": f"i{n}", "fields": one}) for n, one in enumerate(fields)]


def pairs(count: int) -> list[Any]:
    return [
        PAIR.model_copy(update={"id": f"p{number}", "fields": {**PAIR.fields, "question": f"Why {number}?"}})
        for number in range(count)
    ]


async def judge(case: Case, model: Any, store: str | Path = STORE, **options: Any) -> dict[str, ad.Record]:
    """Hold a run, or what is left of it: its records by debate, without those that had ended before."""
    usual = {"tasks": TASKS, "concurrency": 3, "earlier": False, "aspects": case.aspects}
    given = {**usual, **case.options, **options}
    async with ad.evaluate(case.items, case.strategy, model=model, store=store, **given) as run:
        return {record.id: record async for record in run}


@dataclass(frozen=True)
class Moment:
    """What was paid for, what was being asked, and what a kill would have left on disk."""

    store: Path
    paid: Counter[Asked]
    flying: Counter[Asked]


async def moments(case: Case, **options: Any) -> list[Moment]:
    """Hold a run undisturbed: the moment before each of its calls is answered."""
    found: list[Moment] = []

    def watch(model: Hashed) -> None:
        found.append(Moment(Path(f"cut{len(found)}.db"), Counter(model.paid), +model.flying))
        snapshot(found[-1].store)

    await judge(case, Hashed(watch, **options))
    return found


def snapshot(into: Path, store: str | Path = STORE) -> None:
    """Return what a kill at this moment would leave of a store."""
    with closing(sqlite3.connect(store)) as here, closing(sqlite3.connect(into)) as there:
        here.backup(there)


@dataclass(frozen=True)
class Held:
    """What a run comes to, without the times."""

    transcripts: dict[str, list[dict[str, Any]]]
    calls: dict[str, list[dict[str, Any]]]
    rows: list[dict[str, Any]]


def held(store: str | Path = STORE, run: str = "last") -> Held:
    """Return what a store has of a run."""
    with read_store(store) as reader:
        name = reader.run(run).id
        debates = sorted({*(row["debate"] for row in reader.rows(name)), *reader.going_on(name)})
        return Held(
            {debate: [_message(one) for one in reader.messages(name, debate)] for debate in debates},
            {debate: [_call(one) for one in reader.calls(name, debate)] for debate in debates},
            [_row(row) for row in reader.rows(name)],
        )


def on_disk(store: str | Path = STORE, saying: str = "") -> Counter[Asked]:
    """The calls that a store has, by what was asked; those alone that were answered so."""
    with read_store(store) as reader:
        calls = [one for run in reader.runs() for one in reader.asked(run.id)]
    answered = (one for one in calls if saying in one.completion.text)
    return Counter((call.debate.rpartition("/")[0], call.agent, call.key) for call in answered)


def _message(message: Message) -> dict[str, Any]:
    data = message_data(message)
    return {name: value for name, value in data.items() if name not in {"time", "seconds"}}


def _call(call: RunCall) -> dict[str, Any]:
    completion = plain(call.completion)
    completion.pop("latency")
    return {**vars(call), "completion": completion}


def _row(row: dict[str, Any]) -> dict[str, Any]:
    stages = {name: {**stage, "seconds": 0} for name, stage in row["stages"].items()}
    return {**row, "seconds": 0, "stages": stages}


def summaries(count: int) -> list[ad.Item]:
    """Items of the workers of a run."""
    return [
        ad.Item(fields={"source": f"The cat sat {n}.", "summary": "A cat."}, task="summarization", id=f"i{n}")
        for n in range(count)
    ]


def rows(store: str | Path, run: str = "last") -> dict[str, Any]:
    """Outcome of each debate of a run, without the times."""
    with read_store(store) as reader:
        found = list(reader.rows(reader.run(run).id))
    assert len({row["debate"] for row in found}) == len(found)
    return {row["debate"]: {name: value for name, value in row.items() if name != "seconds"} for row in found}
