"""agentdebate check, and what tables say of prompt caching and of what was not sent."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal
from dialects.dialect_server import DialectServer
from dialects.prompt_cache import PromptCache
from typed import typed

Capsys = pytest.CaptureFixture[str]


@contextmanager
def caching_server() -> Iterator[DialectServer]:
    """A server with a cache of prompts, in a thread of its own."""
    made = DialectServer(prompt_cache=PromptCache(256))
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
