"""Runs that stop by themselves: where no reply can be read after twenty turns, and once where the endpoint is down."""

import asyncio
from collections import Counter
from functools import partial
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.agents.common import TURNS
from agentdebate.errors import ConnectionFailed, EndpointDown, NothingRead, UnreadableReply
from agentdebate.models import composition
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.limits.limit import Limited
from agentdebate.models.retry import Retrying
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


class Counting:
    """What a model says, a second later or, `uneven`, sooner and later, and how often it was asked."""

    def __init__(self, says: str | Completion, *, uneven: bool = False) -> None:
        self.calls, self._says, self._uneven = 0, says, uneven
        self.model = ad.Function("m", self.reply)

    async def reply(self, request: ModelRequest) -> str | Completion:
        self.calls += 1
        await asyncio.sleep(0.2 + self.calls * 7 % 11 / 5 if self._uneven else 1)
        return self._says


async def held(model: Model, strategy: str = "solo", concurrency: int = 64) -> tuple[list[ad.Record], str]:
    """The records of a run, and why it stopped."""
    records = list[ad.Record]()
    options: dict[str, Any] = {"aspects": "consistency", "concurrency": concurrency}
    try:
        async with ad.evaluate(items(), strategy, model=model, **options) as run:
            async for record in run:
                records.append(record)
    except NothingRead as stopped:
        return records, str(stopped)
    raise AssertionError("it went on")


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("concurrency", [1, 20, 64])
def test_a_run_that_reads_nothing_pays_for_the_turns_in_flight_and_twenty(
    said: str, concurrency: int
) -> None:
    async def main() -> None:
        counting = Counting(SAID[said], uneven=True)
        records, error = await held(counting.model, concurrency=concurrency)
        assert counting.calls <= 3 * (concurrency + TURNS)
        assert all(record.failure and record.failure.error == "UnreadableReply" for record in records)
        assert len(records) <= concurrency + TURNS
        assert f"m: no reply of this run could be read, and {TURNS} turns have ended so" in error
        assert ("declines to answer: I cannot help with that." in error) == (said == "refused")

    run_jumping(main())


@pytest.mark.parametrize(
    ("strategy", "calls_a_debate"),
    [("debate", 1), ("chateval-one-by-one", 3), ("chateval-simultaneous", 4), ("chateval-recruited", 3)],
)
def test_a_ballot_that_cannot_be_read_is_not_made_up_for_by_talk(strategy: str, calls_a_debate: int) -> None:
    async def main() -> None:
        counting = Counting(ASIDE)
        _, error = await held(counting.model, strategy, concurrency=16)
        assert "no reply of this run could be read" in error
        assert counting.calls <= 3 * (16 * calls_a_debate + TURNS)

    run_jumping(main())


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


def gone(_: ModelRequest) -> Completion:
    raise ConnectionFailed("gone")


@pytest.mark.parametrize("concurrency", [1, 3, 64])
def test_a_run_stops_after_ten_seconds_and_no_debate_counts_as_failed(concurrency: int) -> None:
    async def main() -> None:
        model = Retrying(Limited(ad.Function("gone", gone)), clock=asyncio.get_running_loop().time)
        records = []
        with pytest.raises(
            EndpointDown, match=r"every call has failed for \d+ s; .* The latest failure: gone$"
        ):
            async with ad.evaluate(items(300), "debate", model=model, concurrency=concurrency) as run:
                records = [record async for record in run]
        assert records == []
        assert asyncio.get_running_loop().time() == pytest.approx(10, abs=3)

    run_jumping(main())


@pytest.mark.parametrize(
    ("scheme", "answer", "says"),
    [
        ("http", b"SSH-2.0-OpenSSH_9.2p1\r\n\r\n", r"illegal status line.*; check that .*"),
        ("http", b"HTTP/1.1 200 OK\r\nCon", "Server disconnected.*; check that .*"),
        ("https", b"SSH-2.0-OpenSSH_9.2p1\r\n\r\n", r"no TLS there \(.*"),
    ],
)
async def test_the_error_ends_with_why_the_latest_call_failed(
    scheme: str, answer: bytes, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second call in a row finds the endpoint given up."""
    monkeypatch.setattr(composition, "Limited", partial(Limited, failures=1, unheard=0.01))
    monkeypatch.setattr(composition, "Retrying", partial(Retrying, first_wait=0.0, jitter=0.0))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65_536)
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        place = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        ends = (
            rf"^openai/m at {place}: every call has .*\. The latest failure: cannot talk to {place}: {says}$"
        )
        model = ad.model("openai/m", base_url=f"{scheme}://{place}/v1")
        with pytest.raises(EndpointDown, match=ends):
            async with ad.evaluate(items(2), "solo", model=model, concurrency=1) as run:
                assert not [record async for record in run]


def test_of_three_endpoints_the_one_that_is_down_ends_the_run_and_is_named() -> None:
    """The others have answered all that they were asked, and no debate counts as failed."""
    asked: Counter[str] = Counter()

    def answered(request: ModelRequest) -> str:
        asked["there"] += 1
        return "Fine."

    async def main() -> None:
        models = {name: ad.Function(name, answered) for name in ("general-public", "reviewer")}
        down = Retrying(Limited(ad.Function("third", gone)), clock=asyncio.get_running_loop().time)
        records = []
        cast = {"debaters": ["general-public", "reviewer", "news-author"]}
        panel = ad.strategy("chateval-one-by-one", cast=cast, models={**models, "news-author": down})
        with pytest.raises(EndpointDown, match="third: every call has failed"):
            async with ad.evaluate(items(30), panel, model=down, concurrency=4, aspects="fluency") as run:
                records = [record async for record in run]
        assert (records, asked["there"] > 0, run.progress.failed) == ([], True, 0)

    run_jumping(main())
