"""Vectors from the texts' own words: the embedder that needs no data and no network."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import Field

from agentdebate.embedders.base import Options, dealt, distinct
from agentdebate.errors import UsageError
from agentdebate.extras import optional
from agentdebate.options import read_options

EXTRA = "drpe"
_WORD = re.compile(r"\w+")


class TfIdfOptions(Options):
    """Options of TF-IDF."""

    eps: float = Field(default=0.5, gt=0, le=2)


class TfIdf:
    """TF-IDF over pieces of words, fitted on the texts of each call.

    English stop words are left out, and the other words are cut into their runs of three and of four characters. On
    a dozen rosters of eight roles, whole words tell roles that repeat each other from unlike ones, yet hardly those
    that change the words' forms ("invests", "investing"); pieces find both with room to spare, and word pairs neither
    as well. The pieces of stop words would make any two descriptions a little alike.

    It finds no paraphrases: they share no more than unlike readers of one text do. And where only a name differs (the
    fans of two sides, described alike) it takes two kinds of readers for one.

    A text of stop words or without any word has a vector of zeros.
    """

    def __init__(self, **options: Any) -> None:
        self._options = read_options(TfIdfOptions, options, of=self.name)

    def __repr__(self) -> str:
        return "<TfIdf>"

    @property
    def name(self) -> str:
        """Name of the embedder, "tf-idf"."""
        return "tf-idf"

    @property
    def eps(self) -> float:
        """The cosine distance up to which two roles count as alike."""
        return self._options.eps

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text. Raises MissingExtra where scikit-learn is not installed."""
        return dealt(texts, await asyncio.to_thread(_vectors, distinct(texts)))

    async def aclose(self) -> None:
        """Release nothing."""


def open_tfidf(name: str, **options: Any) -> TfIdf:
    """tf-idf: characters in common, weighed by how rare they are; finds repeats, and no paraphrases. Raises UsageError."""
    if name.strip():
        raise UsageError(f"tf-idf has no model to name: write 'tf-idf' instead of 'tf-idf/{name}'")
    return TfIdf(**options)


def _vectors(texts: Sequence[str]) -> list[list[float]]:
    """Compute vectors, in a worker thread: the first import of scikit-learn takes some two seconds."""
    sklearn = optional("sklearn.feature_extraction.text", EXTRA)
    words = [_without(sklearn.ENGLISH_STOP_WORDS, text) for text in texts]
    if not any(words):
        return [[0.0] for _ in texts]
    vectorizer = sklearn.TfidfVectorizer(
        analyzer="char_wb", ngram_range=(3, 4), lowercase=False, sublinear_tf=True
    )
    found: list[list[float]] = vectorizer.fit_transform(words).toarray().tolist()
    return found


def _without(stop_words: Iterable[str], text: str) -> str:
    """The words of a text in lower case, without those of a list."""
    return " ".join(word for word in _WORD.findall(text.lower()) if word not in stop_words)
