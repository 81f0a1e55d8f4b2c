"""What goes wrong with a store's database, in words: the problem, and what to do about it."""

import socket
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import StoreError
from agentdebate.store.sqlite_file import LARGEST, holder

FOREIGN = (sa.exc.SQLAlchemyError, sqlite3.Error, OSError, UnicodeError, struct.error)
"""What a database and its driver raise. A driver may stumble over half a packet where the connection breaks."""

_STOPPED = "this process stood still for too long in the middle of it: try again"

_ADVICE = (
    ("disk is full", "make room on the disk"),
    ("No space left", "make room on the disk of the database server"),
    ("disk I/O error", "make room on the disk, where it is full or over a quota; or it is broken"),
    (
        "malformed",
        "the file is damaged: take a copy that you have, or save what can be read with sqlite3's .recover",
    ),
    (
        "readonly",
        "the file or its folder cannot be written: change that, or copy the store to another folder",
    ),
    ("locked", "another process keeps it locked: wait for it, or stop it"),
    ("lock timeout", "another session keeps it locked: wait for it, or stop its process"),
    ("transaction timeout", _STOPPED),
    ("idle-in-transaction timeout", _STOPPED),
    ("no such table", "its tables were altered: take a copy that you have"),
    ("no such column", "its tables were altered: take a copy that you have"),
    ("has no column", "its tables were altered: take a copy that you have"),
    ("too big", "a value in it is larger than agentdebate reads"),
    ("unable to open", "look whether you may read and write there, or copy the store to another folder"),
)
"""What to do, by words in the problem."""

_AWAY = ("08", "57P")
"""How PostgreSQL's codes begin where the connection is lost, or the server is stopping or starting."""

_ENDED = ("25P03", "25P04", "55P03")
"""PostgreSQL's codes where a limit of `driver` ended a session or a statement: the server is there."""


@contextmanager
def translated(place: str, doing: str) -> Iterator[None]:
    """Have what a database and its driver raise come out as StoreError: "the store PLACE cannot be DOING"."""
    try:
        yield
    except FOREIGN as error:
        raise StoreError(f"the store {place} cannot be {doing}: {explained(error, place)}") from error


def explained(error: BaseException, place: str) -> str:
    """The problem in a line, with what to do about it where that is known."""
    text = _plain(error)
    if is_locked(error) and (advice := holder(place.removeprefix("sqlite:///"))):
        return f"{text}; {advice}"
    if is_away(error) and _code(error) not in _ENDED:
        return f"{text}; start the database server, or look whether it can be reached"
    advice = next((advice for words, advice in _ADVICE if words in text), None)
    return f"{text}; {advice}" if advice else text


def is_away(error: BaseException | None) -> bool:
    """Whether a database server cannot be reached at the moment, or ended a session, so that trying again may help."""
    if isinstance(error, struct.error | ConnectionError | TimeoutError | socket.gaierror):
        return True
    if not isinstance(error, sa.exc.DBAPIError):
        return False
    if error.connection_invalidated or _code(error).startswith((*_AWAY, *_ENDED)):
        return True
    return type(error.orig).__name__ == "InterfaceError" or is_away(error.orig)


def is_locked(error: BaseException | None) -> bool:
    """Whether another process has locked a SQLite file, so that trying again helps when it is done."""
    found = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    return isinstance(found, sqlite3.OperationalError) and "database is locked" in str(found)


def of_one_value(error: BaseException | None) -> str | None:
    """What is wrong with a value that SQLite cannot hand over, while it can others; None for any other error."""
    text = str(error.orig) if isinstance(error, sa.exc.DBAPIError) else ""
    if "too big" in text:
        return f"a value in it has more than {LARGEST >> 20} MiB"
    return "a text in it is not UTF-8" if "Could not decode to UTF-8" in text else None


def lacks_room(error: BaseException | None) -> bool:
    """Whether SQLite could not make its own files beside the database, as on a disk that is full or cannot be written."""
    words = ("disk I/O error", "disk is full", "unable to open", "readonly")
    return isinstance(error, sa.exc.OperationalError) and any(word in str(error.orig) for word in words)


def _plain(error: BaseException) -> str:
    found = getattr(error, "orig", None) or error
    told = _server_says(found)
    return (str(told.get("M") or found) or repr(found)).rstrip(". ")


def _code(error: BaseException) -> str:
    """PostgreSQL's code of an error: pg8000 hands on the server's fields, psycopg an attribute."""
    found = getattr(error, "orig", None)
    return str(_server_says(found).get("C") or getattr(found, "sqlstate", None) or "")


def _server_says(error: object) -> dict[str, Any]:
    """What PostgreSQL says of an error, by its one-letter fields, as the driver hands it on."""
    first = next(iter(getattr(error, "args", ())), None)
    return first if isinstance(first, dict) else {}
