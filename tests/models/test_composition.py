"""What stands around an endpoint: in which order, what is shared, and what follows from both."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import AbstractAsyncContextManager

import anyio
import pytest
from endpoint_double import Endpoint, failed
from limit_double import DOWN, Slow, ask, fine, now

from agentdebate.debates.record import Record
from agentdebate.errors import AuthenticationError, BudgetSpent, UsageError
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.budget import Budget, Budgeted
from agentdebate.models.cache import Cached
from agentdebate.models.composition import Around, Limits
from agentdebate.models.dialects.chat_completions import OpenAIChat
from agentdebate.models.function import Function
from agentdebate.models.limits.limit import Limited
from agentdebate.models.registry import model as open_model
from agentdebate.models.registry import opener
from agentdebate.models.retry import Retrying
from agentdebate.models.wrapper import Wrapper
from agentdebate.offline.model import open_offline
from agentdebate.runs.evaluation import Evaluation, evaluate
from agentdebate.tasks import Item
from agentdebate.testing import run_jumping

PLENTY = 10**9
ADDRESS = "http://127.0.0.1:9/v1"


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
    if isinstance(model, Wrapper):
        yield from layers(model.model)


def kinds(model: Model) -> list[type]:
    return [type(one) for one in layers(model)]


def find(model: Model, kind: type) -> Model:
    return next(one for one in layers(model) if isinstance(one, kind))


async def together(model: Model, *requests: ModelRequest) -> None:
    """Ask all of it at once."""
    async with anyio.create_task_group() as group:
        for request in requests:
            group.start_soon(model.complete, request)


# The order.


def test_the_cache_is_outermost_then_come_budget_retries_and_limits() -> None:
    around = Around(budget=Budget(), cache=Shelf())
    assert kinds(around.compose(Slow())) == [Cached, Budgeted, Retrying, Limited, Slow]


@pytest.mark.parametrize(
    ("around", "found"),
    [
        (Around(), [Retrying, Limited, Slow]),
        (Around(budget=Budget()), [Budgeted, Retrying, Limited, Slow]),
        (Around(cache=Shelf()), [Cached, Retrying, Limited, Slow]),
    ],
)
def test_what_nobody_asked_for_is_not_there(around: Around, found: list[type]) -> None:
    assert kinds(around.compose(Slow())) == found


def test_the_offline_judge_stands_bare() -> None:
    around = Around(Limits(requests_per_minute=1), budget=Budget(tokens=1), cache=Shelf())
    judge = open_offline("")
    assert around.compose(judge) is judge
    assert kinds(open_model("offline", around=around)) == [type(judge)]
    assert kinds(opener(4, around)("offline")) == [type(judge)]


def test_models_that_are_opened_by_name_are_composed_with_and_without_a_word() -> None:
    around = Around(budget=Budget(), cache=Shelf())
    whole, usual = [Cached, Budgeted, Retrying, Limited, OpenAIChat], [Retrying, Limited, OpenAIChat]
    assert kinds(open_model("openai/tiny", base_url=ADDRESS, around=around)) == whole
    assert kinds(open_model("openai/tiny", base_url=ADDRESS)) == usual


def test_the_name_is_that_of_the_endpoint() -> None:
    around = Around(budget=Budget(), cache=Shelf())
    assert around.compose(Slow()).name == "slow"


@pytest.mark.parametrize("name", ["in_flight", "requests_per_minute", "tokens_per_minute"])
def test_a_limit_of_nothing_is_misuse(name: str) -> None:
    with pytest.raises(UsageError, match=rf"{name}=\.\.\. is at least 1, not 0"):
        Limits(**{name: 0})


# What follows from it.


def test_waiting_to_try_again_holds_no_slot() -> None:
    async def main() -> None:
        slow = Slow(lambda number, _: DOWN if number == 0 else fine())
        model = Around(Limits(in_flight=1)).compose(slow)
        await together(model, ask("first"), ask("second"))
        assert slow.texts == ["first", "second", "first"]
        assert slow.peak == 1

    run_jumping(main())


def test_a_call_that_is_tried_again_is_paid_for_once_and_keeps_its_reservation() -> None:
    async def main() -> None:
        budget = Budget(tokens=PLENTY)
        held: list[int] = []

        def behave(number: int, _: ModelRequest) -> Completion | BaseException:
            held.append(budget.reserved.tokens)
            return fine() if number == 2 else DOWN

        await Around(budget=budget).compose(Slow(behave)).complete(ask())
        assert (len(held), len(set(held)), budget.reserved.tokens) == (3, 1, 0)
        assert budget.spent.tokens == fine().usage.tokens

    run_jumping(main())


def test_what_the_cache_gives_needs_neither_a_slot_nor_a_budget() -> None:
    async def main() -> None:
        slow, shelf = Slow(seconds=100.0), Shelf()
        await Around(cache=shelf).compose(slow).complete(ask("known"))
        spent = Budget(tokens=1)
        model = Around(Limits(in_flight=1, requests_per_minute=1), cache=shelf, budget=spent).compose(slow)
        for _ in range(5):
            assert (await model.complete(ask("known"))).cached
        assert now() == 100
        assert spent.spent.tokens == 0
        with pytest.raises(BudgetSpent):
            await model.complete(ask("new"))

    run_jumping(main())


def test_equal_requests_at_once_are_asked_once() -> None:
    async def main() -> None:
        slow = Slow()
        await together(Around(cache=Shelf()).compose(slow), *[ask()] * 9)
        assert len(slow.starts) == 1

    run_jumping(main())


def test_models_share_the_budget_and_the_cache_and_have_limits_of_their_own() -> None:
    async def main() -> None:
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

    run_jumping(main())


# In a run.


async def take(evaluation: AbstractAsyncContextManager[Evaluation], records: list[Record]) -> None:
    """Take what comes of a run, up to its end or to what it raises."""
    async with evaluation as run:
        async for record in run:
            records.append(record)  # noqa: PERF401 - what came before an error counts


def items(count: int, **changes: str) -> list[Item]:
    return [
        Item(
            task="summarization",
            id=f"s{number}",
            fields={"source": "It rains.", "summary": f"Rain {number}.", **changes},
        )
        for number in range(count)
    ]


def test_a_wrong_key_stops_the_run_at_once() -> None:
    """Nobody waits, no request goes out a second time, and no more debates begin than are held at once."""

    async def main() -> None:
        endpoint = Endpoint(failed(401, "Incorrect API key provided."))
        model = Around().compose(endpoint.model())
        records: list[Record] = []
        with pytest.raises(AuthenticationError):
            async with evaluate(items(50), "solo", model=model, aspects="fluency", concurrency=16) as run:
                records = [record async for record in run]
        assert (now(), records) == (0, [])
        assert 1 <= len(endpoint.requests) <= 16
        assert len({request.content for request in endpoint.requests}) == len(endpoint.requests)

    run_jumping(main())


def test_at_the_budget_no_debate_begins_and_what_is_under_way_is_kept() -> None:
    """The fourth debate's request does not fit into what is left; those of three others are with the endpoint."""

    async def main() -> None:
        asked: list[str] = []

        async def reply(request: ModelRequest) -> Completion:
            assert request.context is not None
            asked.append(request.context.item.id)
            await anyio.sleep(10)
            return fine("Fine.\n\nFluency: 3")

        model = Around(budget=Budget(tokens=10_000)).compose(Function("slow", reply))
        given = [*items(3), items(4, source="It rains. " * 10_000)[3], *items(9)[4:]]
        records: list[Record] = []
        evaluation = evaluate(given, "solo", model=model, aspects="fluency", concurrency=4)
        with pytest.raises(BudgetSpent, match="a call of slow may take "):
            await take(evaluation, records)
        assert asked == ["s0", "s1", "s2"]
        assert sorted(record.id for record in records) == [f"s{number}/fluency" for number in range(3)]
        assert all(record.verdict for record in records)

    run_jumping(main())


@pytest.mark.parametrize("in_flight", [3, 64, 600])
def test_a_run_has_as_many_calls_out_from_the_first_as_it_may_have(in_flight: int) -> None:
    async def main() -> None:
        slow = Slow()
        model = Around(Limits(in_flight=in_flight)).compose(slow)
        await asyncio.gather(*(model.complete(ask()) for _ in range(2 * in_flight)))
        assert [slow.starts.count(at) for at in sorted(set(slow.starts))] == [in_flight] * 2

    run_jumping(main())
