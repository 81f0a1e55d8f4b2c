"""Replies that decline to do what was asked."""

import re

_LONGEST = 1500
"""Characters; a longer reply says something, whatever else it says."""
_CANNOT = r"(?:can't|cannot|can not|won't|will not|am unable to|am not able to|'m unable to|'m not able to|must decline to)"
_DO = "assist|help|provide|comply|rate|score|evaluate|judge|fulfill?|complete|engage|continue|answer|assess|give|offer|create|discuss|respond|review"
_DECLINES = re.compile(
    rf"\bi ?{_CANNOT} (?:[a-z]+ )?(?:{_DO})\b"
    r"|\bas an? (?:ai|artificial|large language|language)\b.{0,80}\b(?:unable|can't|cannot|not able|don't|do not)\b"
    rf"|\b(?:i'm|i am) (?:sorry|afraid)\b.{{0,40}}\b(?:{_CANNOT}|can't|not)\b"
    r"|\bi apologi[sz]e\b.{0,40}\b(?:can't|cannot|unable|not able)\b",
    re.DOTALL | re.IGNORECASE,
)


def declines(said: str) -> bool:
    """Tell a short plain reply that declines ("I'm sorry, but I can't ...")."""
    return len(said) <= _LONGEST and _DECLINES.search(said) is not None
