"""How a fault server speaks: chat completions, or another protocol that its requests are read in and its answers written in.

Inside, everything is a chat completion: requests are read as one, and replies are made from one.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from agentdebate.testing.chat import Asked
from agentdebate.testing.limits import Limits


class Speech(Protocol):
    """One protocol of a fault server."""

    @property
    def text_key(self) -> str:
        """The key under which the text of a reply stands, for faults in its middle."""
        ...

    @property
    def marks(self) -> bool:
        """Whether requests mark what a cache is to keep; else it keeps what it likes."""
        ...

    def read(self, raw: bytes, headers: Mapping[str, str], model: str) -> Asked:
        """The request in a body; `model` is the one that the path names. Raises BadRequest, as the protocol's endpoints word it."""
        ...

    def reply(self, completion: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON of a reply, from a chat completion."""
        ...

    def error(self, status: int, message: str, kind: str, code: str | None) -> dict[str, Any]:
        """The JSON of an error, from what chat completions call it."""
        ...

    def wait(self, seconds: float, error: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
        """The headers and the body of a refusal that asks for a wait of so many seconds."""
        ...

    def quota(self, limits: Limits) -> dict[str, str]:
        """The headers that tell of rate limits."""
        ...

    def call(self, id: str) -> dict[str, str]:
        """The headers that name a call."""
        ...


class ChatSpeech:
    """Chat completions as they are."""

    text_key = "content"
    marks = False

    def read(self, raw: bytes, headers: Mapping[str, str], model: str) -> Asked:  # noqa: ARG002 - others look at both
        """The request in a body. Raises BadRequest."""
        return Asked.read(raw)

    def reply(self, completion: Mapping[str, Any]) -> dict[str, Any]:
        """The chat completion as it is."""
        return dict(completion)

    def error(self, status: int, message: str, kind: str, code: str | None) -> dict[str, Any]:  # noqa: ARG002 - others say it
        """An error as OpenAI words it."""
        return {"error": {"message": message, "type": kind, "param": None, "code": code}}

    def wait(self, seconds: float, error: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
        """Seconds in a header."""
        return {"retry-after": f"{seconds:g}"}, dict(error)

    def quota(self, limits: Limits) -> dict[str, str]:
        """The x-ratelimit headers."""
        return limits.headers()

    def call(self, id: str) -> dict[str, str]:
        """The x-request-id header."""
        return {"x-request-id": id}


CHAT = ChatSpeech()
"""Chat completions."""
