"""The items of a run, out of its store: to go on with them, or to say whether others are the same."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Self

from agentdebate.datasets.dataset import Taken
from agentdebate.datasets.supply import Supply
from agentdebate.errors import UsageError
from agentdebate.store.reader import LAST, read_store
from agentdebate.tasks import Item

ITEMS = "items"
"""What a run's configuration calls how many items were written before its first debate."""
_SHOWN = 5
"""Items that are named."""
_LONGEST = 60
"""Characters of a value that are shown."""
_DIGEST = 16
"""Bytes that tell an item from another one."""


def stored_items(store: str | Path, run: str = LAST) -> list[Item]:
    """All items that a run was begun with, in their order. Raises UsageError where the store does not have all of them."""
    with read_store(store) as reader:
        head = reader.run(run)
        expected = head.configuration.get(ITEMS)
        if expected is None:
            raise UsageError(
                f"run {head.id} read its items as a stream, so that the store has those alone that were begun: give its items"
            )
        found = list(reader.items(head.id))
    if len(found) < expected:
        raise UsageError(
            f"the store has {len(found)} of the {expected} items of run {head.id}: give its items"
        )
    return found


def stored_supply(store: str | Path, run: str = LAST) -> Supply:
    """The items that a run was begun with, as a run takes them. Raises UsageError."""
    items = tuple(stored_items(store, run))
    return Supply(items, Taken(items, len(items), {}))


@dataclass(frozen=True)
class SameItems:
    """The items of a run by what they say, and whether these are all of them: a run that reads a stream has more to come."""

    store: str | Path
    run: str
    ids: frozenset[str]
    digests: Mapping[str, bytes]
    whole: bool

    @classmethod
    def of(cls, store: str | Path, run: str) -> Self:
        """The items of a run in a store. One that is damaged there is compared with nothing."""
        with read_store(store) as reader:
            whole = ITEMS in reader.run(run).configuration
            digests = {item.id: _digest(item) for item in reader.items(run)}
            return cls(store, run, reader.item_ids(run), digests, whole)

    def check(self, item: Item) -> None:
        """Raise UsageError for an item that the run has with other contents, or that it was begun without."""
        held = self.digests.get(item.id)
        if held is not None and held != _digest(item):
            raise self._changed(item)
        if self.whole and item.id not in self.ids:
            raise self._others((), (item.id,))

    def check_all(self, items: Sequence[Item]) -> None:
        """As `check`, for all items of the run: none may be missing either."""
        for item in items:
            if item.id in self.ids:
                self.check(item)
        given = {item.id for item in items}
        missing = sorted(self.ids - given)
        new = [item.id for item in items if item.id not in self.ids]
        if self.whole and (missing or new):
            raise self._others(missing, new)

    def _changed(self, item: Item) -> UsageError:
        with read_store(self.store) as reader:
            held = reader.item(self.run, item.id)
        before, after = dict(_parts(held)), dict(_parts(item))
        names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
        what = "other texts" if any(name.startswith("fields.") for name in names) else "other data"
        each = "; ".join(f"{name} was {_shown(before, name)} and is {_shown(after, name)}" for name in names)
        return UsageError(
            f"the item {item.id!r} of run {self.run} had {what} when it was judged or stored: {each}. {self._instead}"
        )

    def _others(self, missing: Sequence[str], new: Sequence[str]) -> UsageError:
        found = [f"{what}: {_listed(ids)}" for what, ids in (("missing", missing), ("new", new)) if ids]
        return UsageError(f"run {self.run} was begun with other items ({'; '.join(found)}). {self._instead}")

    @property
    def _instead(self) -> str:
        stored = "take those that are in the store (items None, or no data file), " if self.whole else ""
        text = f"{stored}give the items that the run was begun with, begin a new run, or go on anyway (anyway=True)"
        return text[0].upper() + text[1:]


def _digest(item: Item) -> bytes:
    text = json.dumps(sorted(_parts(item)))
    return hashlib.sha256(text.encode()).digest()[:_DIGEST]


def _parts(item: Item) -> Iterator[tuple[str, Any]]:
    """What an item says, by name."""
    yield "task", item.task
    yield "group", item.group
    yield "system", item.system
    for name, text in item.fields.items():
        yield f"fields.{name}", text
    for aspect, score in item.human.items():
        if score is not None:
            yield f"human.{aspect}", score


def _shown(values: Mapping[str, Any], name: str) -> str:
    text = "absent" if values.get(name) is None else json.dumps(values[name], ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return ", ".join(map(repr, islice(ids, _SHOWN))) + more
