"""A store that is opened to be read: its runs, and of each its items, records, transcripts, ballots, calls, costs and failures.

Nothing is kept in memory: what a run holds is read when it is asked for.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from weakref import finalize

from agentdebate.debates.outcome import FAILURE, Outcome, outcome_of
from agentdebate.errors import UsageError, nearest
from agentdebate.models.base import ChatMessage
from agentdebate.models.prices import PriceTable, cost
from agentdebate.models.prices import prices as usual_prices
from agentdebate.store.damage import DamageLog, naming
from agentdebate.store.database import Database
from agentdebate.store.engine import open_database
from agentdebate.store.lock import state
from agentdebate.store.reader import LAST, Reader, RunHead, StoredCall
from agentdebate.tables.column import Column
from agentdebate.tables.drawing import html_of
from agentdebate.tables.table import Table
from agentdebate.talk.messages import Brief, CastBallot, Failure, Message, Verdict, words_of
from agentdebate.talk.transcript import Transcript
from agentdebate.tasks import Item
from agentdebate.usage import Usage, total
from agentdebate.visible import shortened

COLUMNS_costs = (
    Column("agent"),
    Column("model"),
    Column("served"),
    *(Column(name, "integer") for name in ("calls", "prompt_tokens", "cached_tokens", "cache_write_tokens")),
    *(Column(name, "integer") for name in ("completion_tokens", "reasoning_tokens", "cached_calls")),
    Column("money", "number"),
    Column("currency"),
)


@dataclass(frozen=True)
class Cost:
    """What one agent's calls of one model cost."""

    agent: str
    model: str
    """The model, by the name that ballots have: "openai/gpt-6.1-sol", with the host behind it where that is not the provider's own."""
    served: str
    """What the endpoint calls the model that answered, such as "gpt-6.1-sol"."""
    usage: Usage
    """What was paid for. What a cache gave cost nothing and is not in it."""
    saved: Usage
    """What a cache gave."""
    money: float | None
    """What it cost; None where no price is known."""
    currency: str | None

    def row(self) -> dict[str, Any]:
        """It as one flat row."""
        return {
            "agent": self.agent,
            "model": self.model,
            "served": self.served,
            **asdict(self.usage),
            "cached_calls": self.saved.calls,
            "money": self.money,
            "currency": self.currency,
        }


class Costs(Table[Cost]):
    """What a run cost: a row for each agent and model, and all together in `total`."""

    def __init__(self, title: str, costs: Iterable[Cost]) -> None:
        kept = tuple(costs)
        super().__init__(title, COLUMNS_costs, lambda: iter(kept), Cost.row, count=lambda: len(kept))

    def __repr__(self) -> str:
        usage = self.total.usage
        money = "" if self.total.money is None else f", {self.total.money:.4g} {self.total.currency or ''}"
        return f"<Costs: {usage.calls} calls, {usage.tokens} tokens{money}>"

    @cached_property
    def total(self) -> Cost:
        """All of it together; its money is None where a price is not known or where there are several currencies."""
        costs = tuple(self)
        paid, saved = total(one.usage for one in costs), total(one.saved for one in costs)
        currencies = {one.currency for one in costs if one.currency is not None}
        known = all(one.money is not None for one in costs) and len(currencies) <= 1
        money = sum(one.money or 0.0 for one in costs) if known else None
        return Cost("", "", "", paid, saved, money, currencies.pop() if len(currencies) == 1 else None)


def costs_of(reader: Reader, head: RunHead, prices: PriceTable) -> Costs:
    """What a run cost so far, at these prices, the most expensive first. Raises StoreError where a call is damaged."""
    found, names = [], reader.spoken_models(head.id)
    for (agent, served), spending in reader.spending(head.id).items():
        paid, model = spending.paid, names.get(agent) or served
        price = prices.price_served(served, names.get(agent) or asked_as(head, agent))
        free = not paid.tokens
        money = 0.0 if free else None if price is None else cost(paid, price)
        currency = None if price is None else price.currency
        found.append(Cost(agent, model, served, paid, spending.saved, money, currency))
    found.sort(key=lambda one: (-(one.money or 0.0), -one.usage.tokens, one.agent, one.served))
    return Costs(f"costs of {head.id}", found)


def asked_as(head: RunHead, agent: str) -> str:
    """The name under which an agent's model was asked for."""
    strategy = head.configuration.get("strategy")
    models = strategy.get("models") if isinstance(strategy, Mapping) else None
    return str((models or {}).get(agent, head.model))


