"""Chat completions as a fault server speaks them.

Inside, everything is a chat completion. A subclass reads the requests of another protocol as one, and writes replies in it.
"""

from collections.abc import Mapping
from typing import Any

from agentdebate.testing.chat import Asked


class Speech:
    """The protocol of a fault server."""

    def read(self, raw: bytes, headers: Mapping[str, str], model: str) -> Asked:  # noqa: ARG002 - for subclasses
        """The request in a body; `model` is the one that the path names. Raises BadRequest."""
        return Asked.read(raw)

    def reply(self, completion: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON of a reply, from a chat completion."""
        return dict(completion)

    def error(self, status: int, message: str, kind: str) -> dict[str, Any]:  # noqa: ARG002 - for subclasses
        """The JSON of an error."""
        return {"error": {"message": message, "type": kind, "param": None, "code": None}}

    def wait(self, seconds: float, error: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
        """The headers and the body of a refusal that asks for a wait of so many seconds."""
        return {"retry-after": f"{seconds:g}"}, dict(error)

    def call(self, id: str) -> dict[str, str]:
        """The headers that name a call."""
        return {"x-request-id": id}


CHAT = Speech()
"""Chat completions."""
