"""Replies that decline to do what was asked."""

import re

from agentdebate.ballots.fold import fold
from agentdebate.ballots.pattern import pattern

_LONGEST = 1500
"""Characters; a longer reply says something, whatever else it says."""

_CANNOT = r"(?:can't|cannot|can not|won't|will not|am unable to|am not able to|'m unable to|'m not able to|must decline to)"
_DO = (
    "assist|help|provide|comply|rate|score|evaluate|judge|fulfil|fulfill|complete|engage|continue|answer|assess|give|"
    "offer|participate|support|create|generate|discuss|respond|review|do (?:this|that)"
)
_PATTERNS = pattern(
    # At most an adverb between: "I will not change my score" declines nothing.
    rf"\bi(?: |(?='m)){_CANNOT} (?:[a-z]+ )?(?:{_DO})\b"
    r"|\bas an? (?:ai|artificial|large language|language)\b.{0,80}\b(?:unable|can't|cannot|not able|don't|do not)\b"
    rf"|\b(?:i'm|i am) (?:sorry|afraid)\b.{{0,40}}\b(?:{_CANNOT}|can't|not)\b"
    r"|\bi (?:apologi[sz]e)\b.{0,40}\b(?:can't|cannot|unable|not able)\b"
    rf"|\bi (?:must |have to |will )?(?:decline|refuse) to (?:{_DO})\b"
    r"|\b(?:unable|not able) to (?:assist|comply|fulfil|help|rate|score|evaluate|provide)\b",
    re.DOTALL,
)
_NEGATIVE = ("not", "n't", "unable", "declin", "refuse")
_ABOUT = pattern(r"i(?<!\wi)\b|as an? |able to ")
"""Each pattern needs one of both, which is much quicker to tell than whether it matches."""
_ABROAD = pattern(
    r"\W*(?:(?:lo siento|es tut mir leid|je suis desole|mi dispiace|sinto muito)\b|对不起|抱歉|很抱歉|申し訳|すみません|죄송)"
)
"""How a reply begins that declines in another language."""
_QUOTED = pattern(r"“[^“”\n]*”|(?<!\w)\"(?=\S)[^\"\n]*\"")
"""Somebody else's words. Quoted lines of their own end at the line, so that a stray mark takes no more with it."""


def declines(text: str) -> bool:
    """Whether a short reply declines ("I'm sorry, but I can't ...", "As an AI, I am unable to ...").

    What it quotes it does not say itself, unless all of it stands in quotation marks.
    """
    if len(text) > _LONGEST:
        return False
    own = _QUOTED.sub(" ", text) if '"' in text or "“" in text else text
    said = fold(own if any(map(str.isalnum, own)) else text).lower()
    return _ABROAD.match(said) is not None or _declines_here(said)


def _declines_here(said: str) -> bool:
    if not any(map(said.__contains__, _NEGATIVE)) or _ABOUT.search(said) is None:
        return False
    return _PATTERNS.search(said) is not None
