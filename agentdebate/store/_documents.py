"""The table of documents: of each debate that has ended its talk and its calls, each one text of JSON lines, compressed.

PostgreSQL keeps the talk as text, so that words are looked for in the server. Beside each document stands the CRC-32 of what is
stored: a byte that was changed is damage of that debate alone.
"""

import json
import sys
import zlib
from typing import Any

import sqlalchemy as sa
from pydantic_core import PydanticSerializationError, to_json

from agentdebate.store.schema import METADATA, NUMBER
from agentdebate.store.sqlite_file import LARGEST

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LEVEL = 3

DOCUMENTS = sa.Table(
    "documents",
    METADATA,
    sa.Column("debate", NUMBER, primary_key=True, autoincrement=False, comment="the debate's number"),
    sa.Column("talk_sum", sa.BigInteger, nullable=False, comment="CRC-32 of what is stored of the talk"),
    sa.Column("calls_sum", sa.BigInteger, nullable=False, comment="CRC-32 of what is stored of the calls"),
    sa.Column(
        "talk",
        sa.LargeBinary().with_variant(sa.Text(), "postgresql"),
        nullable=False,
        comment="its messages, a line of JSON each; compressed by zstd in a file",
    ),
    sa.Column(
        "calls",
        sa.LargeBinary,
        nullable=False,
        comment="its model calls with prompts and completions, a line of JSON each, compressed by zstd",
    ),
)


def document_row(debate: int, talk: str, calls: str, dialect: str) -> dict[str, Any]:
    """The row of a debate's documents, as the database keeps them."""
    said: str | bytes = talk if dialect == "postgresql" else packed(talk)
    asked = packed(calls)
    return {
        "debate": debate, "talk_sum": _sum(said), "calls_sum": _sum(asked), "talk": said, "calls": asked
    }  # fmt: skip


def packed(text: str) -> bytes:
    """A text, compressed."""
    return zstd.compress(text.encode(), LEVEL)


def unpacked(value: Any, checksum: int | None = None) -> str:
    """The text of a document as it is stored. Raises ValueError where it is not what was stored, or too large, and TypeError."""
    if checksum is not None and _sum(value) != checksum:
        raise ValueError("its bytes are not those that were stored")
    if isinstance(value, str):
        return value
    reader = zstd.ZstdDecompressor()
    try:
        data = reader.decompress(value, LARGEST)
    except zstd.ZstdError as error:
        raise ValueError(f"it cannot be decompressed: {error}") from error
    if not reader.eof:
        raise ValueError(f"it is cut, or has more than {LARGEST >> 20} MiB")
    return data.decode()


def plain_json(data: Any) -> str:
    """Plain data as JSON without spaces: UTF-8, and escaped where there is half a character, which UTF-8 cannot carry."""
    try:
        return to_json(data).decode()
    except PydanticSerializationError:
        return json.dumps(data, separators=(",", ":"))


def _sum(value: str | bytes) -> int:
    return zlib.crc32(value.encode() if isinstance(value, str) else value)
