"""Limited: what Retry-After of one call, and of several, means for the others."""

import asyncio
from itertools import pairwise

import pytest
from limit_double import Outcome, Slow, fine, idle, jumping, now, outcome

from agentdebate.errors import ModelError, RateLimited
from agentdebate.models.base import ModelRequest
from agentdebate.models.limits.limit import Limited


def later(seconds: float) -> RateLimited:
    return RateLimited("later", status=429, retry_after=seconds)


def until(end: float, error: ModelError) -> Slow:
    """A model that tells every call to wait, until that moment."""

    def behave(number: int, request: ModelRequest) -> Outcome:
        return error if now() < end else fine()

    return Slow(behave)


def told(caplog: pytest.LogCaptureFixture, kind: str) -> list[str]:
    """The warnings of a kind."""
    return [
        record.getMessage()
        for record in caplog.records
        if getattr(record, "kind", "") == kind and record.levelname == "WARNING"
    ]


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
    assert len(told(caplog, "rate limited")) == len(told(caplog, "endpoint resumed")) == 1


@pytest.mark.parametrize("wait", [600.0, 86_400.0, 1e308])
@jumping
async def test_a_pause_lasts_half_a_minute_at_most_and_a_probe_ends_it(wait: float) -> None:
    slow = until(100, later(wait))
    limited = Limited(slow, in_flight=3)
    ends = await asyncio.gather(*(outcome(limited) for _ in range(20)))
    gaps = [later - earlier for earlier, later in pairwise(slow.starts)]
    assert max(gaps) == pytest.approx(31), "a pause and the probe before it"
    assert now() < 100 + 31 + 10
    refused = [end for end in ends if end != fine()]
    assert len(refused) <= 5, "no probe costs anybody a try"
    assert idle(limited)
