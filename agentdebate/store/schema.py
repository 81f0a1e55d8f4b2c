"""The tables of a store, which version of them it has, and how rows are entered."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import UsageError
from agentdebate.usage import Usage

METADATA = sa.MetaData()

Condition = sa.ColumnElement[bool]
"""A condition on rows."""

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
"""Numbers rows; SQLite takes an INTEGER key alone for the number of the row itself."""

HEAD = "9"
"""The number of this version's schema."""

WITH_PIECES, WITH_SUMS = "6", "8"
"""The schemas that are brought over: the first by schema_6.py, the second by the statements that follow."""

AFTER_SUMS = (
    "ALTER TABLE debates DROP COLUMN row_sum",
    "CREATE INDEX debates_item ON debates (run, item)",
)

LARGEST = 64 << 20
"""Bytes that one value of a row may have. A larger one is not read, whatever the file holds."""

COUNTS = tuple(one.name for one in fields(Usage))
"""Names of the counts of calls and their tokens."""


def _key(name: str, kind: Any = sa.Text) -> "sa.Column[Any]":
    """A column of a key that the database does not number by itself."""
    return sa.Column(name, kind, primary_key=True, autoincrement=False)


def _filled(**kinds: Any) -> "list[sa.Column[Any]]":
    """Columns that always have a value."""
    return [sa.Column(name, kind, nullable=False) for name, kind in kinds.items()]


def _open(**kinds: Any) -> "list[sa.Column[Any]]":
    """Columns that may be null."""
    return [sa.Column(name, kind) for name, kind in kinds.items()]


REVISION = sa.Table("alembic_version", METADATA, _key("version_num", sa.String(32)))
"""The number of the schema, where versions before kept it."""

COMPLETIONS = sa.Table(
    "completions",
    METADATA,
    _key("key"),  # the digest of the model, its settings and the request
    *_filled(
        completion=sa.Text,  # the Completion as JSON
        model=sa.Text,
        created=sa.Double,  # seconds since 1970-01-01 UTC
    ),
)
"""The cache of completions (cache.py). A file that holds nothing else was a cache of an earlier version, and becomes a store."""

