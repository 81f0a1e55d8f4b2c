"""Says in plain words why a connection failed or an answer broke off.

aiohttp, httpx and h11 put their own objects and the bytes that they stumbled over into their errors, as Python writes them. A
reader wants to know what the server did.
"""

import os
import re
import ssl

_CLOSED = "it closed the connection before its answer was whole"
_CLOSED_SAID = re.compile(
    r"\bRawResponseMessage\(|Server disconnected|Not enough data to satisfy|peer closed connection"
)
"""How aiohttp and h11 say that a connection was closed too early."""
_STATUS = re.compile(r"\A\d+, message: ?")
"""What stands in front of what aiohttp's parser says."""
_ERROR = re.compile(r"<\w+: \d+, message=(['\"])(.*?)\1>")
_BYTES = re.compile(r"(?: when reading)?:? ?(?:bytearray\()?\bb(['\"])(.*)\1\)?\.? ?\^?\Z")
"""The bytes at which a parser stopped, which aiohttp's marks with a caret below them."""


def plainly(error: BaseException) -> str:
    """Why a connection or an answer failed, in the operating system's words where it was the cause."""
    cause: BaseException | None = error
    seen: list[BaseException] = []
    while cause is not None and cause not in seen:  # an error raised a second time can lie behind itself
        seen.append(cause)
        if reason := _of_system(cause):
            return reason
        cause = cause.__cause__ or cause.__context__
    return in_plain_words(str(error)) or type(error).__name__


def in_plain_words(said: str) -> str:
    """What an HTTP library says of an answer, on one line, with the bytes that it names as text."""
    if _CLOSED_SAID.search(said):
        return _CLOSED
    line = " ".join(said.split())
    return _BYTES.sub(_quoted, _ERROR.sub(r"\2", _STATUS.sub("", line))).rstrip(".")


def _of_system(error: BaseException) -> str:
    """What the operating system or TLS says, where an error is theirs; else nothing."""
    cause = getattr(error, "certificate_error", None) or getattr(error, "os_error", None) or error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({cause.verify_message})"
    if isinstance(cause, ssl.SSLError):  # its numbers are not the system's
        return f"no TLS there ({cause.reason})"
    if isinstance(cause, OSError) and cause.errno:
        # Addresses that cannot be looked up have numbers of their own, below 0.
        return (os.strerror(cause.errno) if cause.errno > 0 else str(cause.strerror)).lower()
    # aiohttp's own text around it shows its TLS settings as an object.
    return str(cause) if cause is not error else ""


def _quoted(found: re.Match[str]) -> str:
    return f" ({found[2]})" if found[2] else ""
