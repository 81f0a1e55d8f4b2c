"""What is new in a run of another process comes as server-sent events, and a stream ends with its run, its listener or the server."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing

import anyio
import pytest
from agentdebate.viewer.live import MOST, Seen, Streams, Watch
from agentdebate.viewer.runs_watch import RunsWatch
from stopped_debates import stop_debates
from viewing import STORE, TOKEN, Client, Get, asking, hold, item, looking

from agentdebate.errors import StoreError
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.viewer.app import app
from agentdebate.viewer.runs_page import runs_page
from agentdebate.viewer.shelf import Shelf


@pytest.fixture
def shelf(run: str) -> Iterator[Shelf]:
    """The store with a run that has ended."""
    with closing(Shelf(STORE)) as shelf:
        yield shelf


PATIENCE = 120
"""Seconds after which a test gives up."""


@asynccontextmanager
async def begun() -> AsyncIterator[tuple[str, Shelf, asyncio.Event]]:
    """A run that has held one debate, has begun the second, and goes on when it is told to."""
    items = [item(f"b{number}") for number in range(3)]
    go_on, second = asyncio.Event(), asyncio.get_running_loop().create_future()

    async def answer(request: ModelRequest) -> str:
        assert request.context is not None
        if request.context.item.id != "b0":
            if not second.done():
                second.set_result(None)
            await go_on.wait()
        return "Coherence: 3"

    async def hold_all() -> None:
        model = Function("waiting", answer)
        async with evaluate(
            items, "solo", model=model, aspects="coherence", store="other.db", concurrency=1
        ) as held:
            assert len([record async for record in held]) == len(items)

    task = asyncio.create_task(hold_all())
    try:
        await asyncio.wait_for(second, PATIENCE)
        with closing(Shelf("other.db")) as shelf:
            run = shelf.reader().run_name("last")
            async with asyncio.timeout(PATIENCE):
                while shelf.reader().run(run).ended_debates < 1:  # noqa: ASYNC110 - a store tells nobody when it changes
                    await asyncio.sleep(0.01)
            yield run, shelf, go_on
    finally:
        go_on.set()
        await task


async def test_a_run_that_has_ended_is_over_at_once(shelf: Shelf, run: str) -> None:
    events = [event async for event in Streams(every=0).of(Watch(shelf, run), "ended:12")]
    assert [event.splitlines()[0] for event in events] == [b"retry: 3000", b"event: over"]


async def test_what_a_page_has_not_seen_is_told_first(shelf: Shelf, run: str) -> None:
    events = [event async for event in Streams(every=0).of(Watch(shelf, run), "running:3")]
    assert [event.splitlines()[0] for event in events] == [b"retry: 3000", b"event: news", b"event: over"]
    assert b"id: ended:12" in events[1]


async def test_a_run_is_told_as_it_grows_and_the_stream_ends_with_it() -> None:
    async with begun() as (run, shelf, go_on):
        streams = Streams(every=0.01)
        told = list[bytes]()
        with anyio.fail_after(PATIENCE):
            async for event in streams.of(Watch(shelf, run), "running:1"):
                told.append(event)
                assert streams.open == 1
                go_on.set()
        assert told[-1].startswith(b"event: over\nid: ended:3")
        assert told[-2].startswith(b"event: news")
        assert streams.open == 0


async def test_a_debate_is_over_when_it_has_a_row(shelf: Shelf, run: str) -> None:
    watch = Watch(shelf, run, "a00/coherence")
    assert watch.look().over
    assert watch.look() == watch.look()
    assert watch.look().mark.startswith("ended:")


async def test_a_stream_ends_when_the_server_does_and_when_nobody_listens() -> None:
    async with begun() as (run, shelf, _):
        stopping = list[bool]()
        streams = Streams(lambda: bool(stopping), every=0.01)
        events = streams.of(Watch(shelf, run), "")
        assert [await anext(events), (await anext(events)).split()[1]] == [b"retry: 3000\n\n", b"news"]
        stopping.append(True)
        assert [event async for event in events] == []
        assert streams.open == 0

        listening = streams.of(Watch(shelf, run), "")
        stopping.clear()
        with anyio.move_on_after(0.2) as scope:
            async for _ in listening:
                pass
        assert scope.cancelled_caught
        assert streams.open == 0


async def test_a_store_that_is_gone_ends_the_stream() -> None:
    class Gone(Shelf):
        def state(self, run: str) -> str:
            raise StoreError("gone")

    async with begun() as (run, _, _):
        with closing(Gone("other.db")) as shelf:
            events = [event async for event in Streams(every=0).of(Watch(shelf, run), "")]
    assert events[-1].startswith(b"event: over\nid: lost")


async def test_the_list_of_runs_is_told_of_a_run_that_begins_and_of_debates_that_end() -> None:
    async with begun() as (run, shelf, go_on):
        watch = RunsWatch(shelf)
        seen = watch.look()
        assert watch.look() == seen == Seen(runs_page(shelf).mark, over=False)
        go_on.set()
        with anyio.fail_after(PATIENCE):
            async for _ in Streams(every=0.01).of(Watch(shelf, run), ""):
                pass
        ended = watch.look()
        assert ended.mark != seen.mark
        await hold({"a1": 3}, item("a1"), store="other.db")
        assert watch.look().mark != ended.mark
        assert RunsWatch(shelf, 2).look().mark != watch.look().mark


async def test_the_stream_of_the_list_goes_on_when_all_runs_have_ended(shelf: Shelf) -> None:
    stopping = list[bool]()
    events = Streams(lambda: bool(stopping), every=0).of(RunsWatch(shelf), "seen before")
    told = [await anext(events), await anext(events)]
    assert told[1].startswith(b"event: news\nid: " + runs_page(shelf).mark.encode())
    stopping.append(True)
    assert [event async for event in events] == []


def test_the_list_of_runs_says_what_it_has_seen(client: Client) -> None:
    text = client.get("/").text
    assert 'data-live="/news?of=runs&amp;page=1"' in text
    assert "No run is at work." in text


async def test_a_debate_that_begins_is_news_of_its_run() -> None:
    run = await hold({"a1": 3, "a2": 4}, item("a1"), item("a2"), store="cut.db")

    class GoesOn(Shelf):
        def state(self, run: str) -> str:
            return "running"

    with closing(GoesOn("cut.db")) as shelf:
        before = Watch(shelf, run).look()
        stop_debates("cut.db", "a2/coherence", run)
        assert (before.mark, Watch(shelf, run).look().mark) == ("running:2", "running:1+1")


def test_the_address_gives_events_that_nothing_keeps(client: Client, run: str) -> None:
    answer = client.get(f"/news?run={run}&seen=running:2")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["cache-control"] == "no-store"
    assert "connect-src 'self'" in answer.headers["content-security-policy"]
    assert "event: news" in answer.text
    assert answer.text.rstrip().endswith("data: ended:12")
    assert "event: news" not in client.get(f"/news?run={run}", headers={"last-event-id": "ended:12"}).text


def test_what_is_not_there_cannot_be_followed(client: Client) -> None:
    assert client.get("/news?run=nobody").status_code == 404


def test_there_are_so_many_streams_and_no_more(shelf: Shelf, run: str) -> None:
    streams = Streams()
    streams.open = MOST
    with asking(app(shelf, token=TOKEN, streams=streams)) as client:
        assert client.get(f"/news?run={run}").status_code == 503


def test_a_page_of_a_run_that_has_ended_follows_nothing(page: Get, run: str) -> None:
    assert "data-live" not in page("/run", run=run)
    assert "data-live" not in page("/debate", run=run, id="a00/coherence")


async def test_a_page_of_a_run_that_goes_on_says_what_it_has_seen_and_leads_to_what_goes_on() -> None:
    async with begun() as (run, _, _):
        with looking("other.db") as client:
            text = client.get(f"/run?run={run}").text
    assert 'data-mark="running:1"' in text
    assert f'data-live="/news?run={run}"' in text
    assert "Reload to see what is new" in text


async def test_a_debate_that_goes_on_is_linked_from_its_run() -> None:
    run = await hold({"a1": 3, "a2": 4}, item("a1"), item("a2"), store="cut.db")
    stop_debates("cut.db", "a2/coherence", run)
    with closing(Shelf("cut.db")) as shelf:
        assert shelf.reader().going_on(run) == ["a2/coherence"]
