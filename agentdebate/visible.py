"""Characters that steer a screen or hide in a text: shown as escapes, and not counted as text."""

import re

BLANKS = "\u115f\u1160\u180e\u2800\u3164\uffa0"
"""Blanks that Unicode does not count among its blanks: fillers of Hangul, Mongolian's separator, Braille without dots."""
SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Selectors for the form of the character before them, as ranges of a pattern."""
UNSEEN = (
    "\x00-\x08\x0e-\x1b\x1f\x7f-\x9f\xad\u034f\u061c\u17b4\u17b5\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff"
    f"\ufeff\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff{BLANKS}"
)
"""Control characters, marks of direction, blanks of no width or none that a program strips, tags, and halves of characters, likewise."""
HIDDEN = re.compile(
    f"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f{BLANKS}]"
)
"""Control characters, the marks that turn the direction of what follows, line ends that do not look like one, half
characters, byte order marks, tags, two that XML cannot have, and blanks that look like an empty text.
"""
_SEEN = re.compile(f"[^\\s{UNSEEN}{SELECTORS}]")
_BREAKS = re.compile(f"(?![\n\t]){HIDDEN.pattern}")
_BLANKS = re.compile(r"(?:\r\n|[ \n\t])+")
_FLOOD = 10_000
"""Characters of a line before it is cut."""
_BYTE, _SHORT = 0xFF, 0xFFFF

LONGEST_REPR = 150
"""Characters of a `repr` beside the name of its class."""


def visible(text: str, *, lines: bool = False) -> str:
    r"""The text with what steers a screen as escapes, \xNN, \uNNNN or \UNNNNNNNN, and everything else as it is.

    With `lines`, line ends and tabs stay, and a carriage return before a line end goes.
    """
    if text.isascii() and text.isprintable():
        return text
    if lines:
        return _BREAKS.sub(_escape, text.replace("\r\n", "\n"))
    return HIDDEN.sub(_escape, text)


def is_blank(text: str) -> bool:
    """Decide whether a text has nothing that a person could see."""
    return not text.strip() or _SEEN.search(text) is None


def shortened(text: str, most: int) -> str:
    """The text as `visible` has it, in no more than so many characters; what is left out is an ellipsis."""
    shown = visible(text[: most + 1])
    return shown if len(shown) <= most else f"{shown[: most - 1]}\N{HORIZONTAL ELLIPSIS}"


def one_line(text: str) -> str:
    """The text on one line, with blanks in the place of line ends and tabs, and cut where it would flood a screen."""
    return shortened(_BLANKS.sub(" ", text).strip(" "), _FLOOD)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code <= _BYTE:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= _SHORT else f"\\U{code:08x}"
