"""From a name to an embedder, and what that costs to import."""

from pathlib import Path

import pytest

from agentdebate.embedders.registry import embedder
from agentdebate.embedders.sentence_transformer import SentenceTransformerEmbedder
from agentdebate.errors import UsageError


def test_what_stands_behind_the_first_slash_is_the_model(tmp_path: Path) -> None:
    """A folder's own slashes stay."""
    (tmp_path / "modules.json").write_text("[]", encoding="utf-8")
    found = embedder(f"sentence-transformers/{tmp_path}", eps=0.3)
    assert isinstance(found, SentenceTransformerEmbedder)
    assert (found.name, found.eps) == (f"sentence-transformers/{tmp_path.name}", 0.3)
    assert embedder("sentence-transformers/org/model").name == "sentence-transformers/org/model"


@pytest.mark.parametrize(
    ("name", "hint"), [("tfidf", "Did you mean 'tf-idf'"), ("word2vec", "Known: .*tf-idf")]
)
def test_an_unknown_embedder_is_a_usage_error_with_the_nearest_name(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        embedder(name)


@pytest.mark.parametrize("name", ["openai", "openai/ ", "sentence-transformers", "sentence-transformers/"])
def test_a_name_without_its_model_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError, match="name a model"):
        embedder(name)
