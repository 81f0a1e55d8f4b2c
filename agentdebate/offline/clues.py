"""What evaluators say of the texts, and which of them a plan names for an aspect: read from what was heard.

Scores and plans come in the words in which every agent hears them.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

from agentdebate.models.base import Heard
from agentdebate.offline.matter import Matter

_LINE = re.compile(
    r"^- (?P<name>[^\n]{1,200}?): (?P<score>no score|[^\s,;]{1,40})"
    r"(?:, on a range from (?P<low>[^\s;]{1,40}) to (?P<high>[^\s;]{1,40}))?(?P<more>; [^\n]*)?$",
    re.MULTILINE,
)
_MARKUP = re.compile(r"[*`_#>\"'\[\]()]+")
_SEPARATORS = re.compile(r",|;|&|\band\b|\+")
_NUMBERED = re.compile(r"^\s*(?:[-*+]|[0-9]{1,3}[.)])\s+")
_KEPT = 64
"""Plans that are kept: one serves all items of a task."""
_JOINTS = re.compile(r"[\s_\u2010-\u2013-]+")


@dataclass(frozen=True, slots=True)
class Clue:
    """One evaluator's score of one text, None where it has none. `label` is what the text is called among others."""

    name: str
    label: str
    score: float | None
    low: float | None
    high: float | None
    lower: bool = False
    """Whether the lower score is the better one."""

    @property
    def share(self) -> float | None:
        """How far up its range the score lies, from 0 to 1; None where the score or the range is not known."""
        if self.score is None or self.low is None or self.high is None or not self.low < self.high:
            return None
        share = min(1.0, max(0.0, (self.score - self.low) / (self.high - self.low)))
        return 1.0 - share if self.lower else share


class Plan:
    """Which evaluators inform which aspect: the last line of an aspect counts."""

    def __init__(self, text: str) -> None:
        self._named = _in_json(text) or dict(_in_lines(text))

    def __repr__(self) -> str:
        return f"<Plan for {', '.join(self._named)}>"

    def names(self, matter: Matter) -> frozenset[str] | None:
        """The evaluators for a matter, as `bare` writes them; None where the plan does not speak of it."""
        aspect = matter.line.aspect
        for title in (aspect.title, aspect.name, matter.topic, matter.line.rated):
            if bare(title) in self._named:
                return self._named[bare(title)]
        return None


def heard_clues(messages: Sequence[Heard], labels: Sequence[str]) -> list[Clue]:
    """What the evaluators say in the messages, each thing once; `labels` are what the texts are called."""
    texts = [message.text for message in messages if message.kind == "evidence"]
    lines = [_clue(match, labels) for text in texts for match in _LINE.finditer(text)]
    return list(dict.fromkeys(lines))


def heard_plan(messages: Sequence[Heard]) -> Plan | None:
    """The plan that was heard last."""
    plans = [message.text for message in messages if message.kind == "plan"]
    return _plan(plans[-1]) if plans else None


@lru_cache(maxsize=_KEPT)
def _plan(text: str) -> Plan:
    return Plan(text)


@lru_cache(maxsize=1024)
def bare(name: str) -> str:
    """A name without case, markup and the marks that part its words, as plans are read."""
    return _JOINTS.sub("-", _MARKUP.sub(" ", name).strip().lower())


def _clue(match: re.Match[str], labels: Sequence[str]) -> Clue:
    name = match["name"]
    label = next((each for each in labels if name.endswith(f" of {each}")), "")
    name = name.removesuffix(f" of {label}") if label else name
    lower = "; lower is better" in (match["more"] or "")
    return Clue(name, label, _number(match["score"]), _number(match["low"]), _number(match["high"]), lower)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:  # "no score", or words of somebody's own
        return None
    return number if isfinite(number) else None


def _in_lines(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    for line in text.splitlines():
        head, colon, rest = line.partition(":")
        if colon:
            yield bare(_NUMBERED.sub("", head)), _set(_SEPARATORS.split(_MARKUP.sub(" ", rest)))


def _in_json(text: str) -> Mapping[str, frozenset[str]]:
    """The lists of an object that the text is, or holds; nothing where it holds none."""
    start, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[start : end + 1]) if 0 <= start < end else {}
    except ValueError:
        return {}
    return {bare(key): _set(map(str, names)) for key, names in found.items() if isinstance(names, list)}


def _set(names: Sequence[str] | Iterator[str]) -> frozenset[str]:
    return frozenset(name for each in names if (name := bare(each.strip().rstrip("."))))
