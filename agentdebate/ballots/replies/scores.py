"""Scores in replies: by the form that was asked for, by JSON, by a value that is all there is, else by the table of patterns."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agentdebate.ballots.replies.json_objects import Object, is_json, key_of, objects, walk
from agentdebate.ballots.replies.numbers import number_of, number_pattern
from agentdebate.ballots.replies.outcome import Kind, Problem, Scores
from agentdebate.ballots.replies.plain import plain, spoken
from agentdebate.ballots.replies.refusal import declines
from agentdebate.ballots.replies.score_patterns import FOREIGN, NO_SCORE, ROWS, TAKEN_BACK
from agentdebate.tasks import Aspect

_LABELLED, _FINAL, _FORM, _JSON = 8, 7, 6, 5
"""Strength of the ways that come before every pattern: the form line of the aspect, "Final score: 4", "Score: 4", and JSON."""
_SCORE_KEYS = ("final_score", "final_rating", "overall_score", "score", "rating")
_REASON_KEYS = ("reason", "reasons", "reasoning", "explanation", "rationale", "analysis", "justification")
_NAME_KEYS = ("aspect", "criterion", "dimension", "metric", "name")
_BESIDE = 80
"""Characters before a number, and behind it, that are looked at for words by which it is no score."""

_SCORE = r"(?:score|rating|grade)"
_FORM_LINE = (
    r"^[^\w\n>]{{0,12}}(?:\(?\d{{1,2}}[.)][^\w\n]{{0,6}})?(?P<final>(?:(?:my|the|overall|final|revised|updated|new) ){{0,3}})"
    r"(?:{label})(?: ?[(\[][^()\[\]\n]{{0,60}}[)\]])?(?P<is>\s{{0,3}}(?:[:=|]|-{{1,2}}>?|is\b)?)[^\w\n-]{{0,6}}\n{{0,2}}[^\w\n-]{{0,6}}{n}(?P<rest>[^\n]{{0,80}})"
)
_TWO = re.compile(r"\W{0,4}(?:->|(?:or|to|and|maybe|perhaps|possibly|but|no|now|rather|then|was)\b[^.\n\d]{0,40}\d)", re.IGNORECASE)
"""Behind the value of a form line: there is another one."""
_NO_VALUE, _TAKEN_BACK, _FOREIGN = (
    re.compile(pattern, re.IGNORECASE) for pattern in (NO_SCORE, TAKEN_BACK, FOREIGN)
)
_LISTED = re.compile(r"[^\w\n]{0,6}(?:\d{1,2}[.)]|[-•])\s")
"""How an entry of a list begins: what stands in it is the score of a part."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A value that is stated for one of the aspects; its score is None where it is off the scale, or two are given in one."""

    aspect: str
    score: float | None
    strength: int
    rule: str
    start: int = 0
    end: int = 0


def read_scores(
    text: str, aspects: Sequence[Aspect], *, structured: bool = False, cut_off: bool = False, patterns: bool = True
) -> Scores:
    """Read the score of every aspect; where not all of them can be told, those that can, and a problem.

    `structured` says that the endpoint held the reply to the schema, `cut_off` that it stopped at the length limit, so that a number
    at its very end may be half of one. Without `patterns` only what was asked for counts, as while an agent can be asked once more.
    Raises nothing, whatever the text.
    """
    said = plain(text)
    if not any(map(str.isalnum, said)):
        return _unread("cut_off" if cut_off else "nothing", aspects)
    claims, reason, rest = _in_json(spoken(text), aspects)
    if not (claims and (structured or is_json(spoken(text)))):
        shown = plain(rest) if claims else said
        claims += _in_words(shown, tuple(aspects), patterns=patterns)
        claims = [one for one in claims if not (cut_off and one.rule != "json" and one.end == len(shown))]
    if not claims:
        return _unread("refusal" if declines(said) else "cut_off" if cut_off else "missing", aspects)
    return _settled(claims, aspects, said, reason or said.strip())


