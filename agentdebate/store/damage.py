"""Damage of a store, in words: errors of its database, and single records of a run that cannot be read."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import sqlalchemy as sa
from pydantic import ValidationError

from agentdebate.datasets.json_objects import once
from agentdebate.errors import StoreError
from agentdebate.log import get_log
from agentdebate.store.place import DAMAGED

_log = get_log(__name__)

TOLD = 10
"""Number of damaged records that are logged; `store check` has all."""

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError)
"""Exceptions from reading values that differ from what was written: JSON and pydantic errors are among them."""

_Value = TypeVar("_Value")


class RecordDamaged(StoreError):
    """A record that cannot be read, and without which nothing can be said. It does not know in which store the record is."""

    def __init__(self, run: str, what: str, problem: str) -> None:
        """`what` is the record within its run: "the debate 'i1/coherence'", or "the run itself"."""
        super().__init__(f"run {run}: {what} is damaged: {problem}")


@contextmanager
def reading(run: str, what: str) -> Iterator[None]:
    """Have what goes wrong while a record's values are read come out as StoreError with the damage in words."""
    try:
        yield
    except UNREADABLE as error:
        raise RecordDamaged(run, what, _problem(error)) from error


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Have a damaged record that ends everything come out with the store that it is in, and what to do about it."""
    try:
        yield
    except RecordDamaged as error:
        raise StoreError(
            f"the store {place}: {error}; bring the store back from a copy, or hold the run again"
        ) from error


def loaded(text: Any) -> Any:
    """The data in a column of JSON, in which no object has a key twice. Raises what `reading` takes."""
    return json.loads(text, object_pairs_hook=once)


def mapping(text: Any) -> dict[str, Any]:
    """The JSON object in a column, in which no object has a key twice. Raises what `reading` takes."""
    found = loaded(text)
    if not isinstance(found, dict):
        raise TypeError(f"there is a JSON {type(found).__name__} where an object was written")
    return found


class DamageLog:
    """Notes the damage that a reader meets, and logs it, each record once."""

    def __init__(self, place: str) -> None:
        self._place = place
        self.found: dict[str, None] = {}
        """Problems of the damaged records, in the order in which they were met."""

    def kept(self, read: Callable[[], _Value]) -> Iterator[_Value]:
        """Yield the result of `read`; yield nothing for a damaged record, and note it."""
        try:
            value = read()
        except StoreError as error:
            if (problem := str(error)) not in self.found:
                self.found[problem] = None
                self._warn(problem)
        else:
            yield value

    def _warn(self, problem: str) -> None:
        if len(self.found) > TOLD:
            return
        if len(self.found) == TOLD:
            problem += "; agentdebate store check names the others, if there are any"
        _log.warning("the store %s: %s", self._place, problem, kind=DAMAGED, store=self._place)


def _problem(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        return f"{place}: {first['msg']}" if place else str(first["msg"])
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return str(error) or type(error).__name__


FOREIGN = (sa.exc.SQLAlchemyError, sqlite3.Error, OSError, UnicodeError)
"""Exceptions of a database and its driver."""

_REMEDY = (
    "look whether the disk is full, whether another process keeps it locked, and whether you may read and write there; "
    "a damaged file is brought back from a copy"
)

_AWAY = ("08", "57P")
"""Prefixes of PostgreSQL's codes for a lost connection, or a server that is stopping or starting."""

_ENDED = ("25P03", "55P03")
"""PostgreSQL's codes where a limit of our connections ended a session or a statement: the server is there."""


@contextmanager
def translated(place: str, doing: str) -> Iterator[None]:
    """Have what a database and its driver raise come out as StoreError: "the store PLACE cannot be DOING"."""
    try:
        yield
    except FOREIGN as error:
        raise StoreError(f"the store {place} cannot be {doing}: {explained(error)}") from error


def explained(error: BaseException) -> str:
    """The problem in a line, with what to do about it where that is known."""
    found = getattr(error, "orig", None) or error
    told = getattr(getattr(found, "diag", None), "message_primary", None) or str(found) or repr(found)
    text = " ".join(told.split()).rstrip(". ")
    if is_away(error) and _code(error) not in _ENDED:
        return f"{text}; start the database server, or look whether it can be reached and lets you in"
    return f"{text}; {_REMEDY}"


def is_away(error: BaseException | None) -> bool:
    """Tell whether a database server cannot be reached at the moment, or ended a session, so that trying again may help."""
    if not isinstance(error, sa.exc.DBAPIError):
        return isinstance(error, ConnectionError | TimeoutError)
    if error.connection_invalidated or _code(error).startswith((*_AWAY, *_ENDED)):
        return True
    # A connection that was not made has no code yet.
    found = error.orig
    return isinstance(error, sa.exc.OperationalError) and hasattr(found, "sqlstate") and not _code(error)


def _code(error: BaseException) -> str:
    """PostgreSQL's code of an error; empty for any other error."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) or ""


def is_locked(error: BaseException | None) -> bool:
    """Tell whether another process has locked a SQLite file, so that trying again helps when it is done."""
    found = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    return isinstance(found, sqlite3.OperationalError) and "database is locked" in str(found)


def lacks_room(error: BaseException | None) -> bool:
    """Tell whether SQLite could not make its own files beside the database, as on a disk that is full or cannot be written."""
    words = ("disk I/O error", "disk is full", "unable to open", "readonly")
    return isinstance(error, sa.exc.OperationalError) and any(word in str(error.orig) for word in words)
