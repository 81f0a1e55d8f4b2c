"""Text that others wrote, as prompts show it: between fences, and without what would steer a model unseen.

Others are the author of the item, and every model: what an agent said, summed up, planned or wrote of a recruit. A transcript
has each text as it came; what is left out here is left out of prompts alone.
"""

import re
from typing import NamedTuple

from agentdebate.visible import BLANKS, SELECTORS, UNSEEN

_LIKE_TILDES = "\u02dc\u2053\u223c\u223d\u301c\uff5e"
_RUN = re.compile(f"[~{_LIKE_TILDES}]{{3,}}")
_SHORTEST = 4
"""Tildes of a fence."""

_LINE_ENDS = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_AT_WORK = "|".join(
    (
        # A flag of a part of a country: tags behind a black flag.
        "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f",
        # A joiner within a word of a script that is not ASCII, or an emoji.
        f"(?<=[^\\x00-\\x7f{UNSEEN}])[\u200c\u200d](?=[^\\x00-\\x7f{UNSEEN}{SELECTORS}])",
        # One selector behind a character that can be seen: an emoji, a form of an ideograph.
        f"(?<=[^\\s{UNSEEN}{SELECTORS}])[{SELECTORS}]",
        # What fills a syllable of old Korean, parts a word of Mongolian, and words of Braille.
        "\u115f(?=[\u1161-\u11a7])|(?<=[\u1100-\u115e])\u1160",
        "(?<=[\u1820-\u18aa])\u180e(?=[\u1820-\u18aa])|(?<=[\u2801-\u28ff])\u2800(?=[\u2801-\u28ff])",
    )
)
"""Characters that cannot be seen and are a part of what can."""
_TERMINAL = "\x1b\\[[0-?]{0,40}[ -/]{0,4}[@-~]"
"""A terminal's colour or movement, as a whole."""
_HIDDEN = re.compile(f"({_AT_WORK})|{_TERMINAL}|[{UNSEEN}{SELECTORS}]")
_SAID_TO_PRINT = re.compile(f"[\u034f\u17b4\u17b5{BLANKS}{SELECTORS}]")
"""Unseen characters that Unicode, and so `str.isprintable`, counts among what can be printed."""

_CHAT_MARK = re.compile(
    r"[<\[](?=[|\uff5c][^<>\s]{1,60}>|[^<>|\s]{1,60}\|>|/?s>|[be]os>|(?:start|end)_of_turn>|/?SYS>|/?INST\]|/?SYSTEM_PROMPT\])"
)
"""Beginning of a mark by which some models' templates part a chat: a server may take it for one wherever it stands."""


class FencedText(NamedTuple):
    """A text with its title and a fence longer than any run of the same mark inside it, or without one.

    Templates unpack it, or name its parts.
    """

    title: str
    text: str
    fence: str

    @property
    def block(self) -> str:
        """The text between its fences."""
        return f"{self.fence}\n{self.text}\n{self.fence}".strip("\n")


def fenced(title: str, text: str, *, fences: bool = True) -> FencedText:
    """A text between lines of tildes that cannot occur in it, so that its end is where we say it is; bare without `fences`."""
    shown = legible(text).strip("\n")
    if not fences:
        return FencedText(title, shown, "")
    longest = max(map(len, _RUN.findall(shown)), default=_SHORTEST - 1)
    return FencedText(title, shown, "~" * (longest + 1))


def legible(text: str) -> str:
    """The text as a person sees it on a page: without characters that cannot be seen, and with marks that part a chat broken up.

    Characters that cannot be seen stay where they are at work: joiners within words and emoji, selectors behind what they
    select, the tags of a flag.
    """
    flat = text.replace("\n", "")
    if not flat.isprintable() or not (flat.isascii() or _SAID_TO_PRINT.search(flat) is None):
        text = _HIDDEN.sub(_kept, _LINE_ENDS.sub("\n", text))
    return _CHAT_MARK.sub(r"\g<0> ", text) if "<" in text or "[" in text else text


def line(text: str) -> str:
    """The text as a person sees it, in one line."""
    return " ".join(legible(text).split())


def _kept(found: re.Match[str]) -> str:
    return found[1] or ""