FEW = 5
"""Debates that an error message names as examples."""

COMPARED = 5000
"""Debates whose names are compared with one that is not there."""


def named(reader: Reader, run: str, name: str) -> list[str]:
    """The debate of that name, or all debates about the item of that name. Raises UsageError."""
    found = begun(reader, run, name)
    if not found:
        raise UsageError(f"run {run} has no debate or item {name!r}. {_instead(reader, run, name)}".strip())
    return found


def begun(reader: Reader, run: str, name: str) -> list[str]:
    """The debates that a name means so far."""
    return [name] if reader.has(run, name) else reader.debates(run, item=name)


def _instead(reader: Reader, run: str, name: str) -> str:
    """What the user may have meant: of a large run the first debates are looked at, for comparing takes its time."""
    known = reader.debates(run, most=COMPARED)
    hint = nearest(name, [*known, *(debate.rpartition("/")[0] for debate in known)])
    if not hint.startswith("Known"):
        return hint
    number = f"{len(known)} debate{'' if len(known) == 1 else 's'}"
    count = number if len(known) < COMPARED else f"{COMPARED} debates and more"
    return (
        f"It has {count}, such as {', '.join(shortened(one, 100) for one in known[:FEW])}." if known else ""
    )


MESSAGE_COLUMNS = (
    *(Column("debate"), Column("item"), Column("seq", "integer"), Column("kind"), Column("sender")),
    *(Column("to", "texts"), Column("round", "integer"), Column("time", "time"), Column("text")),
)


@dataclass(frozen=True)
class RunMessage:
    """A message of a stored run, and the id of the debate in which it was said."""

    debate: str
    message: Message

    def __repr__(self) -> str:
        said = self.message
        return f"<RunMessage {said.seq} of {self.debate[:80]!r}: {said.kind[:20]} of {said.sender[:40]}>"

    def row(self) -> dict[str, Any]:
        """It as one flat row; `text` is what those hear who are told of it."""
        said = self.message
        return {
            **{name: getattr(said, name) for name in ("seq", "kind", "sender", "to", "round")},
            "debate": self.debate,
            "item": self.debate.rpartition("/")[0],
            "time": said.time or None,
            "text": words_of(said),
        }


_AT_ONCE = 200
"""Calls whose briefs are read at once."""

CALL_COLUMNS = (
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
            **{name: count for name, count in asdict(completion.usage).items() if name != "calls"},
            "seconds": completion.latency,
        }


def calls_of(reader: Reader, run: str, calls: Iterable[tuple[str, StoredCall]]) -> Iterator[RunCall]:
    """Calls of a run, each with the id of its debate, with the briefs that they begin with."""
    rest, names = iter(calls), reader.spoken_models(run)
    while some := list(islice(rest, _AT_ONCE)):
        briefs = reader.briefs(run, sorted({debate for debate, _ in some}))
        for debate, call in some:
            brief = _brief_of(call.agent, briefs.get(debate, ()))
            model = names.get(call.agent.partition("#")[0]) or call.completion.model
            yield RunCall(**vars(call), debate=debate, model=model, brief=brief)


def _brief_of(agent: str, briefs: Sequence[Brief]) -> str:
    """What the agent's sitting was shown first. An agent that sat down later has the brief of the others."""
    sitting = agent.partition("#")[2]
    own = [one.text for one in briefs if any(name.partition("#")[2] == sitting for name in one.to)]
    return own[-1] if own else next((one.text for one in briefs), "")


BALLOT_COLUMNS = (
    *(Column("debate"), Column("item"), Column("number", "integer"), Column("agent")),
    *(Column("round", "integer"), Column("model"), Column("aspect"), Column("candidate")),
    *(Column("score", "number"), Column("reason"), Column("weight", "number")),
    *(Column("confidence", "number"), Column("confidence_from")),
    *(Column("read_from"), Column("attempts", "integer"), Column("message", "integer")),
)


