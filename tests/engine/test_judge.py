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
from agentdebate.errors import BudgetSpent, DataError, ModelError, UsageError
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.budget import Budget
from agentdebate.store.reader import read_store
from agentdebate.telemetry import about

ITEM = {"source": "The bridge at Kelby closes in March.", "summary": "The bridge closes in March."}
SAYS = "Short and right.\nConsistency: 4"


def judge(model: ad.Model | str = "offline", **more: object) -> ad.Judge:
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


async def test_async_with_closes_it_and_a_call_in_the_same_loop_does_not_wait_for_itself() -> None:
    async with judge() as one:
        assert one(**ITEM).scores
        assert len(await asyncio.gather(*(one.ask(**ITEM) for _ in range(20)))) == 20
    assert "closed" in repr(one)


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


def test_no_more_debates_are_held_at_a_time_than_its_places() -> None:
    running, peak = 0, 0

    async def slow(_: ModelRequest) -> str:
        nonlocal running, peak
        running, peak = running + 1, max(peak, running + 1)
        for _turn in range(9):  # until the others have begun
            await asyncio.sleep(0)
        running -= 1
        return SAYS

    with judge(ad.Function("m", slow), concurrency=3) as one:
        assert len(list(one.map([ITEM] * 12))) == 12
    assert peak == 3


def test_all_its_debates_make_one_run_of_the_store(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    with judge(store=store) as one:
        assert one(**ITEM).scores
        assert one(ad.Item(id="kelby", fields=ITEM)).scores
        assert one(ad.Item(id="kelby", fields=ITEM)).scores
        run = one.run
    assert run is not None
    with read_store(store) as reader:
        assert [row["id"].partition("/")[0] for row in reader.rows(run)] == ["1", "kelby", "kelby~3"]
        assert reader.run(run).ended is not None


def test_all_its_calls_share_a_budget_and_a_cache(tmp_path: Path) -> None:
    asked: list[ModelRequest] = []

    def paid(request: ModelRequest) -> Completion:
        asked.append(request)
        return Completion(
            text=SAYS, model="m", usage=ad.Usage(calls=1, prompt_tokens=100, completion_tokens=20)
        )

    budget = Budget(tokens=100_000)
    with judge(ad.Function("m", paid), budget=budget, cache=tmp_path / "cache.db") as one:
        for _ in range(3):
            assert one(**ITEM).scores
        assert one(**{**ITEM, "summary": "Another one."}).scores
    assert len(asked) == 2
    assert budget.spent.tokens == 240


def test_its_listeners_hear_every_message_and_of_which_debate() -> None:
    heard: list[tuple[str, str]] = []
    with judge(listeners=[lambda message: heard.append((about()["debate"], message.kind))]) as one:
        list(one.map([ITEM, ITEM]))
    assert {debate for debate, _ in heard} == {"1/consistency", "2/consistency"}
    assert ("1/consistency", "verdict") in heard


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


def test_what_is_wrong_is_said_where_it_is_opened() -> None:
    wrong = judge("openai-x/m")
    with pytest.raises(ad.UserError, match="no model provider"), wrong:
        pass
    with pytest.raises(ad.UserError, match="no model provider"):
        wrong(**ITEM)
    with pytest.raises(UsageError, match="concurrency"):
        judge(concurrency=0)
    with pytest.raises(UsageError, match="no task"):
        ad.Judge("solo")(**ITEM)
    with judge() as one:
        with pytest.raises(DataError, match="summary"):
            one(source="alone")
        with pytest.raises(UsageError, match="not both"):
            one(ad.Item(fields=ITEM), source="more")
        with pytest.raises(UsageError, match="is text, not int"):
            one({"source": 1})  # type: ignore[dict-item]  # the mistake


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"fcat": "It is 1962."}, "task 'dialogue' has no field 'fcat'. Did you mean 'fact'?"),
        (
            {"human": {"overall": 4}},
            "no field 'human'. Known: dialogue, fact, response. All else goes into an Item",
        ),
    ],
)
async def test_a_field_that_the_task_does_not_have_is_an_error(more: dict[str, Any], says: str) -> None:
    fields: dict[str, Any] = {"dialogue": "A: When was it built?", "response": "In 1962."}
    async with ad.Judge("solo", task="dialogue", aspects="overall") as one:
        assert (await one.ask(**fields, fact="It is 1962.", reference="1962")).scores
        with pytest.raises(UsageError) as caught:
            await one.ask(**fields, **more)
        assert says in str(caught.value)
        with pytest.raises(UsageError):
            await anext(aiter(one.map([{**fields, **more}])))
        assert (await one.ask(ad.Item(fields={**fields, "fcat": "of mine"}))).scores


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


def test_a_call_within_the_judges_own_thread_is_an_error_and_an_ask_is_not() -> None:
    met: list[BaseException] = []
    verdicts: list[ad.Verdict] = []

    async def nested(request: ModelRequest) -> str:
        if not met:
            try:
                one(**ITEM)
            except UsageError as error:
                met.append(error)
            verdicts.append(await one.ask(**ITEM))
        return SAYS

    with judge(ad.Function("m", nested), concurrency=1) as one:
        assert one(**ITEM).scores == {"consistency": 4.0}
    assert "cannot wait for another one" in str(met[0])
    assert verdicts[0].scores == {"consistency": 4.0}


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


