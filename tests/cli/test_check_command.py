"""agentdebate check, and what tables say of prompt caching and of what was not sent."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal
from typed import typed, write

from agentdebate.testing.prompt_cache import PromptCache
from agentdebate.testing.server import FaultServer
from benchmarks.caching import item_of

Capsys = pytest.CaptureFixture[str]
PRICES = '[[models]]\nmatch = "tiny"\ninput = 2\ncached_input = 0.2\ncache_write = 2.5\noutput = 0\n'
RUN = ("run", "debate", "data.jsonl", "--task", "summarization", "--aspects", "coherence")


@contextmanager
def caching_server() -> Iterator[FaultServer]:
    """A server with a cache of prompts, in a thread of its own."""
    made = FaultServer(prompt_cache=PromptCache(256))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(made) as server:
        yield server


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_check_says_line_by_line_what_works(capsys: Capsys) -> None:
    with caching_server() as server:
        shown = typed(capsys, "check", "anthropic/tiny", "--base-url", server.root)
        told = typed(capsys, "check", "anthropic/tiny", "--base-url", server.root, "--json").json
    assert shown.code == 0
    lines = {line[:16].strip(): line[16:].split()[0] for line in shown.out.splitlines()}
    assert lines["text"] == lines["schema"] == lines["prompt caching"] == "works"
    assert lines["logprobs"] == "no"
    assert "price not known" in shown.err
    assert told[0]["reached"] is True


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (("openai/x", "--base-url", "http://127.0.0.1:9/v1"), 1, "refused"),
        (("anthropic/x",), 2, "ANTHROPIC_API_KEY"),
        (("nobody/x",), 2, "nobody"),
        (("offline",), 2, "nothing to check"),
    ],
)
def test_what_keeps_a_check_from_its_model_is_said(
    words: tuple[str, ...], code: int, complaint: str, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    shown = typed(capsys, "check", *words)
    assert shown.code == code
    assert complaint in shown.out + shown.err


def test_a_runs_tables_say_what_came_from_the_cache_what_that_saved_and_what_was_not_sent(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # each line whole
    items = [item_of("debate", number) for number in range(2)]
    write([{"id": one.id, **one.fields} for one in items])
    Path("prices.toml").write_text(PRICES, encoding="utf-8")
    with caching_server() as server:
        ran = typed(capsys, *RUN, "--model", "anthropic/tiny", "--base-url", server.root)
        ledger, place = server.ledger, server.root.partition("://")[2].partition("/")[0]
    shown = typed(capsys, "show", "last")
    saved = (ledger.cached_tokens * 1.8 - ledger.cache_write_tokens * 0.5) / 1e6
    for out in (ran.out, shown.out):
        line = next(line for line in out.splitlines() if line.startswith("anthropic/tiny "))
        assert place in out
        assert line.removeprefix(f"anthropic/tiny at {place}").split()[0] == str(ledger.prompt_tokens)
        assert f"{ledger.cached_tokens / ledger.prompt_tokens:.0%}" in line
        assert f"{saved:.4f} USD" in line
        assert (
            f"not sent, since the model does not take it: anthropic/tiny at {place}: temperature 0.0, in 2 debates"
            in out
        )
    rows = [
        json.loads(line) for line in typed(capsys, "export", "last", "--format", "jsonl").out.splitlines()
    ]
    assert sum(row["prompt_cached"] for row in rows) == ledger.cached_tokens


def test_tables_of_a_run_without_a_cache_have_no_line_of_it(capsys: Capsys) -> None:
    write([{"id": "one", "source": "The bridge is shut.", "summary": "It is shut."}])
    shown = typed(capsys, *RUN)
    assert "Prompt caching" not in shown.out
    assert "not sent" not in shown.out


@pytest.mark.parametrize(
    "words", [("--model", "openai/tiny"), ("-m", "openai/tiny"), ("openai/tiny",)], ids=" ".join
)
def test_check_takes_the_model_as_a_word_or_as_the_option_that_other_commands_have(
    capsys: Capsys, words: tuple[str, ...]
) -> None:
    with caching_server() as server:
        came = typed(capsys, "check", *words, "--base-url", server.base_url)
    assert came.code == 0
    assert "text            works" in came.out
