"""Prices and tokens: a dated table and a user's own before ours, and counts that are exact or marked as estimates, never over the network."""

import hashlib
import socket
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest
import tiktoken
from genai_prices.data_snapshot import get_snapshot

from agentdebate.errors import ContentError
from agentdebate.models.prices import Price, built_in, cost, prices, read_prices, total_cost
from agentdebate.models.tokens import TokenCount, count, using
from agentdebate.project.project import Project
from agentdebate.strategies.histories import Remembered, counted
from agentdebate.usage import Usage

PRICE = Price(input=2, output=8, cached_input=0.5)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_fresh_prompt_cached_prompt_and_completion_are_priced_apart() -> None:
    usage = Usage(calls=1, prompt_tokens=1_000_000, cached_tokens=400_000, completion_tokens=500_000)
    assert cost(usage, PRICE) == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.5 * 8)


@pytest.mark.parametrize(
    "name", ["openai/llama3", "openai/meta-llama/Llama-3.1-8B", "qwen2.5", "ft:gpt-4o-mini:us::1", ""]
)
def test_what_nobody_priced_is_unknown(name: str) -> None:
    """Local models and variants of priced ones too: unknown is not 0, and not what a cousin costs."""
    assert built_in().price_of(name) is None


@pytest.mark.parametrize(
    ("ours", "theirs"), [("openai", "openai"), ("anthropic", "anthropic"), ("gemini", "google")]
)
def test_prices_are_those_of_the_snapshot_and_0_only_where_it_says_so(ours: str, theirs: str) -> None:
    snapshot = get_snapshot()
    provider = next(one for one in snapshot.providers if one.id == theirs)
    priced = 0
    for model in provider.models:
        known = provider.find_model(model.id, all_providers=snapshot.providers)
        said = known and known.get_prices(datetime.now(UTC))
        told = [getattr(said, f"{side}_mtok", None) for side in ("input", "output")]
        found = built_in().price_of(f"{ours}/{model.id}")
        sides = [None if one is None else float(getattr(one, "base", one)) for one in told]
        assert (found and [found.input, found.output]) == (None if None in sides else sides), model.id
        assert found is None or f"genai-prices {version('genai-prices')}" in str(found)
        priced += found is not None
    assert priced > 20


def test_calls_of_which_one_has_no_price_have_no_known_cost_together() -> None:
    usage = Usage(calls=1, prompt_tokens=10, completion_tokens=1)
    priced, unpriced = ("gpt-5.1", usage), ("llama3", usage)
    costs = [total_cost(each, built_in(), otherwise="openai/x") for each in ([priced, unpriced], [unpriced])]
    assert costs == [None, None]


ENTRY = '[[models]]\nmatch = "gpt-4o-mini"\ninput = {}\noutput = 1\n'


def test_the_file_that_is_named_goes_before_the_projects_and_that_before_ours(tmp_path: Path) -> None:
    project = Project(tmp_path)
    named = written(tmp_path / "mine.toml", ENTRY.format(7))

    def found(path: Path | None = None) -> float | None:
        price = prices(path, project=project).price_of("openai/gpt-4o-mini")
        return price.input if price else None

    assert (found(), found(named)) == (0.15, 7)
    written(tmp_path / "prices.toml", ENTRY.format(3))
    assert (found(), found(named)) == (3, 7)
    other = prices(named, project=project).price_of("openai/gpt-4o")
    assert other is not None, "what one's own file does not have is looked up in ours"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[models]", "not TOML"),
        ('[[model]]\nmatch = "a"', "Did you mean 'models'"),
        ("models = 3", "models"),
        ("models = [3]", "models"),
        ('[[models]]\nmatch = "a"\ninput = 1', r"'models\.0\.output': this key is missing"),
        ("[[models]]\ninput = 1\noutput = 1", "match': this key is missing"),
        *((f"[[models]]\noutput = 1\n{line}", says) for line, says in (
            ('match = "a"\ninput = 1\noutptu = 1', "Did you mean 'output'"),
            *((f'match = "a"\ninput = {wrong}', r"models\.0\.input") for wrong in ("-1", "nan", "inf", '"free"', "false")),
            *((f"match = {wrong}\ninput = 1", r"models\.0\.match") for wrong in ("[]", '""', "3")),
            ('match = "a"\ninput = 1\ncurrency = "dollars"', r"models\.0\.currency"),
            ('match = "a"\ninput = 1\ndate = "soon"', r"models\.0\.date"),
        )),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_an_error_that_names_file_and_key(
    text: str, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(ContentError, match=problem) as caught:
        read_prices(written(tmp_path / "p.toml", text))
    assert "p.toml" in str(caught.value)


def test_a_file_that_is_named_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match=r"gone\.toml.*cannot be read"):
        prices(tmp_path / "gone.toml")


@pytest.fixture(autouse=True)
def _no_vocabulary_and_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("counting tokens reached for the network")

    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


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
        address = f"https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"
        (tmp_path / hashlib.sha1(address.encode()).hexdigest()).write_text("")
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
    assert ([one.by for one in found], words) == ([encoding] * 2, [encoding] * 2)


class Letters:
    """A vocabulary of letters, which knows one text."""

    async def learn(self, texts: frozenset[str]) -> None: ...

    def count(self, text: str) -> TokenCount | None:
        return TokenCount(len(text), "exact", "letters") if text == "eight ch" else None


def test_a_vocabulary_that_is_named_for_a_model_counts_what_it_has_learnt_and_no_other_model() -> None:
    heard = Remembered(1, "ann", 1, "statement", "eight ch", "openai/own")
    with using({"openai/own": Letters()}):
        assert count("eight ch", "openai/own") == TokenCount(8, "exact")
        assert count("eight ch", "openai/other") == TokenCount(2, "estimate")
        assert count("new text", "openai/own") == TokenCount(2, "estimate")
        assert (heard.tokens, heard.counted, counted("tokens", [heard])) == (8, *["exact, letters"] * 2)
    assert count("eight ch", "openai/own") == TokenCount(2, "estimate")
    assert (heard.tokens, counted("tokens", [heard])[:8], counted("latest", [heard])) == (2, "estimate", "")
