"""How a database is reached: the one place where engines are made, on files and on servers."""

import socket
import ssl
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import sqlalchemy as sa

from agentdebate.errors import UsageError, nearest
from agentdebate.extras import require
from agentdebate.store.sqlite_file import connect

MODES = ("disable", "prefer", "require", "verify-ca", "verify-full")
"""PostgreSQL's modes, without the one that encrypts only what would be refused otherwise."""

WORDS = ("sslmode", "sslrootcert", "sslcert", "sslkey")
"""What a URL may say about encryption."""


def without_tls(url: sa.URL) -> tuple[sa.URL, ssl.SSLContext | Literal[False] | None]:
    """The URL without its words on encryption, and what the driver is told: a context, False for no encryption, None for "prefer".

    As in PostgreSQL's own programs, a URL that says nothing means "prefer", which encrypts where the server can; "require" encrypts and believes any server unless there is an sslrootcert, "verify-ca" wants a
    certificate that sslrootcert has signed, and "verify-full" wants it to be that host's too. Raises UsageError for another
    mode, and for a file that cannot be used.
    """
    words = {word: str(url.query[word]) for word in WORDS if word in url.query}
    if not words:
        return url, None
    mode = words.get("sslmode", "verify-full" if "sslrootcert" in words else "require")
    if mode not in MODES:
        raise UsageError(
            f"sslmode={mode} in the store's URL: say one of {', '.join(MODES)}. {nearest(mode, MODES)}"
        )
    rest = url.difference_update_query(WORDS)
    if mode == "disable":
        return rest, False
    return rest, None if mode == "prefer" else _context(mode, words)


def _context(mode: str, words: dict[str, str]) -> ssl.SSLContext:
    root = words.get("sslrootcert")
    try:
        context = ssl.create_default_context(cafile=_file(root) if root and root != "system" else None)
        context.check_hostname = mode == "verify-full"
        if mode == "require" and root is None:
            context.verify_mode = ssl.CERT_NONE
        if "sslcert" in words:
            context.load_cert_chain(
                _file(words["sslcert"]), _file(words["sslkey"]) if "sslkey" in words else None
            )
    except OSError as error:  # ssl.SSLError is one
        named = ", ".join(f"{word}={words[word]}" for word in WORDS[1:] if word in words)
        raise UsageError(
            f"the certificates that the store's URL names ({named}) cannot be used: {error}"
        ) from error
    return context


def _file(path: str) -> str:
    return str(Path(path).expanduser())


def insert(dialect: str, table: sa.Table) -> Any:
    """The insert into a table. The module of its database alone is imported: that of PostgreSQL takes 2 MB."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)


ANSWER = 20
"""Seconds that a database server may take to answer, before it counts as gone."""

DRIVER, EXTRA = "pg8000", "postgres"
"""The driver for PostgreSQL, which a URL need not name, and the extra that brings it."""

TAKEN = ("unix_sock",)
"""What a URL may say to the driver itself: the socket file of a server on this machine."""

SERVER = "postgresql"
"""The dialect of the database server whose locks are used."""

IDLE = 8
"""Seconds after which a server ends a session whose process says nothing within a transaction: it was stopped, or cut off."""

MOST_ROWS = 64
"""How many rows one statement enters: the driver reads its text character by character."""

HELD_UP = 10
"""Seconds that a statement waits for another session's lock, that the network may keep silent about what was sent, and that a
transaction of one worker of several lasts. More than IDLE, so that the session which holds a lock ends before those that wait.
"""


_PORTS = 0xFFFF
"""The highest port that there is."""


def url_of(place: str) -> sa.URL:
    """The URL of a store, which may be a file's path. Raises UsageError for what is neither."""
    if "://" not in place:
        return sa.URL.create("sqlite", database=place)
    try:
        url = sa.make_url(place)
    except (sa.exc.ArgumentError, ValueError) as error:
        raise UsageError("a store is a file or a database URL, and this URL cannot be read") from error
    if url.get_backend_name() not in {"sqlite", SERVER}:
        raise UsageError(
            f"a store is a SQLite file or a PostgreSQL database, not one of {url.get_backend_name()}"
        )
    if url.port is not None and not 0 < url.port <= _PORTS:
        raise UsageError(f"the store's URL names port {url.port}: a port is 1 to {_PORTS}")
    return url