RUNS = sa.Table(
    "runs",
    METADATA,
    sa.Column("number", NUMBER, primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    *_filled(created=sa.Double),  # seconds since 1970-01-01 UTC
    *_open(ended=sa.Double),  # null while it runs and after it was stopped
    *_filled(
        strategy=sa.Text,
        task=sa.Text,  # the tasks of its items, with commas
        model=sa.Text,
        configuration=sa.Text,  # JSON
    ),
    sqlite_autoincrement=True,  # the number of a run that was deleted means no other one
)

ITEMS = sa.Table(
    "items",
    METADATA,
    _key("run", NUMBER),
    _key("id"),
    *_filled(
        number=sa.Integer,  # of the item within its run, from 1
        data=sa.LargeBinary,  # the Item as JSON, compressed
    ),
)

FOUND = sa.Table(
    "found",
    METADATA,
    _key("run", NUMBER),
    _key("name"),  # of what was found out once for all debates
    *_filled(
        debate=sa.Text,  # the debate that found it out
        data=sa.Text,  # the Message as JSON
    ),
)

IN_FLIGHT = sa.Table(
    "in_flight",
    METADATA,
    sa.Column("number", NUMBER, primary_key=True),  # in the order of writing
    *_filled(
        run=NUMBER,
        debate=sa.Text,  # the debate's id within its run
        call=sa.Boolean,  # whether it is a model call, and not a message
        place=sa.Integer,  # of the first message, or of the call, within its debate
        entry=sa.LargeBinary,  # lines of a document, and their CRC-32
    ),
    sa.UniqueConstraint("run", "debate", "call", "place"),
)
"""Messages and calls of debates in progress, on disk before they are used. Rows are only added, until the debate ends."""

DEBATES = sa.Table(
    "debates",
    METADATA,
    sa.Column("number", NUMBER, primary_key=True),  # of all debates that have ended, in any run
    *_filled(
        run=NUMBER,
        id=sa.Text,  # the debate's id within its run
        item=sa.Text,
    ),
    *_open(
        item_group=sa.Text,  # the item's group, as its data gave it
        system=sa.Text,  # what made the text that was judged
    ),
    *_filled(outcome=sa.Text),  # verdict, curtailed, failure, ... (outcome.py)
    *_open(
        ended=sa.Text,  # what ended it: agreement, round limit, ...
        settled=sa.Boolean,  # whether the agents agreed
        changed=sa.Boolean,  # whether an agent cast two ballots that differ
        rounds=sa.Integer,
        calls=sa.Integer,
        tokens=sa.BigInteger,  # of prompts and completions
        money=sa.Double,  # null where a price is not known
        seconds=sa.Double,
    ),
    *_filled(
        said=sa.Integer,  # how many messages its documents have
        asked=sa.Integer,  # how many model calls its documents have
        row=sa.Text,  # Record.row() as JSON
    ),
    sa.UniqueConstraint("run", "id"),
    sqlite_autoincrement=True,
)
"""Debates that have ended: narrow, so that all of a run are added up at once."""

SORTED = (
    *("outcome", "item_group", "system", "ended", "settled", "changed"),
    *("rounds", "calls", "tokens", "money", "seconds"),
)
"""The columns of debates that have an index within their run."""

SCORES = sa.Table(
    "scores",
    METADATA,
    _key("debate", NUMBER),  # the debate's number
    _key("name"),  # the aspect, or aspect.candidate
    *_filled(run=NUMBER),
    *_open(
        score=sa.Double,  # the verdict's
        human=sa.Double,  # people's
    ),
    sqlite_with_rowid=False,
)

COSTS = sa.Table(
    "costs",
    METADATA,
    _key("run", NUMBER),
    _key("agent"),  # without the number of its sitting
    _key("model"),  # as its replies name it; empty where none was used
    _key("served"),  # as the endpoint calls it
    _key("round", sa.Integer),
    _key("cached", sa.Boolean),  # whether our own cache gave it
    _key("debate", NUMBER),  # the debate's number
    *_filled(**dict.fromkeys(COUNTS, sa.BigInteger)),
    *_filled(seconds=sa.Double),  # of waiting for the model
    sqlite_with_rowid=False,
)
"""Costs of each debate's calls. Its key leads through a run group by group, so that sums need no sorting."""

DOCUMENTS = sa.Table(
    "documents",
    METADATA,
    _key("debate", NUMBER),  # the debate's number
    *_filled(
        talk_sum=sa.BigInteger,  # CRC-32 of what is stored of the talk
        calls_sum=sa.BigInteger,  # CRC-32 of what is stored of the calls
        # Its messages, a line of JSON each; compressed by zstd in a file.
        talk=sa.LargeBinary().with_variant(sa.Text(), "postgresql"),
        # Its model calls with prompts and completions, a line of JSON each, compressed by zstd.
        calls=sa.LargeBinary,
    ),
)

QUEUES = sa.Table(
    "queues",
    METADATA,
    _key("run", NUMBER),
    *_filled(
        entered=sa.Boolean,  # whether all of the run's debates have been entered
        code=sa.Text,  # the code that the workers need to have, JSON
    ),
)
"""The runs that any number of processes may work on."""

LEASES = sa.Table(
    "leases",
    METADATA,
    _key("run", NUMBER),
    _key("debate"),
    *_filled(
        place=sa.Integer,  # of the debate within its run, from 0
        item=sa.Text,
        item_number=sa.Integer,
        aspects=sa.Text,  # JSON
        taken=sa.Integer,  # how often it was taken
    ),
    *_open(worker=sa.Text),  # who took it last; null where nobody did
    *_filled(token=sa.BigInteger),  # the fencing token, new for each taking
)
"""The debates of queues that have not ended."""

WORKERS = sa.Table(
    "workers",
    METADATA,
    _key("run", NUMBER),
    _key("name"),
    *_filled(
        begun=sa.Double,  # these three by the clock of the workers
        seen=sa.Double,
        until=sa.Double,  # from when on it counts as gone
        told=sa.Boolean,  # whether it was told to stop
    ),
    *_open(departed=sa.Text),  # why it left; null while it works, and where it was killed
    *_filled(
        debates=sa.Integer,  # that it has held to their end
        lost=sa.Integer,  # leases that it lost
        tokens=sa.BigInteger,  # that it has spent of the budget
        units=sa.BigInteger,  # of money that it has spent of it: trillionths
    ),
)
"""The processes that work, or have worked, on the runs of queues."""

SAME_ITEM = sa.and_(ITEMS.c.run == DEBATES.c.run, ITEMS.c.id == DEBATES.c.item)
"""Joins a debate with its item."""

for _name in ("item", *SORTED):
    sa.Index(f"debates_{_name}", DEBATES.c.run, DEBATES.c[_name])
# What is added up and compared over all debates of a run is read from the first of these two, and not from the table.
sa.Index("scores_score", SCORES.c.run, SCORES.c.name, SCORES.c.score, SCORES.c.debate, SCORES.c.human)
sa.Index("scores_human", SCORES.c.run, SCORES.c.name, SCORES.c.human, SCORES.c.debate)
# The order of takings. Where a worker dies, others take what it held after all that were not taken so often, so that kills that follow
# each other do not meet the same calls again and again.
sa.Index("leases_next", LEASES.c.run, LEASES.c.taken, LEASES.c.place)
sa.Index("leases_worker", LEASES.c.run, LEASES.c.worker)


def version_of(connection: sa.Connection, place: str) -> str | None:
    """The number of a store's schema; None where there is none. Raises UsageError for one that this version cannot use."""
    if not sa.inspect(connection).has_table(REVISION.name):
        return None
    version = str(connection.execute(sa.select(sa.func.max(REVISION.c.version_num))).scalar())
    if version not in (WITH_PIECES, WITH_SUMS, HEAD):
        raise UsageError(
            f"{place} is no store of this agentdebate (schema {version}, and this one knows {HEAD}); "
            "upgrade agentdebate to use it, or name another store"
        )
    return version


def create(connection: sa.Connection) -> None:
    """Make the tables in an empty database."""
    METADATA.create_all(connection)
    connection.execute(REVISION.insert(), {"version_num": HEAD})


def insert_rows(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]], *, again: bool = False
) -> None:
    """Enter rows that have the same columns, if there are any; with `again`, all but those that are there already."""
    if rows:
        connection.execute(_into(connection.dialect.name, table, again=again), rows)


@cache
def _into(dialect: str, table: sa.Table, *, again: bool) -> Any:
    """The statement for rows, which is kept so that SQLAlchemy need not look twice which one it is."""
    if not again:
        return table.insert().inline()
    # The module of one database alone is imported: that of PostgreSQL takes 2 MB.
    insert = import_module(f"sqlalchemy.dialects.{dialect}").insert
    return insert(table).on_conflict_do_nothing().inline()


def number_of(connection: sa.Connection, run: str) -> int:
    """The number of a run that is in the store."""
    return int(connection.execute(sa.select(RUNS.c.number).where(RUNS.c.id == run)).scalar_one())


def enter_run(connection: sa.Connection, row: Mapping[str, Any]) -> int:
    """Enter a run, and return its number."""
    insert_rows(connection, RUNS, [row], again=True)
    return number_of(connection, row["id"])


def batches(values: Iterable[Any], most: int = 400) -> Iterator[list[Any]]:
    """The values, so many at a time, or else as many as one query asks for."""
    left = iter(values)
    while some := list(islice(left, most)):
        yield some
