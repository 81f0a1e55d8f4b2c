"""Scores in replies: by the form that was asked for, by JSON, by a value that is all there is, else by the table of patterns."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from operator import attrgetter
from typing import Any

from agentdebate.ballots.json_objects import NAMED, as_object, key_of, leaves, objects
from agentdebate.ballots.plain import plain, sound, spoken
from agentdebate.ballots.replies import score_patterns as table
from agentdebate.ballots.replies.numbers import ANY_NUMBER, number_of, number_pattern
from agentdebate.ballots.replies.outcome import Kind, Problem, Scores, declines
from agentdebate.tasks import Aspect, Grades, Scale

_LABELLED, _FINAL, _FORM, _KEY, _VALUE, _PROSE = 9, 8, 7, 6, 5, 2
"""Strength of the ways before every pattern: the form line of the aspect, "Final score: 4", "Score: 4", the aspect's key in JSON, and
a score in JSON or a value that is all there is."""
_SCORE_KEYS = frozenset(("score", "rating", "final_score", "final_rating", "overall_score"))
_WRAPPERS = _SCORE_KEYS.union(
    ["scores", "ratings", "ballot", "evaluation", "result", "output", "response", "answer", "verdict"]
)
"""Keys that say nothing about what a score below them is for."""
_REASON_KEYS = frozenset(
    ("reason", "reasons", "reasoning", "explanation", "rationale", "analysis", "justification")
)
_BESIDE = 60
"""Characters before a statement that are looked at for words that make it something other than a score."""
_WINDOW, _MOST_NUMBERS = 100, 200
"""Characters around a number in which a pattern is looked for, and numbers that are looked at: the first and the last of a reply."""
_QUOTED = re.compile(r'"(?=[^"\n]*[A-Za-z]{2})[^"\n]*+"')
"""Somebody else's words, or the judged text's: no pattern counts in them."""
_LISTED = re.compile(r"[^\w\n]{0,6}(?:\d{1,2}[.)]|[-•])\s")
"""Beginning of a list's entry: a score in it is the score of a part."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A value that is stated for an aspect; its score is None where it is off the scale, or where two are given in one."""

    aspect: str
    score: float | None
    strength: int
    rule: str
    start: int = 0
    end: int = 0


def read_scores(
    text: str,
    aspects: Sequence[Aspect],
    *,
    structured: bool = False,
    cut_off: bool = False,
    patterns: bool = True,
) -> Scores:
    """Read the score of every aspect; where not all of them can be told, those that can, and a problem.

    `structured` says that the endpoint held the reply to the schema, `cut_off` that it stopped at the length limit, so that a number
    at its very end may be half of one. Without `patterns` only what was asked for counts, as while an agent can be asked once more.
    Raises nothing, whatever the text.
    """
    exact = None if cut_off else _exact(text, aspects)
    if exact is not None:
        return exact
    claims, reason, rest = _in_json(spoken(text), aspects) if "{" in text else ([], "", text)
    if claims and (structured or not any(map(str.isalnum, rest.replace("json", "")))):
        return _settled(claims, aspects, rest, sound(reason))
    said = plain(text)
    if not any(map(str.isalnum, said)):
        return _unread("cut_off" if cut_off else "nothing", aspects)
    shown = plain(rest) if claims else said
    claims += [one for one in _in_words(shown, aspects) if not (cut_off and one.end == len(shown))]
    if not patterns and not any(one.strength >= _VALUE for one in claims):
        claims = []
    if not claims:
        return _unread("refusal" if declines(said) else "cut_off" if cut_off else "missing", aspects)
    return _settled(claims, aspects, shown, sound(reason or spoken(text)).strip())


def _exact(text: str, aspects: Sequence[Aspect]) -> Scores | None:
    """The scores of a reply that is exactly the form that was asked for, which most are; None for any other."""
    values, said = list[Any](), ""
    if text[:1] == "{":
        (key, said), *rated = as_object(text) or [("", "")]
        if isinstance(said, str) and [key, *(name for name, _ in rated)] == [
            "reason",
            *(one.name for one in aspects),
        ]:
            values = [value for _, value in rated]
    elif found := _form_of(tuple([aspect.title for aspect in aspects])).fullmatch(text):
        said, values = text, [float(one) for one in found.groups()]
    scores = [_value(value, aspect.scale) for aspect, value in zip(aspects, values, strict=False)]
    known = {aspect.name: score for aspect, score in zip(aspects, scores, strict=False) if score is not None}
    rule = "json" if text[:1] == "{" else "form"
    return Scores(rule, None, known, sound(said).strip()) if len(known) == len(aspects) else None


@lru_cache(maxsize=256)
def _form_of(titles: tuple[str, ...]) -> re.Pattern[str]:
    """The form as it is asked for, and nothing else: reasons without a number, then a line an aspect."""
    lines = r"\n".join(rf"{re.escape(title)}: ([0-9]{{1,3}})[.]?" for title in titles)
    return re.compile(rf"(?>(?:[A-Za-z ,.;!'()-]{{0,999}}\n){{0,99}}){lines}\s{{0,9}}")


