"""Bodies that come compressed: inflated as they come, and never further than there is room for."""

import zlib

_KNOWN = frozenset({"gzip", "x-gzip", "deflate"})
_REFUSED = frozenset({"br", "zstd", "compress", "x-compress"})
"""Compressions that we never ask for, and do not read."""
_GZIP = 16 + zlib.MAX_WBITS
_HEAD = 2
"""The bytes that tell a zlib stream from a bare one."""


class BadCompression(ValueError):
    """A body is not compressed as its headers say, or in a way that was not asked for."""


class Plain:
    """A body that is not compressed."""

    def feed(self, part: bytes, room: int) -> bytes:
        """The part itself, or as much of it as there is room for."""
        return part[:room]

    def end(self) -> None:
        """There is nothing that could be missing."""


class Inflater:
    """Inflates a body part by part, gzip or deflate. Several gzip members behind one another are one body."""

    def __init__(self, encoding: str) -> None:
        self._gzip = encoding != "deflate"
        self._head, self._begun = b"", False
        self._stream = zlib.decompressobj(_GZIP) if self._gzip else None

    def feed(self, part: bytes, room: int) -> bytes:
        """At most `room` bytes of what the part holds; the rest of it is dropped. Raises BadCompression."""
        self._begun = True
        if self._stream is None:
            self._head, part = b"", self._head + part
            if len(part) < _HEAD:
                self._head = part
                return b""
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if _is_zlib(part) else -zlib.MAX_WBITS)
        try:
            return self._inflated(self._stream, part, room)
        except zlib.error as error:
            raise BadCompression(f"it cannot be unpacked ({error})") from error

    def end(self) -> None:
        """Raise BadCompression where the body ended before the compressed data did. An empty body has none."""
        if self._begun and (self._stream is None or not self._stream.eof):
            raise BadCompression("the compressed data breaks off")

    def _inflated(self, stream: "zlib._Decompress", part: bytes, room: int) -> bytes:
        inflated = stream.decompress(part, max(room, 1))
        while stream.eof and stream.unused_data and self._gzip and len(inflated) < room:
            rest = stream.unused_data
            stream = self._stream = zlib.decompressobj(_GZIP)
            inflated += stream.decompress(rest, room - len(inflated))
        return inflated[:room]


def inflater(encoding: str) -> Plain | Inflater:
    """What reads bodies of a Content-Encoding. Raises BadCompression for one that was not asked for."""
    name = encoding.strip().lower()
    if name in _KNOWN:
        return Inflater(name)
    if _REFUSED & {one.strip() for one in name.split(",")} or "," in name:
        raise BadCompression(f"it is compressed by {name[:40]!r}, which was not asked for")
    return Plain()  # "identity"; and what is no compression, such as "utf-8", changes nothing


def _is_zlib(head: bytes) -> bool:
    """Whether a deflated body has zlib's header; some servers leave it out (RFC 9110, Section 8.4.1.2)."""
    return head[0] & 0x0F == zlib.DEFLATED and int.from_bytes(head[:2]) % 31 == 0