def engine_for(url: sa.URL, *, busy: int) -> sa.Engine:
    """The engine for a URL. Raises UsageError where its driver is not known or not installed, as MissingExtra where that is ours.

    `busy` is how many milliseconds SQLite waits for another process. A connection to PostgreSQL does not wait for ever,
    notices that the server was restarted, and is ended by the server where its process is stopped within a transaction.
    """
    if url.get_backend_name() == "sqlite":
        return _on_file(url, busy)
    if url.drivername == SERVER:
        url = url.set(drivername=f"{SERVER}+{DRIVER}")
    try:
        engine = _by_pg8000(url) if url.drivername == f"{SERVER}+{DRIVER}" else _by_libpq(url)
    except (sa.exc.NoSuchModuleError, ModuleNotFoundError) as error:
        raise UsageError(
            f"there is no driver {url.drivername} here: install it, or write {SERVER}://"
        ) from error
    sa.event.listen(engine, "connect", _limit)
    return engine


def limit_transactions(connection: sa.Connection) -> None:
    """Have a server end a transaction that lasts too long. Versions before PostgreSQL 17 cannot, and are not asked to."""
    connection.exec_driver_sql(_settings(transaction_timeout=f"{HELD_UP}s")).close()


def _by_pg8000(url: sa.URL) -> sa.Engine:
    require(DRIVER, EXTRA)
    url, tls = without_tls(url)
    _check_words(url)
    options = {"timeout": ANSWER, "application_name": "agentdebate", "ssl_context": tls}
    engine = sa.create_engine(
        url, connect_args=options, pool_pre_ping=True, insertmanyvalues_page_size=MOST_ROWS
    )
    engine.dialect.use_insertmanyvalues_wo_returning = True  # or each row would wait for the server's answer
    sa.event.listen(engine, "connect", _settle_socket)
    # What closing a lost connection raises would be logged with a traceback, and its socket would be left open.
    setattr(engine.dialect, "do_close", partial(_close, engine.dialect.loaded_dbapi.Error))  # noqa: B010 - a method is replaced, which type checkers refuse
    return engine


def _by_libpq(url: sa.URL) -> sa.Engine:
    """An engine by psycopg or its like, which hand parameters on to libpq. What the URL says goes before."""
    usual = {
        "connect_timeout": ANSWER,
        "application_name": "agentdebate",
        "tcp_user_timeout": HELD_UP * 1000,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
    }
    options = {name: value for name, value in usual.items() if name not in url.query}
    return sa.create_engine(url, connect_args=options, pool_pre_ping=True)


def _limit(connection: Any, _record: object) -> None:
    """Have the server end a session that was left within a transaction, so that a stopped process holds up no other for long."""
    limits = _settings(
        idle_in_transaction_session_timeout=f"{IDLE}s",
        lock_timeout=f"{HELD_UP}s",
        tcp_user_timeout=f"{HELD_UP}s",
        tcp_keepalives_idle="5",
        tcp_keepalives_interval="2",
        tcp_keepalives_count="3",
    )
    cursor = connection.cursor()
    cursor.execute(limits)
    cursor.close()
    connection.commit()


def _settings(**values: str) -> str:
    """A statement that sets what a session's server knows of these settings."""
    wanted = ", ".join(f"('{name}', '{value}')" for name, value in values.items())
    return (
        f"SELECT set_config(name, value, false) FROM (VALUES {wanted}) AS wanted (name, value) "  # noqa: S608 - values of ours
        "WHERE name IN (SELECT name FROM pg_settings)"
    )


def _settle_socket(connection: Any, _record: object) -> None:
    """Settle a connection's socket: it does not gather what it sends, and fails where the network is silent for too long.

    The driver writes a request in parts, and the second waited 40 ms for the server.
    """
    sock = getattr(connection, "_usock", None)
    if sock is None or sock.family == getattr(socket, "AF_UNIX", None):
        return
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, HELD_UP * 1000)


def _check_words(url: sa.URL) -> None:
    """Raise UsageError for a word in a URL that the driver would not know."""
    for word in url.query:
        if word not in TAKEN:
            raise UsageError(f"the store's URL says {word}=: {nearest(word, (*WORDS, *TAKEN))}")


def _close(lost: type[Exception], connection: Any) -> None:
    """Close a connection, which may be lost already: then there is nothing left to say goodbye to, and its file is closed."""
    file = getattr(connection, "_sock", None)
    with suppress(lost, OSError):
        connection.close()
    if file is not None:
        with suppress(OSError, ValueError):  # what it could not send it tries to send once more
            file.close()


def _on_file(url: sa.URL, busy: int) -> sa.Engine:
    engine = sa.create_engine(url)

    def opened(_dialect: object, _record: object, given: list[Any], named: dict[str, Any]) -> Any:
        return connect(*given, busy=busy, **named)

    sa.event.listen(engine, "do_connect", opened)
    return engine
