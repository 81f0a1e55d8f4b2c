"""A store that is opened to be read: its runs, and of each its items, records, transcripts, ballots, calls, costs and failures.

Nothing is kept in memory: a run is read when it is asked for.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Self
from weakref import finalize

from agentdebate.debates.outcome import FAILURE, Outcome, OutcomeCounts, outcome_of
from agentdebate.models.prices import PriceTable, cost
from agentdebate.models.prices import prices as usual_prices
from agentdebate.store.damage import naming
from agentdebate.store.engine import open_database
from agentdebate.store.reader import LAST, Reader, state_of
from agentdebate.store.run_head import RunHead
from agentdebate.store.run_tables import (
    BALLOTS,
    CALLS,
    MESSAGES,
    Cost,
    Costs,
    RunCall,
    RunMessage,
    Share,
    columns,
    ratings_of,
)
from agentdebate.store.schema import DEBATES, ITEMS
from agentdebate.tables.column import Column, Kind
from agentdebate.tables.drawing import html_of
from agentdebate.tables.table import Table
from agentdebate.talk.messages import Failure, Transcript, Verdict
from agentdebate.tasks import Item
from agentdebate.usage import total
from agentdebate.visible import shortened


def costs_of(reader: Reader, head: RunHead, prices: PriceTable) -> Costs:
    """The costs of a run so far, at these prices, the most expensive first. Raises StoreError where a call is damaged."""
    shares, groups = reader.shares(head.id), dict[tuple[str, str], list[Share]]()
    names = {share.agent: share.model for share in shares if share.model}
    for share in shares:
        groups.setdefault((share.agent, share.served), []).append(share)
    found = []
    for (agent, served), some in groups.items():
        paid, saved = (total(one.usage for one in some if one.cached is cached) for cached in (False, True))
        price = prices.price_served(served, names.get(agent) or head.asked_as(agent))
        money = 0.0 if not paid.tokens else None if price is None else cost(paid, price)
        currency = None if price is None else price.currency
        found.append(Cost(agent, names.get(agent) or served, served, paid, saved, money, currency))
    found.sort(key=lambda one: (-(one.money or 0.0), -one.usage.tokens, one.agent, one.served))
    return Costs(f"costs of {head.id}", found)


_LONGEST = 60
"""Characters of a name in a `repr`."""


class StoredRecord:
    """One debate of a stored run that has ended.

    Scores and outcome are at hand, and all else that `row()` has. Item, transcript, verdict and calls are read from the store
    when they are first looked at; the store must be open then.
    """

    def __init__(self, reader: Reader, run: str, row: Mapping[str, Any]) -> None:
        self._reader, self._run, self._row = reader, run, row

    def __repr__(self) -> str:
        return f"<StoredRecord {shortened(self.id, _LONGEST)}: {self.outcome.name}>"

    def _repr_html_(self) -> str:
        return html_of(self)

    @property
    def id(self) -> str:
        """The debate's id within its run."""
        return str(self._row["debate"])

    @property
    def outcome(self) -> Outcome:
        """The way in which the debate ended."""
        return outcome_of(self._row)

    @property
    def scores(self) -> Mapping[str, float]:
        """The verdict's scores; none where the debate failed or abstained."""
        return dict(self._row["scores"])

    @property
    def human(self) -> Mapping[str, float | None]:
        """People's scores of what was judged."""
        return dict(self._row["human"])

    @cached_property
    def item(self) -> Item:
        """The item that was judged. Raises StoreError where it is damaged."""
        with naming(self._reader.place):
            return self._reader.item(self._run, self._row["id"])

    @cached_property
    def transcript(self) -> Transcript:
        """Messages of the debate."""
        return Transcript(self._reader.messages(self._run, self.id), debate=self.id)

    @cached_property
    def calls(self) -> tuple[RunCall, ...]:
        """The model calls, with their prompts."""
        return self._reader.calls(self._run, self.id)

    @property
    def verdict(self) -> Verdict | None:
        """The verdict; None where the debate failed."""
        said = next((one for one in reversed(self.transcript) if isinstance(one, Verdict)), None)
        return said.after(self.transcript) if said is not None and self.outcome is not FAILURE else None

    @property
    def failure(self) -> Failure | None:
        """Reason why the debate failed; None if it did not."""
        failed = self._row["failure"]
        return failed and Failure(**{key: failed[key] for key in ("error", "reason", "agent")})

    def row(self) -> dict[str, Any]:
        """The record as one flat row, as `Record.row()` gives it, with the debate's id."""
        return dict(self._row)

    def cells(self) -> dict[str, Any]:
        """The record as a table has it."""
        row, failed = self._row, self._row["failure"] or {}
        return {
            **{name: value for name, value in row.items() if name not in ("agent", "reason", "error")},
            **failed,
            "item": row["id"],
            "lost": [lost["agent"] for lost in row.get("lost") or ()],
            **{f"score_{name}": score for name, score in row["scores"].items()},
            **{f"human_{name}": score for name, score in row["human"].items()},
        }


_RECORD = columns(
    debate="text", item="text", group="text", system="text", task="text", strategy="text", aspects="texts", outcome="text"
)  # fmt: skip
_ENDING = columns(
    winner="text", winners="texts", agreed="boolean", settled="boolean", ended="text", curtailed="text", abstained="text",
    rounds="integer", missing="integer", lost="texts", models="texts", families="texts", error="text", agent="text", reason="text",
    calls="integer", prompt_tokens="integer", completion_tokens="integer", cached_calls="integer", seconds="number",
)  # fmt: skip