@dataclass(frozen=True)
class BallotRating:
    """One rating of a ballot. A ballot that rates nothing, such as a critic's without a score, has one without a score."""

    debate: str
    number: int
    """Of the ballot within its debate, from 1, in the order in which ballots were cast."""
    cast: CastBallot
    """The whole ballot."""
    aspect: str | None
    candidate: str | None
    score: float | None

    def __repr__(self) -> str:
        score = "no score" if self.score is None else f"{self.score:g}"
        return f"<BallotRating {self.number} of {self.debate[:80]!r}: {self.agent[:40]}, {(self.aspect or '')[:40]} {score}>"

    @property
    def item(self) -> str:
        """The item's id."""
        return self.debate.rpartition("/")[0]

    @property
    def agent(self) -> str:
        """Who cast the ballot."""
        return self.cast.agent

    @property
    def round(self) -> int:
        """In which round."""
        return self.cast.round

    @property
    def model(self) -> str:
        """The model that spoke."""
        return self.cast.model

    @property
    def reason(self) -> str:
        """The ballot's reason."""
        return self.cast.ballot.reason

    def row(self) -> dict[str, Any]:
        """It as one flat row."""
        ballot = self.cast.ballot
        sure = ballot.confidence
        return {
            **{name: getattr(self, name) for name in ("debate", "item", "number", "agent", "round", "model")},
            **{name: getattr(self, name) for name in ("aspect", "candidate", "score", "reason")},
            "weight": self.cast.weight,
            "confidence": None if sure is None else sure.value,
            "confidence_from": None if sure is None else sure.source,
            "read_from": ballot.reading.how,
            "attempts": ballot.reading.attempts,
            "message": self.cast.message,
        }


def ratings_of(debate: str, verdict: Verdict) -> Iterator[BallotRating]:
    """Every rating of every ballot of a debate."""
    for number, cast in enumerate(verdict.ballots, 1):
        for rating in cast.ballot.ratings:
            yield BallotRating(debate, number, cast, rating.aspect, rating.candidate, rating.score)
        if not cast.ballot.ratings:
            yield BallotRating(debate, number, cast, None, None, None)


class Transcripts:
    """What was said in each debate of a run, also in those that have not ended: iterate over it, as often as you like.

    The store is read as it is gone through, and raises StoreError where it cannot be.
    """

    def __init__(self, reader: Reader, run: str) -> None:
        self._reader, self._run = reader, run

    def __repr__(self) -> str:
        return f"<Transcripts of {self._run}>"

    def __iter__(self) -> Iterator[Transcript[Message]]:
        with naming(self._reader.place):
            for debate, messages in groupby(self._reader.said(self._run), lambda one: one[0]):
                yield Transcript((message for _, message in messages), debate=debate)


_LONGEST = 70
"""Characters of an id, and of what a record says, in its `repr`."""

_COLUMNS = (
    *(Column(name) for name in ("debate", "item", "group", "system", "task", "strategy")),
    Column("aspects", "texts"),
    Column("outcome"),
)
_ENDING = (
    Column("winner"),
    Column("winners", "texts"),
    *(Column("agreed", "boolean"), Column("settled", "boolean")),
    *(Column(name) for name in ("ended", "curtailed", "abstained")),
    *(Column("rounds", "integer"), Column("missing", "integer")),
    *(Column("lost", "texts"), Column("models", "texts"), Column("families", "texts")),
    *(Column("error"), Column("agent"), Column("reason")),
    *(Column(name, "integer") for name in ("calls", "prompt_tokens", "completion_tokens", "cached_calls")),
    Column("seconds", "number"),
)


