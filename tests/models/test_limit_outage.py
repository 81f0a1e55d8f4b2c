"""Limited: endpoints that ask for a pause, have too much to do, or are down."""

import asyncio
from itertools import pairwise

import pytest
from limit_double import DOWN, Slow, fine, idle, jumping, now, outcome

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
from agentdebate.models.limits.limit import Limited

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
