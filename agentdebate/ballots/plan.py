"""Which evaluator informs which aspect, out of a plan (Fusion-Eval, Section 2 and Table 4)."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from agentdebate.ballots.braces import spans
from agentdebate.ballots.excerpt import LONGEST
from agentdebate.ballots.fold import fold, spoken
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.tasks import Aspect

NOBODY = frozenset({"none", "no evaluator", "no evaluators", "nothing", "-", "n/a"})
"""How a plan says that an aspect is judged without any evaluator."""

_BULLET = re.compile(r"^\s*(?:[-*+•]|[0-9]+[.)])\s+")
_MARKUP = re.compile(r"[*`_#>\"'\[\]()]+")
_SEPARATORS = re.compile(r",|;|&|\band\b|\bund\b|\+")


def read_plan(
    text: str, aspects: Sequence[Aspect], evaluators: Sequence[str]
) -> Mapping[str, tuple[str, ...]] | Problem:
    """The evaluators that a plan names for each aspect, by the aspect's name; or what is wrong with it.

    A plan in words says it in one line an aspect, "Coherence: rouge-l, bleu" or "Fluency: none", the last such line
    counting; a plan in JSON in one key an aspect. Evaluators that do not exist are a Problem, and so is a plan that is too
    long to be read in whole (see excerpt.py).
    """
    named = planned_names(text, aspects)
    if isinstance(named, Problem):
        return named
    known = {_bare(name): name for name in evaluators}
    wrong = [name for names in named.values() for name in names if _bare(name) not in known]
    if wrong:
        return Problem(
            "several",
            f"There is no evaluator {wrong[0][:60]!r}; the evaluators are {', '.join(evaluators) or 'none at all'}.",
        )
    return {
        aspect: tuple(dict.fromkeys(known[_bare(name)] for name in names)) for aspect, names in named.items()
    }


def planned_names(text: str, aspects: Sequence[Aspect]) -> Mapping[str, Sequence[str]] | Problem:
    """The names that a plan gives for each aspect, whether or not there are such evaluators; or what is wrong with it."""
    said = spoken(text).strip()
    if len(said) > LONGEST:
        return Problem("too_long", f"The plan is {len(said)} characters long; it may have {LONGEST}.")
    in_json = _in_json(said, aspects)
    if isinstance(in_json, Problem):
        return in_json
    named = in_json or dict(_in_lines(said, aspects))
    missing = [aspect.title for aspect in aspects if aspect.name not in named]
    if missing:
        return Problem("missing", f"I found no line that says which evaluators inform {', '.join(missing)}.")
    return named


def _in_lines(text: str, aspects: Sequence[Aspect]) -> Iterator[tuple[str, list[str]]]:
    """What each line says that begins with an aspect and a colon. One with nothing behind it is a heading."""
    titles = {_bare(title): aspect.name for aspect in aspects for title in (aspect.title, aspect.name)}
    for line in fold(text).splitlines():
        head, colon, rest = line.partition(":")
        aspect = titles.get(_bare(_BULLET.sub("", head)))
        if colon and aspect and _MARKUP.sub("", rest).strip():
            yield aspect, _names(rest)


def _names(rest: str) -> list[str]:
    whole = _MARKUP.sub(" ", rest).strip().rstrip(".").strip()
    if whole.lower() in NOBODY:
        return []
    return [name for part in _SEPARATORS.split(whole) if (name := part.strip().rstrip(".").strip())]


def _in_json(text: str, aspects: Sequence[Aspect]) -> dict[str, list[str]] | Problem:
    """What the first object says that has a list for every aspect; nothing where there is none, a Problem for a key twice."""
    for span in spans(text):
        try:
            found = json.loads(span.text, strict=False)
        except (ValueError, RecursionError):
            continue
        lists = {aspect.name: found.get(aspect.name) for aspect in aspects}
        if all(isinstance(one, list) for one in lists.values()):
            keys = json.loads(span.text, strict=False, object_pairs_hook=_keys)
            twice = next((key for place, key in enumerate(keys) if key in keys[:place]), None)
            if twice is not None:
                return Problem(
                    "several", f"The plan has the key {twice[:60]!r} twice; give each aspect once."
                )
            return {name: _entries(one or ()) for name, one in lists.items()}
    return {}


def _keys(pairs: Sequence[tuple[str, object]]) -> list[str]:
    """The keys of an object, those that stand in it twice too."""
    return [key for key, _ in pairs]


def _entries(entries: Sequence[object]) -> list[str]:
    return [str(entry) for entry in entries if str(entry).strip().lower() not in NOBODY]


def _bare(name: str) -> str:
    """A name without case, markup and the marks that part its words."""
    return re.sub(r"[\s_-]+", "-", _MARKUP.sub(" ", fold(name)).strip().lower())
