"""A judge that is kept open: from threads, loops, forks, and at every end that a process can have."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.errors import BudgetSpent, ModelError, UsageError
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.budget import Budget
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


def test_it_is_called_from_anywhere_and_awaited_in_any_loop() -> None:
    with judge() as one:
        here = one(**ITEM)

        async def inside() -> list[ad.Verdict]:
            return [one(**ITEM), await one.ask(**ITEM), await one.ask(ad.Item(fields=ITEM))]

        with ThreadPoolExecutor(4) as threads:
            there = list(threads.map(lambda _: one(ITEM), range(8)))
        verdicts = [here, *asyncio.run(inside()), *there, *asyncio.run(inside())]
        assert {verdict.scores["consistency"] for verdict in verdicts} == {here.scores["consistency"]}
        assert one.progress.done == len(verdicts)


def test_map_gives_records_in_order_and_a_failure_is_a_record() -> None:
    def reply(request: ModelRequest) -> str:
        return "no score at all" if "Broken" in str(request.messages) else SAYS

    items = [ad.Item(id=str(n), fields={**ITEM, "summary": "Broken" if n == 3 else "Fine"}) for n in range(9)]

    async def awaited(one: ad.Judge) -> list[str]:
        return [record.item.id async for record in one.map(items)]

    with judge(ad.Function("m", reply), concurrency=2) as one:
        records = list(one.map(items))
        assert [record.item.id for record in records] == [item.id for item in items]
        assert [record.failure is not None for record in records] == [n == 3 for n in range(9)]
        assert [name.partition("~")[0] for name in asyncio.run(awaited(one))] == [item.id for item in items]
        for record in one.map(items):
            assert record.scores
            break
        with pytest.raises(ad.DebateError, match="no score for consistency"):
            one(items[3])


def test_all_its_debates_make_one_run_of_the_store(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    with judge(store=store) as one:
        assert one(**ITEM).scores
        assert one(ad.Item(id="kelby", fields=ITEM)).scores
        assert one(ad.Item(id="kelby", fields=ITEM)).scores
        run = one.run
    assert run is not None
    with read_store(store) as reader:
        unnamed, *named = [row["id"].partition("/")[0] for row in reader.rows(run)]
        assert (len(unnamed), named) == (12, ["kelby", "kelby~2"])
        assert reader.run(run).ended is not None


def test_all_its_calls_share_a_budget_and_a_cache(tmp_path: Path) -> None:
    asked: list[ModelRequest] = []

    def paid(request: ModelRequest) -> Completion:
        asked.append(request)
        return Completion(
            text=SAYS, model="m", usage=ad.Usage(calls=1, prompt_tokens=100, completion_tokens=20)
        )

    budget = Budget(tokens=100_000)
    with judge(ad.Function("m", paid), budget=budget, cache="on", cache_file=tmp_path / "cache.db") as one:
        for _ in range(3):
            assert one(**ITEM).scores
        assert one(**{**ITEM, "summary": "Another one."}).scores
    assert len(asked) == 2
    assert budget.spent.tokens == 240


@pytest.mark.parametrize(
    ("strategy", "more", "says"),
    [
        ("sol", {}, "there is no strategy 'sol'. Did you mean 'solo'?"),
        ("solo", {"task": "summarisation"}, "Did you mean 'summarization'?"),
        ("solo", {"task": "summarization", "aspects": "wit"}, "task 'summarization' has no aspect 'wit'"),
        ("solo", {"task": "summarization", "aspects": ["fluency", "wit"]}, "has no aspect 'wit'"),
        ("drpe", {"task": "summarization"}, "the strategy 'drpe' cannot judge this task"),
    ],
)
def test_a_strategy_task_or_aspect_that_cannot_be_is_found_where_a_judge_is_made(
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

    async def complete(self, request: ModelRequest) -> Completion:
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


async def test_a_closed_judge_is_not_opened_by_a_call() -> None:
    one = ad.Judge("solo", task="summarization", aspects="consistency", store="judge.db")
    with one:
        assert one(**ITEM).scores
    with pytest.raises(UsageError, match="the judge was closed"):
        one(**ITEM)
    with pytest.raises(UsageError, match="the judge was closed"):
        await one.ask(**ITEM)
    with pytest.raises(UsageError, match="the judge was closed"):
        list(one.map([ITEM]))
    with read_store("judge.db") as reader:
        assert len(reader.runs()) == 1
    async with one:
        assert (await one.ask(**ITEM)).scores


async def test_a_cancelled_ask_calls_its_debate_off_and_leaves_the_judge_open() -> None:
    model = Stuck()
    async with judge(model) as one:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await one.ask(**ITEM)
        assert await asyncio.to_thread(model.called_off.wait, 60)


def test_a_debate_cannot_wait_for_another_one_of_its_judge() -> None:
    met: list[str] = []

    async def nested(_: ModelRequest) -> str:
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


def test_an_error_that_every_debate_would_meet_is_raised_and_the_judge_goes_on() -> None:
    replies: Iterator[str | Exception] = iter([ModelError("broken"), BudgetSpent("spent"), SAYS])

    def reply(_: ModelRequest) -> str:
        said = next(replies)
        if isinstance(said, Exception):
            raise said
        return said

    with judge(ad.Function("m", reply)) as one:
        with pytest.raises(ModelError, match="broken"):
            one(**ITEM)
        with pytest.raises(BudgetSpent, match="spent"):
            one(**ITEM)
        assert one(**ITEM).scores


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


RESTARTED = """
import os, sys
import agentdebate as ad

