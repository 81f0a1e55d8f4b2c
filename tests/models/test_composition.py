"""What stands around an endpoint: in which order, what is shared, and what follows from both."""

from collections.abc import Iterator, Mapping

import anyio
from limit_double import DOWN, Slow, ask, fine, jumping, now

from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.budget import Budget, Budgeted
from agentdebate.models.cache import Cached
from agentdebate.models.composition import Around, Limits
from agentdebate.models.limits.limit import Limited
from agentdebate.models.retry import Retrying
from agentdebate.models.wrapper import WrapperModel

PLENTY = 10**9


class Shelf:
    """A store of completions in memory."""

    def __init__(self, kept: Mapping[str, Completion] | None = None) -> None:
        self.kept = dict(kept or {})

    async def get(self, key: str) -> Completion | None:
        return self.kept.get(key)

    async def put(self, key: str, completion: Completion, *, model: str) -> None:
        self.kept[key] = completion


def layers(model: Model) -> Iterator[Model]:
    """A model and those in it, the outermost first."""
    yield model
    if isinstance(model, WrapperModel):
        yield from layers(model.model)


def kinds(model: Model) -> list[type]:
    return [type(one) for one in layers(model)]


async def together(model: Model, *requests: ModelRequest) -> None:
    """Ask all of it at once."""
    async with anyio.create_task_group() as group:
        for request in requests:
            group.start_soon(model.complete, request)


# The order.


def test_the_cache_is_outermost_then_come_budget_retries_and_limits() -> None:
    around = Around(budget=Budget(), cache=Shelf())
    assert kinds(around.compose(Slow())) == [Cached, Budgeted, Retrying, Limited, Slow]


# What follows from it.


@jumping
async def test_waiting_to_try_again_holds_no_slot() -> None:
    slow = Slow(lambda number, _: DOWN if number == 0 else fine())
    model = Around(Limits(in_flight=1)).compose(slow)
    await together(model, ask("first"), ask("second"))
    assert slow.texts == ["first", "second", "first"]
    assert slow.peak == 1


@jumping
async def test_models_share_the_budget_and_the_cache_and_have_limits_of_their_own() -> None:
    budget, shelf, one, other = Budget(tokens=PLENTY), Shelf(), Slow(), Slow()
    other.name = "other"
    around = Around(Limits(in_flight=1), budget=budget, cache=shelf)
    first, second = around.compose(one), around.compose(other)
    async with anyio.create_task_group() as group:
        for model in (first, second):
            group.start_soon(together, model, ask("a"), ask("b"))
    assert now() == 2  # two one after the other, for both at the same time
    assert (one.peak, other.peak, len(shelf.kept)) == (1, 1, 4)
    assert budget.spent.tokens == 4 * fine().usage.tokens
