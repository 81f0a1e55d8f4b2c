"""Counting tokens: exact where a vocabulary lies at hand, an estimate elsewhere, and never over the network."""

import socket
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import tiktoken

from agentdebate.models import tokens
from agentdebate.models.tokens import TokenCount, count, using


@pytest.fixture(autouse=True)
def _no_vocabulary_and_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("counting tokens reached for the network")

    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    tokens._vocabulary.cache_clear()


@pytest.mark.parametrize(
    ("text", "n"), [("", 0), ("a", 1), ("four", 1), ("fives", 2), ("ö" * 4, 2), ("字" * 4, 3), ("\ud800", 1)]
)
def test_without_a_vocabulary_four_bytes_are_a_token_and_marked_as_an_estimate(text: str, n: int) -> None:
    assert count(text) == TokenCount(n, "estimate")


def test_a_cache_without_the_vocabulary_is_an_estimate_and_no_download(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """tiktoken is not even loaded."""
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert count("fives").method == "estimate"
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "nowhere"))
    assert count("fives").method == "estimate"


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Vocabularies that count words, and which of them were asked for; files of two lie in the cache."""
    asked: list[str] = []

    def get_encoding(name: str) -> SimpleNamespace:
        asked.append(name)
        return SimpleNamespace(encode=lambda text, disallowed_special: text.split())

    monkeypatch.setattr(tiktoken, "get_encoding", get_encoding)
    for name in ("o200k_base", "cl100k_base"):
        (tmp_path / tokens._FILES[name]).write_text("")
    return asked


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("openai/gpt-4o-mini", "o200k_base"),
        ("openai/gpt-4-1106-preview", "cl100k_base"),
        ("gpt-3.5-turbo", "cl100k_base"),
        ("openai/gpt-oss-20b", "o200k_harmony"),
    ],
)
def test_a_model_is_counted_by_its_own_encoding(
    model: str, encoding: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    found = [count("three short words", model), count("one", model)]
    assert found == [TokenCount(3, "exact"), TokenCount(1, "exact")]
    assert ([one.by for one in found], words) == ([encoding] * 2, [encoding])


class Letters:
    """A vocabulary of letters, which knows one text."""

    async def learn(self, texts: frozenset[str]) -> None: ...

    def count(self, text: str) -> TokenCount | None:
        return TokenCount(len(text), "exact", "letters") if text == "eight ch" else None


def test_a_vocabulary_that_is_named_for_a_model_counts_what_it_has_learnt_and_no_other_model() -> None:
    with using({"openai/own": Letters()}):
        assert count("eight ch", "openai/own") == TokenCount(8, "exact")
        assert count("eight ch", "openai/other") == TokenCount(2, "estimate")
        assert count("new text", "openai/own") == TokenCount(2, "estimate")
    assert count("eight ch", "openai/own") == TokenCount(2, "estimate")
