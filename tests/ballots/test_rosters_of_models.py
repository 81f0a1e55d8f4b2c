"""Rosters as models write them, and the roles to be read in them. A kind of Problem stands for one not to be read."""

import pytest

from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.roster import LONGEST_DESCRIPTION, LONGEST_TYPE, Role, read_roster

ASTRONOMER = ("Amateur astronomer", "Knows the night sky, and wants to learn which telescopes are worth it.")
TEACHER = ("High-school teacher", "Looks for a text that a class can follow; has 20 minutes.")
FAN = ("Johnny Depp's fans", "They follow the trial closely {and} read ~every~ report.")
LINES = [": ".join(role) for role in (ASTRONOMER, TEACHER, FAN)]
FORM = "\n".join(f"{k}. {line}" for k, line in enumerate(LINES, start=1))


def shaped(pattern: str, joint: str = "\n") -> str:
    return joint.join(
        pattern.format(k=k, type=kind, text=text)
        for k, (kind, text) in enumerate((ASTRONOMER, TEACHER, FAN), start=1)
    )


READ = {
    FORM,
    FORM + "\n",
    "\n".join(LINES),
    "\n\n".join(LINES),
    FORM.replace("\n", "\r\n"),
    FORM.replace("\n", "\n\n"),
    FORM.replace(": ", "："),
    FORM.replace("1. ", "1) ").replace("2. ", "(2) ").replace("3. ", "[3] "),
    FORM.replace("1. ", "１．"),
    FORM.replace("  ", " ").replace(" the night", "\tthe  night"),
    "Here are three roles:\n\n" + FORM,
    "Sure: here are the roles.\n\n" + FORM + "\n\nThese roles cover laymen: fans and teachers.",
    FORM + "\nNote: the roles are sorted.",
    "Coarse-grained:\n" + FORM.replace("\n3.", "\n\n### Fine-grained:\n3."),
    "**Coarse-grained roles**\n" + FORM.replace("\n3.", "\n\n**Fine-grained roles:**\n1."),
    "<think>1. Reader: reads.</think>" + FORM,
    shaped("- {type}: {text}"),
    shaped("* **{type}**: {text}"),
    shaped("• {type} - {text}"),
    shaped("{k}. **{type}:** {text}"),
    shaped("**{k}. {type}**: {text}"),
    shaped("**{k}. {type}**\n{text}", "\n\n"),
    shaped("{k}. {type} – {text}"),
    shaped("{k}. {type} — {text}"),
    shaped("{k}. *{type}*: {text}"),
    shaped('{k}. "{type}": "{text}"'),
    shaped("{k}. “{type}”: {text}"),
    shaped("{k}. `{type}` - {text}"),
    shaped("{k}. **{type}** {text}"),
    shaped("{k}. <{type}>: <{text}>"),
    shaped("{k}. <{type}, {text}>"),
    shaped("<{type}, {text}>"),
    shaped("Role {k}: {type}: {text}"),
    shaped("Role {k}: {type} - {text}"),
    shaped("### {type}\n{text}", "\n\n"),
    shaped("### {k}. {type}\n\n{text}", "\n\n"),
    shaped("{k}. {type}:\n   {text}"),
    shaped("{k}. {type}\n   - {text}"),
    shaped("User type: {type}\nUser description: {text}"),
    shaped("**User type:** {type}\n**User description:** {text}", "\n\n"),
    shaped("{k}. User type: {type}\n   User description: {text}", "\n\n"),
    shaped("{k}. User type: {type}; User description: {text}"),
    shaped("Type: {type}, Description: {text}"),
    shaped("<User type: {type}, User description: {text}>"),
    shaped("{k}. {type}\nDescription: {text}"),
    shaped("- **Type**: {type}\n- **Description**: {text}"),
    "| Type | Description |\n|---|---|\n" + shaped("| {type} | {text} |"),
    "Roles:\n| # | User type | User description |\n|:-:|:--|---|\n"
    + shaped("| {k} | **{type}** | {text} |")
    + "\n\nDone: fine.",
    '{{"roles": [{}]}}'.format(shaped('{{"type": "{type}", "description": "{text}"}}', ", ")),
    "[{}]".format(shaped('{{"type": "{type}", "description": "{text}"}}', ", ")),
    "```json\n{{{}}}\n```".format(shaped('"role_{k}": {{"type": "{type}", "description": "{text}"}}', ",\n")),
    "{{{}}}".format(shaped('"{type}": "{text}"', ", ")),
    "{{{}}}".format(shaped('"role_{k}": "{type}: {text}"', ", ")),
    '{{"users": [{}]}}'.format(shaped('"{type}: {text}"', ", ")),
    "{{{}}}".format(shaped('"{type}": {{"description": "{text}"}}', ", ")),
    "Here:\n{}".format(shaped('{{"user_type": "{type}", "user_description": "{text}"}}')),
    "{{{}".format(shaped('"role_{k}": {{"type": "{type}", "description": "{text}"}}', ",\n")),
}


