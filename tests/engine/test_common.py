"""What debates share: made once by the first that needs it, tried again where that failed, closed after the last."""

from collections.abc import Awaitable, Callable

import pytest

from agentdebate.agents.common import Common


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
    common.search(search)
    assert [await search.ask(common, debate) for debate in debates] == ["found"] * len(debates)
    assert search.finders == finders