class Run:
    """A run of a store. What it holds is read when it is asked for, row by row, so that a run may be larger than the memory.

    Tables can be iterated as often as you like, and turn into data frames: `run.records().to_pandas()`. A record that is
    damaged is left out and logged as a warning. Of a run that is still being held, each look has what is there by then.
    """

    def __init__(self, reader: Reader, head: RunHead) -> None:
        """`open_store(...).run(...)` makes it."""
        self.reader, self.head = reader, head

    def __repr__(self) -> str:
        head = self.head
        name, strategy = shortened(head.id, _LONGEST), shortened(head.strategy, _LONGEST)
        ended = (f"{count} {noun}s" for count, noun in OutcomeCounts(head.outcomes).nouns)
        return f"<Run {name}: {strategy}, {', '.join(ended)}>"

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
    def state(self) -> str:
        """`ended`, `running` or `stopped`; of a run of a queue also `queued` or `stopping`."""
        return state_of(self.reader, self.id)

    def items(self) -> Table[Item]:
        """The items, in their order: a row an item, a column a field, people's score (`human_`) and evidence (`evidence_`)."""
        read, count = partial(self.reader.items, self.id), partial(self.reader.count, self.id, ITEMS)
        return Table(f"items of {self.id}", self._item_columns, read, _item_cells, count=count)

    def records(self) -> Table[StoredRecord]:
        """The debates that have ended, in the order of the items: a row a debate, as `export` writes them."""

        def records() -> Iterator[StoredRecord]:
            return (StoredRecord(self.reader, self.id, row) for row in self.reader.rows(self.id))

        count = partial(self.reader.count, self.id, DEBATES)
        return Table(f"records of {self.id}", self._record_columns, records, StoredRecord.cells, count=count)

    def record(self, debate: str) -> StoredRecord:
        """A debate that has ended, by its id. Raises UsageError where there is none, and StoreError."""
        with naming(self.reader.place):
            row = self.reader.row(self.id, debate)
            if row is None:
                raise self.reader.unknown(self.id, debate)
        return StoredRecord(self.reader, self.id, row)

    def messages(self) -> Table[RunMessage]:
        """Every message of every debate, in order: a row a message."""

        def said() -> Iterator[RunMessage]:
            return (RunMessage(debate, message) for debate, message in self.reader.said(self.id))

        return Table(f"messages of {self.id}", MESSAGES, said, RunMessage.row)

    def ballots(self) -> Table[dict[str, Any]]:
        """The ballots of the debates that came to a verdict: a row a rating. `verdict.ballots` of a record has them whole."""

        def ratings() -> Iterator[dict[str, Any]]:
            for debate, verdict in self.reader.said(self.id, ("verdict",)):
                if isinstance(verdict, Verdict):
                    yield from ratings_of(debate, verdict)

        return Table(f"ballots of {self.id}", BALLOTS, ratings, dict)

    def calls(self) -> Table[RunCall]:
        """The model calls in the order of each debate, with prompts and replies: a row a call."""
        return Table(f"calls of {self.id}", CALLS, partial(self.reader.asked, self.id), RunCall.row)

    def costs(self, prices: PriceTable | None = None) -> Costs:
        """Costs of the run so far, in tokens and in money, by agent and model; `total` is all of it together.

        `prices` goes before the project's `prices.toml` and the built-in table. Money is None where no price is known. Raises
        StoreError where a call is damaged: a sum without it would be too small.
        """
        table = usual_prices() if prices is None else prices.over(usual_prices())
        with naming(self.reader.place):
            return costs_of(self.reader, self.head, table)

    def _record_columns(self) -> Sequence[Column]:
        names = self.reader.score_names(self.id)
        scores = [*(f"score_{name}" for name in names), *(f"human_{name}" for name in names if names[name])]
        return (*_RECORD, *(Column(name, "number") for name in scores), *_ENDING)

    def _item_columns(self) -> Sequence[Column]:
        """The columns that any item needs: numbers are people's scores and evidence."""
        kinds = dict[str, Kind](item="text", task="text", group="text", system="text")
        for item in self.items():
            for name, value in _item_cells(item).items():
                kinds.setdefault(name, "text" if isinstance(value, str) else "number")
        return columns(**kinds)


def _item_cells(item: Item) -> dict[str, Any]:
    return {
        **item.fields,
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
        self.reader = Reader(open_database(url, reading=True))
        """Reads the store."""
        # Whatever reads holds the reader: when it is let go, nobody reads any more.
        self._closing = finalize(self.reader, self.reader.database.close)

    def __repr__(self) -> str:
        return f"<Store {self.reader.place[-150:]!r}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections. What was read stays; to read on is a StoreError. Safe to call twice."""
        self._closing()

    def runs(self) -> list[Run]:
        """Every run that can be read, the newest last."""
        return [Run(self.reader, head) for head in self.reader.runs()]

    def run(self, name: str = LAST) -> Run:
        """The run of that name, or of the one name that begins so; "last" is the newest. Raises UsageError and StoreError."""
        with naming(self.reader.place):
            return Run(self.reader, self.reader.run(name))


def open_store(url: str | Path) -> Store:
    """Open the store at a path or database URL to read its runs.

    It can be read while runs are written to it. Nothing is changed, except that a store of an older version is brought to this
    version's tables. Raises UsageError where there is no store, and StoreError where it cannot be read.
    """
    return Store(url)
