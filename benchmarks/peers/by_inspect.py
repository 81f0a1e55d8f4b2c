"""The same debate in Inspect AI: a solver with a loop, over a data set of so many samples; Inspect writes its log, as it always does."""

import os
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval_async, eval_retry_async, task
from inspect_ai.dataset import Sample
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, get_model
from inspect_ai.solver import Generate, TaskState, solver
from inspect_ai.util._display import init_display_type

from benchmarks.peers.loop import debate

Solve = Callable[[TaskState, Generate], Awaitable[TaskState]]


async def hold(url: str, debates: int, at_once: int) -> None:
    """So many debates, so many at a time."""
    with tempfile.TemporaryDirectory() as folder:
        await hold_kept(url, debates, at_once, Path(folder))


async def hold_kept(url: str, debates: int, at_once: int, folder: Path) -> None:
    """The same; what an earlier process left in the folder's log is retried, as `inspect eval-retry` does."""
    os.environ["ANY_API_KEY"] = "none"
    init_display_type("none")
    settings: dict[str, Any] = {"log_dir": str(folder), "max_connections": at_once, "max_samples": at_once}
    if left := list_eval_logs(str(folder)):
        logs = await eval_retry_async(read_eval_log(left[0]), **settings)
    else:
        model = get_model("openai-api/any/any", base_url=url)
        logs = await eval_async(judged(debates), model=model, temperature=0, top_p=1, **settings)
    assert logs[0].status == "success", logs[0].error


@task
def judged(debates: int) -> Task:
    """Hold as many debates as it has samples."""
    return Task(dataset=[Sample(input="judge", id=number) for number in range(1, debates + 1)], solver=talk())


@solver
def talk() -> Solve:
    """Hold one."""

    async def solve(state: TaskState, _: Generate) -> TaskState:
        assert await debate(_ask) == 4
        return state

    return solve


async def _ask(messages: list[dict[str, str]]) -> str:
    system, user = (message["content"] for message in messages)
    shown = [ChatMessageSystem(content=system), ChatMessageUser(content=user)]
    return str((await get_model().generate(shown)).completion)
