"""agentdebate show --follow: a run that somebody else holds, until it ends or stops. Nobody sleeps here."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import anyio
import anyio.lowlevel
import pytest
from typed import ITEM

import agentdebate as ad
from agentdebate.cli.console.workers import follow_run
from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.runs import progress_line
from agentdebate.runs.progress import Followed
from agentdebate.store.reader import Reader, read_store

Capsys = pytest.CaptureFixture[str]
STORE = "agentdebate.db"


class Slow:
    """A model that answers as often as it is allowed to, and knows nothing to say to an item that is called mute."""

    name, structured = "slow", False

    def __init__(self) -> None:
        self.allowed = anyio.Semaphore(0)
        self._inner = Function(self.name, self._reply)

    async def complete(self, request: ModelRequest) -> Completion:
        await self.allowed.acquire()
        return await self._inner.complete(request)

    async def aclose(self) -> None:
        """Nothing is open."""

    @staticmethod
    def _reply(request: ModelRequest) -> str:
        context = request.context
        assert context is not None
        if context.item.id == "mute":
            return "Hm."
        return "\n".join(["Fine.", *(f"{line.aspect.title}: 4" for line in context.lines)])


class Held:
    """A run that is being held: each pause lets its model answer once more, and may stop it."""

    def __init__(self, model: Slow, reader: Reader, run: str, stop: Callable[[], Awaitable[None]]) -> None:
        self.reader, self.head = reader, reader.run(run)
        self._model, self._stop = model, stop
        self.pauses, self.answers = 0, True
        self.stop_when: Callable[[], bool] = lambda: False

    async def pause(self) -> None:
        self.pauses += 1
        if self.answers:
            self._model.allowed.release()
        await anyio.lowlevel.checkpoint()
        if self.stop_when():
            await self._stop()


@asynccontextmanager
async def held(*ids: str, aspects: tuple[str, ...] | None = ("coherence",)) -> AsyncIterator[Held]:
    """A run over items of these ids, one debate after the other."""
    model = Slow()
    items = [ad.Item(task="summarization", id=name, fields=ITEM) for name in ids]
    async with AsyncExitStack() as outer:
        group = await outer.enter_async_context(anyio.create_task_group())
        begun, gone = anyio.Event(), anyio.Event()
        scope = anyio.CancelScope()
        names: list[str] = []

        async def hold() -> None:
            with scope:
                async with ad.evaluate(
                    items, "solo", model=model, aspects=aspects, store=STORE, concurrency=1
                ) as run:
                    names.append(run.id or "")
                    begun.set()
                    async for _ in run:
                        pass
            gone.set()

        async def stop() -> None:
            scope.cancel()
            await gone.wait()

        group.start_soon(hold)
        await begun.wait()
        with read_store(STORE) as reader:
            yield Held(model, reader, names[0], stop)
        await stop()


async def test_every_debate_is_told_once_as_it_ends(capsys: Capsys) -> None:
    async with held("i1", "mute", "i3") as run:
        assert not await follow_run(run.reader, run.head, STORE, as_json=True, pause=run.pause)
    came = capsys.readouterr()
    assert [json.loads(line)["debate"] for line in came.out.splitlines()] == [
        "i1/coherence",
        "mute/coherence",
        "i3/coherence",
    ]
    assert came.err.count("first failure of its kind: mute/coherence: UnreadableReply: ") == 1


async def test_a_run_without_failures_ends_well(capsys: Capsys) -> None:
    async with held("i1", "i2") as run:
        assert await follow_run(run.reader, run.head, STORE, as_json=False, pause=run.pause)
    assert capsys.readouterr().out == ""


async def test_progress_is_told_in_plain_lines_with_the_number_of_all_debates(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_line, "EVERY", 0.0)
    async with held("i1", "i2") as run:
        await follow_run(run.reader, run.head, STORE, as_json=False, pause=run.pause)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("0/2 debates, 0 failed, 0.0/s, 0 calls, 0 tokens")
    assert lines[-1].startswith("2/2 debates, 0 failed, ")


async def test_a_run_that_is_stopped_is_left_with_what_it_came_to(capsys: Capsys) -> None:
    async with held("i1", "i2", "i3") as run:
        run.stop_when = lambda: True
        assert not await follow_run(run.reader, run.head, STORE, as_json=True, pause=run.pause)
        assert run.pauses == 1


def test_the_rate_is_that_of_the_time_in_which_the_run_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    followed = Followed(total=1000, outcomes=OutcomeCounts({"verdict": 400}))
    assert (followed.rate, followed.left) == (0.0, None)
    followed.begin()
    assert (followed.rate, followed.left) == (0.0, None)
    now, followed.outcomes = 110.0, OutcomeCounts({"verdict": 410, "failure": 10})
    followed.begin()
    assert (followed.rate, followed.left) == (2.0, 290.0)


async def test_a_queue_that_no_worker_works_on_says_who_could_and_only_once(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_line, "EVERY", 0.0)
    item = ad.Item(task="summarization", id="i1", fields=ITEM)
    run = await ad.enqueue([item], "solo", aspects="coherence", store=STORE)
    looks = 0

    async def pause() -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            raise InterruptedError

    with read_store(STORE) as reader, pytest.raises(InterruptedError):
        await follow_run(reader, reader.run(run), STORE, as_json=False, pause=pause)
    assert capsys.readouterr().err.splitlines() == [
        f"no worker is at work on the queue of run {run}; begin one in another terminal: agentdebate work {run}"
    ]
