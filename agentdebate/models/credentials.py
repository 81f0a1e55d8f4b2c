"""An endpoint's key and secret headers: one place that never shows them and takes them out of text."""

import base64
import os
import re
from collections.abc import Iterator, Mapping
from functools import partial
from urllib.parse import unquote

from agentdebate.errors import UsageError
from agentdebate.models.provider_keys import OPENAI, Provider
from agentdebate.models.secrets import HIDDEN

_SHORTEST = 8
"""A shorter value is a stand-in such as "EMPTY" or "none"; hiding it would tear holes into ordinary text."""
_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)
"""What the name of a header may be (RFC 9110, Section 5.1)."""
_MASKED = re.compile(r"\bsk-[\w*.-]{6,}|\bAIza[\w*.-]{6,}|[^\s'\"]*\*{3,}[^\s'\"]*")
"""What endpoints leave of a key that they quote, such as "sk-ab****yz"."""


_BASE64 = re.compile(r"(?:[\w+/-]|%[0-9A-Fa-f]{2}){9,}={0,2}", re.ASCII)
"""Text that may hold the shortest secret in base64, in either alphabet, also as an address has it."""


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
    ) -> None:
        self.variable = variable
        self.key_found = bool(key)
        """Whether the variable has a key."""
        self._headers = dict(headers or {})
        for name, value in self._headers.items():
            if not _NAME.fullmatch(name):
                raise UsageError(f"{name!r} is not the name of a header")
            _check(value, f"the header {name!r}")
        if key:
            _check(key, f"the key in {variable}")
            carrier = provider.key_header
            self._headers.setdefault(carrier, f"Bearer {key}" if carrier == "Authorization" else key)
        self.any = bool(self._headers)
        """Whether there is anything to show the endpoint who asks."""
        self._headers = {**provider.headers, **self._headers}
        # The usual keys are hidden where they are not sent too: they may stand in an option all the same.
        usual = [os.environ.get(name, "").strip() for name in {OPENAI.key, provider.key}]
        candidates = [key or "", *usual, *(headers or {}).values()]
        self._secrets = sorted({text for text in candidates if len(text) >= _SHORTEST}, key=len, reverse=True)
        self._secret_bytes = [secret.encode() for secret in self._secrets]
        self._cores = frozenset(core for secret in self._secrets for core in _cores(secret))
        self._core_bytes = [core.encode() for core in self._cores]
        self._percent = re.compile("|".join(map(_percent_encoded, self._secrets)))

    def __repr__(self) -> str:
        return f"<Credentials from {self.variable}: {'a key' if self.any else 'no key'}>"

    @classmethod
    def from_environment(
        cls, variable: str | None, headers: Mapping[str, str] | None = None, provider: Provider = OPENAI
    ) -> "Credentials":
        """Read the key from an environment variable; none where it is unset or empty. Raises UsageError."""
        key = os.environ.get(variable, "").strip() if variable else ""
        return cls(key or None, variable, headers, provider)

    def headers(self) -> dict[str, str]:
        """The headers of a request, secrets and all."""
        return dict(self._headers)

    def clean(self, body: bytes) -> bytes:
        """The body of an answer without the secrets."""
        for secret in self._secret_bytes:
            if secret in body:
                body = body.replace(secret, HIDDEN.encode())
        if self._secrets and (b"%" in body or any(core in body for core in self._core_bytes)):
            return self._without_encoded(body.decode("latin-1")).encode("latin-1")
        return body

    def hide(self, text: str) -> str:
        """The text without the secrets, and without what looks like a masked key."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return _MASKED.sub(HIDDEN, self._without_encoded(text))

    def _without_encoded(self, text: str) -> str:
        """The text without the secrets in base64, alone or within more ("user:key"), and in percent signs."""
        if not self._secrets:
            return text
        if "%" in text:
            text = self._percent.sub(HIDDEN, text)
        return _BASE64.sub(partial(_hidden_in, self._cores), text)


def _cores(secret: str) -> Iterator[str]:
    """What of a secret's base64 is the same whatever stands around it, for each of the three places where it may begin."""
    data = secret.encode()
    for before in range(3):
        first, end = -(-8 * before // 6), 8 * (before + len(data)) // 6
        core = base64.b64encode(bytes(before) + data)[first:end].decode()
        yield from {core, core.translate(str.maketrans("+/", "-_"))}


def _percent_encoded(secret: str) -> str:
    """A pattern for a secret of which any characters are written with percent signs."""
    return "".join(f"(?:{re.escape(one)}|%(?i:{ord(one):02x}))" for one in secret)


def _hidden_in(cores: frozenset[str], found: re.Match[str]) -> str:
    plain = unquote(found[0]) if "%" in found[0] else found[0]
    return HIDDEN if any(core in plain for core in cores) else found[0]


def _check(value: str, what: str) -> None:
    if value == HIDDEN:
        raise UsageError(f"{what} is {HIDDEN}, which stands for what was not written down: say it again")
    if not (value.isascii() and value.isprintable()):
        raise UsageError(f"{what} has characters that no HTTP header can carry; set it to plain ASCII")
