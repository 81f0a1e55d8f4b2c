"""What the agents whose cards we know look at; whoever else speaks has an emphasis that goes with the card's name."""

import zlib

_NEUTRAL = frozenset(
    ["scorer", "judge", "grader", "evaluator", "referee", "annotator", "summarizer", "tie-breaker", ""]
)
"""Cards with no viewpoint of their own."""
_LOOKS_AT = {
    "general-public": ("aim", "detail", "layout", "coverage", "lively", "generic", "fullness"),
    "critic": ("variety", "stutter", "marks", "shape", "redundancy", "padding", "ending", "complete"),
    "news-author": ("unsupported", "numbers", "support", "pairs", "knowledge", "concrete", "sums"),
    "psychologist": ("lively", "link", "thread", "generic", "commits", "reference", "cohesion"),
    "scientist": ("sums", "unity", "concrete", "order", "numbers", "support", "knowledge"),
}
"""The features that matter most to a card, after its persona in agents/."""
_KEEN = 1.5


def emphasis(card: str, feature: str) -> float:
    """A factor from 0.5 to 1.5 that is the same wherever the card speaks."""
    if card in _NEUTRAL:
        return 1.0
    if card in _LOOKS_AT:
        return _KEEN if feature in _LOOKS_AT[card] else 1.0
    return 0.5 + zlib.crc32(f"{card}/{feature}".encode("utf-8", "replace")) % 101 / 100


def looks_at(card: str) -> tuple[str, ...]:
    """The features that a card brings up of its own accord."""
    return _LOOKS_AT.get(card, ())