class StoredRecord:
    """One debate of a stored run that has ended, with the names that a `Record` has.

    Scores, outcome and counts are at hand. Item, transcript, verdict and calls are read from the store when they are first
    looked at; the store must be open then.
    """

    def __init__(self, reader: Reader, run: str, row: Mapping[str, Any]) -> None:
        self._reader, self._run, self._row = reader, run, row

    def __repr__(self) -> str:
        said = ", ".join(f"{name} {score:g}" for name, score in self.scores.items() if score is not None)
        failed = self._row["failure"]
        why = f"{failed['error']}: {failed['reason']}" if failed else said
        name = shortened(self.id, _LONGEST)
        return f"<StoredRecord {name}: {self.outcome.name}, {shortened(why, _LONGEST)}>"

    def _repr_html_(self) -> str:
        return html_of(self)

    @property
    def id(self) -> str:
        """The debate's id within its run."""
        return str(self._row["debate"])

    @property
    def task(self) -> str:
        """The task's name."""
        return str(self._row["task"])

    @property
    def strategy(self) -> str:
        """The strategy's title."""
        return str(self._row["strategy"])

    @property
    def aspects(self) -> tuple[str, ...]:
        """What was judged."""
        return tuple(self._row["aspects"])

    @property
    def outcome(self) -> Outcome:
        """How the debate ended."""
        return outcome_of(self._row)

    @property
    def scores(self) -> Mapping[str, float]:
        """The verdict's scores; none where the debate failed or abstained."""
        return dict(self._row["scores"])

    @property
    def human(self) -> Mapping[str, float | None]:
        """People's scores of what was judged."""
        return dict(self._row["human"])

    @property
    def candidates(self) -> tuple[str, ...]:
        """Where texts were compared: their fields, in the task's order."""
        return tuple(self._row.get("candidates") or ())

    @property
    def seconds(self) -> float:
        """How long the debate took; 0 where that is not known."""
        return float(self._row.get("seconds") or 0.0)

    @cached_property
    def item(self) -> Item:
        """The item that was judged. Raises StoreError where it is damaged."""
        with naming(self._reader.place):
            return self._reader.item(self._run, self._row["id"])

    @cached_property
    def transcript(self) -> Transcript[Message]:
        """Everything that was said."""
        with naming(self._reader.place):
            return Transcript(self._reader.messages(self._run, self.id), debate=self.id)

    @cached_property
    def calls(self) -> tuple[RunCall, ...]:
        """The model calls, with their prompts."""
        with naming(self._reader.place):
            stored = self._reader.calls(self._run, self.id)
            return tuple(calls_of(self._reader, self._run, ((self.id, call) for call in stored)))

    @property
    def verdict(self) -> Verdict | None:
        """The verdict; None where the debate failed."""
        said = next((one for one in reversed(self.transcript) if isinstance(one, Verdict)), None)
        return said.after(self.transcript) if said is not None and self.outcome is not FAILURE else None

    @property
    def failure(self) -> Failure | None:
        """Why the debate failed; None where it did not."""
        failed = self._row["failure"]
        return (
            None if failed is None else Failure(**{key: failed[key] for key in ("error", "reason", "agent")})
        )

    @property
    def usage(self) -> Usage:
        """The calls that were paid for and their tokens; `calls` has them one by one."""
        names = ("calls", "prompt_tokens", "completion_tokens")
        return Usage(**{name: self._row[name] for name in names})

    def row(self) -> dict[str, Any]:
        """The record as one flat row, as `Record.row()` gives it, with the debate's id."""
        return dict(self._row)

    def cells(self) -> dict[str, Any]:
        """The record as a table has it."""
        row, failed = self._row, self._row["failure"] or {}
        return {
            **{name: value for name, value in row.items() if name not in ("agent", "reason", "error")},
            "item": row["id"],
            "lost": [lost["agent"] for lost in row.get("lost") or ()],
            "error": failed.get("error"),
            "agent": failed.get("agent"),
            "reason": failed.get("reason"),
            **{f"score_{name}": score for name, score in row["scores"].items()},
            **{f"human_{name}": score for name, score in row["human"].items()},
        }


def record_columns(names: Sequence[tuple[str, bool]]) -> tuple[Column, ...]:
    """The columns of a table of records; `names` are what there are scores of, each with whether people scored it too."""
    scores = [Column(f"score_{name}", "number") for name, _ in names]
    people = [Column(f"human_{name}", "number") for name, scored in names if scored]
    return (*_COLUMNS, *scores, *people, *_ENDING)


COLUMNS = (
    *(Column("run"), Column("strategy"), Column("task"), Column("model")),
    *(Column("begun", "time"), Column("ended", "time"), Column("state")),
    *(Column("debates", "integer"), Column("verdicts", "integer"), Column("failures", "integer")),
)
"""The columns of a table of runs."""

_NAMES = ("item", "task", "group", "system")
_LONGEST_NAME = 40
"""Characters of a name in a `repr`."""

_Row = TypeVar("_Row")


