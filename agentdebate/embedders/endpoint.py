"""Vectors from any endpoint that speaks OpenAI's embeddings: OpenAI, Azure, vLLM, Ollama, llama.cpp and many more."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from agentdebate.embedders.base import Options, dealt, distinct
from agentdebate.errors import MalformedReply, UsageError
from agentdebate.evaluators.json_endpoint import JsonEndpoint
from agentdebate.models.dialects.options import Reach
from agentdebate.options import read_options

_BATCH = 256
"""Most texts that go into one call."""


class _Entry(BaseModel):
    model_config = ConfigDict(strict=True)

    index: int
    embedding: Annotated[list[FiniteFloat], Field(min_length=1)]


class _Body(BaseModel):
    model_config = ConfigDict(strict=True)

    data: list[_Entry]


def read_vectors(body: bytes, expected: int) -> list[list[float]]:
    """The vectors in an answer's body, by their index.

    Raises MalformedReply unless there are as many as expected, each under an index of its own, of finite numbers.
    """
    try:
        entries = _Body.model_validate_json(body).data
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the body"
        raise MalformedReply(f"no embeddings: {place}: {first['msg']}") from error
    if len(entries) != expected:
        raise MalformedReply(f"{len(entries)} embeddings for {expected} texts")
    entries.sort(key=lambda entry: entry.index)
    if [entry.index for entry in entries] != list(range(expected)):
        raise MalformedReply(f"the embeddings' indices are not 0 to {expected - 1}, each once")
    return [entry.embedding for entry in entries]


class EndpointOptions(Reach, Options):
    """Options of an endpoint: how to reach it, and what to send beside the texts."""

    ours: ClassVar[frozenset[str]] = frozenset(("model", "input", "encoding_format"))

    eps: float = Field(default=0.38, gt=0, le=2)
    """Distance that suits MiniLM. Vectors of other models may lie closer together or further apart: try it on roles of yours."""


class EndpointEmbedder:
    """A model behind an embeddings endpoint. The options are those of EndpointOptions.

    A call that fails in a way that may pass is tried again as calls of chat models are. Raises UsageError for an
    unknown option, or where there is no key for OpenAI's own address.
    """

    def __init__(self, model: str, **options: Any) -> None:
        self._model = model
        self._options = read_options(EndpointOptions, options, of=self.name)
        self._endpoint = JsonEndpoint(self.name, "/embeddings", self._options)

    def __repr__(self) -> str:
        return f"<EndpointEmbedder {self._model} at {self._endpoint.place}>"

    @property
    def name(self) -> str:
        """The provider and the model: "openai/text-embedding-3-small"."""
        return f"openai/{self._model}"

    @property
    def eps(self) -> float:
        """The cosine distance up to which two roles count as alike."""
        return self._options.eps

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text, from calls of at most 256 texts, one after the other. Raises ModelError."""
        sent = distinct(texts)
        vectors: list[list[float]] = []
        for start in range(0, len(sent), _BATCH):
            batch = sent[start : start + _BATCH]
            body = {"model": self._model, "input": batch, **self._options.extra}
            vectors += await self._endpoint.post(body, partial(read_vectors, expected=len(batch)))
        lengths = sorted({len(vector) for vector in vectors})
        if len(lengths) > 1:
            listed = ", ".join(map(str, lengths))
            raise MalformedReply(f"embeddings of different lengths: {listed}", model=self.name)
        return dealt(texts, vectors)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._endpoint.aclose()


def open_openai(name: str, **options: Any) -> EndpointEmbedder:
    """openai/MODEL: any endpoint that gives embeddings. The options are those of EndpointOptions. Raises UsageError."""
    if not name.strip():
        raise UsageError("name a model after the provider: openai/text-embedding-3-small")
    return EndpointEmbedder(name.strip(), **options)
