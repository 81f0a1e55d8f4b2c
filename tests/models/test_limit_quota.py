"""Limited: new calls slow down before the endpoint has to refuse them, by what its headers say."""

import asyncio

import httpx
import pytest
from endpoint_double import Endpoint, failed, reply
from hypothesis import given, settings
from hypothesis import strategies as st
from limit_double import Metering, ask, fine, idle, in_any_minute, now, outcome

from agentdebate.errors import RateLimited
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.limits.limit import Limited
from agentdebate.models.limits.quota import Quota
from agentdebate.models.retry import Retrying
from agentdebate.testing import run_jumping

NOT_FOUND_OUT = RateLimited("too many", status=429)


class Bucket(Metering):
    """Refills `rate` a second up to `most`, tells what is left and when it is full, and refuses what is too much."""

    def __init__(self, most: float, rate: float, *, seconds: float = 1.0, tokens: bool = False) -> None:
        super().__init__(self._count, seconds=seconds)
        self.most, self.rate, self.left, self.at = most, rate, most, 0.0
        self.cost = 14.0 if tokens else 1.0
        self.tokens, self.refused = tokens, 0

    async def complete(self, request: ModelRequest) -> Completion:
        self.left = min(self.most, self.left + (now() - self.at) * self.rate)
        self.at = now()
        self.refuses = self.left < self.cost
        self.left -= 0 if self.refuses else self.cost
        self.refused += self.refuses
        left, reset = int(self.left), (self.most - self.left) / self.rate
        seen = Quota(tokens_left=left, tokens_reset_s=reset) if self.tokens else Quota(left, None, reset)
        try:
            return await super().complete(request)
        finally:
            self.quota = seen

    def _count(self, number: int, request: ModelRequest) -> Completion | BaseException:
        return fine()


class FixedMinute(Metering):
    """So many requests in each minute of the clock, and a refusal for every further one."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most, self.used, self.refused = most, 0, 0
        self.minute = 0

    async def complete(self, request: ModelRequest) -> Completion:
        if int(now() // 60) != self.minute:
            self.minute, self.used = int(now() // 60), 0
        self.used += 1
        if self.used > self.most:
            self.refused += 1
            raise NOT_FOUND_OUT
        seen = Quota(self.most - self.used, None, 60 - now() % 60)
        try:
            return await super().complete(request)
        finally:
            self.quota = seen


@pytest.mark.parametrize("tokens", [False, True])
def test_a_bucket_that_refills_is_never_emptied_and_its_rate_is_used(tokens: bool) -> None:
    """120 a minute and twice as many wanted: the run takes as long as it must, within a tenth."""

    async def main() -> None:
        cost = 14 if tokens else 1
        bucket = Bucket(120 * cost, 2 * cost, tokens=tokens)
        limited = Limited(bucket, in_flight=8, start=8)
        await asyncio.gather(*(limited.complete(ask("", max_tokens=4)) for _ in range(600)))
        assert bucket.refused == 0
        assert (600 - 120) / 2 <= now() < 1.1 * (600 - 120) / 2
        assert idle(limited)

    run_jumping(main())


def test_a_minute_of_the_clock_is_spread_and_never_passed() -> None:
    async def main() -> None:
        endpoint = FixedMinute(50)
        limited = Limited(endpoint, in_flight=8, start=8)
        ends = await asyncio.gather(*(outcome(limited) for _ in range(200)))
        assert endpoint.refused == 0
        assert ends == [fine()] * 200
        assert now() < 250
        assert in_any_minute([(at, 1) for at in endpoint.starts]) < 100

    run_jumping(main())


def test_what_another_process_uses_up_holds_calls_back_until_the_reset() -> None:
    async def main() -> None:
        endpoint = Metering()
        endpoint.quota = None
        limited = Limited(endpoint)
        endpoint.behave = lambda number, request: fine()
        endpoint.quota = Quota(requests_left=0, requests_reset_s=40)
        await limited.complete(ask())
        await limited.complete(ask())
        assert endpoint.starts == pytest.approx([0, 41])

    run_jumping(main())


def lasting(**seconds: float) -> tuple[Metering, dict[str, Quota]]:
    """A model whose calls last as long as their text says, and a place for what the answer to each tells."""
    told: dict[str, Quota] = {}

    class Uneven(Metering):
        def lasts(self, request: ModelRequest) -> float:
            return seconds[request.messages[0].content]

        async def complete(self, request: ModelRequest) -> Completion:
            completion = await super().complete(request)
            self.quota = told.get(request.messages[0].content, self.quota)
            return completion

    return Uneven(), told


def test_old_news_is_not_heard() -> None:
    """The answer to the call that began later came first: nothing is left."""

    async def main() -> None:
        endpoint, told = lasting(earlier=2, later=1, next=1)
        told["earlier"], told["later"] = Quota(50, None, 40), Quota(0, None, 40)
        limited = Limited(endpoint)
        await asyncio.gather(limited.complete(ask("earlier")), limited.complete(ask("later")))
        await limited.complete(ask("next"))
        assert endpoint.starts == pytest.approx([0, 0, 41])

    run_jumping(main())


def test_calls_that_may_not_be_counted_yet_are_counted_here() -> None:
    async def main() -> None:
        endpoint, told = lasting(first=1, second=10, third=1)
        told["first"] = Quota(1, None, 40)
        limited = Limited(endpoint)
        await asyncio.gather(*(limited.complete(ask(text)) for text in ("first", "second")))
        await limited.complete(ask("third"))
        assert endpoint.starts == pytest.approx([0, 0, 41])

    run_jumping(main())


def test_what_is_left_is_spent_once_while_no_answer_tells_more() -> None:
    async def main() -> None:
        endpoint, told = lasting(first=1, long=100)
        told["first"] = Quota(4, None, 40)
        limited = Limited(endpoint)
        await limited.complete(ask("first"))
        await asyncio.gather(*(limited.complete(ask("long")) for _ in range(6)))
        assert endpoint.starts == pytest.approx([0, 1, 1, 1, 1, 41, 41])

    run_jumping(main())


def test_where_more_calls_wait_than_are_left_those_are_spread() -> None:
    async def main() -> None:
        endpoint, told = lasting(first=1, long=100)
        told["first"] = Quota(4, None, 40)
        limited = Limited(endpoint, in_flight=8)
        first = asyncio.create_task(limited.complete(ask("first")))
        await asyncio.sleep(0)
        limited._gate.adaptive.limit = 1  # so that the others wait until it is answered
        rest = [asyncio.create_task(limited.complete(ask("long"))) for _ in range(6)]
        await asyncio.sleep(0.5)
        limited._gate.adaptive.limit = 8
        await asyncio.gather(first, *rest)
        assert endpoint.starts == pytest.approx([0, 1, 11, 21, 31, 41, 41])

    run_jumping(main())


def test_a_quota_is_read_once_and_forgotten_at_its_reset() -> None:
    async def main() -> None:
        endpoint = Metering()
        endpoint.quota = Quota(requests_left=0, requests_reset_s=40)
        limited = Limited(endpoint)
        for _ in range(4):
            await limited.complete(ask())
        assert endpoint.starts == pytest.approx([0, 41, 42, 43])

    run_jumping(main())


def test_a_limit_without_a_reset_is_tried_every_second() -> None:
    async def main() -> None:
        class Silent(Metering):
            async def complete(self, request: ModelRequest) -> Completion:
                self.quota = Quota(requests_left=0)
                return await super().complete(request)

        endpoint = Silent(seconds=0.25)
        limited = Limited(endpoint, start=1, in_flight=1)
        await asyncio.gather(*(limited.complete(ask()) for _ in range(4)))
        assert endpoint.starts == pytest.approx([0, 1.25, 2.5, 3.75])

    run_jumping(main())


WAITS = st.none() | st.floats(0, 10**7)
QUOTAS = st.none() | st.builds(
    Quota, st.none() | st.integers(0, 100), st.none() | st.integers(0, 3000), WAITS, WAITS
)


@settings(max_examples=60, deadline=None)
@given(quotas=st.lists(QUOTAS, min_size=1, max_size=30), in_flight=st.integers(1, 5))
def test_whatever_an_endpoint_says_every_call_ends(quotas: list[Quota | None], in_flight: int) -> None:
    async def main() -> None:
        endpoint = Metering()

        def behave(number: int, request: ModelRequest) -> Completion | BaseException:
            endpoint.quota = quotas[number % len(quotas)]
            return NOT_FOUND_OUT if number % 7 == 6 else fine()

        endpoint.behave = behave
        limited = Limited(endpoint, in_flight=in_flight, longest_pause=300)
        await asyncio.gather(*(outcome(limited) for _ in range(30)))
        assert endpoint.peak <= in_flight
        assert now() <= 31 * 301  # at the worst one call for every longest pause
        assert idle(limited)

    run_jumping(main())


def test_a_model_without_a_quota_is_not_held_back() -> None:
    async def main() -> None:
        endpoint = Metering()
        limited = Limited(endpoint)
        await asyncio.gather(*(limited.complete(ask()) for _ in range(64)))
        assert now() == pytest.approx(2)

    run_jumping(main())


def headed(**headers: str) -> httpx.Response:
    """A reply with headers; underscores stand for hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(200, json=reply(), headers=named)


