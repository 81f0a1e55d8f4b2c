"""Texts that are written once for all items: Fusion's plan (Fusion-Eval, Section 2 and Table 4) and G-Eval's steps (G-Eval, Section 2.2).

Held to a schema, both are lists of strings, and become a numbered list as it is read from text and kept in files.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agentdebate.ballots.json_objects import Object, key_of, objects
from agentdebate.ballots.paper import too_long
from agentdebate.ballots.plain import LONGEST, fold, plain, spoken
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.sheet import closed_object
from agentdebate.tasks import Aspect

STEPS, PLAN = "steps", "plan"
"""The keys in JSON under which the list stands."""
FEWEST, MOST = 2, 20
"""Bounds on the number of steps: one does not lead from reading to a score, and judges do not follow more."""
EXAMPLE = frozenset({"read the text slowly.", "compare it with what is said above.", "choose the score."})
"""The steps that the form in text shows (prompts/parts/form-steps.md): a reply that copies them has none of its own."""
NOBODY = frozenset({"none", "no evaluator", "no evaluators", "nothing", "-", "n/a"})
"""Words by which a plan says that an aspect is judged without any evaluator."""

_STEP = re.compile(
    r"^[ \t]*(?:[#*_ \t]*(?:step[ \t]*)?[0-9]{1,2}[*_]{0,2}[.):]|[-*+•][ \t])[*_ \t]*(?=\S)",
    re.IGNORECASE | re.MULTILINE,
)
_MARK = re.compile(r"\s*(?:[-*+•]\s|[0-9]+[.)]\s)?")
_MARKUP = re.compile(r"[*`#>\"'\[\]()]+")
_SEPARATORS = re.compile(r",|;|&|\band\b|\+")


def steps_schema() -> dict[str, Any]:
    """The JSON schema of a reply that lists steps."""
    steps = {"type": "array", "items": {"type": "string"}, "minItems": FEWEST, "maxItems": MOST}
    return closed_object({STEPS: steps})


def plan_schema(aspects: Sequence[Aspect], evaluators: Sequence[str]) -> dict[str, Any]:
    """The JSON schema of a plan: what is done step by step, then for each aspect the evaluators that help with it."""
    plan = {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MOST}
    name = {"type": "string", "enum": [*evaluators]} if evaluators else {"type": "string"}
    names = {"type": "array", "items": name, "maxItems": len(evaluators)}
    return closed_object({PLAN: plan} | {aspect.name: names for aspect in aspects})


def read_steps(text: str) -> tuple[str, ...] | Problem:
    """The steps in a text, each on one line; or what is wrong with it.

    What stands before the first step introduces it, and lines below a step belong to it.
    """
    said = spoken(text).strip()
    if len(said) > LONGEST:
        return too_long(said)
    steps = _strings(said, STEPS) or _steps_in_text(said)
    if len(steps) < FEWEST:
        found = "one step" if steps else "no steps"
        return Problem(
            "missing", f"I found {found}. Write a numbered list, a step to a line: 1. Read the text."
        )
    if len(steps) > MOST:
        return Problem("several", f"I found {len(steps)} steps; write {MOST} at most, best three to six.")
    said_once = {step.casefold() for step in steps}
    if len(said_once) < len(steps):
        return Problem("several", "A step stands in the list more than once; say each of them once.")
    if len(said_once & EXAMPLE) > 1:
        return Problem("several", "Steps of the form are in the list; write steps of your own.")
    return steps


def read_plan(
    text: str, aspects: Sequence[Aspect], evaluators: Sequence[str]
) -> Mapping[str, tuple[str, ...]] | Problem:
    """The evaluators that a plan names for each aspect, by the aspect's name; or what is wrong with it.

    A plan in words says it in one line an aspect, "Coherence: rouge-l, bleu" or "Fluency: none", the last such line
    counting; a plan in JSON in one key an aspect. Evaluators that do not exist are a Problem, and so is a plan that is too
    long to be read in whole.
    """
    named = planned_names(text, aspects)
    if isinstance(named, Problem):
        return named
    known = {_bare(name): name for name in evaluators}
    wrong = [name for names in named.values() for name in names if _bare(name) not in known]
    if wrong:
        there = ", ".join(evaluators) or "none at all"
        return Problem("several", f"There is no evaluator {wrong[0][:60]!r}; the evaluators are {there}.")
    return {
        aspect: tuple(dict.fromkeys(known[_bare(name)] for name in names)) for aspect, names in named.items()
    }


def planned_names(text: str, aspects: Sequence[Aspect]) -> Mapping[str, Sequence[str]] | Problem:
    """The names that a plan gives for each aspect, whether or not there are such evaluators; or what is wrong with it."""
    said = spoken(text).strip()
    if len(said) > LONGEST:
        return too_long(said)
    planned = _object(said, aspects)
    if isinstance(planned, Problem):
        return planned
    if planned is not None:
        lists = {key: value for key, value in planned if isinstance(value, list)}
        return {aspect.name: _names(map(str, lists[aspect.name])) for aspect in aspects}
    named = dict(_in_lines(said, aspects))
    missing = [aspect.title for aspect in aspects if aspect.name not in named]
    if missing:
        return Problem("missing", f"I found no line that says which evaluators inform {', '.join(missing)}.")
    return named


def steps_in_words(text: str) -> str:
    """A list of steps as a numbered list, where it came in JSON, else as it came."""
    said = spoken(text).strip()
    return numbered(_strings(said, STEPS)) or said


def plan_in_words(text: str, aspects: Sequence[Aspect]) -> str:
    """A plan as a numbered list and a line an aspect, where it came in JSON, else as it came."""
    said = spoken(text).strip()
    planned = _object(said, aspects)
    if planned is None or isinstance(planned, Problem):
        return said
    lists = dict(planned)
    lines = [
        f"{aspect.title}: {', '.join(_names(map(str, lists[aspect.name]))) or 'none'}" for aspect in aspects
    ]
    return "\n\n".join(part for part in (numbered(_strings(said, PLAN)), "\n".join(lines)) if part)


def numbered(steps: Sequence[str]) -> str:
    """Steps as a numbered list."""
    return "\n".join(f"{at}. {step}" for at, step in enumerate(steps, start=1))


def _steps_in_text(said: str) -> tuple[str, ...]:
    found = list(_STEP.finditer(said))
    ends = [*(one.start() for one in found[1:]), len(said)]
    return tuple(" ".join(said[one.end() : end].split()) for one, end in zip(found, ends, strict=False))


def _strings(said: str, key: str) -> tuple[str, ...]:
    """The list of strings that the first object with this key has; small models number them, which is taken off."""
    for pairs, _, _ in objects(said):
        for name, value in pairs:
            if key_of(name) == key and isinstance(value, list) and all(isinstance(one, str) for one in value):
                lines = (" ".join(one.split()) for one in value)
                return tuple(_STEP.sub("", line, count=1) for line in lines if line)
    return ()


def _object(said: str, aspects: Sequence[Aspect]) -> Object | Problem | None:
    """The first object that has a list for every aspect; a Problem where a key stands in it twice."""
    for pairs, _, _ in objects(said):
        keys = [key for key, _ in pairs]
        if all(isinstance(dict(pairs).get(aspect.name), list) for aspect in aspects):
            twice = next((key for place, key in enumerate(keys) if key in keys[:place]), None)
            if twice is None:
                return pairs
            return Problem("several", f"The plan has the key {twice[:60]!r} twice; give each aspect once.")
    return None


def _in_lines(text: str, aspects: Sequence[Aspect]) -> Iterator[tuple[str, list[str]]]:
    """Read each line that begins with an aspect and a colon. One with nothing behind it is a heading."""
    titles = {_bare(title): aspect.name for aspect in aspects for title in (aspect.title, aspect.name)}
    for line in fold(text).splitlines():
        head, colon, rest = line.partition(":")
        aspect = titles.get(_bare(_MARK.sub("", head, count=1)))
        if colon and aspect and _MARKUP.sub("", rest).strip():
            yield aspect, _names(_SEPARATORS.split(rest))


def _names(parts: Iterable[str]) -> list[str]:
    """The names of evaluators; none where nothing stands there but a word for that."""
    names = [name for part in parts if (name := _MARKUP.sub(" ", part).strip(" ."))]
    return [] if all(name.lower() in NOBODY for name in names) else names


def _bare(name: str) -> str:
    """A name without case, markup and the marks that part its words."""
    return re.sub(r"[\s_-]+", "-", _MARKUP.sub(" ", plain(name)).strip().lower())
