"""Counting tokens: exact where a vocabulary lies at hand, an estimate elsewhere, and never over the network."""

import hashlib
import importlib
import inspect
import socket
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.models import tokens
from agentdebate.models.tokens import TokenCount, count

FOLDERS = ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")


@pytest.fixture(autouse=True)
def _no_vocabulary_and_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("counting tokens reached for the network")

    for name in FOLDERS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    tokens._vocabulary.cache_clear()


@pytest.mark.parametrize(
    ("text", "n"), [("", 0), ("a", 1), ("four", 1), ("fives", 2), ("ö" * 4, 2), ("字" * 4, 3), ("\ud800", 1)]
)
def test_without_a_vocabulary_four_bytes_are_a_token_and_marked_as_an_estimate(text: str, n: int) -> None:
    assert count(text) == TokenCount(n, "estimate")


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_cache_without_the_vocabulary_is_an_estimate_and_no_download(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """tiktoken is not even loaded."""
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    monkeypatch.setenv(folder, str(tmp_path))
    assert count("fives").method == "estimate"
    monkeypatch.setenv(folder, str(tmp_path / "nowhere"))
    assert count("fives").method == "estimate"


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_vocabulary_in_the_cache_is_what_counts(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which file is looked for, and what is asked of tiktoken; the vocabulary itself stands in for by words."""
    asked: list[str] = []

    def get_encoding(name: str) -> SimpleNamespace:
        asked.append(name)
        return SimpleNamespace(encode=lambda text, disallowed_special: text.split())

    monkeypatch.setitem(sys.modules, "tiktoken", SimpleNamespace(get_encoding=get_encoding))
    (tmp_path / tokens._FILE).write_text("")
    monkeypatch.setenv(folder, str(tmp_path))
    assert [count("three short words"), count("one")] == [TokenCount(3, "exact"), TokenCount(1, "exact")]
    assert asked == ["o200k_base"]


def test_the_file_that_is_looked_for_is_the_one_that_tiktoken_would_fetch() -> None:
    """tiktoken files a download under the SHA-1 of its address."""
    public = importlib.import_module("tiktoken_ext.openai_public")
    source = inspect.getsource(public.o200k_base)
    (address,) = [part for part in source.split('"') if part.startswith("https://")]
    assert hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest() == tokens._FILE


@given(st.text(max_size=40), st.text(max_size=40))
def test_an_estimate_is_never_less_for_more_text(one: str, more: str) -> None:
    assert count(one).n <= count(one + more).n <= count(one).n + count(more).n
