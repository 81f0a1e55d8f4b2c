"""What the agents whose cards we know look at; whoever else speaks has an emphasis that goes with the card's name.

Roles that have no card are known by their description: what it says that a reader wants decides what the reader looks at.
"""

import re
import zlib

_NEUTRAL = frozenset(
    [
        "scorer",
        "judge",
        "grader",
        "evaluator",
        "referee",
        "annotator",
        "summarizer",
        "tie-breaker",
        "ensemble",
        "recruiter",
        "fusion-judge",
        "form-filler",
        "planner",
        "step-writer",
        "",
    ]
)
"""Cards with no viewpoint of their own."""
_PUBLIC = ("aim", "detail", "layout", "coverage", "lively", "generic", "fullness")
_CRITIC = ("variety", "stutter", "marks", "shape", "redundancy", "padding", "ending", "complete")
_AUTHOR = ("unsupported", "numbers", "support", "pairs", "knowledge", "concrete", "sums")
_LOOKS_AT = {
    "general-public": _PUBLIC,
    "public-reader": _PUBLIC,
    "reviewer": _CRITIC,
    "style-critic": _CRITIC,
    "news-author": _AUTHOR,
    "news-writer": _AUTHOR,
    "psychologist": ("lively", "link", "thread", "generic", "commits", "reference", "cohesion"),
    "scientist": ("sums", "unity", "concrete", "order", "numbers", "support", "knowledge"),
}
"""The features that matter most to a card, after its persona in agents/."""
_KEEN = 1.5


_WISHES = (
    (
        r"fluen|wording|gramma|well.written|writing|style|spelling|punctuation|language",
        "stutter marks shape ending case redundancy",
    ),
    (
        r"consisten|agrees with|facts?\b|factual|true\b|truth|accura|faithful|the source|original|evidence|check|verif|correct",
        "support unsupported pairs knowledge sums unity",
    ),
    (r"figures?\b|numbers?\b|dates?\b|statistics|names?\b|exact", "numbers copied unsupported concrete sums"),
    (
        r"interest|updates?\b|what happened|what is new|opportunit|investigat|follow(?:s|ing)? the",
        "coverage focus aim link lively",
    ),
    (r"key points?|main points?|main facts|important|relevan|essential", "coverage focus aim commits thread"),
    (
        r"short\b|brief|busy|little time|concise|glance|hurry|quick",
        "length focus padding fullness redundancy",
    ),
    (
        r"detail|depth|thorough|background|know more|learn|comprehensive|complete|whole story|curious|analys",
        "coverage length detail concrete knowledge",
    ),
    (
        r"easy|understand|plain|simple|clear|explain|newcomer|beginner|layman|layperson",
        "reference shape order cohesion layout generic",
    ),
    (
        r"in order|their order|right order|logic|structur|coheren|flows?\b|organi[sz]ed",
        "order cohesion redundancy layout unity link",
    ),
    (
        r"lively|entertain|gossip|excit|engag|vivid|emotion|about people|humou?r",
        "variety lively generic cohesion",
    ),
)
"""Words in which a role says what it wants of a text, and the features that show it."""
_CUES = re.compile("|".join(rf"\b({cue})" for cue, _ in _WISHES))
_FEATURES = tuple(tuple(features.split()) for _, features in _WISHES)


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


def is_known(card: str) -> bool:
    """Whether a card has a viewpoint that is known here, or none of its own."""
    return card in _NEUTRAL or card in _LOOKS_AT


def wishes(words: str) -> tuple[tuple[str, ...], ...]:
    """What the words of a role say that it wants: the features of each of its wishes."""
    found = {match.lastindex for match in _CUES.finditer(words.lower())}
    return tuple(features for group, features in enumerate(_FEATURES, 1) if group in found)