class Run:
    """A run of a store. What it holds is read when it is asked for, row by row, so that a run may be larger than the memory.

    Tables can be iterated as often as you like, and turn into data frames: `run.records().to_pandas()`. A record that is
    damaged is left out and logged as a warning. Of a run that is still being held, each look has what is there by then.
    """

    def __init__(self, reader: Reader, head: RunHead, store: str) -> None:
        """`open_store(...).run(...)` makes it."""
        self.reader, self.head, self._store = reader, head, store

    def __repr__(self) -> str:
        head = self.head
        names = (shortened(one, _LONGEST_NAME) for one in (head.id, head.strategy, head.task))
        return "<Run {}: {} on {}, {} verdicts, {} failures>".format(*names, head.verdicts, head.failures)

    def _repr_html_(self) -> str:
        return html_of(self)

    @property
    def id(self) -> str:
        """The run's name in its store."""
        return self.head.id

    @property
    def strategy(self) -> str:
        """The strategy's title."""
        return self.head.strategy

    @property
    def task(self) -> str:
        """The tasks of its items, with commas between them."""
        return self.head.task

    @property
    def model(self) -> str:
        """The model that the run was begun with."""
        return self.head.model

    @property
    def configuration(self) -> Mapping[str, Any]:
        """How the run is held."""
        return self.head.configuration

    @property
    def begun(self) -> datetime:
        """When it began."""
        return datetime.fromtimestamp(self.head.created, UTC)

    @property
    def ended(self) -> datetime | None:
        """When it ended; None while it runs and where it was stopped."""
        return None if self.head.ended is None else datetime.fromtimestamp(self.head.ended, UTC)

    @property
    def state(self) -> str:
        """`ended`, `running` or `stopped`; `running, or stopped` where that cannot be known."""
        return state(self._store, self.id, ended=self.head.ended is not None)

    @property
    def outcomes(self) -> Mapping[str, int]:
        """How many debates had ended in which way when the run was opened."""
        return self.head.outcomes

    def row(self) -> dict[str, Any]:
        """The run as one flat row."""
        return {
            **{
                name: getattr(self.head, name)
                for name in ("strategy", "task", "model", "verdicts", "failures")
            },
            "run": self.id,
            "begun": self.head.created,
            "ended": self.head.ended,
            "state": self.state,
            "debates": self.head.ended_debates,
        }

    def items(self) -> Table[Item]:
        """The items, in their order: a row an item, a column a field, people's score (`human_`) and evidence (`evidence_`)."""
        return Table(
            f"items of {self.id}",
            self._item_columns,
            lambda: self._read(self.reader.items(self.id)),
            _item_cells,
            count=lambda: self.reader.count(self.id, "items"),
        )

    def item(self, name: str) -> Item:
        """An item by its id. Raises UsageError where there is none, and StoreError."""
        with naming(self.reader.place):
            return self.reader.item(self.id, name)

    def records(self) -> Table[StoredRecord]:
        """The debates that have ended, in the order of the items: a row a debate, as `export` writes them."""
        return self._table_of_records(
            "records", lambda _row: True, count=lambda: self.reader.count(self.id, "debates")
        )

    def failures(self) -> Table[StoredRecord]:
        """The debates that failed, with the kind of error, whose turn it was, and why."""
        return self._table_of_records("failures", lambda row: outcome_of(row) is FAILURE)

    def record(self, debate: str) -> StoredRecord:
        """A debate that has ended, by its id. Raises UsageError where there is none, and StoreError."""
        with naming(self.reader.place):
            row = self.reader.row(self.id, debate)
        if row is None:
            raise self._unknown(debate)
        return StoredRecord(self.reader, self.id, row)

    def transcripts(self) -> Transcripts:
        """What was said in each debate, also in those that have not ended; `debate` is the debate's id."""
        return Transcripts(self.reader, self.id)

    def transcript(self, debate: str) -> Transcript[Message]:
        """What was said in a debate, as far as it came. Raises UsageError where there is none, and StoreError."""
        with naming(self.reader.place):
            if not self.reader.has(self.id, debate):
                raise self._unknown(debate)
            return Transcript(self.reader.messages(self.id, debate), debate=debate)

    def messages(self) -> Table[RunMessage]:
        """Every message of every debate, in order: a row a message."""

        def objects() -> Iterator[RunMessage]:
            said = self._read(self.reader.said(self.id))
            return (RunMessage(debate, message) for debate, message in said)

        return Table(f"messages of {self.id}", MESSAGE_COLUMNS, objects, RunMessage.row)

    def ballots(self) -> Table[BallotRating]:
        """The ballots of the debates that came to a verdict: a row a rating."""
        return Table(
            f"ballots of {self.id}",
            BALLOT_COLUMNS,
            lambda: self._read(self._ratings()),
            BallotRating.row,
        )

    def calls(self) -> Table[RunCall]:
        """The model calls in the order of each debate, with prompts and replies: a row a call."""
        return Table(
            f"calls of {self.id}",
            CALL_COLUMNS,
            lambda: self._read(calls_of(self.reader, self.id, self.reader.asked(self.id))),
            RunCall.row,
            count=lambda: self.reader.count(self.id, "calls"),
        )

    def costs(self, prices: PriceTable | None = None) -> Costs:
        """What the run cost so far, in tokens and in money, by agent and model; `total` is all of it together.

        `prices` goes before the project's `prices.toml` and the built-in table. Money is None where no price is known. Raises
        StoreError where a call is damaged: a sum without it would be too small.
        """
        table = usual_prices() if prices is None else prices.over(usual_prices())
        with naming(self.reader.place):
            return costs_of(self.reader, self.head, table)

    def _table_of_records(
        self,
        title: str,
        wanted: Callable[[Mapping[str, Any]], bool],
        count: Callable[[], int] | None = None,
    ) -> Table[StoredRecord]:
        def objects() -> Iterator[StoredRecord]:
            rows = self._read(self.reader.rows(self.id))
            return (StoredRecord(self.reader, self.id, row) for row in rows if wanted(row))

        columns = self._record_columns
        return Table(f"{title} of {self.id}", columns, objects, StoredRecord.cells, count=count)

    def _record_columns(self) -> tuple[Column, ...]:
        names = self.reader.score_names(self.id)
        given = self.configuration.get("aspects") or []
        order = [given] if isinstance(given, str) else list(given)

        def place(named: tuple[str, bool]) -> int:
            aspect = named[0].partition(".")[0]
            return order.index(aspect) if aspect in order else len(order)

        return record_columns(sorted(names, key=place))

    def _ratings(self) -> Iterator[BallotRating]:
        for debate, verdict in self.reader.said(self.id, ["verdict"]):
            if isinstance(verdict, Verdict):
                yield from ratings_of(debate, verdict)

    def _item_columns(self) -> tuple[Column, ...]:
        fields, human, evidence = (dict[str, None]() for _ in range(3))
        for item in self._read(self.reader.items(self.id)):
            fields.update(dict.fromkeys(item.fields))
            human.update(dict.fromkeys(item.human))
            evidence.update(dict.fromkeys(item.evidence))
        names = [*(f"human_{name}" for name in human), *(f"evidence_{name}" for name in evidence)]
        return (
            *(Column(name) for name in _NAMES),
            *(Column(_field(name)) for name in fields),
            *(Column(name, "number") for name in names),
        )

    def _read(self, rows: Iterable[_Row]) -> Iterator[_Row]:
        """The rows; damage that ends everything says in which store it is."""
        with naming(self.reader.place):
            yield from rows

    def _unknown(self, debate: str) -> UsageError:
        known = self.reader.debates(self.id, most=COMPARED)
        return UsageError(
            f"run {self.id} has no debate {debate!r} that could be read. {nearest(debate, known)}"
        )


