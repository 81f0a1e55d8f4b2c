"""Asking again after an error that may pass."""

import asyncio
import logging
import subprocess
import sys

import pytest
from patience import MOMENT

from agentdebate.errors import MalformedReply, ModelError, RateLimited, RequestRefused, ServerFailed
from agentdebate.models.base import ChatMessage, Completion, Model, ModelRequest
from agentdebate.models.retry import Retrying
from agentdebate.models.scripted import Line, Scripted

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


def scripted(*lines: Line) -> Scripted:
    return Scripted(lines)


async def test_a_first_reply_is_given_without_waiting(clock: Clock) -> None:
    model = scripted("fine")
    assert (await Retrying(model, clock=clock).complete(REQUEST)).text == "fine"
    assert clock.waits == []


async def test_errors_that_may_pass_are_tried_again(clock: Clock) -> None:
    model = scripted(BUSY, RateLimited("slow"), "fine")
    assert (await Retrying(model, clock=clock).complete(REQUEST)).text == "fine"
    assert model.requests == [REQUEST] * 3


@pytest.mark.parametrize("error", [RequestRefused("no"), ValueError("a bug")])
async def test_other_errors_are_raised_at_once(clock: Clock, error: Exception) -> None:
    model = scripted(error, "fine")
    with pytest.raises(type(error)) as caught:
        await Retrying(model, clock=clock).complete(REQUEST)
    assert caught.value is error
    assert len(model.requests) == 1


async def test_an_error_that_will_not_pass_ends_the_retries(clock: Clock) -> None:
    error = RequestRefused("no")
    model = scripted(BUSY, error, "fine")
    with pytest.raises(RequestRefused) as caught:
        await Retrying(model, clock=clock).complete(REQUEST)
    assert caught.value is error


@pytest.mark.parametrize("attempts", [1, 2, 5])
async def test_the_attempts_are_bounded_and_the_last_error_is_raised(clock: Clock, attempts: int) -> None:
    errors = [ServerFailed(str(number)) for number in range(9)]
    model = scripted(*errors)
    with pytest.raises(ServerFailed) as caught:
        await Retrying(model, attempts=attempts, clock=clock).complete(REQUEST)
    assert caught.value is errors[attempts - 1]
    assert len(model.requests) == attempts


async def test_waits_double_up_to_the_longest(clock: Clock) -> None:
    model = scripted(*[BUSY] * 5, "fine")
    patient = Retrying(model, attempts=6, first_wait=1, longest_wait=5, jitter=0, clock=clock)
    await patient.complete(REQUEST)
    assert clock.waits == [1, 2, 4, 5, 5]


async def test_jitter_is_added_to_every_wait(clock: Clock) -> None:
    model = scripted(BUSY, RateLimited("slow", retry_after=9.0), "fine")
    await Retrying(model, first_wait=2, jitter=0.5, clock=clock).complete(REQUEST)
    first, second = clock.waits
    assert 2 < first <= 2.5
    assert 9 < second <= 9.5


async def test_the_endpoints_own_wait_is_the_least(clock: Clock) -> None:
    model = scripted(RateLimited("a", retry_after=30.0), RateLimited("b", retry_after=0.1), "fine")
    await Retrying(model, first_wait=1, jitter=0, clock=clock).complete(REQUEST)
    assert clock.waits == [30, 2]


async def test_a_wait_beyond_the_deadline_is_not_begun(clock: Clock) -> None:
    """To wait and then not to ask would only be late."""
    error = RateLimited("slow", retry_after=60.0)
    model = scripted(error, "fine")
    with pytest.raises(RateLimited) as caught:
        await Retrying(model, deadline=50, clock=clock).complete(REQUEST)
    assert caught.value is error
    assert clock.waits == []


async def test_the_deadline_ends_the_retries(clock: Clock) -> None:
    model = scripted(*[BUSY] * 100)
    patient = Retrying(model, attempts=100, deadline=10, first_wait=3, longest_wait=3, jitter=0, clock=clock)
    with pytest.raises(ServerFailed):
        await patient.complete(REQUEST)
    assert clock.now <= 10
    assert len(model.requests) == 4


async def test_time_before_the_first_failure_does_not_count(clock: Clock) -> None:
    """It may have been spent in the queue for a slot."""

    class Queued(Scripted):
        async def complete(self, request: ModelRequest) -> Completion:
            clock.now += 400 if not self.requests else 0
            return await super().complete(request)

    model = Queued([BUSY, "fine"])
    assert (await Retrying(model, deadline=300, clock=clock).complete(REQUEST)).text == "fine"


