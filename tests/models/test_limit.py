"""Limited: how many calls run at once and in which order, what a cancelled one leaves behind, and endpoints that are slow or down."""

import asyncio
from itertools import pairwise

import pytest
from limit_double import DOWN, Slow, ask, fine, idle, jumping, now, outcome

from agentdebate.errors import (
    ConnectionFailed,
    ContentFiltered,
    EndpointDown,
    ModelError,
    RateLimited,
    RequestRefused,
    ServerFailed,
)
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


# Endpoints that ask for a pause, have too much to do, or are down.


HOURS = 10_000.0
"""So that an endpoint that has not answered yet is waited for like any other."""


def down_until(end: float, error: ModelError = DOWN) -> Slow:
    """A model that fails until that moment."""

    def behave(number: int, request: ModelRequest) -> Completion | BaseException:
        return error if now() < end else fine()

    return Slow(behave)


def kinds(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    """Level and kind of the breaker's log lines."""
    return [
        (record.levelname, getattr(record, "kind", ""))
        for record in caplog.records
        if record.name.endswith("pause")
    ]


@pytest.mark.parametrize("error", [DOWN, ConnectionFailed("gone")])
@jumping
async def test_an_endpoint_that_is_down_is_probed_by_one_call_at_a_time_until_it_is_back(
    error: ModelError, caplog: pytest.LogCaptureFixture
) -> None:
    """Pauses of 1, 2, 4, 8 and 16 seconds, a second for each probe; then all go on.

    Nine calls take the places of the first nine that fail, before the tenth tells that the endpoint is down.
    """
    slow = down_until(30, error)
    limited = Limited(slow, in_flight=10, unheard=HOURS)
    ends = await asyncio.gather(*(outcome(limited) for _ in range(40)))
    assert slow.starts[:19] == [0] * 10 + [1] * 9
    assert slow.starts[19:24] == pytest.approx([2, 5, 10, 19, 36])
    assert slow.starts[24:] == pytest.approx([37] * 10 + [38] * 10)
    assert ends.count(error) == 19  # those before the pause; no probe's failure reached a caller
    assert ends.count(fine()) == 21
    assert kinds(caplog) == [("WARNING", "endpoint paused"), ("WARNING", "endpoint resumed")]
    assert not limited.paused
    assert idle(limited)


@jumping
async def test_with_the_time_to_give_up_gone_all_waiting_calls_say_so() -> None:
    slow = down_until(10**9)
    limited = Limited(slow, in_flight=5, failures=5, give_up=100, unheard=HOURS)
    ends = await asyncio.gather(*(outcome(limited) for _ in range(30)))
    assert now() == pytest.approx(101)  # the first failure was at 1
    given_up = [end for end in ends if isinstance(end, ConnectionFailed)]
    assert len(given_up) == 30 - 5 - 4
    said = "slow: every call has failed for 100 s; fix the cause, then go on. The latest failure: down"
    assert {str(end) for end in given_up} == {said}
    assert idle(limited)
    again = await outcome(limited)  # somebody still finds out when it is back, and nobody waits
    assert isinstance(again, ConnectionFailed)
    assert now() == pytest.approx(101)
    await asyncio.sleep(1000)
    probe, beside = await asyncio.gather(outcome(limited), outcome(limited))
    assert isinstance(probe, EndpointDown), "it fails for good, so that a run stops"
    assert isinstance(beside, ConnectionFailed)


@jumping
async def test_giving_up_says_the_latest_failure_without_keys_and_in_a_few_lines() -> None:
    ended = "x" * 10_000
    causes = [
        ConnectionFailed("first", model="slow"),
        ServerFailed(f"HTTP 503: no Bearer sk-0123456789abcdef \x1b[31m{ended}", model="slow", status=503),
    ]

    limited = Limited(Slow(lambda n, request: causes[min(n, 1)]), in_flight=1, failures=1)
    await outcome(limited)
    said = str(await outcome(limited))
    reason = said.partition("The latest failure: ")[2]
    assert reason.startswith("HTTP 503: no [key] \\x1b[31mxxx"), "the model is named once, in front"
    assert len(said) < 600
    assert "sk-0" not in said


@pytest.mark.parametrize(
    "other", [fine(), RequestRefused("no", status=400), ContentFiltered("no", status=400)]
)
@jumping
async def test_an_answer_of_any_kind_begins_the_count_anew(other: Completion | ModelError) -> None:
    limited = Limited(Slow(lambda n, request: other if n % 3 == 2 else DOWN), failures=3, unheard=HOURS)
    for _ in range(12):
        await outcome(limited)
    assert not limited.paused
    assert now() == pytest.approx(12)


@jumping
async def test_an_endpoint_that_has_never_answered_is_given_up_soon() -> None:
    """It is more likely a wrong address than an outage, and somebody waits at the terminal."""
    limited = Limited(down_until(10**9), in_flight=1, failures=1)
    first, second = await outcome(limited), await outcome(limited)
    assert (type(first), type(second)) == (type(DOWN), EndpointDown), "the second was a probe, in vain"
    assert now() == pytest.approx(10, abs=2)


def later(seconds: float) -> RateLimited:
    return RateLimited("later", status=429, retry_after=seconds)


@jumping
async def test_three_in_a_row_are_agreement_and_the_pause_is_the_longest_that_was_named(
    caplog: pytest.LogCaptureFixture,
) -> None:
    slow = Slow(lambda n, request: later(10 + n) if n < 3 else fine())
    limited = Limited(slow, in_flight=3)
    await asyncio.gather(*(outcome(limited) for _ in range(3)))
    ends = await asyncio.gather(*(outcome(limited) for _ in range(10)))
    assert slow.starts[3] == pytest.approx(1 + 12)
    assert slow.starts.count(slow.starts[3]) == 1, "one goes first"
    assert ends == [fine()] * 10
    assert idle(limited)
    warned = [kind for level, kind in kinds(caplog) if level == "WARNING"]
    assert sorted(warned) == ["endpoint resumed", "rate limited"]


@pytest.mark.parametrize("wait", [600.0, 86_400.0, 1e308])
@jumping
async def test_a_pause_lasts_half_a_minute_at_most_and_a_probe_ends_it(wait: float) -> None:
    slow = down_until(100, later(wait))
    limited = Limited(slow, in_flight=3)
    ends = await asyncio.gather(*(outcome(limited) for _ in range(20)))
    gaps = [later - earlier for earlier, later in pairwise(slow.starts)]
    assert max(gaps) == pytest.approx(31), "a pause and the probe before it"
    assert now() < 100 + 31 + 10
    refused = [end for end in ends if end != fine()]
    assert len(refused) <= 5, "no probe costs anybody a try"
    assert idle(limited)
