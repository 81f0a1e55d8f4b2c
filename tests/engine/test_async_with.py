"""Calls that are entered with `async with`: what is tried instead is answered with what to write."""

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.errors import UsageError

ITEM = ad.Item(task="summarization", fields={"source": "The ferry sails at nine.", "summary": "It sails."})


async def awaited(call: Any) -> None:
    await call


async def looped_over(call: Any) -> None:
    async for _ in call:
        pass


async def looped_over_plainly(call: Any) -> None:
    list(call)


async def entered_plainly(call: Any) -> None:
    with call:
        pass


@pytest.mark.parametrize("use", [awaited, looped_over, looped_over_plainly, entered_plainly])
async def test_an_evaluation_that_is_not_entered_says_how_it_is(use: Callable[[Any], Any]) -> None:
    with pytest.raises(
        UsageError, match=r"^evaluate\(...\) is entered .*: async with ad.evaluate\(.* async for "
    ):
        await use(ad.evaluate([ITEM], "debate"))


async def test_work_says_so_too_and_both_in_their_repr() -> None:
    with pytest.raises(UsageError, match=r"async with ad\.work\(run, ...\) as working"):
        await awaited(ad.work("last", "debate", store="none.db"))
    assert repr(ad.evaluate([ITEM], "debate")).startswith(
        "<evaluate(...), not entered: async with ad.evaluate("
    )


async def test_what_is_entered_gives_its_records_and_takes_what_is_raised_inside() -> None:
    async with ad.evaluate([ITEM], "debate", aspects="fluency") as run:
        assert [record.id async for record in run] == ["1/fluency"]
    with contextlib.suppress(LookupError):
        async with ad.evaluate([ITEM], "debate"):
            raise LookupError
