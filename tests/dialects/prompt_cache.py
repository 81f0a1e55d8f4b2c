"""A cache of prompts, as a fault server has it: what of a request's prompt was read from it, and what was written into it."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentdebate.testing.chat import Asked
from agentdebate.testing.tokens import CHARACTERS

MOST_MARKS = 4
_LOOKED_BACK = 20
_STEP = 128 * CHARACTERS
"""Characters by which what is kept without marks grows."""


class MarkedAsked(Asked):
    """A request of a protocol in which blocks are marked that a cache is to keep."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What the cache does for a request, in tokens, and what is kept of it once its reply begins."""

    read: int
    written: int
    kept: tuple[bytes, ...] = ()

    def details(self) -> dict[str, int]:
        """As a chat completion's usage tells of it."""
        return {"cached_tokens": self.read, "cache_write_tokens": self.written}


@dataclass(frozen=True, slots=True)
class _Beginning:
    digest: bytes
    tokens: int
    marked: bool


class PromptCache:
    """Keeps beginnings of prompts of at least `floor` tokens; with a `lifetime` of no seconds, none.

    Messages has marks: a beginning is kept up to each block with cache_control, and is found again up to the end of a block,
    among the 20 before a mark; what is written costs extra. So it is in chat completions with prompt_cache_options. Without marks, every
    whole 128 tokens are kept, and nothing is said to be written. Prompts for other models, with another schema or another
    prompt_cache_key share nothing. A beginning can be read once the reply to it has begun.
    """

    def __init__(self, floor: int = 1024, *, lifetime: float = 300.0) -> None:
        self.floor, self.lifetime = floor, lifetime
        self._kept: set[bytes] = set()

    def __repr__(self) -> str:
        return f"<PromptCache of {len(self._kept)} beginnings>"

    def find(self, asked: Asked) -> Found:
        """Return what it has of a request's prompt, with marks or without."""
        marks = isinstance(asked, MarkedAsked) or "prompt_cache_options" in asked.given
        found = tuple(one for one in _beginnings(asked, marks=marks) if one.tokens >= self.floor)
        return self._by_marks(asked, found) if marks else self._implicit(found)

    def keep(self, found: Found) -> None:
        """Keep what a request wrote and read: its reply begins."""
        if self.lifetime:
            self._kept.update(found.kept)

    def _implicit(self, beginnings: Sequence[_Beginning]) -> Found:
        read = max((one.tokens for one in beginnings if one.digest in self._kept), default=0)
        return Found(read, 0, tuple(one.digest for one in beginnings))

    def _by_marks(self, asked: Asked, long_enough: Sequence[_Beginning]) -> Found:
        ends = list(_beginnings(asked, marks=True))
        seen = [
            before
            for place, one in enumerate(ends)
            if one.marked
            for before in ends[max(place - _LOOKED_BACK, 0) : place + 1]
        ]
        read = max((one.tokens for one in seen if one.digest in self._kept), default=0)
        marked = [one for one in long_enough if one.marked]
        last = max((one.tokens for one in marked), default=0)
        return Found(read, max(last - read, 0), tuple(one.digest for one in marked))


def _beginnings(asked: Asked, *, marks: bool) -> Iterator[_Beginning]:
    """The beginnings of a prompt that may be kept: up to the end of each block, or of every whole 128 tokens."""
    body = asked.body
    head = [body.get("model"), body.get("response_format"), asked.given.get("prompt_cache_key")]
    so_far = hashlib.sha256(json.dumps(head, sort_keys=True).encode())
    length = 0
    for role, text, marked in _blocks(body["messages"]):
        so_far.update(f"\n{role}\n".encode())
        for part in [text] if marks else _in_steps(text, length):
            so_far.update(part.encode("utf-8", "surrogatepass"))
            length += len(part)
            if marks or length % _STEP == 0:
                yield _Beginning(so_far.digest(), length // CHARACTERS, marked)


def _in_steps(text: str, before: int) -> Iterator[str]:
    """A text in parts that end where the whole prompt has another 128 tokens."""
    start = 0
    while start < len(text):
        end = start + _STEP - (before + start) % _STEP
        yield text[start:end]
        start = end


def _blocks(messages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, bool]]:
    """The texts of a prompt in order, each with the role where a message begins, and whether it is marked."""
    for message in messages:
        content, role = message.get("content") or "", str(message.get("role"))
        for block in [{"text": content}] if isinstance(content, str) else content:
            yield (
                role,
                str(block.get("text", "")),
                bool({"cache_control", "prompt_cache_breakpoint"} & block.keys()),
            )
            role = ""


def marks_in(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The blocks of a request of Messages that are marked."""
    system = body.get("system")
    contents = [system, *(one.get("content") for one in body.get("messages") or ())]
    return [block for one in contents if isinstance(one, list) for block in one if "cache_control" in block]


def unmarked(body: Mapping[str, Any]) -> dict[str, Any]:
    """A request without what it tells the cache, which changes no reply: its texts in one piece, and no marks."""
    plain = {name: value for name, value in body.items() if name != "cache_control"}
    if "system" in plain:
        plain["system"] = _joined(plain["system"])
    if isinstance(plain.get("messages"), list):
        plain["messages"] = [
            {**one, "content": _joined(one.get("content"))} if isinstance(one, dict) else one
            for one in plain["messages"]
        ]
    return plain


def _joined(content: Any) -> Any:
    """Blocks of text as one text; anything else as it is."""
    texts = isinstance(content, list) and all(
        isinstance(one, dict) and one.get("type") == "text" for one in content
    )
    return "".join(one["text"] for one in content) if texts else content
