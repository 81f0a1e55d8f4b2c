"""Rosters: the schema, the lines and objects that are read, and properties of any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.roster import LONGEST_DESCRIPTION, LONGEST_TYPE, Role, read_roster
from agentdebate.codec import json_text

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
    FORM.replace(": ", "："),
    FORM.replace("1. ", "1) ").replace("2. ", "(2) ").replace("3. ", "[3] "),
    "Here are three roles:\n\n" + FORM,
    "Sure: here are the roles.\n\n" + FORM + "\n\nThese roles cover laymen: fans and teachers.",
    "Coarse-grained:\n" + FORM.replace("\n3.", "\n\n### Fine-grained:\n3."),
    "<think>1. Reader: reads.</think>" + FORM,
    shaped("- {type}: {text}"),
    shaped("* **{type}**: {text}"),
    shaped("• {type} - {text}"),
    shaped("{k}. **{type}:** {text}"),
    shaped("**{k}. {type}**: {text}"),
    shaped("{k}. {type} – {text}"),
    shaped('{k}. "{type}": "{text}"'),
    shaped("{k}. <{type}>: <{text}>"),
    shaped("Role {k}: {type}: {text}"),
    '{{"roles": [{}]}}'.format(shaped('{{"type": "{type}", "description": "{text}"}}', ", ")),
    "[{}]".format(shaped('{{"type": "{type}", "description": "{text}"}}', ", ")),
    "```json\n{{{}}}\n```".format(shaped('"role_{k}": {{"type": "{type}", "description": "{text}"}}', ",\n")),
    "Here:\n{}".format(shaped('{{"user_type": "{type}", "user_description": "{text}"}}')),
}


@pytest.mark.parametrize("reply", sorted(READ), ids=range(len(READ)))
def test_the_roles_of_a_roster_are_read(reply: str) -> None:
    expected = tuple(Role(type=kind, description=text) for kind, text in (ASTRONOMER, TEACHER, FAN))
    assert read_roster(reply, 3) == expected


UNREAD: dict[str, tuple[str, str]] = {
    "": ("nothing", "empty"),
    " \n**": ("nothing", "empty"),
    "I'm sorry, but I can't help with that.": ("refusal", "declined"),
    "The readers are manifold.": ("missing", "no roles"),
    shaped("User type: {type}\nUser description: {text}"): ("several", "6 roles"),
    shaped("{k}. User type: {type}; User description: {text}"): ("off_scale", "word of a form"),
    shaped("{k}. <{type}, {text}>"): ("missing", "no roles"),
    "| Type | Description |\n|---|---|\n" + shaped("| {type} | {text} |"): ("missing", "no roles"),
    "\n".join(LINES[:2]): ("missing", "2 roles"),
    LINES[0]: ("missing", "1 role "),
    FORM + "\n4. Reader: reads.": ("several", "4 roles"),
    shaped("{k}. {type}"): ("missing", "no roles"),
    shaped("{k}. {type}:"): ("missing", "no roles"),
    FORM.replace("High-school teacher", ""): ("missing", "2 roles"),
    FORM.replace("High-school teacher", "42"): ("missing", "Role 2"),
    FORM.replace(TEACHER[1], "..."): ("missing", "no description"),
    FORM.replace("High-school teacher", "x" * (LONGEST_TYPE + 1)): ("off_scale", "61 characters"),
    FORM.replace(TEACHER[1], "x" * (LONGEST_DESCRIPTION + 1)): ("off_scale", "401 characters"),
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


IN_JSON = "{{{}}}".format(shaped('"role_{k}": {{"type": "{type}", "description": "{text}"}}', ", "))


@pytest.mark.parametrize("reply", [FORM, FORM[:-40], FORM[:40], "", IN_JSON[:-12]])
def test_a_description_at_the_end_of_a_reply_that_was_cut_off_is_not_trusted(reply: str) -> None:
    read = read_roster(reply, 3, cut_off=True)
    assert isinstance(read, Problem)
    assert read.kind == "cut_off"
    for whole in (FORM + "\n", IN_JSON):
        assert not isinstance(read_roster(whole, 3, cut_off=True), Problem)


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
WORDS = '1. 2. - ** Critic : Fan reads <a, b> Type: Description: | |---|---| { } "type": "a", "description": "b" [ ] ### – \x00 \ud800 \u202e'
FRAGMENTS = st.lists(
    st.sampled_from(["\n", "\n1. Fan: reads", "\n- Fan: reads", *WORDS.split(" ")]), max_size=40
).map(" ".join)


@given(ANY_TEXT | FRAGMENTS, st.integers(1, 3), st.booleans(), st.booleans())
@settings(max_examples=400, deadline=None)
def test_any_text_gives_as_many_roles_as_are_wanted_or_a_problem(
    text: str, wanted: int, structured: bool, cut_off: bool
) -> None:
    read = read_roster(text, wanted, structured=structured, cut_off=cut_off)
    if isinstance(read, Problem):
        assert read.text
        return
    assert len(read) == wanted
    for role in read:
        assert 0 < len(role.type) <= LONGEST_TYPE
        assert 0 < len(role.description) <= LONGEST_DESCRIPTION
        assert len(f"{role.type} {role.description}".splitlines()) == 1
        assert any(character.isalpha() for character in role.type)
        json_text(role)