async def test_an_openai_endpoint_shows_the_quota_of_its_newest_answer() -> None:
    told = headed(x_ratelimit_remaining_requests="5", x_ratelimit_reset_requests="6m0s")
    endpoint = Endpoint(told, reply())
    model = endpoint.model()
    assert model.quota is None
    await model.complete(ask())
    seen = model.quota
    assert seen == Quota(requests_left=5, requests_reset_s=360)
    await model.complete(ask())
    assert model.quota is seen  # an answer that tells nothing changes nothing
    await model.aclose()


async def test_an_openai_endpoint_shows_the_quota_of_a_refusal() -> None:
    told = {"x_ratelimit_remaining_requests": "0"}
    endpoint = Endpoint(failed(429, {"error": {"message": "slow"}}, retry_after="7", **told))
    model = endpoint.model()
    with pytest.raises(RateLimited):
        await model.complete(ask())
    assert model.quota == Quota(requests_left=0, requests_reset_s=7)
    await model.aclose()


def test_composed_as_it_is_meant_to_be_a_refusal_is_waited_for_without_a_place() -> None:
    """Ten calls of one endpoint, the first of which is refused for half a minute: one refusal, ten replies."""

    async def main() -> None:
        endpoint = Endpoint(failed(429, {"error": {"message": "slow"}}, retry_after="30"), reply())
        limited = Limited(endpoint.model(), in_flight=1)
        model = Retrying(limited, jitter=0)
        calls = [asyncio.create_task(model.complete(ask())) for _ in range(10)]
        await asyncio.sleep(15)
        assert (limited.running, limited.waiting, len(endpoint.requests)) == (0, 0, 10)
        completions = await asyncio.gather(*calls)
        assert [completion.text for completion in completions] == ["fine"] * 10
        assert len(endpoint.requests) == 11
        assert now() == pytest.approx(30, abs=0.1)
        await model.aclose()

    run_jumping(main())
