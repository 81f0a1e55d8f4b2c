"""Tokens as a tokenizer's file counts them."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from agentdebate.errors import MissingExtra, UsageError
from agentdebate.models.tokens import TokenCount, TokenizerFile


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
