"""Checks of items' evidence, as far as possible before anything is measured or asked."""

from collections.abc import Callable, Iterable, Sequence

from agentdebate.ballots.lineup import lineup
from agentdebate.errors import DataError, StrategyError
from agentdebate.evaluators.base import Evaluator
from agentdebate.evaluators.pairing import pair_of
from agentdebate.evaluators.registry import evaluators
from agentdebate.tasks import Item, Task

_OTHERS = "or name evaluators that do without it (set='evaluators=[...]'; with [] the columns of scores alone count)"

ColumnCheck = Callable[[Task, Item], None]
"""Raises StrategyError where an item has a column of scores that a strategy cannot use as it is set."""


def check_evidence(
    items: Iterable[tuple[Task, Item]], specs: Sequence[str], columns: ColumnCheck | None = None
) -> None:
    """Raise StrategyError for a column that cannot be used, and DataError where no item has what the evaluators compare with.

    An item that lacks it while others have it fails alone, when its turn comes.
    """
    known = evaluators(specs)
    names, lacks, fits = [one.name for one in known], None, False
    for task, item in items:
        check_columns(task, item, names, columns)
        if not fits:
            problem = _problem(task, item, known)
            lacks, fits = lacks or problem, problem is None
    if lacks is not None and not fits:
        raise DataError(f"no item has what the evaluators compare with: {lacks}; {_OTHERS}")


def check_columns(task: Task, item: Item, evaluators: Sequence[str], check: ColumnCheck | None) -> None:
    """Raise StrategyError where a column has the name of an evaluator, so that the two are one name, or fails the check."""
    for name in evaluators:
        if name in item.evidence:
            raise StrategyError(
                f"{name!r} is an evaluator, and a score that came with the item: give the evaluator another name "
                f"(as=NAME), or the column"
            )
    if check is not None:
        check(task, item)


def _problem(task: Task, item: Item, known: Sequence[Evaluator]) -> DataError | None:
    """Name a field that an evaluator compares and the item lacks; None where it has them all."""
    try:
        texts: Sequence[str | None] = [one.field for one in lineup(task, item)] or (None,)
        for candidate in texts:
            for one in known:
                pair_of(item, task, one, candidate)
    except DataError as error:
        return error
    return None