def _field(name: str) -> str:
    """The column of a field; one that goes by the name of another column has `field_` before it."""
    return f"field_{name}" if name in _NAMES or name.startswith(("human_", "evidence_")) else name


def _item_cells(item: Item) -> dict[str, Any]:
    return {
        **{_field(name): text for name, text in item.fields.items()},
        **{f"human_{name}": score for name, score in item.human.items()},
        **{f"evidence_{name}": score for name, score in item.evidence.items()},
        "item": item.id,
        "task": item.task,
        "group": item.group,
        "system": item.system,
    }


class Store:
    """A store of runs, opened to be read. Use it as a context manager, or close it; one that is let go closes itself."""

    def __init__(self, url: str | Path) -> None:
        """`open_store` makes it."""
        database = open_database(url, reading=True)
        self._url = str(url)
        self._reader = Reader(database)
        # Whatever reads holds the reader: when it is let go, nobody reads any more.
        self._closing = finalize(self._reader, _closed, database, self._reader.damage)

    def __repr__(self) -> str:
        return f"<Store {self._reader.place[-150:]!r}>"

    def _repr_html_(self) -> str:
        return html_of(self.runs())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections. What was read stays; to read on is a StoreError. Safe to call twice."""
        self._closing()

    def runs(self) -> Table[Run]:
        """Every run that can be read, the newest last."""
        return Table(f"runs of {self._reader.place}", COLUMNS, self._runs, Run.row)

    def run(self, name: str = LAST) -> Run:
        """The run of that name, or of the one name that begins so; "last" is the newest. Raises UsageError and StoreError."""
        with naming(self._reader.place):
            return Run(self._reader, self._reader.run(name), self._url)

    def _runs(self) -> Iterator[Run]:
        for head in self._reader.runs():
            yield Run(self._reader, head, self._url)


def _closed(database: Database, damage: DamageLog) -> None:
    damage.close()
    database.end()


def open_store(url: str | Path) -> Store:
    """Open the store at a path or database URL to read its runs.

    It can be read while runs are written to it. Nothing is changed, except that a store of an older version is brought to this
    version's tables. Raises UsageError where there is no store, and StoreError where it cannot be read.
    """
    return Store(url)
