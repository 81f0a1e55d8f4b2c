"""The items of a run that was left, out of its store: a run that began with all of them at hand has them there."""

from pathlib import Path

from agentdebate.datasets.dataset import Taken
from agentdebate.datasets.supply import Supply
from agentdebate.errors import UsageError
from agentdebate.store.reader import LAST, read_store
from agentdebate.tasks import Item

ITEMS = "items"
"""What a run's configuration calls how many items were written before its first debate."""


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