calls = 0

def answer(request):
    global calls
    calls += 1
    if len(sys.argv) > 1 and calls > int(sys.argv[1]):
        os._exit(0)  # as a kill does, in the middle of a debate
    return "It fits.\\nConsistency: 4" if request.context.agent == "scorer" else "I doubt the score."

questions = [{"source": "It rains.", "summary": f"Rain {n}."} for n in (1, 2, 3, 3)]
model = ad.Function("counted", answer)
with ad.Judge("debate", task="summarization", aspects="consistency", model=model, store="judge.db", resume="last", rounds=1) as judge:
    print([judge(**one).score for one in questions], calls, judge.progress.ended)
print([record.id for record in ad.open_store("judge.db").run().records()], len(ad.open_store("judge.db").runs()))
"""


def test_a_judge_of_a_killed_process_goes_on_and_asks_nothing_twice() -> None:
    code = RESTARTED.replace(", rounds=1)", ")").replace('"debate",', 'ad.strategy("debate", rounds=1),')
    whole = _python(code, "99")
    Path("judge.db").unlink()
    assert _python(code, "4").stdout == ""
    again = _python(code)
    assert again.stderr == ""
    asked = int(whole.stdout.split("] ")[1].split()[0])
    scores, rest = again.stdout.split("] ", 1)
    assert scores == "[4.0, 4.0, 4.0, 4.0"
    assert rest.split()[0] == str(asked - 4), "what was on disk is not asked for again"
    assert again.stdout.splitlines()[1] == whole.stdout.splitlines()[1]
    nothing = _python(code)
    assert nothing.stdout.splitlines()[0] == "[4.0, 4.0, 4.0, 4.0] 0 0"


def _python(code: str, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)


async def test_a_question_that_is_asked_more_often_than_before_is_debated() -> None:
    texts = {"source": "It rains.", "summary": "Rain."}
    item = ad.Item(id="mine", task="summarization", fields=texts)
    how: dict[str, Any] = {"task": "summarization", "aspects": "fluency", "store": "judge.db"}
    async with ad.Judge("solo", **how) as judge:
        await judge.ask(**texts)
        await judge.ask(item)
    async with ad.Judge("solo", resume="last", **how) as judge:
        records = [record async for record in judge.map([texts, item, item, texts])]
        unnamed, *named = [record.item.id for record in records]
        assert named == ["mine", "mine~2", f"{unnamed}~2"]
        assert judge.progress.ended == 2
    with pytest.raises(
        UsageError, match=r"held in another way.*put it back, or resume another run"
    ) as raised:
        async with ad.Judge("debate", resume="last", **how):
            pass
    assert "anyway" not in str(raised.value)
    with pytest.raises(UsageError, match="store="):
        ad.Judge("solo", resume="last")
