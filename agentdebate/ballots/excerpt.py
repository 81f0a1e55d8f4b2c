"""What of a long reply is read: whole lines from its start and its end, so that no reply takes long to read.

A judgement mostly stands at the start or at the end. Nothing is cut within a line, since half a line may say something
else than the whole: a line that is too long is left out.
"""

import re
from dataclasses import dataclass

LONGEST = 32_000
"""Characters of a reply that are read at the most."""
_HALF = LONGEST // 2
_NEAR = 4_000
"""Characters in which the end of a paragraph is looked for before that of a line."""
_GAP = "\n\n# left out\n\n"
"""Stands for what is left out: a heading, which belongs to neither side and ends what the start was about."""
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_LINE_END = re.compile(r"[\n\r\v\f\x85\u2028\u2029]")
_PARAGRAPH_END = re.compile(r"\n[ \t]{0,80}\n")

Ends = tuple[int, int]
"""How many characters at the start and at the end of a reply were read."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The part of a reply that is read as `text`; `ends` is None where that is the whole reply."""

    text: str
    length: int
    ends: Ends | None = None
    start: int = 0
    """Where the reply begins, behind blanks that are passed over."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is read of a reply that says something."""
        return self.ends == (0, 0)

    @property
    def splits_object(self) -> bool:
        """Whether a JSON object may begin in one part and end in another, so that its keys cannot be told."""
        if self.ends is None:
            return False
        head, tail = self.text[: self.ends[0]], self.text[len(self.text) - self.ends[1] :]
        return head.count("{") > head.count("}") or tail.count("}") > tail.count("{")

    @property
    def note(self) -> str:
        """One sentence for a problem, with a blank before it; nothing where the whole reply is read."""
        if self.ends is None:
            return ""
        return (
            f" Of its {self.length} characters I read the first {self.ends[0]} and the last {self.ends[1]}."
        )

    def place(self, offset: int) -> int:
        """Where a place in the excerpt is in the reply."""
        if self.ends is None or offset <= self.ends[0]:
            return self.start + offset
        behind = len(self.text) - offset
        return self.start + (self.ends[0] if behind > self.ends[1] else self.length - behind)


def excerpt(text: str) -> Excerpt:
    """What is read of a reply that comes without the thinking before it. Takes time in proportion to its length."""
    if len(text) <= LONGEST:
        return Excerpt(text, len(text))
    blanks = len(text) - len(text.lstrip())
    text = text.strip()
    if len(text) <= LONGEST:
        return Excerpt(text, len(text), start=blanks)
    head = text[: _head_end(text)]
    start = _tail_start(text)
    # A fence that is open where the end begins is opened there again: what stands in it stays marked.
    fence = "```\n" if sum(1 for _ in _FENCE.finditer(text, 0, start)) % 2 else ""
    tail = text[start:]
    return Excerpt(head + _GAP + fence + tail, len(text), (len(head), len(tail)), blanks)


def _head_end(text: str) -> int:
    """The end of the last paragraph, else of the last line, that is over before the half of what is read is."""
    end = text.rfind("\n\n", _HALF - _NEAR, _HALF)
    return end if end >= 0 else max(text.rfind(mark, 0, _HALF) for mark in "\n\r\v\f\x85\u2028\u2029") + 1


def _tail_start(text: str) -> int:
    """The start of the first paragraph, else of the first line, in the last half; a row of a table is passed over."""
    least = len(text) - _HALF
    paragraph = _PARAGRAPH_END.search(text, least, least + _NEAR)
    if paragraph is not None:
        return paragraph.end()
    for end in _LINE_END.finditer(text, least):
        if "|" not in text[end.end() : end.end() + 1]:
            return end.end()
    return len(text)
