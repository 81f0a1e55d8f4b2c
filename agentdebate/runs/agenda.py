"""The debates of a run, in their order: one for every item, or for every aspect of it."""

from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

from agentdebate.datasets.data_source import DataSource
from agentdebate.datasets.items import check_on_scale
from agentdebate.datasets.supply import Supply
from agentdebate.debates.ready import ReadyStrategy
from agentdebate.errors import DataError, StrategyError, UsageError
from agentdebate.runs.configuration import configuration_of
from agentdebate.runs.settings import Settings
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Item, Task

if TYPE_CHECKING:
    from agentdebate.runs.stored_items import StoredDigests

Items = Iterable[Item] | AsyncIterable[Item]
"""Items at hand, or as they come."""
Data = Items | DataSource | Supply
"""Items, or what holds them."""


async def opened(items: Data, settings: Settings, *, whole: bool = False) -> tuple[Items | Supply, Settings]:
    """Open what holds items, and have the settings know its task. Raises UserError."""
    if isinstance(items, DataSource):
        items = await items.supply(settings.task(items.kind), whole=whole)
    if isinstance(items, Supply):
        settings = settings.but(tasks={**settings.tasks, items.task.name: items.task})
    return items, settings


async def at_hand(items: Data, settings: Settings) -> tuple[Sequence[Item], Settings]:
    """Read all items; the settings keep where they came from. Raises UserError."""
    given, settings = await opened(items, settings, whole=True)
    if isinstance(given, Supply):
        settings = settings.but(configuration={**settings.configuration, "data": given.record})
        given = given.items
    check_kind(given)
    if not isinstance(given, Iterable):
        raise UsageError("give a list of items here, and not a stream")
    return tuple(given), settings


@dataclass(frozen=True, slots=True)
class Job:
    """One debate to be held."""

    id: str
    item: Item
    aspects: tuple[str, ...]
    item_number: int
    """Number of the item within the run, from 1."""
    number: int = 0
    """Number of the debate among those that are held, from 0."""
    opens: bool = True
    """True if it is the first about its item."""
    again: bool = False
    """True if another process may have begun it."""
    ended: bool = False
    """True if it was held before the run was resumed."""


class Agenda:
    """Agenda of a run's debates. Items of a stream are read one by one and not kept.

    Raises UsageError and DataError for what is wrong with the items at hand.
    """

    def __init__(self, items: Items | Supply, debate: ReadyStrategy, settings: Settings) -> None:
        self._supply = items if isinstance(items, Supply) else None
        self._items = items.items if isinstance(items, Supply) else items
        check_kind(self._items)
        self._debate, self._settings = debate, settings
        self._together = settings.at_once(debate.strategy)
        self._ids = set[str]()
        self._sets: dict[str, list[tuple[str, ...]]] = {}
        self._stored: StoredDigests | None = None
        self.at_hand: list[Item] | None = None
        """The items where they are all at hand, each with its id; one without has its number for it."""
        if isinstance(self._items, Sequence):
            self.at_hand = [self._named(place, item) for place, item in enumerate(self._items, 1)]

    def configuration(self) -> dict[str, Any]:
        """Configuration of its debates, as stored, with their number and where the items came from, as far as these are known."""
        how = configuration_of(self._debate, self._settings, self.tasks, together=self._together)
        if self._supply is not None:
            how["data"] = self._supply.record
        return how if self.total is None else {**how, "debates": self.total}

    @property
    def tasks(self) -> dict[str, Task]:
        """The tasks of the items, where they are known; else those that the debate brings along."""
        if self._supply is not None:
            return {self._supply.task.name: self._supply.task}
        if self.at_hand is None:
            return dict(self._debate.settings.tasks)
        return {item.task: self._debate.task(item) for item in self.at_hand}

    @cached_property
    def total(self) -> int | None:
        """Number of debates, where that of the items is known."""
        if self.at_hand is not None:
            return sum(len(self.aspect_sets(item)) for item in self.at_hand)
        if self._supply is None or self._supply.count is None:
            return None
        return self._supply.count * len(self._sets_of(self._supply.task))

    def check_setup(self) -> None:
        """Raise UserError where the strategy, as it is set, cannot judge the items; nothing is entered or paid for yet."""
        if self.at_hand is None and self._supply is None:
            return
        strategy, tasks = self._debate.strategy, self.tasks
        for task in tasks.values():
            check_suits(strategy, task, self._sets_of(task))
        check_items(strategy, ((tasks[item.task], item) for item in self.at_hand or ()))

    def compare(self, stored: "StoredDigests") -> None:
        """Raise UsageError where items at hand are not those of a run; those of a stream are looked at as they come."""
        if self.at_hand is None:
            self._stored = stored
        else:
            stored.check_all(self.at_hand)

    def aspect_sets(self, item: Item) -> list[tuple[str, ...]]:
        """Aspects of each debate about an item."""
        if item.task not in self._sets:
            self._sets[item.task] = self._sets_of(self._debate.task(item))
        return self._sets[item.task]

    def _sets_of(self, task: Task) -> list[tuple[str, ...]]:
        return aspect_sets(task, self._settings.aspects, together=self._together)

    async def jobs(self, ended: frozenset[str] = frozenset(), *, again: bool = False) -> AsyncGenerator[Job]:
        """The debates that are still to be held, and with `again` those that have ended too.

        Raises DataError for two items of the same id.
        """
        number = 0
        async with aclosing(self._numbered()) as items:
            async for place, item in items:
                for first, aspects in enumerate(self.aspect_sets(item)):
                    name = f"{item.id}/{'+'.join(aspects)}"
                    if again or name not in ended:
                        yield Job(name, item, aspects, place, number, opens=not first, ended=name in ended)
                        number += 1

    async def _numbered(self) -> AsyncGenerator[tuple[int, Item]]:
        """Every item with its number and its id."""
        for place, item in enumerate(self.at_hand or (), 1):
            yield place, item
        if self.at_hand is not None:
            return
        place = 0
        async with aclosing(_one_by_one(self._items)) as items:
            async for item in items:
                place += 1
                named = self._named(place, item)
                if self._stored is not None:
                    self._stored.check(named)
                yield place, named

    def _named(self, place: int, item: Item) -> Item:
        """An item with its id, which no other has. Raises UsageError and DataError for what is wrong with it."""
        check_item(place, item)
        named = item if item.id else item.model_copy(update={"id": str(place)})
        if named.id in self._ids:
            raise DataError(
                f"two items have the id {named.id!r}; the id is what tells their debates apart", field="id"
            )
        self._ids.add(named.id)
        if named.human:
            task = self._debate.task(named)
            check_on_scale(named, task, task.choose(self._settings.aspects))
        return named


