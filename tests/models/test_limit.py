"""Limited: how many calls run at once, in which order they go, and what a cancelled one leaves behind."""

import asyncio

import pytest
from limit_double import Slow, ask, fine, idle, jumping, now

from agentdebate.errors import RequestRefused
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.limits.limit import Limited, turn_order


def in_order(limited: Limited, order: int, text: str) -> asyncio.Task[Completion]:
    """A call of the debate with that number."""

    async def call() -> Completion:
        turn_order.set(order)
        return await limited.complete(ask(text))

    return asyncio.create_task(call())


@pytest.mark.parametrize("in_flight", [1, 3, 20])
@jumping
async def test_no_more_calls_run_at_once_than_may_and_all_get_through(in_flight: int) -> None:
    slow = Slow()
    limited = Limited(slow, in_flight=in_flight)
    await asyncio.gather(*(limited.complete(ask()) for _ in range(40)))
    assert slow.peak == in_flight
    assert now() == pytest.approx(-(-40 // in_flight))
    assert idle(limited)


@jumping
async def test_calls_of_debates_that_began_earlier_go_first_and_those_of_one_debate_as_they_came() -> None:
    slow = Slow()
    limited = Limited(slow, in_flight=1)
    calls = [
        in_order(limited, order, f"{order}.{turn}") for turn in range(3) for order in (9, 2, 7)
    ]  # the first to come finds the endpoint free
    await asyncio.gather(*calls)
    assert slow.texts == ["9.0", "2.0", "2.1", "2.2", "7.0", "7.1", "7.2", "9.1", "9.2"]


@jumping
async def test_a_waiting_call_that_is_cancelled_leaves_nothing_behind() -> None:
    slow = Slow()
    limited = Limited(slow, in_flight=1)
    calls = [asyncio.create_task(limited.complete(ask(str(number)))) for number in range(9)]
    await asyncio.sleep(0.5)
    assert (limited.running, limited.waiting) == (1, 8)
    for number in (1, 2, 3, 5, 8):
        calls[number].cancel()
    await asyncio.sleep(0)
    assert limited.waiting == 3
    await asyncio.gather(*calls, return_exceptions=True)
    assert slow.texts == ["0", "4", "6", "7"]
    assert idle(limited)


@jumping
async def test_a_call_that_is_cancelled_just_as_its_turn_comes_gives_it_back() -> None:
    """The turn is given when the first call ends, and the waiting task is cancelled before it goes on."""
    calls: list[asyncio.Task[Completion]] = []

    def behave(number: int, request: ModelRequest) -> Completion:
        if number == 0:  # runs before the task that is about to get its turn
            asyncio.get_running_loop().call_soon(calls[1].cancel)
        return fine()

    slow = Slow(behave)
    limited = Limited(slow, in_flight=1)
    calls += [asyncio.create_task(limited.complete(ask(text))) for text in ("first", "second", "third")]
    _, second, third = calls
    await asyncio.wait([second])
    assert second.cancelled()
    await third
    assert slow.texts == ["first", "third"]
    assert idle(limited)


@pytest.mark.parametrize("error", [RequestRefused("no", status=400), ValueError("a bug"), None])
@jumping
async def test_a_call_that_ends_in_whatever_way_makes_room(error: Exception | None) -> None:
    slow = Slow(lambda number, request: error if error and number == 0 else fine())
    limited = Limited(slow, in_flight=1)
    first = asyncio.create_task(limited.complete(ask()))
    second = asyncio.create_task(limited.complete(ask()))
    await asyncio.sleep(0.5)
    if error is None:
        first.cancel()
    results = await asyncio.gather(first, second, return_exceptions=True)
    assert results[0] is error or isinstance(results[0], asyncio.CancelledError)
    assert results[1] == fine()
    assert idle(limited)


@jumping
async def test_the_rate_is_used_up() -> None:
    """Ten a minute, 35 calls: they start in four bursts, a minute apart."""
    slow = Slow()
    limited = Limited(slow, requests_per_minute=10)
    await asyncio.gather(*(limited.complete(ask()) for _ in range(35)))
    assert slow.starts == pytest.approx([0] * 10 + [60] * 10 + [120] * 10 + [180] * 5, abs=0.01)


@jumping
async def test_what_a_call_really_cost_takes_the_place_of_the_estimate() -> None:
    """Estimated at 104 tokens each (nine fit), but they cost 14: all go in the first minute."""
    slow = Slow()
    limited = Limited(slow, tokens_per_minute=1000)
    for _ in range(30):
        await limited.complete(ask("", max_tokens=100))
    assert now() == pytest.approx(30)


@jumping
async def test_a_limit_below_what_one_call_may_take_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    limited = Limited(Slow(), tokens_per_minute=10)
    await asyncio.gather(*(limited.complete(ask()) for _ in range(3)))
    (record,) = [one for one in caplog.records if one.levelname == "WARNING"]
    assert "tokens_per_minute=... allows 10: one such call starts a minute" in record.getMessage()