_TOLD: dict[Kind, str] = {
    "nothing": "The reply is empty: it says nothing on {}.",
    "refusal": "The reply declined to answer: it gives no score for {}.",
    "cut_off": "The reply was cut off before it gave a score for {}.",
    "missing": "I found no score for {} in the reply.",
    "several": "I found several scores for {}, and cannot tell which one is meant.",
    "off_scale": "The number for {} is not on its scale.",
}


def _unread(kind: Kind, aspects: Sequence[Aspect], read: Scores | None = None) -> Scores:
    told = _TOLD[kind].format(", ".join(aspect.name for aspect in aspects))
    known = read or Scores()
    return Scores(known.rule, Problem(kind, told), known.scores, known.reason)


def _settled(claims: Sequence[Claim], aspects: Sequence[Aspect], said: str, reason: str) -> Scores:
    """Let the strongest claims on each aspect decide; where they differ, none does."""
    decided = {aspect.name: _strongest([one for one in claims if one.aspect == aspect.name], said) for aspect in aspects}
    read = {name: one for name, one in decided.items() if isinstance(one, Claim)}
    scores = {name: one.score for name, one in read.items() if one.score is not None}
    rule = ", ".join(dict.fromkeys(one.rule for one in read.values()))
    known = Scores(rule, None, scores, reason)
    for kind in ("several", "off_scale", "missing"):
        failed = [aspect for aspect in aspects if decided[aspect.name] == kind]
        if failed:
            return _unread(kind, failed, known)
    return known


def _strongest(claims: Sequence[Claim], said: str) -> Claim | Kind:
    """The last of the strongest claims where all of them agree, or where it takes back the ones before."""
    if not claims:
        return "missing"
    top = max(one.strength for one in claims)
    best = sorted((one for one in claims if one.strength == top), key=lambda one: one.start)
    if top < _JSON:  # beside a score, a number in prose that is not on the scale counts something else
        best = [one for one in best if one.score is not None] or best
    last = best[-1]
    if len({one.score for one in best}) > 1 and not _TAKEN_BACK.search(said[best[-2].end : last.start]):
        return "several"
    return "off_scale" if last.score is None else last


def _in_json(said: str, aspects: Sequence[Aspect]) -> tuple[list[Claim], str, str]:
    """The claims in the objects of a text, the reason that stands beside them, and the text without these objects."""
    claims: list[Claim] = []
    reasons: list[str] = []
    rest, at = "", 0
    for found, start, end in objects(said) if "{" in said else ():
        inside = [claim for one in walk(found) for claim in _in_object(one, aspects)]
        if inside:
            claims += inside
            reasons += [value for one in walk(found) for key, value in one if key_of(key) in _REASON_KEYS and isinstance(value, str)]
            rest, at = rest + said[at:start], end
    return claims, "\n".join(dict.fromkeys(one.strip() for one in reasons)), rest + said[at:]


def _in_object(found: Object, aspects: Sequence[Aspect]) -> Iterator[Claim]:
    """The scores under the keys of one object: the aspects' own, or those of a score where it is for one aspect."""
    keyed = [(key_of(key), value) for key, value in found]
    subject = next((key_of(value) for key, value in keyed if key in _NAME_KEYS and isinstance(value, str)), "")
    for aspect in aspects:
        names = {aspect.name, key_of(aspect.title)}
        own = [value for key, value in keyed if key in names or key.removesuffix("_score").removesuffix("_rating") in names]
        if not own and (subject in names if subject else len(aspects) == 1):
            own = next(([value for key, value in keyed if key == name] for name in _SCORE_KEYS if any(key == name for key, _ in keyed)), [])
        for value in own:
            inner = _scored(value)
            if inner is not None:
                yield Claim(aspect.name, _value(inner, aspect), _JSON, "json")


def _scored(value: Any) -> Any:
    """A value, or the score inside the object that stands in its place; None for a group of others."""
    if isinstance(value, Object):
        return next((inner for name in _SCORE_KEYS for key, inner in value if key_of(key) == name and not isinstance(inner, list)), None)
    return None if isinstance(value, list) else value


