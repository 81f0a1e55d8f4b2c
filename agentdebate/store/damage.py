"""What of a store cannot be read, while the rest can: which record of which run, and what is wrong with it."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from agentdebate.datasets.json_objects import once
from agentdebate.errors import StoreError
from agentdebate.log import get_log

_log = get_log(__name__)

KIND = "store damaged"
"""The kind of the log records that tell of damage."""

TOLD = 10
"""How many damaged records of a store are told one by one; the rest is counted."""

UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError)
"""What reading values raises that are not what was written: JSON and pydantic errors are among them."""

_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Damage:
    """A record that cannot be read."""

    run: str
    what: str
    """The record within its run: "the debate 'i1/coherence'", or "the run itself"."""
    problem: str

    def __str__(self) -> str:
        return f"run {self.run}: {self.what} is damaged: {self.problem}"


class RecordDamaged(StoreError):
    """A record that cannot be read, and without which nothing can be said. It does not know in which store the record is."""

    def __init__(self, damage: Damage) -> None:
        super().__init__(str(damage))


@contextmanager
def reading(run: str, what: str) -> Iterator[None]:
    """Have what goes wrong while a record's values are read come out as StoreError with the damage in words."""
    try:
        yield
    except UNREADABLE as error:
        raise RecordDamaged(Damage(run, what, _problem(error))) from error


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
        """What was said of each damaged record, in the order in which they were met."""

    def __repr__(self) -> str:
        return f"<DamageLog of {self._place}: {len(self.found)}>"

    def note(self, problem: str) -> None:
        """Note a damaged record."""
        if problem in self.found:
            return
        self.found[problem] = None
        if len(self.found) <= TOLD:
            _log.warning("the store %s: %s", self._place, problem, kind=KIND, store=str(self._place))

    def kept(self, read: Callable[[], _Value]) -> Iterator[_Value]:
        """What `read` gives; nothing where the record is damaged, which is noted."""
        try:
            value = read()
        except StoreError as error:
            self.note(str(error))
        else:
            yield value

    def close(self) -> None:
        """Say how many more there were than were told."""
        more = len(self.found) - TOLD
        if more > 0:
            _log.warning(
                "the store %s: %d more records are damaged",
                self._place,
                more,
                kind=KIND,
                store=str(self._place),
            )


def _problem(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        return f"{place}: {first['msg']}" if place else str(first["msg"])
    if isinstance(error, json.JSONDecodeError):
        return f"it is not JSON ({error.msg}, character {error.pos + 1})"
    if isinstance(error, RecursionError):
        return "its JSON is nested too deep"
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return str(error) or type(error).__name__


def checked_names(values: Mapping[str, Any], *names: str) -> dict[str, str]:
    """The texts under these names. Raises TypeError for what is not a text."""
    for name in names:
        if not isinstance(values[name], str):
            raise TypeError(f"{name} is {'empty' if values[name] is None else 'not a text'}")
    return {name: values[name] for name in names}
