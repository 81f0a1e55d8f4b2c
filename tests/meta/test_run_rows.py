"""The records of a run as rows: what has to be said of them beside their scores."""

from collections.abc import Sequence

import pytest

import agentdebate as ad


async def _records(groups: Sequence[str | None]) -> list[ad.Record]:
    items = [
        ad.Item(
            id=f"i{number}",
            task="summarization",
            group=group,
            fields={"source": f"It rained for {number} days.", "summary": "It rained. " * (1 + number % 3)},
            human={"consistency": 1 + number % 4},
        )
        for number, group in enumerate(groups)
    ]
    async with ad.evaluate(items, "solo", aspects=["consistency"]) as run:
        return [record async for record in run]


async def test_items_of_which_some_name_no_source_are_counted_in_the_caption() -> None:
    found = ad.agree(await _records(["a", "a", "b", None, "c", "c"]), statistic="pearson")
    assert "1 of 6 items name no source (`group`), so no source counts" in " ".join(str(found).split())


@pytest.mark.parametrize("groups", [["a", "a", "b", "b", "c", "c"], [None] * 6])
async def test_items_that_all_name_a_source_or_none_need_no_word(groups: Sequence[str | None]) -> None:
    assert "so no source counts" not in " ".join(str(ad.agree(await _records(groups))).split())
