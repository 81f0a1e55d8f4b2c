"""The tables of a store, as they are now. What leads here from older ones is in migrations/."""

from collections.abc import Sequence

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError

METADATA = sa.MetaData()

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
"""Numbers rows; SQLite takes an INTEGER key alone for the number of the row itself."""


def _run() -> "sa.Column[int]":
    return sa.Column("run", _NUMBER, primary_key=True, comment="the run's number", autoincrement=False)


def _talk() -> "sa.Column[int]":
    return sa.Column("talk", _NUMBER, primary_key=True, comment="the talk's number", autoincrement=False)


_LISTS = {"pieces": True}
"""Says of a column that it lists pieces."""


def _texts() -> "sa.Column[str]":
    return sa.Column(
        "texts", sa.Text, comment="the pieces of the texts that were taken out, JSON", info=_LISTS
    )


RUNS = sa.Table(
    "runs",
    METADATA,
    sa.Column("number", _NUMBER, primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("created", sa.Double, nullable=False, comment="seconds since 1970-01-01 UTC"),
    sa.Column("ended", sa.Double, comment="null while it runs and after it was stopped"),
    sa.Column("strategy", sa.Text, nullable=False),
    sa.Column("task", sa.Text, nullable=False, comment="the tasks of its items, with commas"),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("configuration", sa.Text, nullable=False, comment="JSON"),
    sqlite_autoincrement=True,  # the number of a run that was deleted means no other one
)

ITEMS = sa.Table(
    "items",
    METADATA,
    _run(),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False, comment="of the item within its run, from 1"),
    sa.Column("data", sa.Text, nullable=False, comment="the Item as JSON, without its texts"),
    _texts(),
)

TALKS = sa.Table(
    "talks",
    METADATA,
    sa.Column("number", _NUMBER, primary_key=True, comment="of all debates that were begun, in any run"),
    sa.Column("run", _NUMBER, nullable=False),
    sa.Column("debate", sa.Text, nullable=False, comment="the debate's id within its run"),
    sa.UniqueConstraint("run", "debate"),
    sqlite_autoincrement=True,
)

DEBATES = sa.Table(
    "debates",
    METADATA,
    _run(),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("talk", _NUMBER, nullable=False),
    sa.Column("item", sa.Text, nullable=False),
    sa.Column("item_group", sa.Text, comment="the item's group, as its data gave it"),
    sa.Column("system", sa.Text, comment="what made the text that was judged"),
    sa.Column("outcome", sa.Text, nullable=False, comment="verdict, curtailed, failure, ... (outcome.py)"),
    sa.Column("ended", sa.Text, comment="what ended it: agreement, round limit, ..."),
    sa.Column("settled", sa.Boolean, comment="whether the agents agreed"),
    sa.Column("changed", sa.Boolean, comment="whether an agent cast two ballots that differ"),
    sa.Column("rounds", sa.Integer),
    sa.Column("calls", sa.Integer),
    sa.Column("tokens", sa.BigInteger, comment="of prompts and completions"),
    sa.Column("money", sa.Double, comment="null where a price is not known"),
    sa.Column("seconds", sa.Double),
    sa.Column("row", sa.Text, nullable=False, comment="Record.row() as JSON"),
)
"""The debates that have ended."""

SORTED = (
    "outcome",
    "item_group",
    "system",
    "ended",
    "settled",
    "changed",
    "rounds",
    "calls",
    "tokens",
    "money",
    "seconds",
)
"""The columns of debates that have an index within their run."""

SCORES = sa.Table(
    "scores",
    METADATA,
    _talk(),
    sa.Column("name", sa.Text, primary_key=True, comment="the aspect, or aspect.candidate"),
    sa.Column("run", _NUMBER, nullable=False),
    sa.Column("score", sa.Double, comment="the verdict's"),
    sa.Column("human", sa.Double, comment="people's"),
)

MESSAGES = sa.Table(
    "messages",
    METADATA,
    _talk(),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("sender", sa.Text),
    sa.Column("round", sa.Integer),
    sa.Column("time", sa.Double, comment="seconds since 1970-01-01 UTC"),
    sa.Column("data", sa.Text, nullable=False, comment="the rest of the Message as JSON, without its texts"),
    _texts(),
)

