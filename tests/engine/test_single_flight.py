"""Work that several ask for is done once: at the same time, and what debates share and a store may know; who does it, and what the others get."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.agents.common import Common
from agentdebate.errors import ServerFailed
from agentdebate.models.single_flight import Landed, SingleFlight

Fate = Literal["ends", "fails", "is kept to oneself"]


class Stubborn(Exception):
    """One whose constructor takes something else than its arguments, so that it cannot be copied."""

    def __init__(self, first: str, *, second: str) -> None:
        super().__init__(first, second)


async def asking_at_once(flights: SingleFlight[str, str], work: Callable[[], Awaitable[str]]) -> list[object]:
    """Return what three who ask at once get."""
    asked = [asyncio.create_task(flights.run("a", work)) for _ in range(3)]
    return list(await asyncio.gather(*asked, return_exceptions=True))


@pytest.mark.parametrize(
    "error", [ServerFailed("down", status=503), OSError(5, "gone"), Stubborn("a", second="b")]
)
async def test_an_error_reaches_all_with_its_cause(error: Exception) -> None:
    done, flights, cause = list[int](), SingleFlight[str, str](), LookupError("nobody")

    async def work() -> str:
        done.append(1)
        await anyio.lowlevel.checkpoint()
        raise error from cause

    raised = await asking_at_once(flights, work)
    assert [(type(one), str(one)) for one in raised] == [(type(error), str(error))] * 3
    assert {id(one.__cause__) for one in raised if isinstance(one, Exception)} == {id(cause)}
    assert len({id(one) for one in raised}) == (1 if isinstance(error, Stubborn) else 3)
    assert done == [1]


@dataclass
class Scene:
    """Callers who come and are cancelled at certain steps, and work that ends so and so."""

    fates: list[Fate]
    flights: SingleFlight[str, str] = field(
        default_factory=lambda: SingleFlight[str, str](lambda outcome: "oneself" not in str(outcome))
    )
    working: int = 0
    begun: int = 0

    async def work(self) -> str:
        fate = self.fates[self.begun % len(self.fates)]
        self.begun += 1
        number, self.working = self.begun, self.working + 1
        assert self.working == 1, "two do it at a time"
        try:
            for _ in range(3):
                await asyncio.sleep(0)
        finally:
            self.working -= 1
        if fate == "fails":
            raise OSError(f"failed {number}")
        return f"{fate} {number}"

    async def call(self, start: int, cancel: int | None) -> object:
        """Return what a caller gets who comes at a step and is cancelled some steps later."""
        for _ in range(start):
            await asyncio.sleep(0)
        task = asyncio.create_task(self.flights.run("a", self.work))
        if cancel is not None:
            for _ in range(cancel):
                await asyncio.sleep(0)
            task.cancel()
        return (await asyncio.gather(task, return_exceptions=True))[0]


FATES: st.SearchStrategy[list[Fate]] = st.lists(
    st.sampled_from(["ends", "fails", "is kept to oneself"]), min_size=1, max_size=4
)
CALLERS = st.lists(st.tuples(st.integers(0, 8), st.none() | st.integers(0, 8)), min_size=1, max_size=6)


@given(FATES, CALLERS)
@settings(deadline=None)
def test_whoever_comes_and_goes_each_gets_an_outcome_and_no_two_work_at_a_time(
    fates: list[Fate], callers: list[tuple[int, int | None]]
) -> None:
    scene = Scene(fates)

    async def all_of_them() -> list[object]:
        with anyio.fail_after(60):
            return list(await asyncio.gather(*(scene.call(*one) for one in callers)))

    outcomes = asyncio.run(all_of_them())
    assert scene.working == 0
    assert repr(scene.flights) == "<SingleFlight 0 under way>"
    for outcome, (_, cancel) in zip(outcomes, callers, strict=True):
        assert isinstance(outcome, Landed | OSError) or (cancel is not None)
    firsts = [one.found for one in outcomes if isinstance(one, Landed) and one.first]
    assert len(firsts) == len(set(firsts)), "no work is done by two"
    kept = [one for one in outcomes if isinstance(one, Landed) and "oneself" in one.found]
    assert all(one.first for one in kept), "what is kept to oneself is given to nobody else"


class Search:
    """Finds something out as a run's store does: what another debate has found stands, and its finder finds it again."""

    def __init__(self, *before: tuple[str, str]) -> None:
        self.finders: list[str] = []
        self._kept = list(before)

    async def __call__(self, name: str, debate: str, find: Callable[[], Awaitable[str]]) -> tuple[str, str]:
        if self._kept and self._kept[0][0] != debate:
            return self._kept[0]
        self._kept.append((debate, await find()))
        return self._kept[0]

    async def ask(self, common: Common, debate: str) -> str:
        async def find() -> str:
            self.finders.append(debate)
            return "found"

        return await common.once("a", debate, find)


@pytest.mark.parametrize(
    ("before", "debates", "finders"),
    [
        ([], ("one", "two", "one"), ["one"]),
        ([("one", "found")], ("two", "three"), []),
        ([("one", "found")], ("one", "two", "one"), ["one"]),
        ([("one", "found")], ("two", "one", "one"), ["one"]),
    ],
)
async def test_only_the_debate_that_found_it_earlier_finds_it_again_and_once(
    before: list[tuple[str, str]], debates: tuple[str, ...], finders: list[str]
) -> None:
    """In its further sittings it is known, as it was the first time."""
    common, search = Common(), Search(*before)
    common.search = search
    assert [await search.ask(common, debate) for debate in debates] == ["found"] * len(debates)
    assert search.finders == finders
