"""An endpoint's key and secret headers: one place that never shows them and takes them out of text."""

import base64
import os
import re
from collections.abc import Mapping
from functools import partial
from urllib.parse import quote

from agentdebate.errors import UsageError
from agentdebate.models.key_command import KeyCommand
from agentdebate.models.provider_keys import OPENAI, Provider
from agentdebate.models.secrets import HIDDEN

_SHORTEST = 8
"""A shorter value is a stand-in such as "EMPTY" or "none"; hiding it would tear holes into ordinary text."""
_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)
"""Pattern of a header's name (RFC 9110, Section 5.1)."""
_MASKED = re.compile(r"\bsk-[\w*.-]{6,}|\bAIza[\w*.-]{6,}|[^\s'\"]*\*{3,}[^\s'\"]*")
"""Pattern of a key that an endpoint quotes in part, such as "sk-ab****yz"."""


class Credentials:
    """A key and extra headers. Its repr shows neither.

    `variable` is the name of the environment variable that the key was read from; None where none is. The `provider` says
    which header carries it.
    """

    def __init__(
        self,
        key: str | None,
        variable: str | None,
        headers: Mapping[str, str] | None = None,
        provider: Provider = OPENAI,
        command: KeyCommand | None = None,
    ) -> None:
        self._command = command
        self.variable = f"what {command.name} prints" if command else variable
        self.key_found = bool(key)
        """Tell whether the variable has a key."""
        self._headers = dict(headers or {})
        for name, value in self._headers.items():
            if not _NAME.fullmatch(name):
                raise UsageError(f"{name!r} is not the name of a header")
            _check(value, f"the header {name!r}")
        if key:
            _check(key, f"the key in {variable}")
            carrier = provider.key_header
            self._headers.setdefault(carrier, f"Bearer {key}" if carrier == "Authorization" else key)
        self.any = bool(self._headers) or command is not None
        """Tell whether there is anything to show the endpoint who asks."""
        self._headers = {**provider.headers, **self._headers}
        # The usual keys are hidden where they are not sent too: they may stand in an option all the same.
        usual = [os.environ.get(name, "").strip() for name in {OPENAI.key, provider.key}]
        self._secrets, self._secret_bytes = list[str](), list[bytes]()
        self._learn(key or "", *usual, *(headers or {}).values())

    def __repr__(self) -> str:
        return f"<Credentials from {self.variable}: {'a key' if self.any else 'no key'}>"

    @classmethod
    def from_environment(
        cls,
        variable: str | None,
        headers: Mapping[str, str] | None = None,
        provider: Provider = OPENAI,
        command: KeyCommand | None = None,
    ) -> "Credentials":
        """Read the key from an environment variable; none where it is unset or empty. Raises UsageError."""
        key = os.environ.get(variable, "").strip() if variable else ""
        return cls(key or None, variable, headers, provider, command)

    def headers(self) -> dict[str, str]:
        """The headers of a request, secrets and all."""
        return dict(self._headers)

    async def bearer(self, refused: str = "") -> str:
        """The key that a command prints, a new one in the place of one that was `refused`; empty without a command. Raises AuthenticationError."""
        if self._command is None:
            return ""
        key = await self._command.key(refused)
        if key not in self._secrets:
            self._learn(key)
        return key

    def _learn(self, *texts: str) -> None:
        """Take in what is not to be shown."""
        plain = {text for text in texts if len(text) >= _SHORTEST}
        coded = {way(text) for text in plain for way in (_in_base64, partial(quote, safe=""))}
        self._secrets = sorted({*self._secrets, *plain, *coded}, key=len, reverse=True)
        self._secret_bytes = [secret.encode() for secret in self._secrets]

    def clean(self, body: bytes) -> bytes:
        """The body of an answer without the secrets."""
        for secret in self._secret_bytes:
            if secret in body:
                body = body.replace(secret, HIDDEN.encode())
        return body

    def hide(self, text: str) -> str:
        """The text without the secrets, and without what looks like a masked key."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return _MASKED.sub(HIDDEN, text)


def _in_base64(secret: str) -> str:
    return base64.b64encode(secret.encode()).decode().rstrip("=")


def _check(value: str, what: str) -> None:
    if value == HIDDEN:
        raise UsageError(f"{what} is {HIDDEN}, which stands for what was not written down: say it again")
    if not (value.isascii() and value.isprintable()):
        raise UsageError(f"{what} has characters that no HTTP header can carry; set it to plain ASCII")