_TOLD: dict[Kind, str] = {
    "nothing": "The reply is empty: it says nothing on {}.",
    "refusal": "The reply declined to answer: it gives no score for {}.",
    "cut_off": "The reply was cut off before it gave a score for {}.",
    "missing": "I found no score for {} in the reply.",
    "several": "I found several scores for {}, and cannot tell which one is meant.",
    "off_scale": "The number for {} is not on its scale.",
}


def _unread(kind: Kind, aspects: Sequence[Aspect], read: Scores | None = None) -> Scores:
    told = _TOLD[kind].format(", ".join(f"{aspect.name} ({aspect.scale})" for aspect in aspects))
    known = read or Scores()
    return Scores(known.rule, Problem(kind, told), known.scores, known.reason)


def _settled(claims: Sequence[Claim], aspects: Sequence[Aspect], said: str, reason: str) -> Scores:
    """Let the strongest claims on each aspect decide; where they differ, none does."""
    decided = {
        aspect.name: _strongest([one for one in claims if one.aspect == aspect.name], said)
        for aspect in aspects
    }
    read = {name: one for name, one in decided.items() if isinstance(one, Claim)}
    scores = {name: one.score for name, one in read.items() if one.score is not None}
    known = Scores(", ".join(dict.fromkeys(one.rule for one in read.values())), None, scores, reason)
    kinds: tuple[Kind, ...] = ("several", "off_scale", "missing")
    for kind in kinds:
        failed = [aspect for aspect in aspects if decided[aspect.name] == kind]
        if failed:
            return _unread(kind, failed, known)
    return known


def _strongest(claims: Sequence[Claim], said: str) -> Claim | Kind:
    """The strongest claims where all of them agree; behind words that take them back, what follows these."""
    if not claims:
        return "missing"
    ordered = sorted(claims, key=attrgetter("start"))
    best = _top(ordered)
    taken_back = None if best[0].rule == "json" else table.TAKEN_BACK.search(said, best[0].end)
    if taken_back is not None:
        best = _top([one for one in ordered if one.start > taken_back.start()])
    if not best:
        return "several"
    prose = [one for one in ordered if 1 < one.strength < _VALUE and one.score is not None]
    if best[0].strength < _VALUE:  # a number in prose that is not on the scale counts something else
        best = [one for one in best if one.score is not None] or best
    else:  # a score in prose behind the form, or beside JSON, contradicts it
        best = [*[one for one in prose if one.start > best[-1].end], *best]
    last = best[-1]
    return "several" if len({one.score for one in best}) > 1 else "off_scale" if last.score is None else last


def _top(claims: Sequence[Claim]) -> list[Claim]:
    most = max((one.strength for one in claims), default=0)
    return [one for one in claims if one.strength == most]


def _in_json(said: str, aspects: Sequence[Aspect]) -> tuple[list[Claim], str, str]:
    """The claims in the objects of a text, the reason that stands beside them, and the text without these objects."""
    claims, reasons = list[Claim](), list[str]()
    rest, at = "", 0
    for found, start, end in objects(said):
        entries = list(leaves(found))
        inside = [claim for keys, value in entries for claim in _in_entry(keys, value, aspects)]
        if inside:
            claims += inside
            reasons += [
                value.strip()
                for keys, value in entries
                if keys[-1] in _REASON_KEYS and isinstance(value, str)
            ]
            rest, at = rest + said[at:start], end
    return claims, "\n".join(dict.fromkeys(reasons)), rest + said[at:]


def _in_entry(keys: Sequence[str], value: Any, aspects: Sequence[Aspect]) -> Iterator[Claim]:
    """The claim of a value by the keys above it: an aspect's own, or a score below its name, or without any for one aspect alone."""
    last = keys[-1].removesuffix("_score").removesuffix("_rating")
    above = [key for key in keys[:-1] if key not in _WRAPPERS]
    for aspect in aspects:
        names = {aspect.name, key_of(aspect.title)}
        named = above[-1:] in [[name] for name in names] or any(
            key[1:] in names for key in above if key.startswith(NAMED)
        )
        alone = len(aspects) == 1 and not above
        if last in names or (keys[-1] in _SCORE_KEYS and (named or alone)):
            yield Claim(
                aspect.name, _value(value, aspect.scale), _KEY if last in names or named else _VALUE, "json"
            )


def _value(value: Any, scale: Scale) -> float | None:
    if isinstance(value, str):
        found = re.compile(number_pattern(scale), re.IGNORECASE).fullmatch(plain(value).strip(" ."))
        return None if found is None else number_of(found, scale)
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or abs(value) > max(abs(scale.low), abs(scale.high))
    ):
        return None
    return float(value) if value in scale else None


@dataclass(frozen=True, slots=True)
class _Way:
    """A compiled way to state the score of an aspect."""

    name: str
    strength: int
    aspect: str
    scale: Scale
    pattern: re.Pattern[str]
    names_aspect: bool = False


