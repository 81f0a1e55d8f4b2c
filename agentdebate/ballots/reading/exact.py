"""Replies in exactly the form that was asked for: reasons, then a line an aspect, or the JSON of the schema.

Most replies are such, and a pattern that is compiled once for each set of aspects reads them at once. It takes only replies
in which nothing else can be a judgement: the reasons hold no digit, no number word and no mark that opens a label, a
quotation or markup. What the full grammar would read otherwise is left to it.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter

from agentdebate.ballots.ballot import Ballot, Rating, Reading
from agentdebate.ballots.numbers import NUMBER_WORDS
from agentdebate.ballots.reading.disregard import TELLING
from agentdebate.frozen import made
from agentdebate.tasks import Aspect, Scale

_BRACE = 10
"""Characters at the start of a reply in which its JSON begins."""
_LONGEST = 4_000
"""Characters; what is longer is read in full."""
_NUMBER = r"[ \t]*+([0-9]{1,3}+(?:[.][0-9]{1,3}+)?+)"
_REASON = r"(?:Reasons?:[ ]?)?+([A-Za-z ,.;!'()\n-]*+)"
_STRING = r'"([^"\\\x00-\x1f\x7f-\U0010ffff]*+)"'
_SAYING = frozenset(NUMBER_WORDS) | {"final", "half"}
_WORD = re.compile(r"[a-z]+")

_FORM = Reading(how="text", rule="exact")
_JSON = Reading(how="text", rule="json")
_SCHEMA = Reading(how="schema", rule="json")

_key = attrgetter("name", "title", "scale.low", "scale.high", "scale.step")
Key = tuple[tuple[str, str, float, float, float | None], ...]


class _Forms:
    """The patterns of the form and of the JSON for some aspects, and the scores that their scales hold."""

    __slots__ = ("json", "lines", "names", "scales")

    def __init__(self, key: Key) -> None:
        lines = r"\n".join(rf"{re.escape(title)}:{_NUMBER}[.]?[ ]*" for _, title, *_ in key)
        keys = r"\s{0,9},\s{0,9}".join(rf'"{re.escape(name)}"\s{{0,9}}:{_NUMBER}' for name, *_ in key)
        self.names = [name for name, *_ in key]
        self.lines = re.compile(rf"{lines}\n*+")
        self.json = re.compile(
            rf'\s{{0,9}}\{{\s{{0,9}}"reason"\s{{0,9}}:\s{{0,9}}{_STRING}\s{{0,9}},\s{{0,9}}{keys}\s{{0,9}}\}}\s{{0,9}}'
        )
        self.scales = [(low, high, step) for _, _, low, high, step in key]


@lru_cache(maxsize=256)
def _forms(key: Key) -> _Forms:
    return _Forms(key)


@lru_cache(maxsize=4096)
def _rating(name: str, scale: tuple[float, float, float | None], number: str) -> Rating | None:
    """The rating of an aspect by a number; None where that is not on its scale. Ratings are frozen, so one does for many ballots."""
    low, high, step = scale
    score = float(number)
    return Rating(aspect=name, score=score) if score in Scale(low=low, high=high, step=step) else None


_REASONS = re.compile(_REASON)


def read_exact(text: str, aspects: Sequence[Aspect], *, structured: bool) -> Ballot | None:
    """The ballot in a reply that is in exactly the form asked for; None for any other reply, which may hold one as well."""
    if len(text) > _LONGEST:
        return None
    forms = _forms(tuple(map(_key, aspects)))
    if "{" in text[:_BRACE]:
        found = forms.json.fullmatch(text)
        return (
            None
            if found is None
            else _ballot(found.groups()[1:], forms, found[1].strip(), _SCHEMA if structured else _JSON)
        )
    reasons = _REASONS.match(text)
    assert reasons is not None  # the pattern may be empty
    start = text.rfind("\n", 0, reasons.end()) + 1
    found = forms.lines.fullmatch(text, start)
    if found is None:
        return None
    words = _WORD.findall(text[:start].lower())
    if not _SAYING.isdisjoint(words) or (words and words[-1] in TELLING):
        return None
    return _ballot(found.groups(), forms, text.strip(), _FORM)


def _ballot(numbers: Sequence[str], forms: _Forms, reason: str, reading: Reading) -> Ballot | None:
    ratings = []
    for name, scale, number in zip(forms.names, forms.scales, numbers, strict=True):
        rating = _rating(name, scale, number)
        if rating is None:
            return None
        ratings.append(rating)
    return made(Ballot, ratings=tuple(ratings), reason=reason, reading=reading)
