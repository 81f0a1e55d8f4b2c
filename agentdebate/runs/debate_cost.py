"""What debates cost, by the prices of their run."""

from collections.abc import Callable
from functools import partial

from agentdebate.debates.debate import Debate
from agentdebate.debates.record import Record
from agentdebate.models.base import Model
from agentdebate.models.budget import Budget
from agentdebate.models.prices import PriceTable, built_in, total_cost
from agentdebate.models.registry import model_name


def debate_cost(
    debate: Debate, model: Model | str, budget: Budget | None
) -> Callable[[Record], float | None]:
    """A function that says what a debate of the run cost; None where that is not known.

    The prices are those of the budget, or those that the run was given, or else the built-in ones.
    """
    given = debate.settings.limits.prices if budget is None else budget.prices
    return partial(_cost, name=model_name(model), table=built_in() if given is None else given)


def _cost(record: Record, *, name: str, table: PriceTable) -> float | None:
    paid = (call.completion for call in record.calls if not call.completion.cached)
    return total_cost(((one.model, one.usage) for one in paid), table, otherwise=name)
