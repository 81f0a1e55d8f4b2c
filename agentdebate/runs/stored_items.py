"""The items of a run, out of its store: to go on with them, or to say whether others are the same."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from agentdebate.errors import UsageError
from agentdebate.store.reader import LAST, read_store
from agentdebate.tasks import Item

ITEMS = "items"
"""Name, in a run's configuration, of the number of items written before its first debate."""


def stored_items(store: str | Path, run: str = LAST) -> list[Item]:
    """All items that a run was begun with, in their order. Raises UsageError where the store does not have all of them."""
    with read_store(store) as reader:
        head = reader.run(run)
        expected = head.configuration.get(ITEMS)
        if expected is None:
            raise UsageError(
                f"run {head.id} read its items as a stream, so that the store has those alone that were begun: give its items, or begin a new run"
            )
        found = list(reader.items(head.id))
    if len(found) < expected:
        raise UsageError(
            f"the store has {len(found)} of the {expected} items of run {head.id}: begin a new run"
        )
    return found


@dataclass(frozen=True)
class StoredDigests:
    """The items of a run by what they say, and whether these are all of them: a run that reads a stream has more to come."""

    run: str
    digests: Mapping[str, str | None]
    """Digests by item id; None for an item that is damaged in the store, which is not compared."""
    whole: bool

    @classmethod
    def of(cls, store: str | Path, run: str) -> Self:
        """The items of a run in a store."""
        with read_store(store) as reader:
            whole = ITEMS in reader.run(run).configuration
            digests = {item.id: _digest(item) for item in reader.items(run)}
            return cls(run, dict.fromkeys(reader.item_ids(run)) | digests, whole)

    def check(self, item: Item) -> None:
        """Raise UsageError for an item that the run has with other contents, or that it was begun without."""
        if item.id not in self.digests:
            if self.whole:
                raise self._refused(f"was begun without the item {item.id!r}")
        elif self.digests[item.id] not in (None, _digest(item)):
            raise self._refused(
                f"has the item {item.id!r} with other texts, scores or system than it has now"
            )

    def check_all(self, items: Sequence[Item]) -> None:
        """Check all items of the run: none may be missing either."""
        missing = sorted(self.digests.keys() - {item.id for item in items})
        if self.whole and missing:
            raise self._refused(f"has {len(missing)} items that are missing, such as {missing[0]!r}")
        for item in items:
            self.check(item)

    def _refused(self, why: str) -> UsageError:
        return UsageError(
            f"run {self.run} {why}: give the items that it was begun with (None are those of the store), begin a new run, or go on "
            "anyway (anyway=True)"
        )


def _digest(item: Item) -> str:
    """Compute an item's digest, without its id and what no debate sees."""
    parts = {"task", "group", "system", "fields", "human"}
    said = json.dumps(item.model_dump(mode="json", include=parts, exclude_none=True), sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:32]
