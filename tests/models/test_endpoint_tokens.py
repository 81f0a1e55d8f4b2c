"""Tokens as an endpoint counts them, and as a tokenizer's file does."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from agentdebate.errors import MalformedReply, MissingExtra, RequestRefused, UsageError
from agentdebate.models.dialects.options import Reach
from agentdebate.models.dialects.presets import open_vllm
from agentdebate.models.endpoint_tokens import EndpointTokens
from agentdebate.models.tokens import TokenCount, TokenizerFile

MODEL = "openai/local"


class Tokenize:
    """The /tokenize of a server: one token a word."""

    def __init__(self, status: int = 200, body: bytes | None = None) -> None:
        self.status, self.body = status, body
        self.asked: list[tuple[str, dict[str, object]]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        sent = json.loads(request.content)
        self.asked.append((str(request.url), sent))
        words = list(range(len(sent["content"].split())))
        body = json.dumps({"tokens": words}).encode() if self.body is None else self.body
        return httpx.Response(self.status, content=body)

    def open(self, address: str = "http://127.0.0.1:9/v1") -> EndpointTokens:
        return EndpointTokens(MODEL, Reach(base_url=address, transport=httpx.MockTransport(self)))


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1/", "http://127.0.0.1:9"])
async def test_each_text_is_asked_for_once_beside_the_address_s_v1(address: str) -> None:
    server = Tokenize()
    tokens = server.open(address)
    assert tokens.count("two words") is None
    await tokens.learn(frozenset({"two words", "one"}))
    await tokens.learn(frozenset({"two words", "three more words"}))
    assert tokens.count("two words") == TokenCount(2, "exact")
    assert tokens.count("three more words") == TokenCount(3, "exact")
    assert [url for url, _ in server.asked] == ["http://127.0.0.1:9/tokenize"] * 3
    assert server.asked[0][1] == {
        "model": "local", "content": "one", "prompt": "one", "add_special": False, "add_special_tokens": False,
    }  # fmt: skip
    await tokens.aclose()


async def test_an_endpoint_without_tokenize_is_an_error() -> None:
    tokens = Tokenize(status=404, body=b"{}").open()
    with pytest.raises(RequestRefused):
        await tokens.learn(frozenset({"a"}))
    await tokens.aclose()


@pytest.mark.parametrize("body", [b"{}", b"[]", b'{"tokens": 3}', b"no json", b"null"])
async def test_an_answer_without_a_list_of_tokens_is_an_error(body: bytes) -> None:
    tokens = Tokenize(body=body).open()
    with pytest.raises(MalformedReply, match="without a list of tokens"):
        await tokens.learn(frozenset({"a"}))
    await tokens.aclose()


def test_openai_s_own_address_has_no_tokenize(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(UsageError, match=r"has no /tokenize: name a tokenizer\.json"):
        EndpointTokens("openai/gpt-4o", Reach())


async def test_texts_go_where_the_requests_of_the_model_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://elsewhere.test/v1")
    monkeypatch.delenv("VLLM_BASE_URL", raising=False)
    server = Tokenize()
    reach = Reach(transport=httpx.MockTransport(server))
    tokens = EndpointTokens("vllm/local", reach, open_vllm.provider)
    await tokens.learn(frozenset({"a"}))
    await tokens.aclose()
    assert [url for url, _ in server.asked] == ["http://localhost:8000/tokenize"]


def test_a_tokenizer_s_file_counts_without_the_tokens_of_a_chat_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the library is asked; a test of models asks the library itself."""
    asked: list[tuple[str, bool]] = []

    def encode(text: str, *, add_special_tokens: bool) -> SimpleNamespace:
        asked.append((text, add_special_tokens))
        return SimpleNamespace(ids=text.split())

    made = SimpleNamespace(from_str=lambda text: SimpleNamespace(encode=encode))
    monkeypatch.setitem(sys.modules, "tokenizers", SimpleNamespace(Tokenizer=made))
    path = tmp_path / "tokenizer.json"
    path.write_text("{}")
    found = TokenizerFile(path).count("two \ud800words")
    assert (found, found.by) == (TokenCount(2, "exact"), "tokenizer.json")
    assert asked == [("two ?words", False)]


def test_a_tokenizer_s_file_that_is_not_there_is_misuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", SimpleNamespace())
    with pytest.raises(UsageError, match=r"none\.json is not a tokenizer\.json that can be read"):
        TokenizerFile(tmp_path / "none.json")


def test_without_the_library_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtra, match=r"agentdebate\[tokenizers\]"):
        TokenizerFile(tmp_path / "none.json")


@pytest.mark.models
def test_the_library_counts_by_a_file(tmp_path: Path) -> None:
    model = {"type": "WordLevel", "vocab": {"a": 0, "b": 1, "?": 2}, "unk_token": "?"}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({"version": "1.0", "pre_tokenizer": {"type": "Whitespace"}, "model": model}))
    assert TokenizerFile(path).count("a b b c") == TokenCount(4, "exact")
    path.write_text("{}")
    with pytest.raises(UsageError, match="that can be read"):
        TokenizerFile(path)
