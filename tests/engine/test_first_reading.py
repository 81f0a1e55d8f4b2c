"""A run whose replies cannot be read stops after twenty turns, and one whose first reply is read is held up nowhere."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.agents.common import TURNS
from agentdebate.errors import NothingRead, UnreadableReply
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.testing import run_jumping

ASIDE = "I would rather talk\x1b[31m about the weather."
GOOD = "It is supported.\nConsistency: 4"
SAID: dict[str, Completion] = {
    "unreadable": Completion(text=ASIDE, model="m"),
    "refused": Completion(text="I cannot help with that.", model="m", finish="refusal"),
    "empty": Completion(text="", model="m"),
    "cut": Completion(text="The summary is", model="m", finish="length"),
}


def items(number: int = 320) -> list[ad.Item]:
    source = "The bridge at Kelby closes for eleven weeks in March."
    return [
        ad.Item(id=str(n), task="summarization", fields={"source": source, "summary": f"It closes: {n}."})
        for n in range(number)
    ]


class Endpoint:
    """A model that says what a function says, a second later or, `uneven`, sooner and later, and counts its calls."""

    structured = False
    uneven = False

    def __init__(self, says: Callable[[ModelRequest, int], str | Completion], name: str = "m") -> None:
        self.name, self.calls, self._says = name, 0, says

    async def complete(self, request: ModelRequest) -> Completion:
        self.calls += 1
        number = self.calls
        await asyncio.sleep(0.2 + number * 7 % 11 / 5 if self.uneven else 1)
        said = self._says(request, number)
        return Completion(text=said, model=self.name) if isinstance(said, str) else said

    async def aclose(self) -> None:
        pass


async def held(
    model: Model,
    strategy: ad.strategies.Strategy | str = "solo",
    number: int = 320,
    concurrency: int = 64,
    **more: Any,
) -> tuple[list[ad.Record], str]:
    """The records of a run, and why it stopped."""
    records, error = list[ad.Record](), ""
    try:
        async with ad.evaluate(
            items(number), strategy, model=model, aspects="consistency", concurrency=concurrency, **more
        ) as run:
            async for record in run:
                records.append(record)
    except NothingRead as caught:
        error = str(caught)
    return records, error


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("concurrency", [1, 20, 64])
def test_a_run_that_reads_nothing_pays_for_the_turns_in_flight_and_twenty(
    said: str, concurrency: int
) -> None:
    async def main() -> None:
        model = Endpoint(lambda *_: SAID[said])
        model.uneven = True
        records, error = await held(model, concurrency=concurrency)
        assert model.calls <= 3 * (concurrency + TURNS)
        assert all(record.failure and record.failure.error == "UnreadableReply" for record in records)
        assert len(records) <= concurrency + TURNS
        assert f"m: no reply of this run could be read, and {TURNS} turns have ended so" in error

    run_jumping(main())


@pytest.mark.parametrize(
    ("strategy", "calls_a_debate"),
    [("debate", 1), ("chateval-one-by-one", 3), ("chateval-simultaneous", 4), ("chateval-recruited", 3)],
)
def test_a_ballot_that_cannot_be_read_is_not_made_up_for_by_talk(strategy: str, calls_a_debate: int) -> None:
    async def main() -> None:
        model = Endpoint(lambda *_: ASIDE)
        _, error = await held(model, strategy, concurrency=16)
        assert "no reply of this run could be read" in error
        assert model.calls <= 3 * (16 * calls_a_debate + TURNS)

    run_jumping(main())


# Runs that are stopped and taken up again, and judges that are kept open.


def test_a_judge_that_is_kept_open_says_so_and_answers_once_the_endpoint_is_repaired() -> None:
    broken = True
    model = ad.Function("m", lambda _: ASIDE if broken else GOOD)
    with ad.Judge("solo", task="summarization", aspects="consistency", model=model, concurrency=8) as judge:
        records = list[ad.Record]()
        with pytest.raises(NothingRead):
            records.extend(judge.map(items(100)))
        with pytest.raises(UnreadableReply):
            judge(items(1)[0])
        broken = False
        assert judge(items(1)[0]).scores == {"consistency": 4}
