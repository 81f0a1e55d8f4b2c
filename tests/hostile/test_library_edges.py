"""agentdebate as a library: other event loops, other processes, replies that are too long, and files that change."""

import asyncio
import copy
from collections.abc import Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Never

import pytest
from free_port import free_port

import agentdebate as ad
from agentdebate import errors
from agentdebate.agents.seat import load_card
from agentdebate.errors import AgentDebateError, ReplyTooLong, UnreadableReply, UsageError
from agentdebate.models.base import ChatMessage, Completion, Model, ModelRequest
from agentdebate.models.cache import Cached
from agentdebate.models.dialects.presets import open_openai
from agentdebate.models.event_loop import NEEDS_ASYNCIO
from agentdebate.models.limits.limit import Limited
from agentdebate.models.registry import model as open_model
from agentdebate.store.damage import RecordDamaged
from agentdebate.testing.server import FaultServer

ITEM = ad.Item(task="summarization", id="s", fields={"source": "It rains in March.", "summary": "Rain."})
REQUEST = ModelRequest((ChatMessage("user", "Hello"),))
CLIENTS = pytest.mark.parametrize("client", ["httpx", "aiohttp"])


# Errors in other processes.


OURS: tuple[AgentDebateError, ...] = (
    errors.ContentError("it went wrong", path=Path("agents/x.md"), line=3, key="persona"),
    errors.RateLimited("it went wrong", model="openai/tiny", status=429, retry_after=2.5),
    errors.UnreadableReply("it went wrong", agent="critic", problems=("one", "two")),
    ReplyTooLong("it went wrong", size=5_000_000, usage=ad.Usage(calls=1, prompt_tokens=3)),
    RecordDamaged("run", "the run itself", "it went wrong"),
)
"""With what each of them says beside its words."""


def fail(error: AgentDebateError) -> Never:
    raise error


def test_errors_come_back_from_a_process_pool_with_their_fields() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for error in OURS:
            with pytest.raises(type(error)) as caught:
                pool.submit(fail, error).result()
            twin = caught.value
            assert (str(twin), twin.args) == (str(error), error.args)
            assert vars(twin).items() >= vars(error).items()
            assert vars(copy.deepcopy(error)) == vars(error)


# Other event loops.


def driven(call: Coroutine[Any, Any, object]) -> None:
    """Run a coroutine as far as a foreign event loop would, which is not asyncio's."""
    with pytest.raises(UsageError) as caught:
        call.send(None)
    assert str(caught.value) == NEEDS_ASYNCIO


async def evaluated() -> None:
    async with ad.evaluate([ITEM], "debate"):
        pass


def test_outside_asyncio_one_sentence_says_what_is_needed() -> None:
    driven(ad.debate(ITEM, "debate"))
    driven(evaluated())
    driven(open_openai("tiny", base_url="http://127.0.0.1:9/v1").complete(REQUEST))
    driven(open_model("openai/tiny", base_url="http://127.0.0.1:9/v1").complete(REQUEST))
    assert "\n" not in NEEDS_ASYNCIO
    assert "trio" in NEEDS_ASYNCIO


@CLIENTS
def test_a_model_goes_on_in_a_second_event_loop_and_leaves_nothing_open_in_the_first(client: str) -> None:
    async def once(model: Model, server: FaultServer) -> str:
        async with server:
            return (await model.complete(REQUEST)).text

    port = free_port()
    server = FaultServer(port=port)
    model = open_model("openai/tiny", base_url=f"http://127.0.0.1:{port}/v1", client=client)
    said = {asyncio.run(once(model, server)) for _ in range(3)}
    assert len(said) == 1

    async def closed() -> None:
        await model.aclose()
        with pytest.raises(UsageError, match="closed"):
            await model.complete(REQUEST)

    asyncio.run(closed())


@CLIENTS
def test_a_model_serves_two_threads_with_loops_of_their_own(client: str) -> None:
    """The bare endpoint; what goes around it says that it cannot."""

    async def main() -> list[str]:
        async with FaultServer(latency=0.05) as server:
            model = open_openai("tiny", base_url=server.base_url, client=client)

            async def ask() -> str:
                return (await model.complete(REQUEST)).text

            there = [asyncio.to_thread(lambda: asyncio.run(ask())) for _ in range(3)]
            said = await asyncio.gather(ask(), *there)
            await model.aclose()
            return said

    assert len(set(asyncio.run(main()))) == 1


@pytest.mark.parametrize("around", [Limited, lambda model: Cached(model, Shelf())], ids=["limits", "cache"])
def test_calls_that_wait_for_one_another_stay_in_one_loop_and_say_so(
    around: Callable[[Model], Model],
) -> None:
    async def main() -> None:
        begun, go = asyncio.Event(), asyncio.Event()

        async def slow(request: ModelRequest) -> str:
            begun.set()
            await go.wait()
            return "fine"

        model = around(ad.Function("slow", slow))
        call = asyncio.create_task(model.complete(REQUEST))
        await begun.wait()
        with pytest.raises(UsageError, match="slow is in use in another event loop"):
            await asyncio.to_thread(lambda: asyncio.run(completed(model)))
        go.set()
        assert (await call).text == "fine"

    asyncio.run(main())


async def completed(model: Model) -> Completion:
    return await model.complete(REQUEST)


class Shelf:
    """A store that keeps nothing."""

    async def get(self, key: str) -> None:
        """Nothing is there."""

    async def put(self, key: str, completion: Completion, *, model: str) -> None:
        """Keep nothing."""


# Content that is read once.


def test_a_file_that_changes_is_read_anew() -> None:
    """Of the same size and name, and within one tick of the file system's clock."""
    path = Path("agents/judge.md")
    path.parent.mkdir()
    for word in ("kind", "firm"):
        path.write_text(f"---\nname: judge\ntitle: Judge\n---\nYou are {word}.\n")
        assert load_card(ad.Project(Path.cwd()), "judge").persona == f"You are {word}."


# Many at once.


def test_a_reply_that_is_too_long_is_never_shown_to_others_nor_kept(tmp_path: Path) -> None:
    """From a model of whatever kind."""
    said = "Coherence: 4 " * 100_000

    async def main() -> list[ad.Record]:
        model = ad.Function("rambling", lambda request: said if request.context else "x")
        store = tmp_path / "run.db"
        async with ad.evaluate([ITEM], "debate", model=model, aspects="coherence", store=store) as run:
            return [record async for record in run]

    (record,) = asyncio.run(main())
    assert isinstance(record.error, UnreadableReply)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 1_000_000
    assert record.calls == ()


def test_a_budget_counts_a_reply_that_is_too_long() -> None:
    from agentdebate.models.budget import Budget, Budgeted

    class Long(ad.Function):
        async def complete(self, request: ModelRequest) -> Completion:
            raise ReplyTooLong("too long", size=10**6, usage=ad.Usage(calls=1, completion_tokens=250_000))

    async def main() -> int:
        budget = Budget(tokens=10**6)
        with pytest.raises(ReplyTooLong):
            await Budgeted(Long("long", str), budget).complete(REQUEST)
        return budget.spent.tokens

    assert asyncio.run(main()) == 250_000
