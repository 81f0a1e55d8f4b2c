"""Several workers on a database server that is restarted under them."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import anyio
import pytest
from resume_cases import Hashed, rows, summaries

from agentdebate.models.base import Completion, ModelRequest
from agentdebate.runs.evaluation import evaluate
from agentdebate.runs.work import crew, enqueue, work
from agentdebate.store import writer

pytestmark = [
    pytest.mark.postgres,
    # The driver leaves a socket to Python's collector where a server goes away while it is being asked for a connection.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

COUNT = 24
PATIENCE = 240
"""Seconds after which a test gives up."""
FOR_EVER = 600.0
"""Seconds of a lease that no worker loses for want of time on the processor."""


@pytest.fixture(autouse=True)
def sockets_collected(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """None of them is left to a later test: log records hold errors, these their frames, and these the sockets."""
    yield
    caplog.get_records("call").clear()
    gc.collect()


async def undisturbed() -> dict[str, Any]:
    async with evaluate(
        summaries(COUNT), "debate", model=Hashed(), aspects="coherence", store="alone.db"
    ) as evaluation:
        assert len([record async for record in evaluation]) == COUNT
    return rows("alone.db")


async def held(run: str, store: str, model: Hashed, begun: anyio.Event | None = None) -> list[str]:
    """The debates that a worker has held; `begun` is set once it takes part in the run."""
    given: dict[str, Any] = {"concurrency": 4, "lease": FOR_EVER, "aspects": "coherence"}
    async with work(run, "debate", store=store, model=model, **given) as evaluation:
        if begun is not None:
            begun.set()
        return [record.id async for record in evaluation]


@contextmanager
def running_again(cluster: Any) -> Iterator[None]:
    """Whatever goes wrong in the context, later tests have their server."""
    try:
        yield
    finally:
        if not cluster.is_running():
            cluster.start()


class Pause:
    """Holds every answer up from the one on that comes after so many."""

    def __init__(self, after: int) -> None:
        self.after, self.reached, self.over = after, anyio.Event(), anyio.Event()


class Interrupted(Hashed):
    """A model that pauses after so many answers, until the pause is over."""

    def __init__(self, after: Sequence[int], *, turns: int) -> None:
        super().__init__(turns=turns)
        self.pauses = tuple(map(Pause, after))

    async def complete(self, request: ModelRequest) -> Completion:
        for pause in self.pauses:
            if self.paid.total() >= pause.after:
                pause.reached.set()
                await pause.over.wait()
        return await super().complete(request)


async def test_a_server_that_is_restarted_under_its_workers_has_lost_nothing_and_pays_twice_for_what_was_in_flight_at_most(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PAUSE", 0.02)
    monkeypatch.setattr(writer, "WAIT", PATIENCE)
    store, model, left = cluster.new_database(), Interrupted((10, 40, 80), turns=7), list[int]()
    run = await enqueue(summaries(COUNT), "debate", store=store, model=model, aspects="coherence")
    begun = [anyio.Event(), anyio.Event()]

    async def restart() -> None:
        for one in begun:  # who has not begun finds no server, and says so
            await one.wait()
        for pause in model.pauses:
            await pause.reached.wait()
            left.append(COUNT - len(rows(store, run)))
            await anyio.to_thread.run_sync(cluster.stop, "immediate")
            pause.over.set()  # the next answers come while the server is away
            await anyio.to_thread.run_sync(cluster.start)

    with running_again(cluster), anyio.fail_after(PATIENCE):
        async with anyio.create_task_group() as group:
            group.start_soon(restart)
            for one in begun:
                group.start_soon(held, run, store, model, one)
    assert min(left) > 0, "it was restarted while there was work"
    assert rows(store, run) == await undisturbed()
    extra = sum(model.paid.values()) - len(model.paid)
    # Takings do not wait for the disk, so a crash may forget the last ones: their debates are taken anew.
    assert extra <= 3 * 2 * 4
    found = crew(run, store=store)
    assert found is not None
    assert [one.state for one in found.workers] == ["done", "done"]
