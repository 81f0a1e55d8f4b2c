"""Set that a person labels: items with their tasks, out of a run or a file."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from agentdebate.datasets.files import read_rows
from agentdebate.datasets.items import Columns, items
from agentdebate.debates.outcome import ABSTAINED, outcome_of
from agentdebate.errors import UsageError
from agentdebate.prompts.prompts import load_task
from agentdebate.store.reader import LAST
from agentdebate.tasks import Aspect, Item, Task, aspect_names
from agentdebate.viewer.shelf import Shelf


@dataclass(frozen=True)
class LabelSet:
    """Items, and the aspects that are asked for, by task; none of them where texts are compared."""

    items: tuple[Item, ...]
    tasks: Mapping[str, Task]
    aspects: Mapping[str, tuple[Aspect, ...]]
    run: str | None = None
    """The run that the items are of, if they are of one."""
    abstained: frozenset[str] = frozenset()
    """Ids of the items on which the run abstained: these are labelled first."""
    where: tuple[str, ...] = ()
    """The words by which a command line finds the store of that run."""

    @classmethod
    def of(
        cls, items: Iterable[Item], tasks: Mapping[str, Task], aspects: Sequence[str] | None
    ) -> "LabelSet":
        """Items with tasks; `aspects` are those that are asked for, the task's usual ones where it is None. Raises UsageError."""
        found = tuple(items)
        if not found:
            raise UsageError("there is no item to label")
        if twice := len(found) - len({item.id for item in found}):
            raise UsageError(f"{twice} items have an id that another one has: give each its own")
        used = {item.task: tasks[item.task] for item in found}
        return cls(found, used, {name: _aspects(task, aspects) for name, task in used.items()})


def label_set(
    run: str | None,
    *,
    store: str | Path,
    data: str | Path | None = None,
    task: str | None = None,
    aspects: Sequence[str] | str | None = None,
) -> LabelSet:
    """Return the items to label: those of `data`, or else of a run, the newest where none is named. Raises UsageError and DataError."""
    chosen = None if aspects is None else aspect_names(aspects)
    if data is None:
        if task is not None:
            raise UsageError("task=... goes with data=...: a run knows the tasks of its items")
        return _of_run(run or LAST, store, chosen)
    if run is not None:
        raise UsageError("what is labelled is a run or data=..., not both")
    if task is None:
        raise UsageError("task=... is missing: it says what is asked about the items of data=...")
    kind = load_task(task)
    found = (item.model_copy(update={"task": kind.name}) for item in items(read_rows(data), kind, Columns()))
    return LabelSet.of(found, {kind.name: kind}, chosen)


def _of_run(run: str, store: str | Path, aspects: Sequence[str] | None) -> LabelSet:
    with closing(Shelf(store)) as shelf:
        reader = shelf.reader()
        head = reader.run(run)
        judged = head.configuration.get("aspects")
        chosen = aspects if aspects is not None or judged is None else aspect_names(judged)
        found = LabelSet.of(reader.items(head.id), head.tasks(), chosen)
        abstained = (row["id"] for row in reader.rows(head.id) if outcome_of(row) is ABSTAINED)
        return replace(found, run=head.id, abstained=frozenset(abstained), where=shelf.where)


def _aspects(task: Task, names: Sequence[str] | None) -> tuple[Aspect, ...]:
    chosen = task.choose(names)
    return () if task.candidates else chosen  # texts are compared as wholes
