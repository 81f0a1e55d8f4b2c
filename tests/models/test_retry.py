"""Asking again after an error that may pass."""

import asyncio
import logging
import re

import pytest

from agentdebate.errors import MalformedReply, RateLimited, RequestRefused, ServerFailed
from agentdebate.models.base import ChatMessage, ModelRequest
from agentdebate.models.retry import Retrying
from agentdebate.models.script import Scripted

REQUEST = ModelRequest((ChatMessage("user", "Hi"),))
BUSY = ServerFailed("busy")


class Clock:
    """Time that passes only in waits, and what was waited."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock in the place of asyncio.sleep."""
    clock = Clock()
    monkeypatch.setattr(asyncio, "sleep", clock.sleep)
    return clock


@pytest.mark.parametrize("error", [RequestRefused("no"), ValueError("a bug")])
async def test_other_errors_are_raised_at_once(clock: Clock, error: Exception) -> None:
    model = Scripted([error, "fine"])
    with pytest.raises(type(error)) as caught:
        await Retrying(model, clock=clock).complete(REQUEST)
    assert caught.value is error
    assert len(model.requests) == 1


@pytest.mark.parametrize("attempts", [1, 2, 5])
async def test_the_attempts_are_bounded_and_the_last_error_is_raised(clock: Clock, attempts: int) -> None:
    errors = [ServerFailed(str(number)) for number in range(9)]
    model = Scripted(errors)
    with pytest.raises(ServerFailed) as caught:
        await Retrying(model, attempts=attempts, clock=clock).complete(REQUEST)
    assert caught.value is errors[attempts - 1]
    assert len(model.requests) == attempts


async def test_the_endpoints_own_wait_is_the_least(clock: Clock) -> None:
    model = Scripted([RateLimited("a", retry_after=30.0), RateLimited("b", retry_after=0.1), "fine"])
    await Retrying(model, clock=clock).complete(REQUEST)
    assert clock.waits == [pytest.approx(wait + 0.5, abs=0.5) for wait in (30, 1)]


async def test_a_wait_beyond_the_deadline_is_not_begun(clock: Clock) -> None:
    """To wait and then not to ask would only be late."""
    error = RateLimited("slow", retry_after=60.0)
    model = Scripted([error, "fine"])
    with pytest.raises(RateLimited) as caught:
        await Retrying(model, deadline=50, clock=clock).complete(REQUEST)
    assert caught.value is error
    assert clock.waits == []


async def test_a_wait_can_be_cancelled() -> None:
    model = Scripted([RateLimited("slow", retry_after=100.0), "fine"])
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await Retrying(model).complete(REQUEST)
    assert len(model.requests) == 1


async def test_every_wait_is_a_warning_that_says_what_failed_and_how_long_it_is(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    model = Scripted([RateLimited("slow", retry_after=9.0), "fine"])
    with caplog.at_level(logging.INFO, "agentdebate"):
        await Retrying(model, clock=clock).complete(REQUEST)
    (said,) = [record.getMessage() for record in caplog.records]
    assert re.fullmatch(r"tried again in (9|10)\.\d s: RateLimited: slow", said)
    assert {(record.name, record.levelname) for record in caplog.records} == {
        ("agentdebate.models.retry", "WARNING")
    }


def unread() -> MalformedReply:
    """A whole answer that is no reply."""
    error = MalformedReply("no JSON")
    error.whole = True
    return error


@pytest.mark.parametrize("before", [(), (BUSY,), (BUSY, RateLimited("slow"))])
async def test_an_answer_that_cannot_be_read_is_asked_for_once_more(
    clock: Clock, before: tuple[Exception, ...]
) -> None:
    model = Scripted([*before, *[unread() for _ in range(9)]])
    with pytest.raises(MalformedReply):
        await Retrying(model, clock=clock).complete(REQUEST)
    assert len(model.requests) == len(before) + 2
