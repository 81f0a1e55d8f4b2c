"""Rosters: one reply that recruits readers for a text, each with a type and a description (DRPE, Section 3.1)."""

from collections.abc import Sequence
from typing import Any

from agentdebate.ballots.excerpt import LONGEST
from agentdebate.ballots.profiles import Pair, is_heading, pairs_in_text
from agentdebate.ballots.profiles_json import pairs_in_json
from agentdebate.ballots.refusal import declines
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.role import Role
from agentdebate.ballots.short_quotation import quoted
from agentdebate.ballots.view import quiet

__all__ = ["LONGEST_DESCRIPTION", "LONGEST_TYPE", "MOST_ROLES", "Problem", "read_roster", "roster_schema"]

LONGEST_TYPE = 60
"""Characters of a role's type."""
LONGEST_DESCRIPTION = 400
"""Characters of a role's description."""
MOST_ROLES = 100
"""Roles that one reply is asked for. More of them, described in a sentence each, are longer than what is read of a reply."""


def roster_schema(wanted: int) -> dict[str, Any]:
    """The JSON schema of a roster: `role_1` and so on, each with a type and a description."""
    half = {"type": "string"}
    role = _closed({"type": half, "description": half})
    return _closed({f"role_{k + 1}": role for k in range(wanted)})


def read_roster(
    text: str, wanted: int, *, structured: bool = False, cut_off: bool = False
) -> tuple[Role, ...] | Problem:
    """Exactly `wanted` roles, no two alike, each with a type and a description of bounded length; or why not.

    `structured` says that the endpoint held the reply to the schema, `cut_off` that it stopped at the length limit:
    then a description that ends with the reply is not taken for whole. Raises nothing, whatever the text.
    """
    said = quiet(text).strip()
    if len(said) > LONGEST:
        return Problem(
            "too_long", f"The reply is {len(said)} characters long; a roster has at most {LONGEST}."
        )
    if not any(character.isalnum() for character in said):
        return _silent(wanted, cut_off=cut_off)
    found, in_json = _pairs(said, structured=structured, cut_off=cut_off)
    if not found and declines(said):
        return Problem(
            "refusal", f"The reply declined to answer: it names no roles, where {wanted} are wanted."
        )
    if len(found) != wanted:
        return _miscounted(len(found), wanted, cut_off=cut_off)
    if cut_off and not in_json and text[-1:] not in "\n\r":
        return Problem(
            "cut_off",
            f"The reply was cut off before the description of {quoted(found[-1][0])} was complete.",
        )
    return _unfit(found) or tuple(Role(type=kind, description=description) for kind, description in found)


def _pairs(said: str, *, structured: bool, cut_off: bool) -> tuple[list[Pair], bool]:
    """The roles in JSON where there are some, else in text; and whether it was JSON."""
    starts = said.lstrip("` \n").removeprefix("json").lstrip()[:1]
    if "{" in said or (starts == "[" and '"' in said):
        found, mended = pairs_in_json(said, cut_off=cut_off)
        # Braces may stand within a description; then the text around them is what has the roles.
        if starts in {"{", "["} or structured or (found and not mended):
            return found, True
    return [pair for pair in pairs_in_text(said) if not is_heading(pair[0])], False


def _unfit(found: Sequence[Pair]) -> Problem | None:
    """What keeps roles that were found from being any."""
    for at, (kind, description) in enumerate(found, start=1):
        if not any(character.isalpha() for character in kind):
            return Problem("missing", f"Role {at} of the reply has no type.")
        if not any(character.isalnum() for character in description):
            return Problem("missing", f"Role {at} of the reply, {quoted(kind)}, has no description.")
        if is_heading(kind) or ":" in kind:  # which is how a line of a form begins
            return Problem("off_scale", f"{quoted(kind)} is the type of role {at}, and is a heading.")
        for half, text, longest in (
            ("type", kind, LONGEST_TYPE),
            ("description", description, LONGEST_DESCRIPTION),
        ):
            if len(text) > longest:
                size = f"{len(text)} characters; at most {longest} are wanted"
                return Problem("off_scale", f"The {half} of role {at}, {quoted(kind)}, has {size}.")
    alike = [(kind.casefold(), description.casefold()) for kind, description in found]
    twice = next((k for k, pair in enumerate(alike) if pair in alike[:k]), None)
    if twice is None:
        return None
    return Problem("several", f"The reply has the role {quoted(found[twice][0])} twice, word for word.")


def _miscounted(found: int, wanted: int, *, cut_off: bool) -> Problem:
    names = "1 role" if found == 1 else f"{found or 'no'} roles"
    text = f"I found {names} with a type and a description in the reply; {wanted} {'is' if wanted == 1 else 'are'} wanted."
    if found > wanted:
        return Problem("several", text)
    return Problem("cut_off", f"The reply was cut off. {text}") if cut_off else Problem("missing", text)


def _silent(wanted: int, *, cut_off: bool) -> Problem:
    if cut_off:
        return Problem("cut_off", f"The reply was cut off before it named a role; {wanted} are wanted.")
    return Problem("nothing", f"The reply was empty: it names no roles, where {wanted} are wanted.")


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
