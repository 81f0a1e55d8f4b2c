"""Several samples of one reply: in one request where an endpoint gives them, topped up where it does not."""

from collections.abc import Awaitable, Callable

import anyio
import anyio.lowlevel
import pytest

from agentdebate.agents.samples import complete, sample
from agentdebate.codec import read
from agentdebate.errors import ContextTooLong, ModelError, RequestRefused, ServerFailed, StoreError
from agentdebate.models.base import ChatMessage, Completion, ModelRequest, Sampling
from agentdebate.models.function import Function

Kept = list[tuple[ModelRequest, Completion]]


def request(n: int, *, sitting: int = 0, seed: int | None = None) -> ModelRequest:
    """A request for n samples; a sitting's seed is the run's and its own number."""
    started = None if seed is None else seed + sitting
    sampling = Sampling(n=n, seed=started, temperature=0.5)
    return ModelRequest((ChatMessage("user", "Judge."),), sampling, sample=sitting)


class Bench:
    """A model made of a function, with what was asked of it and what was kept."""

    def __init__(self, answer: Callable[[ModelRequest], Completion | Awaitable[Completion]]) -> None:
        self.asked: list[ModelRequest] = []
        self.kept: Kept = []
        self._answer = answer

    async def keep(self, made: ModelRequest, completion: Completion) -> None:
        self.kept.append((made, completion))

    async def complete(self, wanted: ModelRequest) -> Completion:
        async def answer(made: ModelRequest) -> Completion:
            self.asked.append(made)
            said = self._answer(made)
            return said if isinstance(said, Completion) else await said

        return await complete(Function("bench", answer), wanted, self.keep)

    @property
    def numbers(self) -> list[int]:
        """The sample numbers of what was asked for singly."""
        return sorted(made.sample for made in self.asked if made.sampling.n == 1)


def said(*texts: str, **more: object) -> Completion:
    return read(Completion, {"text": texts[0], "others": texts[1:], "model": "bench", **more})


def at_most(given: int) -> Callable[[ModelRequest], Completion]:
    """An endpoint that gives so many samples at the most. Each says which it is."""
    return lambda made: said(*(f"s{made.sample + k}" for k in range(min(made.sampling.n, given))))


def refusing(made: ModelRequest) -> Completion:
    """An endpoint that gives one sample a request and refuses to give several."""
    if made.sampling.n > 1:
        raise RequestRefused("n has to be 1")
    return said(f"s{made.sample}")


def texts(completion: Completion) -> list[str]:
    return [completion.text, *completion.others]


@pytest.mark.parametrize("given", range(1, 5))
async def test_what_is_lacking_is_asked_for_one_by_one(given: int) -> None:
    bench = Bench(at_most(given))
    assert texts(await bench.complete(request(4))) == ["s0", "s1", "s2", "s3"]
    assert [made.sampling.n for made in bench.asked] == [4, *[1] * (4 - given)]
    assert bench.numbers == list(range(given, 4))


async def test_what_came_before_a_cancellation_is_kept_and_the_rest_is_stopped() -> None:
    stopped: list[int] = []

    async def answer(made: ModelRequest) -> Completion:
        if made.sampling.n > 1 or made.sample == 1:
            return said(f"s{made.sample}")
        try:
            while len(bench.kept) < 2:
                await anyio.lowlevel.checkpoint()
            scope.cancel()
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            stopped.append(made.sample)
            raise
        raise AssertionError("it was cancelled")

    bench = Bench(answer)
    with anyio.fail_after(60), anyio.CancelScope() as scope:
        await bench.complete(request(4))
    assert scope.cancelled_caught
    assert [made.sample for made, _ in bench.kept] == [0, 1]
    assert sorted(stopped) == [2, 3]


async def test_samples_that_cannot_be_had_are_left_out() -> None:
    def answer(made: ModelRequest) -> Completion:
        if made.sample in {1, 3}:
            raise ServerFailed("down")
        return refusing(made)

    bench = Bench(answer)
    completion = await bench.complete(request(5))
    assert texts(completion) == ["s0", "s2", "s4"]
    assert completion.lost == ("ServerFailed: down",) * 2
    assert [made.sample for made, _ in bench.kept] == [0, 2, 4]


@pytest.mark.parametrize(
    ("n", "error"),
    [(1, RequestRefused("no such model")), (8, ContextTooLong("too long")), (8, ServerFailed("down"))],
)
async def test_what_single_samples_would_not_mend_is_raised_at_once(n: int, error: ModelError) -> None:
    def answer(made: ModelRequest) -> Completion:
        raise error

    bench = Bench(answer)
    with pytest.raises(type(error)):
        await bench.complete(request(n))
    assert len(bench.asked) == 1


@pytest.mark.parametrize("given", [1, 8])
async def test_a_full_disk_is_raised_as_what_it_is(given: int) -> None:
    """Not as a group of errors, which nobody would know again."""

    async def keep(made: ModelRequest, completion: Completion) -> None:
        if given > 1 or made.sampling.n == 1:
            raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="disk is full"):
        await complete(Function("bench", at_most(given)), request(4), keep)


def test_no_two_samples_of_any_sitting_have_one_key_or_one_seed() -> None:
    sittings = [request(4, sitting=sitting, seed=100) for sitting in range(3)]
    singles = [sample(made, number) for made in sittings for number in range(4)]
    assert len({made.key() for made in [*sittings, *singles]}) == 15
    assert sorted(made.sample for made in singles) == list(range(12))
    assert [made.sampling.seed for made in singles] == list(range(100, 112))
