"""Confidence of an agent in its judgement: as a line or a key of its reply says, and by the log-probabilities of its tokens (DRPE, Equation 3)."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from agentdebate.ballots.ballot import Confidence
from agentdebate.ballots.json_objects import objects
from agentdebate.ballots.plain import plain

KEY = "confidence"
"""The key in JSON; in text the line begins with it."""

_LINE = re.compile(
    r"[^\w\n]*(?:(?:my|the|final|overall)\s+)*confidence(?:\s*\([^()\n]{0,60}\))?\s*[:=]\s*(.*)",
    re.IGNORECASE,
)
_VALUE = re.compile(r"[\[(\s]*([0-9]{1,3}(?:\.[0-9]{1,9})?)[\])\s]*(%|percent|/\s*100|out of 100)?[\])\s.]*")
_HUNDRED = 100.0
_LONGEST = 200
"""Characters of a line that says how sure somebody is."""


@dataclass(frozen=True, slots=True)
class StatedConfidence:
    """A reply without its line of confidence, and what that said; where it says nothing that can be told, why not."""

    rest: str
    confidence: Confidence | None
    problem: str = ""


def stated_confidence(text: str) -> StatedConfidence:
    """Take a reply apart. It says a number from 0 to 100, with or without a sign of percent, or a share such as 0.8.

    A bare 1 may be a hundredth or all of it, so it is neither; numbers that differ say nothing.
    """
    lines = text.split("\n")
    hits = [_stated(line) for line in lines]
    kept = [line for line, hit in zip(lines, hits, strict=True) if hit is None]
    stated = [hit[1] for hit in hits if hit is not None]
    stated = stated or [str(value) for found, _, _ in objects(text) for key, value in found if key == KEY]
    values = {_share(one) for one in stated}
    rest = "\n".join(kept) if len(kept) < len(lines) else text
    if not values:
        return StatedConfidence(rest, None, "I found no line in the reply that begins with Confidence:")
    value = values.pop()
    if values:
        return StatedConfidence(
            rest, None, "I found several confidences, and cannot tell which one is meant."
        )
    if value is None:
        said = stated[0].strip()[:60]
        problem = f'I cannot tell how sure "{said}" is; give a number from 0 to 100 with % behind it.'
        return StatedConfidence(rest, None, problem)
    return StatedConfidence(rest, Confidence(value=value, source="asked"))


def _stated(line: str) -> re.Match[str] | None:
    """A line that says how sure somebody is."""
    if len(line) > _LONGEST or KEY not in line.lower():
        return None
    return _LINE.fullmatch(plain(line).strip())


def _share(said: str) -> float | None:
    """A number as a share of 1; None where it is none, or may be one of two."""
    found = _VALUE.fullmatch(said)
    if found is None:
        return None
    number, unit = float(found[1]), found[2]
    if unit:
        return number / _HUNDRED if number <= _HUNDRED else None
    if "." in found[1] and number <= 1:
        return number
    if number == 1 or number > _HUNDRED:
        return None
    return number / _HUNDRED


def confidence(
    tokens: Sequence[tuple[str, float]], text: str, parts: Sequence[tuple[int, int]]
) -> float | None:
    """The exponential of the mean log-probability (natural) of the tokens that overlap parts of `text`; each token counts once.

    The text may be the end of what the tokens say, and may have lost blanks or a fence at its ends; special ones are passed
    over. A token that straddles an edge counts. None where tokens and text do not go together, or one part has no token.
    """
    bounds = [(max(start, 0), min(end, len(text))) for start, end in parts]
    if not bounds or any(start >= end for start, end in bounds):
        return None
    found_at = places([token for token, _ in tokens], text)
    if found_at is None:
        return None
    found: dict[int, float] = {}
    for start, end in bounds:
        first, last = len(encoded(text[:start])), len(encoded(text[:end]))
        here = {
            at: logprob
            for at, ((_, logprob), (low, high)) in enumerate(zip(tokens, found_at, strict=True))
            if low < high and low < last and high > first
        }
        if not here:
            return None
        found |= here
    if any(math.isnan(logprob) for logprob in found.values()):
        return None
    # Above 0 lies only what rounding made of a certainty.
    return math.exp(sum(min(logprob, 0.0) for logprob in found.values()) / len(found))


_SPECIAL = re.compile(
    r"<[|｜][^<>]{0,60}[|｜]>|</?s>|<(?:eos|bos|pad|unk|start_of_turn|end_of_turn|end_of_utterance)>|\[/?INST\]|"
)
"""Tokens that end or frame a reply and are not part of its text; and tokens that are empty."""
_BYTES = re.compile(r"bytes:((?:\\x[0-9a-fA-F]{2})+)|<0x([0-9A-Fa-f]{2})>")
_UNKNOWN = "\ufffd"
"""Mark for a part of a character."""
_MOST_BYTES = 3
"""Bytes that one such mark stands for at most: a whole character of four would have been shown."""
_FIRST_PART = 0x80
"""Bytes from here on are parts of characters."""
_CONTINUES = (0x80, 0xBF)
"""Bytes in this range go on with a character."""
_CLOSING = "` \n"
"""Ends of a fence, which llama.cpp takes off a reply and not off its tokens."""
_LOOK = 64
"""Bytes before a character in parts that have to agree for its length to be settled."""


def places(tokens: Sequence[str], text: str) -> list[tuple[int, int]] | None:
    """Find the place of each token in the text's bytes; an empty place for a token that does not. None if they differ.

    Read from the end, since what was cut off stood before the text.
    """
    data = encoded(text)
    walk = _Walk(data, len(data), [(0, 0)] * len(tokens))
    for at in range(len(tokens) - 1, -1, -1):
        if walk.end == 0:
            break
        if not walk.take(tokens, at):
            return None
    return walk.places if walk.settle(b"") and not data[: walk.end].strip() else None


@dataclass(slots=True)
class _Walk:
    """Goes backwards through the bytes of a text; `end` is where what is still to be found ends.

    `parts` holds the tokens whose parts of characters stand before `end`, once for each, from right to left.
    """

    data: bytes
    end: int
    places: list[tuple[int, int]]
    parts: list[int] = field(default_factory=list)

    def take(self, tokens: Sequence[str], at: int) -> bool:
        """Find the place of a token; False where the text does not have it."""
        token = tokens[at]
        if not self.parts and self._whole(token, at):
            return True
        if _SPECIAL.fullmatch(token):
            return True
        if self.end == len(self.data) and not self.parts:
            token = token.rstrip()
        pieces = token.split(_UNKNOWN)
        for k in range(len(pieces) - 1, -1, -1):
            known = _known(pieces[k])
            before = b"" if k else _before(tokens, at)
            if known and not (self.settle(known if k else before + known) and self._literal(known, at)):
                return False
            if k:
                self.parts.append(at)
        return True

    def settle(self, before: bytes) -> bool:
        """Find how many bytes the parts of characters stand for; `before` are bytes that stand before them."""
        count = len(self.parts)
        if not count:
            return True
        for length in range(1, min(count * _MOST_BYTES, self.end) + 1):
            low = self.end - length
            if self.data[low] < _FIRST_PART:
                return False
            if self._fits(length, before[-_LOOK:]):
                for k, token in enumerate(self.parts):
                    one = (self.end - k - 1, self.end - k) if length == count else (low, self.end)
                    self._place(token, *one)
                self.end = low
                self.parts.clear()
                return True
        return False

    def _fits(self, length: int, before: bytes) -> bool:
        low = self.end - length
        rest = self.data[max(low - len(before), 0) : low]
        if low < len(before):
            return before.endswith(rest)  # the text begins within what stands before
        whole = not _CONTINUES[0] <= self.data[low] <= _CONTINUES[1] or before[-1:] >= b"\x80"
        return length >= len(self.parts) and whole and rest == before and (bool(before) or low == 0)

    def _whole(self, token: str, at: int) -> bool:
        """Take a token that stands in the text as it is; blanks and ends of fences may have been stripped off."""
        own = [encoded(token)]
        if _BYTES.fullmatch(token):
            own.append(_known(token))
        if any(self._literal(one, at, cut=_UNKNOWN not in token) for one in own):
            return True
        bare = (one for one in (token.rstrip(), token.rstrip(_CLOSING)) if one != token)
        return self.end == len(self.data) and any(not one or self._literal(encoded(one), at) for one in bare)

    def _literal(self, known: bytes, at: int, *, cut: bool = True) -> bool:
        """Take bytes that stand here; of the first token of a text that was cut, its end."""
        if self._ends_in(known):
            self._place(at, self.end - len(known), self.end)
            self.end -= len(known)
            return True
        if cut and self.end < len(known) and known.endswith(self.data[: self.end]):
            self._place(at, 0, self.end)
            self.end = 0
            return True
        return False

    def _ends_in(self, known: bytes) -> bool:
        low = self.end - len(known)
        return low >= 0 and self.data[low : self.end] == known

    def _place(self, token: int, low: int, high: int) -> None:
        before = self.places[token]
        self.places[token] = (low, max(high, before[1])) if before[1] else (low, high)


def _before(tokens: Sequence[str], at: int) -> bytes:
    """Up to a few dozen bytes that the tokens before one say, back to the next part of a character."""
    found = b""
    for k in range(at - 1, -1, -1):
        token = tokens[k]
        if _SPECIAL.fullmatch(token):
            continue
        *parts, tail = token.split(_UNKNOWN)
        found = _known(tail) + found
        if parts or len(found) >= _LOOK:
            break
    return found


def _known(token: str) -> bytes:
    """The bytes of a token, also where a server shows them as escapes."""
    shown = _BYTES.fullmatch(token)
    if shown is None:
        return encoded(token)
    return bytes.fromhex(shown[2] or shown[1].replace("\\x", ""))


def encoded(text: str) -> bytes:
    """A text as the bytes in which places are counted."""
    return text.encode("utf-8", "surrogatepass")
