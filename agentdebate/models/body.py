"""The body of an answer, read as far as there is room for it."""

from agentdebate.models.carrier import Arriving
from agentdebate.models.compression import inflater

_SLACK = 65_536
"""Bytes that a compressed body may have beyond what it may hold."""


class Body:
    """Reads at most `most` bytes, inflated. `got` are those that came so far, and `whole` whether there are no more.

    Raises BadCompression, and what its carrier raises.
    """

    def __init__(self, arriving: Arriving, most: int) -> None:
        self._arriving, self._most = arriving, most
        self.got, self.whole = 0, False

    @property
    def told(self) -> int:
        """The bytes that the answer says it has, compressed as it is; 0 where it does not say."""
        length = self._arriving.headers.get("content-length", "")
        return int(length) if length.isascii() and length.isdigit() and len(length) < 19 else 0  # noqa: PLR2004 - digits

    async def read(self) -> bytes:
        """What there is of it, up to the most."""
        data, came = bytearray(), 0
        reader = inflater(self._arriving.encoding)
        try:
            async for part in self._arriving.parts:
                data += reader.feed(part, self._most + 1 - len(data))
                self.got, came = len(data), came + len(part)
                if self.got > self._most or came > self._most + _SLACK:  # which inflates to next to nothing
                    return bytes(data[: self._most])
            reader.end()
            self.whole = True
            return bytes(data)
        finally:
            data.clear()  # an error's traceback holds on to this frame, and errors are kept
