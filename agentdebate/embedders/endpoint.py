"""Vectors from any endpoint that speaks OpenAI's embeddings: OpenAI, Azure, vLLM, Ollama, llama.cpp and many more."""

import json
from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from agentdebate.embedders.base import Options, dealt, distinct
from agentdebate.errors import MalformedReply, ModelError, UsageError
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.dialects.options import Reach
from agentdebate.models.dialects.provider_endpoint import ProviderEndpoint
from agentdebate.models.http import Answer
from agentdebate.models.retry import Retrying
from agentdebate.options import read_options


class _Entry(BaseModel):
    model_config = ConfigDict(strict=True)

    index: int
    embedding: Annotated[list[FiniteFloat], Field(min_length=1)]


class _Body(BaseModel):
    model_config = ConfigDict(strict=True)

    data: list[_Entry]


def read_vectors(body: bytes, expected: int) -> list[list[float]]:
    """The vectors in an answer's body, by their index.

    Raises MalformedReply unless there are as many as expected, each under an index of its own, of finite numbers and
    of one length.
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
    vectors = [entry.embedding for entry in entries]
    check_lengths(vectors)
    return vectors


def check_lengths(vectors: list[list[float]]) -> None:
    """Raise MalformedReply where vectors differ in length."""
    lengths = sorted({len(vector) for vector in vectors})
    if len(lengths) > 1:
        raise MalformedReply(f"embeddings of different lengths: {', '.join(map(str, lengths))}")


class EndpointOptions(Reach, Options):
    """How to reach an endpoint and what to send it beside the texts."""

    ours: ClassVar[frozenset[str]] = frozenset(("model", "input", "encoding_format"))

    eps: float = Field(default=0.38, gt=0, le=2)
    """That of MiniLM. Vectors of other models may lie closer together or further apart: try it on roles of yours."""
    batch: int = Field(default=256, ge=1, le=256)
    """How many texts go into one call at most."""


_PATH = "/embeddings"
_ENCODE = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class EndpointEmbedder:
    """A model behind an embeddings endpoint. The options are those of EndpointOptions.

    A call that fails in a way that may pass is tried again as calls of chat models are. Raises UsageError for an
    unknown option, or where there is no key for OpenAI's own address.
    """

    def __init__(self, model: str, **options: Any) -> None:
        self._model = model
        self._options = read_options(EndpointOptions, options, of=self.name)
        self._endpoint = ProviderEndpoint(self.name, _PATH, self._options)

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
        """One vector a text, from as few calls as `batch` allows, one after the other. Raises ModelError."""
        sent = distinct(texts)
        vectors: list[list[float]] = []
        for start in range(0, len(sent), self._options.batch):
            call = _Call(self, sent[start : start + self._options.batch])
            await Retrying(call).complete(ModelRequest(()))
            vectors += call.vectors
        try:
            check_lengths(vectors)  # of all the calls
        except MalformedReply as error:
            raise MalformedReply(str(error), model=self.name) from error
        return dealt(texts, vectors)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._endpoint.aclose()

    async def post(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors of one call, tried once. Raises ModelError."""
        body = {"model": self._model, "input": list(texts), **self._options.extra}
        answer = await self._endpoint.post(_ENCODE(body).encode())
        if not 200 <= answer.status < 300:  # noqa: PLR2004 - the range of success
            raise self._failure(answer)
        try:
            return read_vectors(answer.body, len(texts))
        except MalformedReply as error:
            raise self._unread(answer, error) from error

    def _failure(self, answer: Answer) -> ModelError:
        return self._endpoint.failure(self._endpoint.problem(answer))

    def _unread(self, answer: Answer, error: MalformedReply) -> ModelError:
        """Routers send what the provider refused with status 200; all else is no embeddings."""
        if self._endpoint.problem(answer).status >= HTTPStatus.BAD_REQUEST:
            return self._failure(answer)
        return self._endpoint.placed(error, answer)


class _Call:
    """One call in the form of a model, so that what tries models again tries it again. It keeps what came back."""

    structured = False

    def __init__(self, embedder: EndpointEmbedder, texts: Sequence[str]) -> None:
        self._embedder, self._texts = embedder, texts
        self.vectors: list[list[float]] = []

    @property
    def name(self) -> str:
        return self._embedder.name

    async def complete(self, _request: ModelRequest) -> Completion:
        self.vectors = await self._embedder.post(self._texts)
        return Completion(text="", model=self.name)

    async def aclose(self) -> None:
        """The connections are the embedder's."""


def open_openai(name: str, **options: Any) -> EndpointEmbedder:
    """openai/MODEL: any endpoint that gives embeddings. The options are those of EndpointOptions. Raises UsageError."""
    if not name.strip():
        raise UsageError("name a model after the provider: openai/text-embedding-3-small")
    return EndpointEmbedder(name.strip(), **options)
