"""--tokenizer: what counts the tokens of --model."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from typed import RUN, numbered, typed, write

WORDS = SimpleNamespace(encode=lambda text, add_special_tokens: SimpleNamespace(ids=text.split()))
LIBRARY = SimpleNamespace(Tokenizer=SimpleNamespace(from_str=lambda _: WORDS))
FORESEEN = (*RUN, "--model", "openai/own", "--dry-run", "--json")


def test_a_tokenizer_s_file_makes_the_forecast_a_count(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", LIBRARY)
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    write(numbered(2))
    Path("tokenizer.json").write_text("{}")
    (told,) = typed(capsys, *FORESEEN).json
    (counted,) = typed(capsys, *FORESEEN, "--tokenizer", "tokenizer.json").json
    assert (told["counted"], counted["counted"]) == ("estimate", "exact")
    assert "tokens of openai/own are counted as it counts them: tokenizer.json" in counted["assumptions"]
    assert 0 < counted["prompt_tokens"] != told["prompt_tokens"]


def test_a_file_that_is_no_tokenizer_is_misuse(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", LIBRARY)
    write(numbered(1))
    came = typed(capsys, *FORESEEN, "--tokenizer", "nowhere.json")
    assert came.code == 2
    assert "nowhere.json is not a tokenizer.json that can be read" in came.err
