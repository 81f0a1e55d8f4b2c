"""What log lines are about, and the spans of a run, its debates, their turns and calls."""

import logging
import sys
from collections.abc import Sequence
from typing import Any

import anyio
import pytest
from engine_cases import ITEM, TASKS, Played, end, scoring
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agentdebate.errors import ServerFailed
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.runs.work import enqueue, work
from agentdebate.telemetry import AboutFilter, Span, about, recorder
from agentdebate.testing import replying
from agentdebate.usage import Usage


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """Whatever is recorded, as where somebody has set up an SDK."""
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    return exporter


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []
        self.addFilter(AboutFilter())

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    """Every record of the package."""
    ours, handler = logging.getLogger("agentdebate"), Kept()
    monkeypatch.setattr(ours, "handlers", [*ours.handlers, handler])
    monkeypatch.setattr(ours, "level", logging.DEBUG)
    ours.manager._clear_cache()  # type: ignore[attr-defined]  # of levels that were asked for
    return handler


async def run(model: Any = None, count: int = 2, **more: Any) -> None:
    items = [ITEM.model_copy(update={"id": f"i{number}"}) for number in range(count)]
    options: dict[str, Any] = {"tasks": TASKS, "aspects": "fluency", "model": model or answering(), **more}
    async with evaluate(items, Played(play=end, name="short"), **options) as evaluation:
        async for _ in evaluation:
            pass


def answering() -> Function:
    usage = Usage(calls=1, prompt_tokens=7, completion_tokens=2, reasoning_tokens=1)
    return Function(
        "tiny", lambda _: Completion(text=scoring(4), model="tiny-1", usage=usage, request_id="r")
    )


def named(found: Sequence[ReadableSpan], name: str) -> list[ReadableSpan]:
    return [span for span in found if span.name == name]


async def test_spans_say_what_they_are_about_and_what_it_cost(spans: InMemorySpanExporter) -> None:
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


async def test_no_words_of_a_debate_are_in_its_spans(spans: InMemorySpanExporter) -> None:
    await run(count=1)
    everything = " ".join(span.to_json() for span in spans.get_finished_spans())
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


async def test_debates_at_once_do_not_mix_up_what_they_are_about(kept: Kept) -> None:
    await run(replying(scoring(4)), count=20, concurrency=20)
    calls = [record for record in kept.records if getattr(record, "kind", "") == "call answered"]
    assert sorted(vars(record)["debate"] for record in calls) == sorted(f"i{n}/fluency" for n in range(20))
    assert all(vars(record)["debate"] == f"{vars(record)['item']}/fluency" for record in calls)


async def test_each_debate_of_workers_has_one_span_and_its_turns_lie_in_it(
    spans: InMemorySpanExporter,
) -> None:
    given: dict[str, Any] = {"store": "spans.db", "tasks": TASKS, "aspects": "fluency", "model": answering()}
    some, how = (
        [ITEM.model_copy(update={"id": f"i{number}"}) for number in range(6)],
        Played(play=end, name="short"),
    )
    name = await enqueue(some, how, **given)

    async def worker() -> None:
        async with work(name, how, concurrency=2, **given) as part:
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
    def fail(_: ModelRequest) -> str:
        raise ServerFailed("busy")

    await run(Function("tiny", fail), count=1)
    found = spans.get_finished_spans()
    (call,), (turn,), (debate,) = (named(found, name) for name in ("chat tiny", "turn", "debate"))
    assert [event.name for event in call.events] == ["exception"]
    for span in (turn, debate):
        assert (span.attributes or {})["error.type"] == "ServerFailed"
