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

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
"""Numbers rows; SQLite takes an INTEGER key alone for the number of the row itself."""

HEAD = "8"
"""The number of this version's schema."""

BEFORE = "6"
"""The schema that is brought over (schema_6.py)."""

LARGEST = 64 << 20
"""Bytes that one value of a row may have. A larger one is not read, whatever the file holds."""

COUNTS = tuple(one.name for one in fields(Usage))
"""Names of the counts of calls and their tokens."""


def _run_key() -> "sa.Column[int]":
    """The column that says of which run a row is, as a part of the key."""
    return sa.Column("run", NUMBER, primary_key=True, autoincrement=False)


REVISION = sa.Table("alembic_version", METADATA, sa.Column("version_num", sa.String(32), primary_key=True))
"""The number of the schema, where versions before kept it."""

COMPLETIONS = sa.Table(
    "completions",
    METADATA,
    sa.Column("key", sa.Text, primary_key=True),  # the digest of the model, its settings and the request
    sa.Column("completion", sa.Text, nullable=False),  # the Completion as JSON
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),  # seconds since 1970-01-01 UTC
)
"""The cache of completions (cache.py). A file that holds nothing else was a cache of an earlier version, and becomes a store."""

RUNS = sa.Table(
    "runs",
    METADATA,
    sa.Column("number", NUMBER, primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("created", sa.Double, nullable=False),  # seconds since 1970-01-01 UTC
    sa.Column("ended", sa.Double),  # null while it runs and after it was stopped
    sa.Column("strategy", sa.Text, nullable=False),
    sa.Column("task", sa.Text, nullable=False),  # the tasks of its items, with commas
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("configuration", sa.Text, nullable=False),  # JSON
    sqlite_autoincrement=True,  # the number of a run that was deleted means no other one
)

ITEMS = sa.Table(
    "items",
    METADATA,
    _run_key(),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),  # of the item within its run, from 1
    sa.Column("data", sa.LargeBinary, nullable=False),  # the Item as JSON, compressed
)

FOUND = sa.Table(
    "found",
    METADATA,
    _run_key(),
    sa.Column("name", sa.Text, primary_key=True),  # of what was found out once for all debates
    sa.Column("debate", sa.Text, nullable=False),  # the debate that found it out
    sa.Column("data", sa.Text, nullable=False),  # the Message as JSON
)

IN_FLIGHT = sa.Table(
    "in_flight",
    METADATA,
    sa.Column("number", NUMBER, primary_key=True),  # in the order of writing
    sa.Column("run", NUMBER, nullable=False),
    sa.Column("debate", sa.Text, nullable=False),  # the debate's id within its run
    sa.Column("call", sa.Boolean, nullable=False),  # whether it is a model call, and not a message
    sa.Column("place", sa.Integer, nullable=False),  # of the message, or of the call, within its debate
    sa.Column("entry", sa.LargeBinary, nullable=False),  # a line of a document, and its CRC-32
    sa.UniqueConstraint("run", "debate", "call", "place"),
)
"""Messages and calls of debates in progress, on disk before they are used. Rows are only added, until the debate ends."""

DEBATES = sa.Table(
    "debates",
    METADATA,
    sa.Column("number", NUMBER, primary_key=True),  # of all debates that have ended, in any run
    sa.Column("run", NUMBER, nullable=False),
    sa.Column("id", sa.Text, nullable=False),  # the debate's id within its run
    sa.Column("item", sa.Text, nullable=False),
    sa.Column("item_group", sa.Text),  # the item's group, as its data gave it
    sa.Column("system", sa.Text),  # what made the text that was judged
    sa.Column("outcome", sa.Text, nullable=False),  # verdict, curtailed, failure, ... (outcome.py)
    sa.Column("ended", sa.Text),  # what ended it: agreement, round limit, ...
    sa.Column("settled", sa.Boolean),  # whether the agents agreed
    sa.Column("changed", sa.Boolean),  # whether an agent cast two ballots that differ
    sa.Column("rounds", sa.Integer),
    sa.Column("calls", sa.Integer),
    sa.Column("tokens", sa.BigInteger),  # of prompts and completions
    sa.Column("money", sa.Double),  # null where a price is not known
    sa.Column("seconds", sa.Double),
    sa.Column("said", sa.Integer, nullable=False),  # how many messages its documents have
    sa.Column("asked", sa.Integer, nullable=False),  # how many model calls its documents have
    sa.Column("row_sum", sa.BigInteger, nullable=False, server_default="0"),  # CRC-32 of its narrow rows
    sa.Column("row", sa.Text, nullable=False),  # Record.row() as JSON
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
    sa.Column("debate", NUMBER, primary_key=True, autoincrement=False),  # the debate's number
    sa.Column("name", sa.Text, primary_key=True),  # the aspect, or aspect.candidate
    sa.Column("run", NUMBER, nullable=False),
    sa.Column("score", sa.Double),  # the verdict's
    sa.Column("human", sa.Double),  # people's
    sqlite_with_rowid=False,
)

