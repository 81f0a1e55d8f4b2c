"""A sentence-transformers model: how it is loaded and asked. The library is a double."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agentdebate.embedders.base import Embedder
from agentdebate.embedders.sentence_transformer import SentenceTransformerEmbedder
from agentdebate.errors import UsageError


class Library:
    """Stands for sentence_transformers: what was loaded and encoded how."""

    def __init__(self) -> None:
        self.loads: list[tuple[str, dict[str, Any]]] = []
        self.encoded: list[tuple[list[str], dict[str, Any]]] = []
        self.fails: Exception | None = None

    def SentenceTransformer(self, model: str, **options: Any) -> Any:  # noqa: N802 - the library's name
        self.loads.append((model, options))
        if self.fails:
            raise self.fails
        return SimpleNamespace(encode=self.encode)

    def encode(self, texts: list[str], **options: Any) -> Any:
        self.encoded.append((texts, options))
        vectors = [[float(len(text)), 1.0] for text in texts]
        return SimpleNamespace(tolist=lambda: vectors)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    double = Library()
    monkeypatch.setitem(sys.modules, "sentence_transformers", double)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    return double


async def test_texts_become_vectors_in_their_order(library: Library) -> None:
    embedder = SentenceTransformerEmbedder("mini")
    assert isinstance(embedder, Embedder)
    assert await embedder.embed(["ccc", "a", "ccc"]) == [[3, 1], [1, 1], [3, 1]]
    options = {"normalize_embeddings": True, "show_progress_bar": False}
    assert library.encoded == [(["a", "ccc"], options)]
    await embedder.aclose()


async def test_a_folder_is_never_looked_up_on_the_hub(library: Library, tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text("[]", encoding="utf-8")
    embedder = SentenceTransformerEmbedder(tmp_path)
    await embedder.embed(["a"])
    assert library.loads == [(str(tmp_path), {"device": None, "local_files_only": True})]
    await embedder.aclose()


@pytest.mark.parametrize("missing", ["/nowhere/model", "./model", "../model", "~/no-such-model-here"])
def test_a_missing_folder_is_a_usage_error(missing: str) -> None:
    with pytest.raises(UsageError, match=f"there is no model at {missing}"):
        SentenceTransformerEmbedder(missing)


@pytest.mark.parametrize("error", [OSError("no config\nlong story"), ValueError("bad"), RuntimeError("")])
async def test_what_cannot_be_loaded_is_a_usage_error_with_the_first_line_of_the_reason(
    library: Library, error: Exception
) -> None:
    library.fails = error
    embedder = SentenceTransformerEmbedder("mini")
    with pytest.raises(UsageError) as caught:
        await embedder.embed(["a"])
    assert "sentence-transformers/mini cannot be loaded: " in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is error
    await embedder.aclose()