@pytest.mark.parametrize("reply", sorted(READ), ids=range(len(READ)))
def test_the_roles_of_a_roster_are_read(reply: str) -> None:
    expected = tuple(Role(type=kind, description=text) for kind, text in (ASTRONOMER, TEACHER, FAN))
    assert read_roster(reply, 3) == expected


UNREAD: dict[str, tuple[str, str]] = {
    "": ("nothing", "3 are wanted"),
    " \n**": ("nothing", "empty"),
    "I'm sorry, but I can't help with that.": ("refusal", "declined"),
    "The readers are manifold.": ("missing", "no roles"),
    "\n".join(LINES[:2]): ("missing", "2 roles"),
    LINES[0]: ("missing", "1 role "),
    FORM + "\n4. Reader: reads.": ("several", "4 roles"),
    shaped("{k}. {type}"): ("missing", "no roles"),
    shaped("{k}. {type}:"): ("missing", 'Role 1 of the reply, "Amateur'),
    FORM.replace("High-school teacher", ""): ("missing", "Role 2"),
    FORM.replace("High-school teacher", "42"): ("missing", "Role 2"),
    FORM.replace(TEACHER[1], "..."): ("missing", "no description"),
    FORM.replace("High-school teacher", "x" * (LONGEST_TYPE + 1)): ("off_scale", "61 characters"),
    FORM.replace(TEACHER[1], "x" * (LONGEST_DESCRIPTION + 1)): ("off_scale", "401 characters"),
    FORM.replace(LINES[2], LINES[1].upper()): ("several", "twice"),
    '{"role_1": {"type": "a", "description": "b"}}': ("missing", "1 role "),
    '{"role_1": {"type": "", "description": "b"}, "role_2": {"type": "a", "description": "b"}, "role_3": {"type": "c", "description": "d"}}': (
        "missing",
        "Role 1",
    ),
}


@pytest.mark.parametrize(("reply", "expected"), UNREAD.items(), ids=range(len(UNREAD)))
def test_what_is_no_roster_is_a_problem_that_says_why(reply: str, expected: tuple[str, str]) -> None:
    read = read_roster(reply, 3)
    assert isinstance(read, Problem)
    assert read.kind == expected[0]
    assert expected[1] in read.text


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (FORM, "cut_off"),
        (FORM[:-40], "cut_off"),
        (FORM[:40], "cut_off"),
        ("", "cut_off"),
        (FORM + "\n", None),
        ("{{{}}}".format(shaped('"role_{k}": {{"type": "{type}", "description": "{text}"}}', ", ")), None),
        (
            "{{{}".format(shaped('"role_{k}": {{"type": "{type}", "description": "{text}"}}', ", "))[:-10],
            "cut_off",
        ),
    ],
)
def test_a_description_at_the_end_of_a_reply_that_was_cut_off_is_not_trusted(
    reply: str, kind: str | None
) -> None:
    read = read_roster(reply, 3, cut_off=True)
    assert kind == (read.kind if isinstance(read, Problem) else None)


def test_marks_within_a_role_stay_and_what_is_hidden_goes() -> None:
    read = read_roster("1. A\u202e {b}\x00 c~~: <d> \ud800 {{ e }} | f\u200b *g*", 1)
    assert read == (Role(type="A {b} c~~", description="<d> \ufffd {{ e }} | f *g*"),)