CALLS = sa.Table(
    "calls",
    METADATA,
    _talk(),
    sa.Column(
        "number",
        sa.Integer,
        primary_key=True,
        autoincrement=False,
        comment="of the call within its debate, from 1",
    ),
    sa.Column("agent", sa.Text, nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("ask", sa.Integer, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column(
        "shown",
        sa.Text,
        nullable=False,
        comment="numbers of the messages shown, JSON; of many those that an earlier call was not shown (later_lists.py)",
    ),
    sa.Column("key", sa.Text, nullable=False, comment="digest of the request"),
    sa.Column(
        "sampling",
        sa.Text,
        nullable=False,
        comment="the pieces of the sampling parameters that are set, JSON",
        info=_LISTS,
    ),
    sa.Column("schema", sa.Boolean, nullable=False, comment="whether the request held the reply to a schema"),
    sa.Column(
        "sample", sa.Integer, nullable=False, comment="which of several samples of the request, from 0"
    ),
    sa.Column(
        "roles",
        sa.Text,
        nullable=False,
        comment="the roles of the chat messages whose pieces are listed, with commas",
    ),
    sa.Column(
        "prompt",
        sa.Text,
        nullable=False,
        comment="the pieces of the chat messages after the brief, JSON; of many those that an earlier call did not have (later_lists.py)",
        info=_LISTS,
    ),
    sa.Column("completion", sa.Text, nullable=False, comment="the Completion as JSON, without its texts"),
    _texts(),
)

FOUND = sa.Table(
    "found",
    METADATA,
    _run(),
    sa.Column("name", sa.Text, primary_key=True, comment="of what was found out once for all debates"),
    sa.Column("debate", sa.Text, nullable=False, comment="the debate that found it out"),
    sa.Column("data", sa.Text, nullable=False, comment="the Message as JSON"),
)

PIECES = sa.Table(
    "pieces",
    METADATA,
    sa.Column("number", _NUMBER, primary_key=True),
    sa.Column(
        "digest", sa.LargeBinary, nullable=False, unique=True, comment="16 bytes of BLAKE2b of the text"
    ),
    sa.Column("text", sa.Text, nullable=False),
)
"""Every distinct piece of text, once."""

RUN_PIECES = sa.Table(
    "run_pieces",
    METADATA,
    sa.Column("piece", _NUMBER, primary_key=True, autoincrement=False),
    _run(),
    sqlite_with_rowid=False,
)
"""Which run lists which pieces, so that those of a run can go with it."""

QUEUES = sa.Table(
    "queues",
    METADATA,
    _run(),
    sa.Column(
        "entered", sa.Boolean, nullable=False, comment="whether all of the run's debates have been entered"
    ),
    sa.Column("stopped", sa.Double, comment="when the workers were told to stop, by the database's clock"),
    sa.Column(
        "drain", sa.Boolean, nullable=False, comment="whether they were told to end the debates they hold"
    ),
    sa.Column("code", sa.Text, nullable=False, comment="the code that the workers need to have, JSON"),
)
"""The runs that any number of processes may work on."""

LEASES = sa.Table(
    "leases",
    METADATA,
    _run(),
    sa.Column("debate", sa.Text, primary_key=True),
    sa.Column("place", sa.Integer, nullable=False, comment="of the debate within its run, from 0"),
    sa.Column("item", sa.Text, nullable=False),
    sa.Column("item_number", sa.Integer, nullable=False),
    sa.Column("aspects", sa.Text, nullable=False, comment="JSON"),
    sa.Column("worker", sa.Text, comment="who holds it; null where nobody does"),
    sa.Column("token", sa.BigInteger, nullable=False, comment="the fencing token, new for each taking"),
    sa.Column(
        "until", sa.Double, nullable=False, comment="when it may be taken over, by the database's clock"
    ),
    sa.Column("taken", sa.Integer, nullable=False, comment="how often it was taken"),
)
"""The debates of queues that have not ended, and who holds them until when."""

WORKERS = sa.Table(
    "workers",
    METADATA,
    _run(),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("begun", sa.Double, nullable=False, comment="by the database's clock"),
    sa.Column("seen", sa.Double, nullable=False, comment="by the database's clock"),
    sa.Column("until", sa.Double, nullable=False, comment="from when on it counts as gone"),
    sa.Column("departed", sa.Text, comment="why it left; null while it works, and where it was killed"),
    sa.Column("debates", sa.Integer, nullable=False, comment="that it has held to their end"),
    sa.Column("calls", sa.BigInteger, nullable=False),
    sa.Column("tokens", sa.BigInteger, nullable=False),
    sa.Column("lost", sa.Integer, nullable=False, comment="leases that it lost"),
)
"""The processes that work, or have worked, on the runs of queues."""

ACCOUNTS = sa.Table(
    "accounts",
    METADATA,
    _run(),
    sa.Column("name", sa.Text, primary_key=True, comment="of what is drawn from, or waited for"),
    sa.Column("drawn", sa.BigInteger, nullable=False, comment="of a budget, by all workers"),
    sa.Column("until", sa.Double, nullable=False, comment="when a pause or a search is over"),
    sa.Column("worker", sa.Text, comment="who is searching"),
)
"""What the workers of a run share: budgets, pauses of models, and who is finding out what all of them need."""

BLOCKS = sa.Table(
    "blocks",
    METADATA,
    sa.Column("number", _NUMBER, primary_key=True),
    sa.Column("run", _NUMBER, nullable=False),
    sa.Column("name", sa.Text, nullable=False, comment="of the limit"),
    sa.Column("at", sa.Double, nullable=False, comment="by the database's clock"),
    sa.Column("amount", sa.Double, nullable=False),
)
"""What was drawn of limits a minute in the last minute."""

REVISION = sa.Table("alembic_version", METADATA, sa.Column("version_num", sa.String(32), primary_key=True))
"""The number of the schema, where Alembic keeps it."""

for _name in SORTED:
    sa.Index(f"debates_{_name}", DEBATES.c.run, DEBATES.c[_name])
# What is added up and compared over all debates of a run is read from the first of these two, and not from the table.
sa.Index("scores_score", SCORES.c.run, SCORES.c.name, SCORES.c.score, SCORES.c.talk, SCORES.c.human)
sa.Index("scores_human", SCORES.c.run, SCORES.c.name, SCORES.c.human, SCORES.c.talk)
sa.Index("run_pieces_run", RUN_PIECES.c.run)
sa.Index("leases_place", LEASES.c.run, LEASES.c.place)
sa.Index("leases_worker", LEASES.c.run, LEASES.c.worker)
sa.Index("blocks_at", BLOCKS.c.run, BLOCKS.c.name, BLOCKS.c.at)

OF_QUEUES = (QUEUES, LEASES, WORKERS, ACCOUNTS, BLOCKS)
"""The tables through which several processes work on a run."""

LISTING = {
    table: tuple(column.name for column in table.c if column.info.get("pieces"))
    for table in METADATA.tables.values()
}
"""The columns of each table that list pieces."""

HEAD = "6"
"""The number of this version's schema."""

OLD_VERSION = "schema_version"
"""The table in which stores kept their number before Alembic did: 1 or 2."""

NEEDED = (RUNS, ITEMS, TALKS, DEBATES, SCORES, MESSAGES, CALLS, PIECES)
"""The tables that reading needs."""


def version_of(connection: sa.Connection, place: str) -> str | None:
    """The number of a store's schema; None where there is none. Raises UsageError for a newer one, StoreError for what is not a store."""
    inspector = sa.inspect(connection)
    for table, column in ((REVISION.name, "version_num"), (OLD_VERSION, "version")):
        if inspector.has_table(table):
            numbers = sa.text(f"SELECT {column} FROM {table}")  # noqa: S608 - names of ours
            versions = connection.execute(numbers).scalars().all()
            of_another = not inspector.has_table(RUNS.name) and not all(map(_is_version, versions))
            return (
                None if of_another else _newest(versions, place)
            )  # many programs have Alembic keep a revision of theirs
    return None


def _is_version(version: object) -> bool:
    return isinstance(version, int | str) and str(version).isdecimal()


def _newest(versions: Sequence[object], place: str) -> str:
    for version in versions or [None]:
        if not _is_version(version):
            raise StoreError(
                f"the store {place} says {version!r} where the number of its schema belongs; take a copy that you have"
            )
    newest = max(int(str(version)) for version in versions)
    if newest > int(HEAD):
        raise UsageError(
            f"the store {place} was written by a newer agentdebate (schema {newest}, and this one knows {HEAD}); "
            "upgrade agentdebate to use it"
        )
    return str(newest)


def create(connection: sa.Connection) -> None:
    """Make the tables in an empty database."""
    METADATA.create_all(connection)
    connection.execute(REVISION.insert(), {"version_num": HEAD})


def check_tables(connection: sa.Connection, place: str, *, reading: bool) -> None:
    """Raise StoreError where a table or a column is missing that is needed, for `reading` or for writing as well."""
    inspector = sa.inspect(connection)
    there = set(inspector.get_table_names())
    for table in (*NEEDED, *(() if reading else (FOUND, RUN_PIECES, *OF_QUEUES))):
        if table.name not in there:
            raise _altered(place, f"the table {table.name}")
        columns = {column["name"] for column in inspector.get_columns(table.name)}
        for name in set(table.columns.keys()) - columns:
            raise _altered(place, f"the column {name} of the table {table.name}")


def _altered(place: str, lost: str) -> StoreError:
    return StoreError(
        f"the store {place} was altered: {lost} is missing; take a copy that you have, or name another store"
    )