def aspect_sets(task: Task, aspects: Sequence[str] | str | None, *, together: bool) -> list[tuple[str, ...]]:
    """List the aspects of each debate about an item: all aspects, or one of them. Raises UsageError."""
    names = tuple(aspect.name for aspect in task.choose(aspects))
    return [names] if together else [(name,) for name in names]


def check_kind(items: object) -> None:
    """Raise UsageError for what gives no items."""
    alone = isinstance(items, str | bytes | PathLike | Mapping | Item)
    if alone or not isinstance(items, Iterable | AsyncIterable):
        raise UsageError(
            f"items are a list of Item, or a stream of them, not {_kind(items)}: [Item(task=..., fields={{...}}), ...]; "
            "those of a file: DataSource(PATH, TASK)"
        )


def check_item(place: int, item: object) -> None:
    """Raise UsageError for what is not an Item."""
    if not isinstance(item, Item):
        raise UsageError(f"item {place} is {_kind(item)}, and not an Item: Item(task=..., fields={{...}})")


def _kind(given: object) -> str:
    return f"one {type(given).__name__}" if isinstance(given, Item) else f"a {type(given).__name__}"


async def _one_by_one(items: Items) -> AsyncGenerator[Item]:
    if isinstance(items, Iterable):
        for item in items:
            yield item
        return
    try:
        async for item in items:
            yield item
    finally:
        if isinstance(items, AsyncGenerator):
            await items.aclose()


def check_suits(strategy: Strategy, task: Task, sets: Sequence[Sequence[str] | str | None] = (None,)) -> None:
    """Raise UsageError for a strategy that cannot judge these sets of aspects of the task, each in a debate, and ContentError for
    a file of a plan, say, that is not for them.
    """
    for names in sets:
        chosen = task.choose(names)
        try:
            aspects = strategy.asked(chosen)
            strategy.check_files(aspects)
            strategy.check(task, aspects)
        except StrategyError as error:
            raise UsageError(
                f"the strategy {strategy.title!r} cannot judge this task: {error}; take another strategy, or another task"
            ) from error


def check_items(strategy: Strategy, items: Iterable[tuple[Task, Item]]) -> None:
    """Raise UsageError or DataError for a strategy that, as it is set, cannot judge these items."""
    try:
        strategy.check_items(items)
    except StrategyError as error:
        raise UsageError(
            f"the strategy {strategy.title!r} cannot judge these items as it is set: {error}"
        ) from error
