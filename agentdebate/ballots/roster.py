"""Rosters: one reply that recruits readers for a text, each with a type and a description (DRPE, Section 3.1).

What stands in the reply is data. Only blanks, control characters and marks around a whole value are taken off.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agentdebate.ballots.json_objects import is_json, key_of, objects, walk
from agentdebate.ballots.paper import nothing, quoted, too_long
from agentdebate.ballots.plain import LONGEST, spoken
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.sheet import closed_object
from agentdebate.visible import UNSEEN

LONGEST_TYPE = 60
"""Characters of a role's type."""
LONGEST_DESCRIPTION = 400
"""Characters of a role's description."""
MOST_ROLES = 100
"""Roles that one reply is asked for. More of them, described in a sentence each, are longer than what is read of a reply."""

_ENTRY = re.compile(
    r"[ \t]*(?>(?P<mark>[*_#]*(?:(?:role |reader )?[(\[]?\d{1,3}[.):\]]|[-•*](?=\s))[ \t]*)?)(?P<type>[^:：\n]{1,200}?)(?:[:：]|[ \t][-–—]+[ \t])(?P<text>.+)",
    re.IGNORECASE,
)
"""A line of a roster: its number or bullet, the type, a colon or dash, the description."""
_OF_THE_FORM = re.compile(
    r"\W*(?:(?:user|role|reader|judge) )?(?:type|description|role|name|title|user|reader|occupation|profile|note)s?\W*",
    re.IGNORECASE,
)
"""Types that are words of a form: it is another one than was asked for, whose parts are not roles."""
_HIDDEN = re.compile(f"(?![\u200c\u200d])[{UNSEEN}]")
"""Invisible characters, except the joiners that scripts and emoji are written with."""
_WRAPPED = re.compile(
    r"(?P<mark>\*\*|__|[*_`\"])(?P<inner>(?:(?!(?P=mark)).)+)(?P=mark)|“(?P<quoted>[^“”]+)”|<(?P<angled>[^<>]+)>"
)
"""A whole value with marks around it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A reader by type ("Amateur astronomer") and description. Both are a model's words, and so data, never instructions."""

    type: str
    description: str


def roster_schema(wanted: int) -> dict[str, Any]:
    """The JSON schema of a roster: `role_1` and so on, each with a type and a description."""
    half = {"type": "string"}
    role = closed_object({"type": half, "description": half})
    return closed_object({f"role_{k + 1}": role for k in range(wanted)})


def read_roster(
    text: str, wanted: int, *, structured: bool = False, cut_off: bool = False
) -> tuple[Role, ...] | Problem:
    """Exactly `wanted` roles, each with a type and a description of bounded length; or why not. Alike ones are clustered later.

    `structured` says that the endpoint held the reply to the schema, `cut_off` that it stopped at the length limit:
    then a description that ends with the reply is not taken for whole. Raises nothing, whatever the text.
    """
    said = spoken(text).strip()
    if len(said) > LONGEST:
        return too_long(said)
    in_json = structured or is_json(said) or 'description"' in said
    found = [*(_in_json(said) if in_json else _in_lines(said))]
    if len(found) != wanted:
        names = "1 role" if len(found) == 1 else f"{len(found) or 'no'} roles"
        told = f"I found {names} with a type and a description in the reply; {wanted} {'is' if wanted == 1 else 'are'} wanted."
        return Problem("several", told) if len(found) > wanted else nothing(said, told, cut_off=cut_off)
    if cut_off and not in_json and text[-1:] not in "\n\r":
        last = quoted(found[-1].type)
        return Problem("cut_off", f"The reply was cut off before the description of {last} was complete.")
    return _unfit(found) or tuple(found)


def _in_json(said: str) -> Iterator[Role]:
    """The objects that have a type and a description."""
    for outer, _, _ in objects(said):
        for one in walk(outer):
            halves = {key_of(key).removeprefix("user_"): value for key, value in one}
            kind, description = halves.get("type"), halves.get("description")
            if isinstance(kind, str) and isinstance(description, str):
                yield Role(type=_tidy(kind), description=_tidy(description))


def _in_lines(said: str) -> Iterator[Role]:
    """The lines that have a type and a description: the numbered ones, else those with bullets, else all."""
    entries = [entry for line in said.splitlines() if (entry := _ENTRY.fullmatch(line))]
    rank = max(map(_rank, entries), default=0)
    for entry in entries:
        kind, description = _tidy(entry["type"]), _tidy(entry["text"])
        if _rank(entry) == rank and description:
            yield Role(type=kind, description=description)


def _rank(entry: re.Match[str]) -> int:
    """2 for a line with a number, 1 for one with a bullet, else 0."""
    mark = entry["mark"] or ""
    return 2 if any(map(str.isdigit, mark)) else int(bool(mark))


def _unfit(found: Sequence[Role]) -> Problem | None:
    """Find what is wrong with the roles."""
    for at, role in enumerate(found, start=1):
        if not any(map(str.isalpha, role.type)):
            return Problem("missing", f"Role {at} of the reply has no type.")
        if not any(map(str.isalnum, role.description)):
            return Problem("missing", f"Role {at} of the reply, {quoted(role.type)}, has no description.")
        if ":" in role.type or _OF_THE_FORM.fullmatch(role.type):
            said = f"{quoted(role.type)} is the type of role {at}, and is a word of a form."
            return Problem("off_scale", said)
        long = [
            ("type", len(role.type), LONGEST_TYPE),
            ("description", len(role.description), LONGEST_DESCRIPTION),
        ]
        for half, length, longest in long:
            if length > longest:
                size = f"{length} characters; at most {longest} are wanted"
                return Problem("off_scale", f"The {half} of role {at}, {quoted(role.type)}, has {size}.")
    return None


def _tidy(text: str) -> str:
    """One line without control characters, with single blanks, and without the marks around the whole of it."""
    bare = " ".join(_HIDDEN.sub(" ", text).split())
    while found := _WRAPPED.fullmatch(bare):
        bare = (found["inner"] or found["quoted"] or found["angled"]).strip()
    # Half of a pair of marks, whose other half stood in another part of the line.
    half = next((mark for mark in ("**", "__") if bare.count(mark) == 1), "")
    return bare.removeprefix(half).removesuffix(half).strip()
