"""The records of a run as rows: what has to be said of them beside their scores."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

import agentdebate as ad
from agentdebate.meta.run_rows import rows_of_records


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


async def test_what_a_limit_cut_short_is_missing_under_a_convention_and_counts_otherwise() -> None:
    whole, *others = await _records(["a", "a", "b", "b"])
    assert whole.verdict is not None
    cut = replace(whole, verdict=replace(whole.verdict, curtailed="fewer rounds"))
    found = rows_of_records([cut, *others])
    assert found.rows[0].data["scores"] == {"consistency": whole.verdict.score}
    shown = found.uncurtailed()
    assert [row.data["scores"].keys() for row in shown.rows] == [set(), *[{"consistency"}] * 3]
    assert "1 judgement of a curtailed debate counts as missing" in str(shown.note)
    assert rows_of_records([whole, *others]).uncurtailed().note == found.note
