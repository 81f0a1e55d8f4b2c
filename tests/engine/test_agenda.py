"""The debates of a run that come from a stream of items, and the order of its records."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from engine_cases import ITEM, TASKS, Played, end, scoring

from agentdebate.errors import (
    AccountSpent,
    AuthenticationError,
    DataError,
    ModelError,
    UnknownModel,
    UsageError,
)
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.reader import read_store
from agentdebate.tasks import Item
from agentdebate.testing import replying

JUDGE = Played(play=end)
OPTIONS: dict[str, Any] = {"tasks": TASKS, "aspects": "fluency"}


def stream(count: int) -> Iterator[Item]:
    for number in range(count):
        yield ITEM.model_copy(update={"id": f"i{number}"})


async def ids(items: Any, **options: Any) -> list[str]:
    async with evaluate(items, JUDGE, **{**OPTIONS, **options}) as run:
        return [record.item.id async for record in run]


async def test_a_stream_is_read_only_as_far_as_debates_are_held() -> None:
    taken = 0

    def endless() -> Iterator[Item]:
        nonlocal taken
        while True:
            taken += 1
            yield ITEM.model_copy(update={"id": f"i{taken}"})

    async with evaluate(endless(), JUDGE, model=replying(scoring(4)), concurrency=4, **OPTIONS) as run:
        async for _ in run:
            break
    assert taken < 20


def failing(error: ModelError, after: int) -> Function:
    """A model that answers so many times, and raises from then on."""
    left = after

    def reply(_: ModelRequest) -> str:
        nonlocal left
        left -= 1
        if left < 0:
            raise error
        return scoring(4)

    return Function("failing", reply)


@pytest.mark.parametrize("kind", [AuthenticationError, AccountSpent, UnknownModel])
async def test_what_every_debate_would_meet_stops_the_run(tmp_path: Any, kind: type[ModelError]) -> None:
    """It costs one call for each of the debates that are being held, and the run can go on when it is mended."""
    store = tmp_path / "s.db"
    model = failing(kind("no"), 3)
    with pytest.raises(kind, match="no"):
        await ids(stream(100), model=model, store=store, concurrency=2)
    with read_store(store) as reader:
        head = reader.run("last")
        assert (head.verdicts, head.failures, head.ended) == (3, 0, None)
    async with evaluate(
        stream(10), JUDGE, model=failing(kind("no"), 7), store=store, resume=head.id, anyway=True, **OPTIONS
    ) as run:
        records = [record async for record in run]
    assert sorted(record.item.id for record in records) == [f"i{number}" for number in range(10)]


@pytest.mark.parametrize(
    "given", ["a.jsonl", b"a", Path("a.jsonl"), {"text": "x"}, ITEM, 7, [{"text": "x"}], iter(["x"])]
)
async def test_what_is_no_item_is_refused_with_what_is_wanted(given: Any) -> None:
    with pytest.raises(UsageError, match=r"(a list of Item, or a stream|item 1 is a .* not an Item)"):
        await ids(given)


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_persons_score_outside_the_scale_is_refused_before_the_item_is_judged(streamed: bool) -> None:
    item = ITEM.model_copy(update={"id": "x", "human": {"fluency": 50.0, "coherence": 99.0}})
    model = Function("four", lambda _: pytest.fail("asked"))
    with pytest.raises(
        DataError, match=r"human\.fluency.*item 'x'.* 50 is outside the scale of fluency, 1 to 5"
    ):
        await ids(iter([item]) if streamed else [item], model=model)
    other = item.model_copy(update={"human": {"fluency": 5.0, "coherence": 99.0}})  # coherence is not judged
    assert await ids([other]) == ["x"]
