"""The documents of a debate, and its lines before they are in them: `{"kind": ..., "body": ...}` a line, compressed and summed.

The kind of a message is looked up in the registry of messages, and one that is not known here is kept as data; a model call has the kind
"call" of its own.
"""

import sys
import zlib
from collections.abc import Mapping
from typing import Any

from agentdebate.codec import json_text, plain_json
from agentdebate.models.base import Call, Completion
from agentdebate.store.schema import LARGEST
from agentdebate.talk.envelope import body_of

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_OPTIONS: Mapping[int, int] = {
    zstd.CompressionParameter.compression_level: 3,
    zstd.CompressionParameter.checksum_flag: 1,
}

LONG = 4096
"""Bytes from which on a line is compressed, and an item is what the documents of its debates are compressed against."""

CALL = "call"
_SUM = 4
"""Bytes of a checksum."""


def checksum(value: str | bytes) -> int:
    """The CRC-32 of what is stored."""
    return zlib.crc32(value.encode() if isinstance(value, str) else value)


def packed(text: str, dictionary: zstd.ZstdDict | None = None) -> bytes:
    """A text, compressed."""
    return zstd.compress(text.encode(), options=_OPTIONS, zstd_dict=dictionary)


def unpacked(value: Any, stored: int | None = None, item: bytes | None = None) -> str:
    """The text of a document as it is stored. Raises ValueError where it is not what was stored, or too large, and TypeError."""
    if stored is not None and checksum(value) != stored:
        raise ValueError("its bytes are not those that were stored")
    if isinstance(value, str):
        return value
    reader = zstd.ZstdDecompressor(zstd_dict=_dictionary(item))
    try:
        data = reader.decompress(value, LARGEST)
    except zstd.ZstdError as error:
        raise ValueError(f"it cannot be decompressed: {error}") from error
    if not reader.eof:
        raise ValueError(f"it is cut, or has more than {LARGEST >> 20} MiB")
    return data.decode()


def _dictionary(item: bytes | None) -> zstd.ZstdDict | None:
    """The text of a long item, which what is said about it repeats."""
    return zstd.ZstdDict(unpacked(item).encode(), is_raw=True) if item and len(item) >= LONG else None


def document_row(talk: str, calls: str, dialect: str, item: bytes | None = None) -> dict[str, Any]:
    """The row of a debate's documents, as the database keeps them, beside the debate's `item` as it keeps that."""
    try:
        dictionary = _dictionary(item)
    except ValueError:  # the item is damaged, and its debate need not be
        dictionary = None
    said: str | bytes = talk if dialect == "postgresql" else packed(talk, dictionary)
    asked = packed(calls, dictionary)
    return {"talk_sum": checksum(said), "calls_sum": checksum(asked), "talk": said, "calls": asked}


def count_lines(text: str) -> int:
    """Number of lines in the text of a document."""
    return text.count("\n") + 1 if text else 0


def line_row(debate: str, place: int, text: str, *, call: bool) -> dict[str, Any]:
    """The row of a line in flight, or of several that follow each other."""
    entry = text.encode()
    if len(entry) >= LONG:
        entry = packed(text)
    entry += checksum(entry).to_bytes(_SUM, "big")
    return {"debate": debate, "call": call, "place": place, "entry": entry}


def line_in(entry: bytes) -> str:
    """The text of a row in flight. Raises ValueError and TypeError for anything else."""
    text, stored = entry[:-_SUM], int.from_bytes(entry[-_SUM:], "big")
    if checksum(text) != stored:
        raise ValueError("its bytes are not those that were stored")
    return text.decode() if text[:1] == b"{" else unpacked(text)


def call_line(number: int, call: Call, key: str) -> str:
    """A model call as a line of JSON, by its number in the debate and the digest of its request."""
    request, sampling = call.request, call.request.sampling
    body = {
        "number": number,
        **{name: getattr(call, name) for name in ("agent", "round", "ask", "attempt", "shown")},
        "key": key,
        "sampling": sampling.model_dump(mode="json", exclude_defaults=True)
        if sampling.model_fields_set
        else {},
        "schema": request.schema is not None,
        "sample": request.sample,
        "prompt": [
            {"role": one.role, "content": one.content} for one in request.messages if one.role != "system"
        ],
    }
    return f'{{"kind":"{CALL}","body":{plain_json(body)[:-1].decode()},"completion":{completion_json(call.completion)}}}}}'


def completion_json(completion: Completion) -> str:
    """A completion as JSON, without the fields that have their defaults."""
    return json_text(completion, defaults=False)


def call_in(line: str) -> dict[str, Any]:
    """The fields of the call in a line. Raises ValueError and TypeError for anything else."""
    kind, body = body_of(line)
    if kind != CALL:
        raise ValueError(f"there is a {kind!r:.80} where a call was written")
    return body
