"""Text from elsewhere as it may be shown: what could steer a terminal, or turn the direction of a line, is escaped."""

import re

_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters but line ends and tabs, the marks of direction, other line ends, and half characters."""


def visible(text: str) -> str:
    """The text with every character that could steer a terminal as an escape of its code in hexadecimal.

    Line ends and tabs stay: where a text has to be one line, its spaces are joined first.
    """
    return _STEERING.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"  # noqa: PLR2004 - the range of \xNN
