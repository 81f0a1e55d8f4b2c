"""A thread that holds something heavy: loaded once, one caller at a time, cancellation, closing."""

import asyncio
import subprocess
import sys
import threading

import pytest

from agentdebate.errors import UsageError
from agentdebate.evaluators.worker import Worker


async def test_waiting_work_of_a_cancelled_caller_is_not_done() -> None:
    begun, go, done = threading.Event(), threading.Event(), []

    def long(held: str) -> None:
        begun.set()
        go.wait(60)
        done.append("long")

    worker = Worker(lambda: "model", "it")
    running = asyncio.create_task(worker.run(long))
    await asyncio.to_thread(begun.wait, 60)
    waiting = asyncio.create_task(worker.run(lambda held: done.append("waiting")))
    await asyncio.sleep(0)
    for task in (waiting, running):
        task.cancel()
    results = await asyncio.gather(waiting, running, return_exceptions=True)
    assert all(isinstance(result, asyncio.CancelledError) for result in results)
    go.set()
    await worker.run(lambda held: done.append("next"))
    assert done == ["long", "next"]
    await worker.aclose()


async def test_closing_twice_is_safe_and_a_closed_one_says_so() -> None:
    worker = Worker(lambda: "model", "nli")
    await worker.run(str)
    await worker.aclose()
    await worker.aclose()
    with pytest.raises(UsageError, match="nli was closed; open it again"):
        await worker.run(str)


def test_importing_evaluators_with_models_loads_no_library_of_models() -> None:
    names = "bertscore", "classifier", "endpoint_probability", "language_model", "yes_no"
    code = "; ".join(f"import agentdebate.evaluators.{name}" for name in names)
    shown = f"{code}; import sys; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    heavy = {"torch", "transformers", "tokenizers", "bert_score", "scipy", "numpy"}
    assert heavy.isdisjoint(done.stdout.split())
