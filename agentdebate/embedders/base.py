"""Base of embedders: texts in, vectors out, so that texts that mean the same lie close together."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field


class Options(BaseModel):
    """Options of every embedder. Each has a default of its own for `eps`."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    eps: float = Field(gt=0, le=2)
    """The cosine distance up to which two roles count as alike."""


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors. It may be used from many debates at once."""

    @property
    def name(self) -> str:
        """Name in transcripts: "tf-idf"."""
        ...

    @property
    def eps(self) -> float:
        """The cosine distance up to which two roles count as alike, from 0 to 2. Embedders differ widely in it."""
        ...

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text, in order, all of one length. It does not keep the event loop from other work.

        Equal texts get equal vectors, and the order of the texts decides nothing.
        """
        ...

    async def aclose(self) -> None:
        """Release models and connections. Safe to call twice."""
        ...


def distinct(texts: Sequence[str]) -> list[str]:
    """Each text once, in an order that is theirs: what an embedder should work on.

    Batches, and sums in floating point, then come out the same however the texts were ordered.
    """
    return sorted(set(texts))


def dealt(texts: Sequence[str], vectors: Sequence[list[float]]) -> list[list[float]]:
    """A vector for each of the texts, from those of the distinct ones."""
    found = dict(zip(distinct(texts), vectors, strict=True))
    return [list(found[text]) for text in texts]
