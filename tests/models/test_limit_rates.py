"""Limited: requests and tokens a minute, with random arrivals, durations, failures and cancellations."""

import asyncio
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from limit_double import Slow, ask, fine, idle, in_any_minute, now

from agentdebate.errors import ConnectionFailed, ModelError, RateLimited, ServerFailed
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.limits.limit import Limited, turn_order
from agentdebate.testing import run_jumping

ERRORS = {
    "refused": RateLimited("slow down", status=429),
    "paused": RateLimited("slow down", status=429, retry_after=7.0),
    "failed": ServerFailed("oh", status=500),
    "overloaded": ServerFailed("oh", status=503),
    "lost": ConnectionFailed("gone"),
}


@dataclass(frozen=True)
class Plan:
    """A call: when it comes, how long it lasts, how it ends, when it is cancelled, and its tokens."""

    arrival: float
    lasts: float
    end: str
    patience: float | None
    order: int
    prompt: int
    reply: int
    most: int


TIMES = st.integers(0, 2000).map(lambda tenths: tenths / 10)
PLANS = st.builds(
    Plan,
    arrival=TIMES,
    lasts=st.integers(0, 300).map(lambda tenths: tenths / 10),
    end=st.sampled_from(["fine"] * 8 + list(ERRORS)),
    patience=st.none() | TIMES,
    order=st.integers(0, 3),
    prompt=st.integers(0, 300),
    reply=st.integers(0, 100),
    most=st.integers(100, 200),
)


@dataclass
class Watched(Slow):
    """Does what the plans say; the request's text is a plan's number."""

    plans: list[Plan] = field(default_factory=list)
    spent: list[tuple[float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(self._end)

    def _plan(self, request: ModelRequest) -> Plan:
        return self.plans[int(request.messages[0].content.strip())]

    def lasts(self, request: ModelRequest) -> float:
        plan = self._plan(request)
        refused = plan.end in {"refused", "paused"}
        cost = plan.prompt + plan.reply if plan.end == "fine" else 0 if refused else plan.prompt + plan.most
        self.spent.append((now(), cost))
        return plan.lasts

    def _end(self, number: int, request: ModelRequest) -> Completion | BaseException:
        plan = self._plan(request)
        return fine("", plan.prompt, plan.reply) if plan.end == "fine" else ERRORS[plan.end]


async def play(limited: Limited, number: int, plan: Plan) -> str:
    """How a planned call ended."""
    await asyncio.sleep(plan.arrival)
    turn_order.set(plan.order)
    request = ask(str(number).ljust(4 * plan.prompt), max_tokens=plan.most)
    try:
        async with asyncio.timeout(plan.patience):
            await limited.complete(request)
    except ModelError as error:
        return str(error)
    except TimeoutError:
        return "cancelled"
    return "fine"


@settings(max_examples=60, deadline=None)
@given(
    plans=st.lists(PLANS, min_size=5, max_size=60),
    in_flight=st.integers(1, 8),
    requests=st.none() | st.integers(1, 30),
    tokens=st.none() | st.integers(700, 5000),
    failures=st.sampled_from([2, 10]),
)
def test_no_limit_is_ever_passed_and_every_call_ends(
    plans: list[Plan], in_flight: int, requests: int | None, tokens: int | None, failures: int
) -> None:
    async def main() -> None:
        slow = Watched(plans=plans)
        limited = Limited(
            slow, in_flight=in_flight, requests_per_minute=requests, tokens_per_minute=tokens, failures=failures
        )  # fmt: skip
        ends = await asyncio.gather(*(play(limited, number, plan) for number, plan in enumerate(plans)))
        assert slow.peak <= in_flight
        assert in_any_minute([(at, 1) for at in slow.starts]) <= (requests or len(slow.starts))
        assert in_any_minute(slow.spent) <= (tokens or float("inf"))
        assert all(
            plan.patience is not None for plan, end in zip(plans, ends, strict=True) if end == "cancelled"
        )
        assert idle(limited)

    run_jumping(main())


def test_the_rate_is_used_up() -> None:
    """Ten a minute, 35 calls: they start in four bursts, a minute apart."""

    async def main() -> None:
        slow = Slow()
        limited = Limited(slow, requests_per_minute=10)
        await asyncio.gather(*(limited.complete(ask()) for _ in range(35)))
        assert slow.starts == pytest.approx([0] * 10 + [60] * 10 + [120] * 10 + [180] * 5, abs=0.01)

    run_jumping(main())


def test_what_a_call_really_cost_takes_the_place_of_the_estimate() -> None:
    """Estimated at 104 tokens each (nine fit), but they cost 14: all go in the first minute."""

    async def main() -> None:
        slow = Slow()
        limited = Limited(slow, tokens_per_minute=1000)
        for _ in range(30):
            await limited.complete(ask("", max_tokens=100))
        assert now() == pytest.approx(30)

    run_jumping(main())


def test_calls_that_the_endpoint_refused_cost_no_tokens() -> None:
    async def main() -> None:
        slow = Slow(lambda number, request: ERRORS["refused"] if number < 5 else fine())
        limited = Limited(slow, in_flight=1, tokens_per_minute=1000)
        calls = (limited.complete(ask("", max_tokens=900)) for _ in range(6))
        await asyncio.gather(*calls, return_exceptions=True)
        assert now() < 20, "a minute would have to pass"

    run_jumping(main())


def test_a_small_call_that_would_fit_does_not_pass_a_large_one_that_waits() -> None:
    async def main() -> None:
        slow = Slow(lambda number, request: fine(prompt=0, reply=600))
        limited = Limited(slow, tokens_per_minute=1000)
        await limited.complete(ask("first", max_tokens=600))
        large = asyncio.create_task(limited.complete(ask("large", max_tokens=900)))
        await asyncio.sleep(1)
        await asyncio.gather(large, limited.complete(ask("small", max_tokens=100)))
        assert slow.texts == ["first", "large", "small"]

    run_jumping(main())
