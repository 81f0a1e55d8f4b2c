"""How a database is reached: the one place where engines are made, for stores and for caches, on files and on servers."""

import socket
from contextlib import suppress
from functools import partial
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import UsageError, nearest
from agentdebate.extras import require
from agentdebate.store.sqlite_file import connect
from agentdebate.store.tls import WORDS, without_tls

ANSWER = 20
"""Seconds that a database server may take to answer, before it counts as gone."""

DRIVER, EXTRA = "pg8000", "postgres"
"""The driver for PostgreSQL, which a URL need not name, and the extra that brings it."""

TAKEN = ("unix_sock",)
"""What a URL may say to the driver itself: the socket file of a server on this machine."""

SERVER = "postgresql"
"""The dialect of the database server whose locks are used."""


def engine_for(url: sa.URL, *, busy: int) -> sa.Engine:
    """The engine for a URL. Raises what SQLAlchemy raises, and MissingExtra where the driver for PostgreSQL is not installed.

    `busy` is how many milliseconds SQLite waits for another process. A connection to PostgreSQL does not wait for ever, and
    notices that the server was restarted.
    """
    if url.get_backend_name() == "sqlite":
        return _on_file(url, busy)
    if url.drivername == "postgresql":
        url = url.set(drivername=f"postgresql+{DRIVER}")
    if url.drivername != f"postgresql+{DRIVER}":
        return sa.create_engine(url)
    require(DRIVER, EXTRA)
    url, tls = without_tls(url)
    _check_words(url)
    options = {"timeout": ANSWER, "application_name": "agentdebate", "ssl_context": tls}
    engine = sa.create_engine(url, connect_args=options, pool_pre_ping=True)
    sa.event.listen(engine, "connect", _send_at_once)
    # What closing a lost connection raises would be logged with a traceback, and its socket would be left open.
    setattr(engine.dialect, "do_close", partial(_close, engine.dialect.loaded_dbapi.Error))  # noqa: B010 - a method is replaced, which type checkers refuse
    return engine


def _send_at_once(connection: Any, _record: object) -> None:
    """Have a connection not gather what it sends: the driver writes a request in parts, and the second waited 40 ms for the server."""
    sock = getattr(connection, "_usock", None)
    if sock is not None and sock.family != getattr(socket, "AF_UNIX", None):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


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
