"""Log lines and the spans of a run, its debates, their turns and calls: what they are about, and nothing is set up for anybody."""

import logging
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import anyio
import pytest
import structlog
from engine_cases import ITEM, TASKS, Played, end, scoring
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import agentdebate as ad
from agentdebate.errors import ServerFailed
from agentdebate.log import get_log
from agentdebate.telemetry import AboutFilter, Span, about, recorder
from agentdebate.testing import replying


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """Whatever is recorded, as where somebody has set up an SDK."""
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    return exporter


USAGE = ad.Usage(calls=1, prompt_tokens=7, completion_tokens=2, reasoning_tokens=1)
TINY = ad.Function(
    "tiny", lambda _: ad.Completion(text=scoring(4), model="tiny-1", usage=USAGE, request_id="r")
)


async def run(model: Any = None, count: int = 2, **more: Any) -> None:
    items = [ITEM.model_copy(update={"id": f"i{number}"}) for number in range(count)]
    options: dict[str, Any] = {"tasks": TASKS, "aspects": "fluency", "model": model or TINY, **more}
    async with ad.evaluate(items, Played(play=end, name="short"), **options) as evaluation:
        async for _ in evaluation:
            pass


def named(found: Sequence[ReadableSpan], name: str) -> list[ReadableSpan]:
    return [span for span in found if span.name == name]


async def test_spans_say_what_they_are_about_and_what_it_cost_and_no_words_of_the_debate(
    spans: InMemorySpanExporter,
) -> None:
    await run(count=1)
    found = spans.get_finished_spans()
    (call,), (turn,), (debate,) = (named(found, name) for name in ("chat tiny", "turn", "debate"))
    about_turn = {
        "agentdebate.item": "i0", "agentdebate.debate": "i0/fluency", "agentdebate.agent": "ann",
        "agentdebate.round": 0, "agentdebate.purpose": "score",
    }  # fmt: skip
    assert dict(turn.attributes or {}) == about_turn
    assert dict(call.attributes or {}) == {
        **about_turn,
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "tiny",
        "gen_ai.response.model": "tiny-1",
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": 7,
        "gen_ai.usage.output_tokens": 2,
        "agentdebate.cached": False,
    }
    said = dict(debate.attributes or {})
    assert (said["agentdebate.strategy"], said["agentdebate.aspects"]) == ("short", ("fluency",))
    assert (said["agentdebate.calls"], said["agentdebate.ended"]) == (1, "agreement")
    everything = " ".join(span.to_json() for span in found)
    assert ITEM.fields["text"] not in everything
    assert "It reads well" not in everything


async def test_without_an_sdk_nothing_is_recorded_and_nothing_is_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert recorder() is None, "an API without an SDK"
    monkeypatch.delitem(sys.modules, "opentelemetry.trace")
    assert recorder() is None
    with Span("debate", item="i1") as span:
        span.tell({"x": 1})
        assert (span.recorded, about()) == (False, {"item": "i1"})
    assert about() == {}


async def test_debates_at_once_do_not_mix_up_what_they_are_about(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG, "agentdebate")
    monkeypatch.setattr(caplog.handler, "filters", [AboutFilter()])
    await run(replying(scoring(4)), count=20, concurrency=20)
    calls = [vars(one) for one in caplog.records if getattr(one, "kind", "") == "call answered"]
    assert sorted(call["debate"] for call in calls) == sorted(f"i{n}/fluency" for n in range(20))
    assert all(call["debate"] == f"{call['item']}/fluency" for call in calls)


async def test_each_debate_of_workers_has_one_span_and_its_turns_lie_in_it(
    spans: InMemorySpanExporter,
) -> None:
    given: dict[str, Any] = {"store": "spans.db", "tasks": TASKS, "aspects": "fluency", "model": TINY}
    some, how = (
        [ITEM.model_copy(update={"id": f"i{number}"}) for number in range(6)],
        Played(play=end, name="short"),
    )
    name = await ad.enqueue(some, how, **given)

    async def worker() -> None:
        async with ad.work(name, how, concurrency=2, **given) as part:
            assert all([record.verdict async for record in part])

    async with anyio.create_task_group() as group:
        group.start_soon(worker)
        group.start_soon(worker)
    found = spans.get_finished_spans()
    debates = {span.context.span_id: span for span in named(found, "debate") if span.context}
    turns = [debates[span.parent.span_id] for span in named(found, "turn") if span.parent]
    expected = [f"i{number}/fluency" for number in range(6)]
    for some_spans in (debates.values(), turns):
        assert sorted(str((span.attributes or {})["agentdebate.debate"]) for span in some_spans) == expected


async def test_what_went_wrong_is_the_error_of_its_spans(spans: InMemorySpanExporter) -> None:
    def fail(_: ad.ModelRequest) -> str:
        raise ServerFailed("busy")

    await run(ad.Function("tiny", fail), count=1)
    found = spans.get_finished_spans()
    (call,), (turn,), (debate,) = (named(found, name) for name in ("chat tiny", "turn", "debate"))
    assert [event.name for event in call.events] == ["exception"]
    for span in (turn, debate):
        assert (span.attributes or {})["error.type"] == "ServerFailed"


NAME = "agentdebate.some.module"


def test_a_program_s_own_configuration_of_structlog_is_neither_used_nor_changed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(*_: object) -> str:
        raise AssertionError("the program's processors were used")

    before = structlog.get_config()
    structlog.configure(processors=[refuse])
    try:
        theirs = structlog.get_config()
        get_log(NAME).warning("ours")
        assert structlog.get_config() == theirs
    finally:
        structlog.reset_defaults()
    assert caplog.messages == ["ours"]
    assert structlog.get_config().keys() == before.keys()


def test_structlog_is_imported_with_the_first_event_that_is_wanted_and_nothing_is_configured() -> None:
    code = (
        "import sys; from agentdebate.log import get_log; log = get_log('agentdebate.x'); log.info('no')\n"
        "assert 'structlog' not in sys.modules\n"
        "log.warning('yes'); import structlog, logging\n"
        "assert not structlog.is_configured() and not logging.getLogger().handlers\n"
        "assert logging.getLoggerClass() is logging.Logger and not logging.getLogger('agentdebate').handlers\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (0, "yes")
