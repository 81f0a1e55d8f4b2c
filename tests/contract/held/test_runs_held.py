"""Runs from the command line against a scripted endpoint: verdicts, costs, caches, budgets, exit codes, and what goes over the wire."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import doors
import pytest
from scripted_endpoint import Fault, ScriptedEndpoint

ROWS = [
    {"id": f"i{n}", "source": f"The bridge at Kelby is shut. #{n}", "summary": f"It is shut. #{n}"}
    for n in range(1, 7)
]
TASK = ("--task", "summarization")
KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY", "gemini": "GEMINI_API_KEY"}


@pytest.fixture(autouse=True)
def _data(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six items, and a key for each provider."""
    doors.write_rows("data.jsonl", ROWS)
    for key in KEYS.values():
        monkeypatch.setenv(key, "sk-held-0123456789")


def run(
    endpoint: ScriptedEndpoint, *more: str, strategy: str = "debate", dialect: str = "openai"
) -> doors.Typed:
    """Run a strategy over the six items."""
    url = endpoint.base_url if dialect == "openai" else endpoint.root
    words = ("run", strategy, "data.jsonl", *TASK, "--model", f"{dialect}/scripted", "--base-url", url)
    return doors.typed(*words, *more)


def allowed(endpoint: ScriptedEndpoint) -> tuple[str, str]:
    """The consent that a stored address needs."""
    return "--allow-endpoint", endpoint.root.removeprefix("http://")


def exported(what: str = "verdicts", run: str = "last") -> list[Any]:
    """The rows of a run, sorted, without what differs from run to run."""
    rows = doors.typed("export", run, "--what", what).json
    return sorted(rows, key=lambda row: json.dumps([row.get("id"), row.get("aspects"), row], sort_keys=True))


def verdicts(run: str = "last") -> list[tuple[str, dict[str, float], int]]:
    """Item, scores and calls of each debate of a run."""
    return [(row["id"], row["scores"], row["calls"]) for row in exported(run=run)]


@pytest.mark.parametrize("dialect", KEYS)
def test_the_three_dialects_come_to_the_same_verdicts_and_costs(
    dialect: str, endpoint: ScriptedEndpoint, golden: Callable[..., None]
) -> None:
    assert run(endpoint, "--aspects", "relevance,fluency", dialect=dialect).code == 0
    kept = ("id", "aspects", "outcome", "scores", "settled", "ended", "rounds", "calls")
    tokens = ("prompt_tokens", "completion_tokens")
    golden("verdicts", [{name: row[name] for name in (*kept, *tokens)} for row in exported()])


AUTHORISED = {
    "openai": ("authorization", "Bearer sk-held-0123456789", "/v1/chat/completions"),
    "anthropic": ("authorization", "Bearer sk-held-0123456789", "/v1/messages"),
    "gemini": ("x-goog-api-key", "sk-held-0123456789", "/v1beta/models/scripted:generateContent"),
}


@pytest.mark.parametrize("dialect", KEYS)
def test_a_request_has_its_dialect_s_path_key_and_shape(
    dialect: str, endpoint: ScriptedEndpoint, golden: Callable[..., None]
) -> None:
    words = ("--aspects", "relevance", "--max-tokens", "200", "--limit", "1", "--api-key-env", KEYS[dialect])
    assert run(endpoint, *words, strategy="solo", dialect=dialect).code == 0
    (received,) = endpoint.received
    header, value, path = AUTHORISED[dialect]
    assert {name.lower(): text for name, text in received.headers.items()}[header] == value
    assert received.path == path
    golden(f"body-{dialect}", shape(received.body))


def shape(body: Any) -> Any:
    """A request's body with its texts left out: prompts may change, fields and parameters do not."""
    if isinstance(body, dict):
        return {name: shape(value) for name, value in body.items() if name != "description"}
    if isinstance(body, list):
        return [shape(one) for one in body]
    return "TEXT" if isinstance(body, str) and len(body) > 60 else body


RETRIED = (408, 429, 500, 502, 503, 529)
REFUSED = (400, 401, 403, 404, 422)


@pytest.mark.parametrize("dialect", KEYS)
def test_passing_failures_are_tried_again(dialect: str, endpoint: ScriptedEndpoint) -> None:
    busy = [Fault(status, {"error": {"message": "busy"}}, {"retry-after": "0"}) for status in RETRIED]
    endpoint.faults = list(busy)
    typed = run(endpoint, "--aspects", "relevance", strategy="solo", dialect=dialect)
    assert (typed.code, len(endpoint.received)) == (0, len(ROWS) + len(busy)), typed.err


@pytest.mark.parametrize("status", REFUSED)
@pytest.mark.parametrize("dialect", KEYS)
def test_a_refusal_is_not_tried_again(dialect: str, status: int, endpoint: ScriptedEndpoint) -> None:
    endpoint.faults = [Fault(status, {"error": {"message": "no such thing"}})] * 9
    typed = run(endpoint, "--aspects", "relevance", "--limit", "1", strategy="solo", dialect=dialect)
    assert (typed.code, len(endpoint.received)) == (1, 1), typed.err
    assert "sk-held" not in typed.out + typed.err


def test_costs_stand_by_agent_and_model(endpoint: ScriptedEndpoint, golden: Callable[..., None]) -> None:
    Path("prices.toml").write_text(
        '[[models]]\nmatch = "openai/*"\ninput = 1.0\noutput = 10.0\ndate = 2026-01-01\n', encoding="utf-8"
    )
    assert run(endpoint, "--aspects", "relevance", "--prices", "prices.toml").code == 0
    rows = [
        {name: value for name, value in row.items() if not name.startswith(("run", "seconds"))}
        for row in exported("costs")
    ]
    for row in rows:
        for name in ("model", "served"):
            row[name] = row[name].partition(" at ")[0]
    golden("costs", rows)