def _in_words(said: str, aspects: Sequence[Aspect]) -> Iterator[Claim]:
    """The claims of the form lines of a text, of a value that is all there is, and of the table of patterns."""
    forms, rows = _ways(tuple(map(_asked, aspects)))
    for way in forms:
        for found in way.pattern.finditer(said):
            claim = _form_claim(way, found)
            if claim is not None:
                yield claim
    own = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), said) if '"' in said else said
    grades = {re.escape(name) for aspect in aspects for name, _ in aspect.scale.grades}
    parts = _windows(own, "|".join([ANY_NUMBER.pattern, *(rf"(?<!\w){one}(?!\w)" for one in sorted(grades))]))
    known = set[tuple[str, int, int]]()
    for (start, end), way in product(parts, rows):
        for found in way.pattern.finditer(own, start, end):
            key = way.aspect, way.strength, found.start("n")
            if key not in known and _counts(way, found):
                known.add(key)
                listed = way.strength <= _PROSE and _LISTED.match(
                    said, said.rfind("\n", 0, found.start()) + 1
                )
                yield _claim(way, found, 0 if listed else way.strength)


def _windows(said: str, value: str) -> list[tuple[int, int]]:
    """The parts of a text in which a value may stand, which are all that the table is looked for in."""
    places = [found.start() for found in re.finditer(value, said, re.IGNORECASE)]
    if len(places) > _MOST_NUMBERS:
        places = places[: _MOST_NUMBERS // 2] + places[-_MOST_NUMBERS // 2 :]
    parts: list[tuple[int, int]] = []
    for at in places:
        start, end = max(said.rfind("\n", 0, at), at - _WINDOW, 0), at + _WINDOW
        if parts and start <= parts[-1][1]:
            parts[-1] = parts[-1][0], end
        else:
            parts.append((start, end))
    return parts


def _claim(way: _Way, found: re.Match[str], strength: int) -> Claim:
    return Claim(way.aspect, number_of(found, way.scale), strength, way.name, found.start("n"), found.end())


def _form_claim(way: _Way, found: re.Match[str]) -> Claim | None:
    """The claim of a form line; None for a line that only begins like one."""
    if way.name == "value":
        return _claim(way, found, way.strength)
    rest = found["rest"]
    goes_on = rest.strip(" .*\"')]") and not rest.lstrip().startswith("(")
    if goes_on and ("\n" in found[0][: found.start("n") - found.start()] or not found["is"].strip()):
        return None
    strength = _FINAL if way.strength == _FORM and "final" in found["final"].lower() else way.strength
    score = None if table.OTHER_VALUE.match(rest) else number_of(found, way.scale)
    return Claim(way.aspect, score, strength, "form", found.start("n"), found.start("rest"))


def _counts(way: _Way, found: re.Match[str]) -> bool:
    """Tell a score from a number that words beside it make the score of something else, or none."""
    said, start = found.string, found.start()
    before = max(start - _BESIDE, said.rfind("\n", 0, start) + 1)
    others = (
        table.OTHER_BEFORE.search(said, before, start),
        table.OTHER_INSIDE.search(found[0]),
        table.OTHER_BEHIND.match(said, found.end()),
    )
    if not way.names_aspect and any(one and way.aspect[:5] not in one[1].lower() for one in others):
        return False
    return not (table.NO_SCORE.search(said, before, start) or table.NO_SCORE_BEHIND.match(said, found.end()))


_Asked = tuple[str, str, float, float, float | None, Grades]
_asked: Callable[[Aspect], _Asked] = attrgetter(
    "name", "title", "scale.low", "scale.high", "scale.step", "scale.grades"
)
"""Key of the patterns, which is quicker to look up than an aspect."""


@lru_cache(maxsize=256)
def _ways(asked: tuple[_Asked, ...]) -> tuple[list[_Way], list[_Way]]:
    """The form lines, and the rows of the table, for these aspects; rows that name none are for one aspect alone."""
    forms, rows = list[_Way](), list[_Way]()
    for name, title, low, high, step, grades in asked:
        scale = Scale(low=low, high=high, step=step, grades=grades)
        names = "|".join(
            r"[\s_-]{1,3}".join(map(re.escape, re.split(r"[\s_-]+", one))) for one in {title, name}
        )
        number, counting = number_pattern(scale), number_pattern(scale, prose=True)
        lines = [("form", _LABELLED, table.FORM_LINE.replace("{label}", table.LABEL))]
        if len(asked) == 1:
            lines += [
                ("form", _FORM, table.FORM_LINE.replace("{label}", table.ANY_LABEL)),
                ("value", _VALUE, r"\A\W*{n}[^\w\n]*\s*\Z"),
            ]
        for rule, strength, line in lines:
            pattern = line.replace("{a}", names).replace("{n}", counting if rule == "form" else number)
            forms.append(_Way(rule, strength, name, scale, re.compile(pattern, re.IGNORECASE | re.MULTILINE)))
        for row in table.ROWS:
            if row.named or len(asked) == 1:
                pattern = row.pattern.replace("{a}", rf"(?:dis|in|ir|un|non-?)?(?:{names})").replace(
                    "{n}", counting
                )
                rows.append(
                    _Way(row.name, row.strength, name, scale, re.compile(pattern, re.IGNORECASE), row.named)
                )
    return forms, rows