def test_one_that_is_forgotten_closes_itself_and_says_so() -> None:
    one = judge()
    assert one(**ITEM).scores
    thread = next(each for each in threading.enumerate() if each.name == "agentdebate-judge")
    with pytest.warns(ResourceWarning, match="was never closed"):
        del one
    thread.join(60)
    assert not thread.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_fork_opens_its_own() -> None:
    came = python(
        """
        import os, threading
        one = ad.Judge("solo", task="summarization", aspects="consistency")
        given = ad.Judge("solo", task="summarization", model=ad.Function("m", lambda _: "Consistency: 4"), aspects="consistency")
        one(**ITEM), given(**ITEM)
        child = os.fork()
        if not child:
            code = 1
            try:
                code = 0 if one(**ITEM).scores and given(**ITEM).scores else 1
                one.close(), given.close()
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), one(**ITEM).scores, given(**ITEM).scores)
        one.close(), given.close()
        """
        if sys.version_info < (3, 12)
        else """
        import os, warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # a fork beside threads
        one = ad.Judge("solo", task="summarization", aspects="consistency")
        one(**ITEM)
        child = os.fork()
        if not child:
            os._exit(0 if one(**ITEM).scores else 1)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), one(**ITEM).scores, {"consistency": 4.0})
        one.close()
        """
    )
    assert came.stdout.startswith("0 {'consistency'"), came.stderr
    assert "'consistency': 4.0}" in came.stdout


def test_the_interpreter_ends_with_one_open_and_the_store_is_complete(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    came = python(
        f"""
        one = ad.Judge("solo", task="summarization", aspects="consistency", store={str(store)!r})
        print(one(**ITEM).scores)
        """
    )
    assert came.returncode == 0
    assert "Warning" not in came.stderr
    assert "Traceback" not in came.stderr
    with read_store(store) as reader:
        assert reader.run("last").ended is not None


def test_the_interpreter_ends_with_a_debate_under_way() -> None:
    came = python(
        """
        import asyncio, threading
        asked = threading.Event()
        async def stuck(_):
            asked.set()
            await asyncio.Event().wait()
        one = ad.Judge("solo", task="summarization", model=ad.Function("m", stuck))
        threading.Thread(target=lambda: one(**ITEM), daemon=True).start()
        asked.wait(30)
        raise SystemExit(3)
        """
    )
    assert came.returncode == 3, came.stderr


@pytest.mark.parametrize("how", ["one(**ITEM)", "asyncio.run(calling())", "asyncio.run(one.ask(**ITEM))"])
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_ctrl_c_ends_a_call_that_waits(how: str) -> None:
    came = python(
        f"""
        import asyncio, os, signal, threading
        async def stuck(_):
            os.kill(os.getpid(), {signal.SIGINT.value})
            await asyncio.Event().wait()
        async def calling():
            one(**ITEM)
        with ad.Judge("solo", task="summarization", model=ad.Function("m", stuck)) as one:
            try:
                {how}
            except KeyboardInterrupt:
                print("stopped")
        """
    )
    assert (came.returncode, came.stdout) == (0, "stopped\n"), came.stderr


def test_an_exception_within_the_block_closes_it() -> None:
    one = judge()
    with pytest.raises(ZeroDivisionError), one:
        raise ZeroDivisionError
    assert "closed" in repr(one)


async def test_listeners_of_an_evaluation_hear_every_debate(capsys: pytest.CaptureFixture[str]) -> None:
    heard: list[str] = []
    items = [ad.Item(id=str(n), task="summarization", fields=ITEM) for n in range(3)]
    listeners = [lambda message: heard.append(about()["item"])]
    async with ad.evaluate(items, "solo", aspects="fluency", listeners=listeners, progress=True) as run:
        assert len([record async for record in run]) == 3
    assert set(heard) == {"0", "1", "2"}


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"budget": 30_000}, r"budget takes a budget such as Budget\(tokens=30_000\), not 30000"),
        ({"project": "judging"}, "project takes a project"),
        ({"together": "yes"}, "together is True or False"),
        ({"tokenizer": 5}, r"tokenizer takes a tokenizer\.json"),
        ({"cache": 5}, "cache takes a file"),
        ({"model": 5}, "model takes a name"),
        ({"model": None}, "model takes a name"),
        ({"strategy": 5}, "strategy takes a name"),
        ({"task": 5}, "task takes a name"),
        ({"concurrency": "4"}, "concurrency=... is at least 1"),
        ({"concurrency": 2.5}, "concurrency=... is at least 1"),
    ],
)
def test_a_value_of_another_kind_is_told_by_its_name(wrong: dict[str, Any], problem: str) -> None:
    given: dict[str, Any] = {"strategy": "debate", "task": "summarization", **wrong}
    with pytest.raises(UsageError, match=problem):
        ad.Judge(**given)


def test_what_is_no_item_is_told_before_anything_is_held() -> None:
    judge: Any = ad.Judge("debate", task="summarization")
    with pytest.raises(UsageError, match="an item is an Item or its fields by name"):
        judge("a summary")
    for wrong in ("abc", None, {"source": "a", "summary": "b"}, 5):
        with pytest.raises(UsageError, match="items are several"):
            judge.map(wrong)
    with pytest.raises(UsageError, match="an item is an Item or its fields by name"):
        list(judge.map(["abc"]))
    judge.close()


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
        assert [record.item.id for record in records] == ["1", "mine", "mine~3", "4"]
        assert judge.progress.ended == 2
    with pytest.raises(
        UsageError, match=r"held in another way.*put it back, or resume another run"
    ) as raised:
        async with ad.Judge("debate", resume="last", **how):
            pass
    assert "anyway" not in str(raised.value)
    with pytest.raises(UsageError, match="store="):
        ad.Judge("solo", resume="last")
