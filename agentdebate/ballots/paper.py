"""Forms of ballots that are not filled in with numbers: labelled lines in text, keys in JSON."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentdebate.ballots.ballot import How
from agentdebate.ballots.json_objects import key_of, objects
from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.plain import LONGEST, plain, spoken
from agentdebate.ballots.replies.outcome import Problem, declines
from agentdebate.ballots.sheet import closed_object
from agentdebate.tasks import Aspect

SHOWN = 60
"""Characters of a reply that are quoted to its writer."""

_MARKS = re.compile('["\u00ab\u00bb\u201c-\u201f\u2033\u275d\u275e\u300c-\u300f\uff02]')
"""Quotation marks, and what looks like them."""
_ITEM = re.compile(r"\s*(?:[-•]|\(?(?P<number>[0-9]{1,3})[.):])\s+(?P<text>.*)")
"""An entry of a list below a label."""
_AROUND = " \t.,;'\"()[]"
"""Marks around a name that say nothing."""


@dataclass(frozen=True, slots=True)
class Form:
    """The form in a reply: what it says of each aspect, by its name, as a line of text or as a value of JSON."""

    said: Mapping[str, object]
    reason: str
    how: How = "text"


def labels_of(aspects: Sequence[Aspect], word: str) -> dict[str, str]:
    """Label at the beginning of each aspect's line: one word where there is a single aspect, else the aspect's title."""
    return {aspect.name: word if len(aspects) == 1 else aspect.title for aspect in aspects}


def form_schema(aspects: Sequence[Aspect], word: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON schema of a form: the reason, then a value for each aspect, under the word where there is a single one."""
    keys = _keys_of(aspects, word).values()
    return closed_object({"reason": {"type": "string"}, **dict.fromkeys(keys, said)})


def read_form(
    text: str, aspects: Sequence[Aspect], word: str, *, structured: bool, cut_off: bool
) -> Form | Problem:
    """The form in a reply, with something for each of the aspects; or why there is none.

    `word` is the label of a single aspect. Lines that disagree are a Problem, and so is a line that a reply was cut off in. Below
    a label may stand a list, each entry a line; where it is numbered, from 1 on.
    """
    spoken_aloud = spoken(text)
    if len(spoken_aloud) > LONGEST:
        return too_long(spoken_aloud)
    in_json = _in_json(spoken_aloud, _keys_of(aspects, word), "schema" if structured else "text")
    if in_json is not None:
        return in_json
    labels, lines = labels_of(aspects, word), plain(spoken_aloud).rstrip().split("\n")
    said: dict[str, str] = {}
    for name, label in labels.items():
        line = _line(lines, label)
        if isinstance(line, Problem):
            return line
        if line is not None:
            said[name] = line
    missing = [label for name, label in labels.items() if name not in said]
    if missing:
        return nothing(spoken_aloud, f"I found no line that begins with {missing[0]}:", cut_off=cut_off)
    if cut_off and any(lines[-1].strip().endswith(line.rpartition("\n")[2]) for line in said.values()):
        return Problem("cut_off", "The reply was cut off within its last line.")
    return Form(said, spoken_aloud.strip())


def fields_of(pieces: Sequence[str], candidates: Sequence[Candidate]) -> tuple[str, ...] | Problem:
    """The fields of the candidates that pieces of a ballot name, by their label or its last word, each of them once."""
    known = {candidate.label.lower(): candidate for candidate in candidates}
    known |= {candidate.label.lower().split()[-1]: candidate for candidate in candidates}
    named: list[Candidate] = []
    for piece in pieces:
        candidate = known.get(" ".join(piece.lower().strip(_AROUND).split()))
        if candidate is None:
            names = ", ".join(one.label for one in candidates)
            return Problem("several", f"{quoted(piece)} is none of {names}.")
        if candidate in named:
            return Problem("several", f"The reply has {candidate.label} more than once.")
        named.append(candidate)
    return tuple(one.field for one in named)


def quoted(words: str) -> str:
    """Words between quotation marks: in one line, not long, and without marks of their own, so that they cannot end the quotation."""
    said = _MARKS.sub("'", " ".join(words.split()))
    return f'"{said[:SHOWN]}{"..." if len(said) > SHOWN else ""}"'


def nothing(said: str, told: str, *, cut_off: bool) -> Problem:
    """Say why a reply lacks what was asked for: it is empty, cut off, or declines, or it is as `told`."""
    if not any(map(str.isalnum, said)):
        return Problem("cut_off" if cut_off else "nothing", "The reply is empty.")
    if cut_off:
        return Problem("cut_off", f"The reply was cut off. {told}")
    if declines(said):
        return Problem("refusal", "The reply declined to answer.")
    return Problem("missing", told)


def too_long(said: str) -> Problem:
    """Refuse a reply that is longer than any form."""
    return Problem("missing", f"The reply is {len(said)} characters long; it may have {LONGEST}.")


def _in_json(said: str, keys: Mapping[str, str], how: How) -> Form | Problem | None:
    """The one object of a text that has a key for every aspect; None where there is none."""
    found: list[dict[str, object]] = []
    for pairs, _, _ in objects(said):
        named = [key_of(key) for key, _ in pairs]
        if not all(key_of(key) in named for key in keys.values()):
            continue
        twice = next((key for key in keys.values() if named.count(key_of(key)) > 1), None)
        if twice is not None:
            return Problem("several", f'The object in the reply has the key "{twice}" twice.')
        found.append(dict(zip(named, (value for _, value in pairs), strict=True)))
    if any(one != found[0] for one in found):
        return Problem("several", "The reply holds several objects, and I cannot tell which one is meant.")
    if not found:
        return None
    reason = found[0].get("reason")
    return Form(
        {name: found[0][key_of(key)] for name, key in keys.items()},
        reason.strip() if isinstance(reason, str) else "",
        how,
    )


def _line(lines: Sequence[str], label: str) -> str | Problem | None:
    """Read the text behind a label, or in the list below it; a Problem where several lines differ."""
    begins = re.compile(
        rf"[^\w\n]*(?:(?:my|the|final|overall) )*{re.escape(label)}[ \t]*:(.*)", re.IGNORECASE
    )
    found: list[str] = []
    for at, line in enumerate(lines):
        if hit := begins.fullmatch(line):
            below = "" if hit[1].strip() else _listed(lines[at + 1 :])
            if below is None:
                return Problem("several", f"The numbers of the list below {label}: do not go up from 1.")
            found.append(hit[1].strip() or below)
    filled = [one for one in found if one]
    if any(one.lower() != filled[0].lower() for one in filled):
        return Problem("several", f"I found several lines for {label}, and cannot tell which one is meant.")
    return next(iter(filled or found), None)


def _listed(lines: Sequence[str]) -> str | None:
    """The entries of the list that lines begin with, a line each; None where they are numbered otherwise than from 1 on."""
    items: list[str] = []
    for line in lines:
        item = _ITEM.fullmatch(line)
        if item is None:
            if line.strip() or items:
                break
            continue
        if item["number"] and int(item["number"]) != len(items) + 1:
            return None
        items.append(item["text"].strip())
    return "\n".join(items)


def _keys_of(aspects: Sequence[Aspect], word: str) -> dict[str, str]:
    """The key of each aspect in JSON: one word where there is a single aspect, else the aspect's name."""
    return {aspect.name: word if len(aspects) == 1 else aspect.name for aspect in aspects}
