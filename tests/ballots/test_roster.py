"""Rosters: the schema, and properties of any text."""

import json

import pytest
from cpu_time import grows_evenly
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.excerpt import LONGEST
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.roster import LONGEST_DESCRIPTION, LONGEST_TYPE, Role, read_roster, roster_schema


def test_the_schema_has_a_type_and_then_a_description_for_each_role() -> None:
    role = {
        "type": "object",
        "properties": {"type": {"type": "string"}, "description": {"type": "string"}},
        "required": ["type", "description"],
        "additionalProperties": False,
    }
    assert roster_schema(2) == {
        "type": "object",
        "properties": {"role_1": role, "role_2": role},
        "required": ["role_1", "role_2"],
        "additionalProperties": False,
    }


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
        role.model_dump_json()


PLAIN = st.text(st.sampled_from("abcdefgh éß好{}~"), max_size=20).map(
    lambda text: " ".join(f"x{text}y".split())
)


@given(
    st.lists(st.tuples(PLAIN, PLAIN), min_size=1, max_size=4, unique=True),
    st.sampled_from(["schema", "form", "bold"]),
)
@settings(max_examples=150, deadline=None)
def test_roles_come_back_as_they_were_written(roles: list[tuple[str, str]], shape: str) -> None:
    if shape == "schema":
        said = {
            f"role_{k}": {"type": kind, "description": text} for k, (kind, text) in enumerate(roles, start=1)
        }
        reply = json.dumps(said)
    else:
        pattern = "{}. {}: {}" if shape == "form" else "{}. **{}**: {}"
        reply = "\n".join(pattern.format(k, *role) for k, role in enumerate(roles, start=1))
    read = read_roster(reply, len(roles), structured=shape == "schema")
    if len({(kind.casefold(), text.casefold()) for kind, text in roles}) == len(roles):
        assert read == tuple(Role(type=kind, description=text) for kind, text in roles)
    else:
        assert isinstance(read, Problem)


UNITS = [
    "1",
    "\n",
    "1. ",
    "1. a: b\n",
    "a: b\n",
    "a: ",
    "- ",
    "**",
    "**a",
    "<a, ",
    "<a",
    "|",
    "| a ",
    "|a|b|\n|-|-|\n",
    "{",
    '{"type": "a", "description": "b"}',
]
UNITS += [
    '{"type": ',
    "[",
    '"',
    " ",
    "—",
    " - ",
    "type: ",
    "type: a description: ",
    "\u0301",
    "#",
    "Description: a\n",
    "a - ",
    "x\n y\n",
]


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_run_of_anything_is_read_in_time_that_grows_with_it(unit: str) -> None:
    assert grows_evenly(lambda size: read_roster(unit * (size // len(unit)), 3), LONGEST - 100)
