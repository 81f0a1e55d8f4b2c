"""Number of tokens of a text, by the model's own vocabulary where one is at hand; everything else is an estimate, and says so.

A vocabulary is at hand where somebody named one (`using`), or where tiktoken knows the model's encoding and has its file.
tiktoken fetches vocabularies over the network, without a time limit. So it is only asked where the file that it would
fetch lies in its cache already (the folder that TIKTOKEN_CACHE_DIR names).
"""

import json
import os
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from math import ceil
from pathlib import Path
from typing import Literal, Protocol

from agentdebate.errors import UsageError
from agentdebate.extras import optional
from agentdebate.models.base import Effort, ModelRequest
from agentdebate.project.model_spec import bare_name

_FILES = {
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
    "o200k_harmony": "fb374d419588a4632f3f557e76b4b70aebbca790",
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
}
"""File names of these vocabularies at tiktoken: a digest of the address that it would fetch each from."""

BYTES_A_TOKEN = 4
"""Bytes of UTF-8 a token, for the estimate: within a fifth or so for prose and code in the languages that it was tried on."""
BYTES = f"{BYTES_A_TOKEN} bytes each"


@dataclass(frozen=True, slots=True)
class TokenCount:
    """A number of tokens, and whether it was counted as the model counts or estimated."""

    n: int
    method: Literal["exact", "estimate"]
    by: str = field(default="", compare=False)
    """Counter that was used: an encoding of tiktoken, a tokenizer's file, an endpoint, or the bytes."""


class Vocabulary(Hashable, Protocol):
    """The tokens of one model."""

    def count(self, text: str) -> TokenCount | None:
        """The tokens of a text; None where that is not known."""


_known: ContextVar[Mapping[str, Vocabulary]] = ContextVar("vocabularies")


@contextmanager
def using(vocabularies: Mapping[str, Vocabulary]) -> Iterator[None]:
    """Count by these vocabularies while the context lasts; the keys are models as requests and records name them."""
    token = _known.set({**_known.get({}), **vocabularies})
    try:
        yield
    finally:
        _known.reset(token)


def vocabulary_of(model: str) -> Vocabulary | None:
    """The vocabulary that somebody named for a model."""
    return _known.get({}).get(bare_name(model))


def count(text: str, model: str = "") -> TokenCount:
    """Count the tokens of a text for a model ("openai/gpt-6.1-sol"); of an unnamed model it is an estimate."""
    own = vocabulary_of(model)
    found = None if own is None else own.count(text)
    if found is not None:
        return found
    folder = os.environ.get("TIKTOKEN_CACHE_DIR")
    name = _encoding(model) if folder else None
    if folder and name in _FILES and (Path(folder) / _FILES[name]).is_file():
        import tiktoken

        return TokenCount(len(tiktoken.get_encoding(name).encode(text, disallowed_special=())), "exact", name)
    return TokenCount(ceil(_size(text) / BYTES_A_TOKEN), "estimate", BYTES)


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


@cache
def _encoding(model: str) -> str:
    """The encoding of a model, as tiktoken knows it by its name; empty where it does not."""
    from tiktoken.model import encoding_name_for_model

    try:
        return encoding_name_for_model(bare_name(model).rpartition("/")[2])
    except KeyError:
        return ""


THINKING: Mapping[Effort | None, int] = {
    "none": 0, "minimal": 1024, "low": 1024, "medium": 8192, "high": 24576, "xhigh": 32768, "max": 65536,
}  # fmt: skip
"""Tokens that thinking is taken to take at most, by effort, as of 2026-11-29. From low to high these are Gemini's own figures: the budgets that its
endpoint of chat completions takes efforts for. The rest is assumed: xhigh as Gemini 2.5 Pro's largest budget as others give it, max as
twice that, and all of it for other providers, which publish none.
"""
AROUND = 4
"""Tokens that a chat template puts around a message, about."""


def counted(request: ModelRequest, model: str = "") -> int:
    """The tokens of the prompt, as exactly as `tokens.count` knows the model's. It takes milliseconds a call."""
    return sum(count(text, model).n for text in texts_of(request)) + AROUND * len(request.messages)


def estimated(request: ModelRequest) -> float:
    """The tokens of the prompt by the bytes of its texts, which takes no time."""
    return in_bytes(texts_of(request)) + AROUND * len(request.messages)


def in_bytes(texts: Iterable[str]) -> float:
    """Tokens of texts by their bytes, which takes no time."""
    return sum(map(_size, texts)) / BYTES_A_TOKEN


def texts_of(request: ModelRequest) -> list[str]:
    """Texts that become prompt; a schema does too, with most endpoints."""
    texts = [message.content for message in request.messages]
    return texts if request.schema is None else [*texts, json.dumps(request.schema)]


class TokenizerFile:
    """Counts by a tokenizer.json, with the library tokenizers (extra `tokenizers`). Raises UsageError
    where it cannot be read, and MissingExtra.
    """

    def __init__(self, path: Path) -> None:
        tokenizers = optional("tokenizers", "tokenizers")
        self._path = path
        try:
            self._tokenizer = tokenizers.Tokenizer.from_str(path.read_text(encoding="utf-8"))
        except Exception as error:
            raise UsageError(f"{path} is not a tokenizer.json that can be read: {error}") from error

    def __repr__(self) -> str:
        return f"<TokenizerFile {self._path}>"

    def count(self, text: str) -> TokenCount:
        """The tokens of a text, without those that a chat template adds."""
        plain = text.encode("utf-8", "replace").decode("utf-8")
        found = self._tokenizer.encode(plain, add_special_tokens=False)
        return TokenCount(len(found.ids), "exact", self._path.name)
