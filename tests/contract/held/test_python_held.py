"""Python's doors: a judge that is kept open, tables of a run, items of files, and the public test doubles."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import doors
import pytest
import scripted_judge

TEXTS = [{"source": f"The bridge is shut. #{n}", "summary": f"It is shut. #{n}"} for n in range(1, 5)]
SUMMARY = doors.item("summarization", TEXTS[0])
OPTIONS: dict[str, Any] = {"task": "summarization", "aspects": "relevance"}


def by_marker(question: doors.Question) -> str:
    """Score a text by its number."""
    return f'{{"reason": "It is so.", "relevance": {question.text.rpartition("#")[2][0]}}}'


def scores(verdicts: Any) -> list[float]:
    """The scores of verdicts, in their order."""
    return [verdict.scores["relevance"] for verdict in verdicts]


def test_a_judge_is_called_like_a_function_from_any_thread() -> None:
    with doors.judge("solo", by_marker, **OPTIONS) as judge, ThreadPoolExecutor(3) as threads:
        assert scores(judge(**text) for text in TEXTS) == [1, 2, 3, 4]
        assert scores(threads.map(lambda text: judge(**text), TEXTS)) == [1, 2, 3, 4]


async def test_a_judge_is_called_and_awaited_inside_a_running_loop() -> None:
    async with doors.judge("solo", by_marker, **OPTIONS, concurrency=2) as judge:
        items = [doors.item("summarization", text, name=f"i{n}") for n, text in enumerate(TEXTS, 1)]
        assert scores(await asyncio.gather(*(judge.ask(**text) for text in TEXTS))) == [1, 2, 3, 4]
        found = {record.item.id: record.verdict.scores["relevance"] async for record in judge.map(items)}
    assert found == {"i1": 1, "i2": 2, "i3": 3, "i4": 4}


async def test_a_plain_call_of_a_judge_works_inside_a_running_loop() -> None:
    with doors.judge("solo", by_marker, **OPTIONS) as judge:
        assert judge(**TEXTS[2]).scores == {"relevance": 3}


def test_a_call_that_fails_fails_alone_and_the_judge_goes_on() -> None:
    replies = iter(["nothing"] * 3)
    with doors.judge("solo", lambda asked: next(replies, by_marker(asked)), **OPTIONS) as judge:
        with pytest.raises(Exception, match="relevance"):
            judge(**TEXTS[0])
        assert judge(**TEXTS[1]).scores == {"relevance": 2}


def test_a_judge_that_is_resumed_pays_for_nothing_again() -> None:
    asked: list[str] = []

    def noted(question: doors.Question) -> str:
        asked.append(question.item)
        return by_marker(question)

    for resume in ({}, {"resume": "last"}):
        with doors.judge("solo", noted, **OPTIONS, store="judge.db", **resume) as judge:
            assert judge(**TEXTS[3]).scores == {"relevance": 4}
    assert len(asked) == 1


def test_a_judge_needs_the_fields_of_its_task() -> None:
    with doors.judge("solo", by_marker, **OPTIONS) as judge, pytest.raises(Exception, match="source"):
        judge(summary="It is shut.")


def kept() -> str:
    """Hold a run of four items that people have scored, and name it."""
    items = [
        doors.item("summarization", text, name=f"i{n}", human={"relevance": 5 - n}, group="ab"[n % 2])
        for n, text in enumerate(TEXTS, 1)
    ]
    doors.evaluate(items, "debate", scripted_judge.answer, aspects="relevance", store="agentdebate.db")
    return doors.runs("agentdebate.db")["debate"]


def test_tables_of_a_run_are_the_same_as_rows_and_as_data_frames() -> None:
    run = doors.run_of("agentdebate.db", kept())
    for table in (run.records(), run.ballots(), run.costs(), run.items()):
        frames = table.to_pandas(), table.to_polars()
        assert [len(frame) for frame in frames] == [len(list(table))] * 2
        assert set(map(str, frames[0].columns)) == set(frames[1].columns)
    scored = run.records().to_pandas()
    assert sorted(scored["item"]) == ["i1", "i2", "i3", "i4"]
    assert list(scored.sort_values("item")["score_relevance"]) == [
        record.verdict.scores["relevance"] for record in sorted(run.records(), key=lambda one: one.item.id)
    ]


def test_a_table_of_agreement_has_the_same_rows_in_each_form(golden: Callable[..., None]) -> None:
    table = doors.agreement(kept(), statistic="spearman,kendall-b", level="pooled,group", resamples=0)
    rows = [dict(row) for row in table.rows()]
    frame = table.to_pandas()
    assert len(frame) == len(rows) == 4
    kept_of_row = ("aspect", "statistic", "level", "value", "n", "groups")
    golden("agreement", [{name: doors.rounded(row[name]) for name in kept_of_row} for row in rows])
    assert [
        doors.rounded(value) for value in frame["value"].astype(object).where(frame["value"].notna(), None)
    ] == [doors.rounded(row["value"]) for row in rows]
    assert "Spearman" in table.caption


FILES = {
    "rows.jsonl": '{"id": "a", "source": "S", "summary": "T"}\n{"id": "b", "source": "U", "summary": "V"}\n',
    "rows.json": '[{"id": "a", "source": "S", "summary": "T"}, {"id": "b", "source": "U", "summary": "V"}]',
    "rows.csv": "id,source,summary\na,S,T\nb,U,V\n",
    "rows.tsv": "id\tsource\tsummary\na\tS\tT\nb\tU\tV\n",
}


@pytest.mark.parametrize("name", FILES)
def test_items_of_files_are_the_same_in_each_format(name: str) -> None:
    Path(name).write_text(FILES[name], encoding="utf-8")
    items = doors.load(name, task="summarization")
    assert [(item.id, dict(item.fields)) for item in items] == [
        ("a", {"source": "S", "summary": "T"}),
        ("b", {"source": "U", "summary": "V"}),
    ]


FAULTS = ("500", "503", "429", "malformed-json", "empty-choices", "reset-before")


async def test_the_public_endpoint_that_fails_on_purpose_costs_a_try_and_no_verdict() -> None:
    judged = [doors.judged_by_faulty_server(SUMMARY, [fault, None], retry_after=0) for fault in FAULTS]
    for fault, (verdict, requests, faults) in zip(FAULTS, await asyncio.gather(*judged), strict=True):
        calls = sum(one.usage.calls for one in verdict.usage)
        assert verdict.scores["relevance"] in range(1, 6), fault
        assert faults == {fault: calls}
        assert requests == 2 * calls, fault
