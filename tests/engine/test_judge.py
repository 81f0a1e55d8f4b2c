"""A judge that is kept open: from threads, loops, forks, and at every end that a process can have."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.errors import UsageError
from agentdebate.store.reader import read_store

ITEM = {"source": "The bridge at Kelby closes in March.", "summary": "The bridge closes in March."}
SAYS = "Short and right.\nConsistency: 4"


def judge(model: ad.models.Model | str = "offline", **more: object) -> ad.Judge:
    return ad.Judge("solo", task="summarization", aspects="consistency", model=model, **more)  # type: ignore[arg-type]  # tests give what they like


def python(code: str, *, timeout: float = 60.0) -> subprocess.CompletedProcess[str]:
    """A process with a judge in it. One that hangs fails the test."""
    begin = f"import agentdebate as ad\nITEM = {ITEM!r}\n"
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", begin + textwrap.dedent(code)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


def test_all_its_calls_share_a_budget_and_a_cache(tmp_path: Path) -> None:
    asked: list[ad.ModelRequest] = []

    def paid(request: ad.ModelRequest) -> ad.Completion:
        asked.append(request)
        return ad.Completion(
            text=SAYS, model="m", usage=ad.Usage(calls=1, prompt_tokens=100, completion_tokens=20)
        )

    budget = ad.Budget(tokens=100_000)
    with judge(ad.Function("m", paid), budget=budget, cache="on", cache_file=tmp_path / "cache.db") as one:
        for _ in range(3):
            assert one(**ITEM).scores
        assert one(**{**ITEM, "summary": "Another one."}).scores
    assert len(asked) == 2
    assert budget.spent.tokens == 240


@pytest.mark.parametrize(
    ("strategy", "more", "says"),
    [
        ("solo", {"stor": "x"}, "Did you mean 'store'"),
        ("solo", {"resum": "x"}, "Did you mean 'resume'"),
        ("solo", {"modle": "x"}, "Did you mean 'model'"),
        ("solo", {"resume": "last"}, "store="),
        ("sol", {}, "there is no strategy 'sol'. Did you mean 'solo'?"),
        ("solo", {"task": "summarisation"}, "Did you mean 'summarization'?"),
        ("solo", {"task": "summarization", "aspects": "wit"}, "task 'summarization' has no aspect 'wit'"),
        ("drpe", {"task": "summarization"}, "the strategy 'drpe' cannot judge this task"),
    ],
)
def test_an_argument_that_cannot_be_is_found_where_a_judge_is_made(
    strategy: str, more: dict[str, Any], says: str
) -> None:
    with pytest.raises(ad.UserError) as caught:
        ad.Judge(strategy, **more)
    assert says in str(caught.value)


class Stuck:
    """A model that answers when it is let go."""

    name, structured = "stuck", False

    def __init__(self) -> None:
        self.asked, self.called_off = threading.Event(), threading.Event()

    async def complete(self, request: ad.ModelRequest) -> ad.Completion:
        self.asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.called_off.set()
            raise
        raise AssertionError("nobody lets it go")

    async def aclose(self) -> None:
        pass


def test_closing_ends_what_is_under_way_with_an_error_and_in_no_loop_with_a_cancellation() -> None:
    model = Stuck()
    one = judge(model)
    with ThreadPoolExecutor(2) as threads:
        called = threads.submit(one, ITEM)
        awaited = threads.submit(lambda: asyncio.run(one.ask(**ITEM)))
        assert model.asked.wait(60)
        one.close()
        for future in (called, awaited):
            with pytest.raises(UsageError, match="the judge was closed"):
                future.result(60)
    one.close()
    assert model.called_off.is_set()


async def test_a_cancelled_ask_calls_its_debate_off_and_leaves_the_judge_open() -> None:
    model = Stuck()
    async with judge(model) as one:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await one.ask(**ITEM)
        assert await asyncio.to_thread(model.called_off.wait, 60)


def test_a_debate_cannot_wait_for_another_one_of_its_judge() -> None:
    met: list[str] = []

    async def nested(_: ad.ModelRequest) -> str:
        for ask in (one.__call__, one.ask):
            with pytest.raises(UsageError) as caught:
                await ask(**ITEM)  # type: ignore[misc]  # a plain call raises before there is anything to await
            met.append(str(caught.value))
        return SAYS

    with judge(ad.Function("m", nested), concurrency=1) as one:
        assert one(**ITEM).scores == {"consistency": 4.0}
    assert all("make another Judge" in said for said in met)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_process_that_was_forked_off_is_refused_and_does_not_hang() -> None:
    came = python(
        """
        import os, warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # a fork beside threads
        one = ad.Judge("solo", task="summarization", aspects="consistency")
        one(**ITEM)
        child = os.fork()
        if not child:
            try:
                one(**ITEM)
            except ad.UserError as error:
                one.close()
                os._exit(3 if "make a Judge in each process" in str(error) else 1)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), one(**ITEM).scores)
        one.close()
        """
    )
    assert came.stdout.startswith("3 {'consistency'"), came.stderr


def test_the_interpreter_ends_with_one_open_and_its_verdicts_are_in_the_store(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    came = python(
        f"""
        one = ad.Judge("solo", task="summarization", aspects="consistency", store={str(store)!r})
        print(one(**ITEM).scores)
        """
    )
    assert came.returncode == 0
    assert "was never closed" in came.stderr
    with read_store(store) as reader:
        assert reader.run("last").verdicts == 1


@pytest.mark.parametrize("how", ["one(**ITEM)", "asyncio.run(one.ask(**ITEM))"])
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_ctrl_c_ends_a_call_that_waits(how: str) -> None:
    came = python(
        f"""
        import asyncio, os, signal, threading
        async def stuck(_):
            os.kill(os.getpid(), {signal.SIGINT.value})
            await asyncio.Event().wait()
        with ad.Judge("solo", task="summarization", model=ad.Function("m", stuck)) as one:
            try:
                {how}
            except KeyboardInterrupt:
                print("stopped")
        """
    )
    assert (came.returncode, came.stdout) == (0, "stopped\n"), came.stderr


async def test_all_its_debates_make_one_run_and_a_question_that_is_asked_more_often_than_before_is_debated() -> (
    None
):
    item = ad.Item(id="mine", task="summarization", fields=ITEM)
    async with judge(store="judge.db") as one:
        await one.ask(**ITEM)
        await one.ask(item)
        run = one.run
    async with judge(store="judge.db", resume="last") as one:
        records = [record async for record in one.map([ITEM, item, item, ITEM])]
        unnamed, *named = [record.item.id for record in records]
        assert (len(unnamed), named) == (12, ["mine", "mine~2", f"{unnamed}~2"])
        assert (one.run, one.progress.ended) == (run, 2)
    with read_store("judge.db") as reader:
        assert len(list(reader.rows(run or ""))) == 4
        assert reader.run("last").ended is not None
    with pytest.raises(
        UsageError, match=r"held with another configuration.*put it back, or resume another run"
    ) as raised:
        async with ad.Judge(
            "debate", task="summarization", aspects="consistency", store="judge.db", resume="last"
        ):
            pass
    assert "anyway" not in str(raised.value)