def test_a_seat_has_a_model_of_its_own(endpoint: ScriptedEndpoint) -> None:
    other = f"critic=openai/other:base_url={endpoint.base_url}"
    assert run(endpoint, "--aspects", "relevance", "--agent-model", other).code == 0
    asked = {received.body["model"] for received in endpoint.received}
    assert asked == {"scripted", "other"}
    by_agent = {row["agent"]: row["model"].partition(" at ")[0] for row in exported("costs")}
    assert by_agent == {"scorer": "openai/scripted", "critic": "openai/other"}


def test_steps_are_written_once_for_all_items_of_an_aspect(endpoint: ScriptedEndpoint) -> None:
    endpoint.text = "1. Read the text.\n2. Compare it with the source.\n\nRelevance: 3"
    assert run(endpoint, "--aspects", "relevance", "--set", "mode=single", strategy="geval").code == 0
    assert len(endpoint.received) == len(ROWS) + 1


def test_the_same_run_out_of_the_cache_asks_nothing(endpoint: ScriptedEndpoint) -> None:
    cached = ("--aspects", "relevance", "--cache", "on")
    assert run(endpoint, *cached).code == 0
    first, asked = verdicts(), len(endpoint.received)
    assert run(endpoint, *cached).code == 0
    assert len(endpoint.received) == asked
    assert [(name, scores) for name, scores, _ in verdicts()] == [(name, scores) for name, scores, _ in first]
    assert {calls for _, _, calls in verdicts()} == {0}
    assert {row["cached_calls"] for row in exported()} == {2}


def test_without_the_cache_the_same_run_is_paid_again(endpoint: ScriptedEndpoint) -> None:
    for _ in range(2):
        assert run(endpoint, "--aspects", "relevance").code == 0
    assert len(endpoint.received) == 2 * 2 * len(ROWS)


def test_a_budget_ends_a_run_and_a_larger_one_goes_on_with_it(endpoint: ScriptedEndpoint) -> None:
    endpoint.prompt_tokens = 3000
    words = ("--aspects", "relevance", "--concurrency", "1", "--max-tokens", "50")
    stopped = run(endpoint, *words, "--budget-tokens", "25000")
    spent = sum(row["prompt_tokens"] + row["completion_tokens"] for row in exported())
    assert stopped.code != 0
    assert 0 < len(verdicts()) < len(ROWS)
    assert spent <= 25_000
    assert doors.typed("resume", "last", *allowed(endpoint), "--budget-tokens", "1000000").code == 0
    assert len(verdicts()) == len(ROWS)
    assert len(endpoint.received) == 2 * len(ROWS)


def test_a_dry_run_asks_nothing_and_stores_nothing(endpoint: ScriptedEndpoint) -> None:
    typed = run(endpoint, "--aspects", "relevance", "--dry-run")
    assert (typed.code, endpoint.received) == (0, [])
    assert not Path("agentdebate.db").exists()


def test_one_item_s_failure_ends_no_other_and_the_exit_code_tells(endpoint: ScriptedEndpoint) -> None:
    endpoint.faults = [Fault(400, {"error": {"message": "no such thing"}})]
    typed = run(endpoint, "--aspects", "relevance", "--concurrency", "1", strategy="solo")
    assert typed.code == 1
    outcomes = [row["outcome"] for row in exported()]
    assert sorted(outcomes) == ["failure"] + ["verdict"] * (len(ROWS) - 1)
    assert doors.typed("resume", "last", "--retry-failed", *allowed(endpoint)).code == 0
    assert {row["outcome"] for row in exported()} == {"verdict"}


def test_a_stored_transcript_says_who_said_what_in_order(
    endpoint: ScriptedEndpoint, golden: Callable[..., None]
) -> None:
    assert run(endpoint, "--aspects", "relevance", "--limit", "1").code == 0
    rows = doors.typed("export", "last", "--what", "messages").json
    golden("messages", [[row["sender"], row["kind"], row["round"]] for row in rows if "text" in row])


WRONG = {
    "no such strategy": ("run", "debait", "data.jsonl", *TASK),
    "no such file": ("run", "debate", "missing.jsonl", *TASK),
    "no such aspect": ("run", "debate", "data.jsonl", *TASK, "--aspects", "beauty"),
    "no such option": ("run", "debate", "data.jsonl", *TASK, "--colour", "red"),
    "no such set": ("run", "debate", "data.jsonl", *TASK, "--set", "laps=2"),
    "no such run": ("show", "20200101-000000-debate-0000"),
    "no such command": ("judge",),
    "no task": ("run", "debate", "data.jsonl"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_ends_with_two_and_says_what_was_wrong_on_standard_error(case: str) -> None:
    typed = doors.typed(*WRONG[case])
    assert (typed.code, typed.out) == (2, "")
    assert typed.err.strip()
    assert "Traceback" not in typed.err


def test_a_broken_line_is_named_by_file_and_line() -> None:
    Path("data.jsonl").write_text('{"source": "a", "summary": "b"}\n{"source": \n', encoding="utf-8")
    typed = doors.typed("run", "debate", "data.jsonl", *TASK)
    assert typed.code == 2
    assert "data.jsonl" in typed.err
    assert "2" in typed.err


def test_a_missing_field_is_named() -> None:
    doors.write_rows("data.jsonl", [{"id": "a", "source": "It is shut."}])
    typed = doors.typed("run", "debate", "data.jsonl", *TASK)
    assert typed.code == 2
    assert "summary" in typed.err