COSTS = sa.Table(
    "costs",
    METADATA,
    _run_key(),
    sa.Column("agent", sa.Text, primary_key=True),  # without the number of its sitting
    sa.Column("model", sa.Text, primary_key=True),  # as its replies name it; empty where none was used
    sa.Column("served", sa.Text, primary_key=True),  # as the endpoint calls it
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("cached", sa.Boolean, primary_key=True),  # whether our own cache gave it
    sa.Column("debate", NUMBER, primary_key=True, autoincrement=False),  # the debate's number
    *(sa.Column(name, sa.BigInteger, nullable=False) for name in COUNTS),
    sa.Column("seconds", sa.Double, nullable=False),  # of waiting for the model
    sqlite_with_rowid=False,
)
"""Costs of each debate's calls. Its key leads through a run group by group, so that sums need no sorting."""

DOCUMENTS = sa.Table(
    "documents",
    METADATA,
    sa.Column("debate", NUMBER, primary_key=True, autoincrement=False),  # the debate's number
    sa.Column("talk_sum", sa.BigInteger, nullable=False),  # CRC-32 of what is stored of the talk
    sa.Column("calls_sum", sa.BigInteger, nullable=False),  # CRC-32 of what is stored of the calls
    # Its messages, a line of JSON each; compressed by zstd in a file.
    sa.Column("talk", sa.LargeBinary().with_variant(sa.Text(), "postgresql"), nullable=False),
    # Its model calls with prompts and completions, a line of JSON each, compressed by zstd.
    sa.Column("calls", sa.LargeBinary, nullable=False),
)

QUEUES = sa.Table(
    "queues",
    METADATA,
    _run_key(),
    sa.Column("entered", sa.Boolean, nullable=False),  # whether all of the run's debates have been entered
    sa.Column("code", sa.Text, nullable=False),  # the code that the workers need to have, JSON
)
"""The runs that any number of processes may work on."""

LEASES = sa.Table(
    "leases",
    METADATA,
    _run_key(),
    sa.Column("debate", sa.Text, primary_key=True),
    sa.Column("place", sa.Integer, nullable=False),  # of the debate within its run, from 0
    sa.Column("item", sa.Text, nullable=False),
    sa.Column("item_number", sa.Integer, nullable=False),
    sa.Column("aspects", sa.Text, nullable=False),  # JSON
    sa.Column("taken", sa.Integer, nullable=False),  # how often it was taken
    sa.Column("worker", sa.Text),  # who took it last; null where nobody did
    sa.Column("token", sa.BigInteger, nullable=False),  # the fencing token, new for each taking
)
"""The debates of queues that have not ended."""

WORKERS = sa.Table(
    "workers",
    METADATA,
    _run_key(),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("begun", sa.Double, nullable=False),  # these three by the clock of the workers
    sa.Column("seen", sa.Double, nullable=False),
    sa.Column("until", sa.Double, nullable=False),  # from when on it counts as gone
    sa.Column("told", sa.Boolean, nullable=False),  # whether it was told to stop
    sa.Column("departed", sa.Text),  # why it left; null while it works, and where it was killed
    sa.Column("debates", sa.Integer, nullable=False),  # that it has held to their end
    sa.Column("lost", sa.Integer, nullable=False),  # leases that it lost
    sa.Column("tokens", sa.BigInteger, nullable=False),  # that it has spent of the budget
    sa.Column("units", sa.BigInteger, nullable=False),  # of money that it has spent of it: trillionths
)
"""The processes that work, or have worked, on the runs of queues."""

for _name in SORTED:
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
    if not version.isdecimal():
        return None  # many programs have Alembic keep a revision of theirs
    if version not in (BEFORE, HEAD):
        raise UsageError(
            f"the store {place} was written by another agentdebate (schema {version}, and this one knows {BEFORE} and {HEAD}); "
            "upgrade agentdebate to use it, or hold its runs again"
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