def _value(value: Any, aspect: Aspect) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str):
        found = re.compile(number_pattern(aspect.scale), re.IGNORECASE).fullmatch(plain(value).strip(" ."))
        return None if found is None else number_of(found, aspect.scale)
    return float(value) if abs(value) < 1e15 and float(value) in aspect.scale else None


@dataclass(frozen=True, slots=True)
class _Way:
    """A compiled way to state the score of an aspect."""

    name: str
    strength: int
    aspect: Aspect
    pattern: re.Pattern[str]


def _in_words(said: str, aspects: tuple[Aspect, ...], *, patterns: bool) -> Iterator[Claim]:
    """The claims of the form lines of a text, of a value that is all there is, and of the table of patterns."""
    forms, rows = _ways(aspects)
    for way in forms:
        for found in way.pattern.finditer(said):
            claim = _form_claim(way, found)
            if claim is not None:
                yield claim
    for way in rows if patterns else ():
        for found in way.pattern.finditer(said):
            if _counts(way, found):
                listed = _LISTED.match(said, said.rfind("\n", 0, found.start()) + 1)
                yield _claim(way, found, 0 if listed and way.strength < 3 else way.strength)


def _claim(way: _Way, found: re.Match[str], strength: int) -> Claim:
    return Claim(way.aspect.name, number_of(found, way.aspect.scale), strength, way.name, found.start("n"), found.end())


def _form_claim(way: _Way, found: re.Match[str]) -> Claim | None:
    """The claim of a form line; None for a line that only begins like one."""
    if way.name == "value":
        return _claim(way, found, way.strength)
    rest = found["rest"]
    if not found["is"].strip() and "\n" not in found["is"] and rest.strip(" .*\"')]") and not rest.lstrip().startswith("("):
        return None
    strength = _FINAL if way.strength == _FORM and "final" in found["final"].lower() else way.strength
    score = None if _TWO.match(rest) else number_of(found, way.aspect.scale)
    return Claim(way.aspect.name, score, strength, "form", found.start("n"), found.end())


def _counts(way: _Way, found: re.Match[str]) -> bool:
    """Tell a score from a number that words beside it make the score of something else, or none."""
    said, start, end = found.string, found.start("n"), found.end("n")
    foreign = _FOREIGN.match(said, found.end())
    stem = way.aspect.name[:5]
    return not _NO_VALUE.search(said, max(start - _BESIDE, said.rfind("\n", 0, start) + 1), start) and (foreign is None or stem in foreign[0].lower())


@lru_cache(maxsize=256)
def _ways(aspects: tuple[Aspect, ...]) -> tuple[list[_Way], list[_Way]]:
    """The form lines, and the rows of the table, for these aspects; rows that name none are for one aspect alone."""
    forms, rows = list[_Way](), list[_Way]()
    for aspect in aspects:
        n, names = number_pattern(aspect.scale), _names(aspect)
        flags = re.IGNORECASE | re.MULTILINE
        label = rf"(?:{names})(?: {_SCORE})?|{_SCORE} (?:for|of) (?:the )?(?:{names})"
        forms.append(_Way("form", _LABELLED, aspect, re.compile(_FORM_LINE.format(label=label, n=n), flags)))
        if len(aspects) == 1:
            alone = rf"{_SCORE}|(?:final )?answer|verdict|judge?ment"
            forms.append(_Way("form", _FORM, aspect, re.compile(_FORM_LINE.format(label=alone, n=n), flags)))
            forms.append(_Way("value", _JSON, aspect, re.compile(rf"\A\W*{n}[^\w\n]*\s*\Z", flags)))
        stem = rf"(?:dis|in|ir|un|non-?)?(?:{names})"
        rows += [
            _Way(row.name, row.strength, aspect, re.compile(row.pattern.replace("{a}", stem).replace("{n}", n), re.IGNORECASE))
            for row in ROWS
            if "{a}" in row.pattern or len(aspects) == 1
        ]
    return forms, rows


def _names(aspect: Aspect) -> str:
    """A pattern of what an aspect is called."""
    return "|".join(r"[\s_-]{1,3}".join(map(re.escape, re.split(r"[\s_-]+", name))) for name in {aspect.title, aspect.name})
