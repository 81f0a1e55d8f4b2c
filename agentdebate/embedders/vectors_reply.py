"""What an embeddings endpoint answers, held to the protocol."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from agentdebate.errors import MalformedReply


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