async def test_a_wait_can_be_cancelled() -> None:
    model = scripted(RateLimited("slow", retry_after=100.0), "fine")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await Retrying(model).complete(REQUEST)
    assert len(model.requests) == 1


async def test_a_later_try_can_be_cancelled(clock: Clock) -> None:
    async def hang(request: ModelRequest) -> str:
        await asyncio.Event().wait()
        return "never"

    class HangsLater(Scripted):
        async def complete(self, request: ModelRequest) -> Completion:
            if self.requests:
                await hang(request)
            return await super().complete(request)

    task = asyncio.create_task(Retrying(HangsLater([BUSY, BUSY]), clock=clock).complete(REQUEST))
    done, _ = await asyncio.wait([task], timeout=MOMENT)
    assert not done
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_every_wait_is_a_warning_that_says_what_failed_and_how_long_it_is(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    model = scripted(BUSY, RateLimited("slow", retry_after=9.0), "fine")
    with caplog.at_level(logging.INFO, "agentdebate"):
        await Retrying(model, first_wait=2, jitter=0, clock=clock).complete(REQUEST)
    assert [record.getMessage() for record in caplog.records] == [
        "tried again in 2.0 s: ServerFailed: busy",
        "tried again in 9.0 s: RateLimited: slow",
    ]
    assert {(record.name, record.levelname) for record in caplog.records} == {
        ("agentdebate.models.retry", "WARNING")
    }


async def test_what_is_not_tried_again_is_no_warning(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ServerFailed):
        await Retrying(scripted(BUSY), attempts=1, clock=clock).complete(REQUEST)
    assert caplog.records == []


def test_a_retry_prints_nothing_where_nobody_has_set_logging_up() -> None:
    """Standard output and standard error belong to the program."""
    code = (
        "import asyncio; from agentdebate.models.base import ModelRequest; from agentdebate.errors import ServerFailed; "
        "from agentdebate.models.retry import Retrying; from agentdebate.models.scripted import Scripted; "
        "model = Retrying(Scripted([ServerFailed('busy'), 'fine']), first_wait=0, jitter=0); "
        "assert asyncio.run(model.complete(ModelRequest(()))).text == 'fine'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


async def test_it_looks_like_the_model_in_it() -> None:
    closed: list[str] = []

    class Closes(Scripted):
        async def aclose(self) -> None:
            closed.append(self.name)

    model = Retrying(Closes([], name="inner", structured=True))
    assert isinstance(model, Model)
    assert (model.name, model.structured) == ("inner", True)
    assert "inner" in repr(model)
    await model.aclose()
    assert closed == ["inner"]


async def test_an_exhausted_script_is_not_tried_again(clock: Clock) -> None:
    with pytest.raises(ModelError, match="nothing more"):
        await Retrying(scripted(), clock=clock).complete(REQUEST)
    assert clock.waits == []


def unread(*, whole: bool = True) -> MalformedReply:
    """An answer that is no reply, whole or broken off."""
    error = MalformedReply("no JSON")
    error.whole = whole
    return error


@pytest.mark.parametrize("before", [(), (BUSY,), (BUSY, RateLimited("slow"))])
async def test_an_answer_that_cannot_be_read_is_asked_for_once_more(
    clock: Clock, before: tuple[Exception, ...]
) -> None:
    model = scripted(*before, *[unread() for _ in range(9)])
    with pytest.raises(MalformedReply):
        await Retrying(model, clock=clock).complete(REQUEST)
    assert len(model.requests) == len(before) + 2


async def test_the_second_answer_counts_whatever_went_wrong_in_between(clock: Clock) -> None:
    model = scripted(unread(), BUSY, unread(), "fine")
    with pytest.raises(MalformedReply):
        await Retrying(model, clock=clock).complete(REQUEST)
    model = scripted(unread(), BUSY, BUSY, "fine")
    assert (await Retrying(model, clock=clock).complete(REQUEST)).text == "fine"


async def test_an_answer_that_broke_off_is_asked_for_as_often_as_a_failed_one(clock: Clock) -> None:
    model = scripted(*[unread(whole=False) for _ in range(4)], "fine")
    assert (await Retrying(model, clock=clock).complete(REQUEST)).text == "fine"
