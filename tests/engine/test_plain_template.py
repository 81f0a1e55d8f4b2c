"""Templates that only show what they are given say what Jinja says, and leave to Jinja whatever is more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.project.project import Project
from agentdebate.prompts.foreign_text import Said
from agentdebate.prompts.plain_template import plain_template
from agentdebate.prompts.prompts import Prompts
from agentdebate.prompts.templates import plain_environment

JINJA = plain_environment()
TEXTS = st.text(alphabet="ab%s{}\n é", max_size=12)
FRAME = Prompts(Project()).part("frame")


def joined(pieces: tuple[str, ...] | None) -> str | None:
    """The text of which these are the pieces."""
    return None if pieces is None else "".join(pieces)


def both(source: str, **variables: object) -> tuple[str | None, str]:
    """What the plain template gives, and what Jinja does."""
    plain = plain_template(JINJA.parse(source))
    return joined(plain.fill(variables)) if plain else None, JINJA.from_string(source).render(variables)


@given(
    talk=st.lists(st.builds(Said, TEXTS, TEXTS), max_size=4),
    dropped=st.integers(0, 2),
    title=TEXTS,
    instruction=TEXTS,
)
def test_what_an_agent_is_shown_is_what_jinja_makes_of_it(
    talk: list[Said], dropped: int, title: str, instruction: str
) -> None:
    given_ = {"talk": talk, "dropped": dropped, "title": title, "persona": "P", "instruction": instruction}
    assert FRAME.plain is not None
    filled = joined(FRAME.plain.fill(given_))
    assert filled is None or filled == FRAME.compiled.render(given_)
    assert (filled is None) == bool(
        talk and dropped
    )  # of these, only the words on what is left out need Jinja
    assert FRAME.render(**given_) == FRAME.compiled.render(given_).strip()


@pytest.mark.parametrize(
    ("source", "variables"),
    [
        ("a {{ x }} 100% {{ y }}", {"x": 3, "y": None}),
        ("{% if x %}full {{ x }}{% else %}empty{% endif %}", {"x": []}),
        ("{% if x %}full {{ x }}{% endif %}", {"x": "%s"}),
        ("{% for a, b in rows %}{{ a }}={{ b }}%;{% endfor %}", {"rows": [("x%", 1), ("y", None)]}),
        (
            "{% for a, b, c in rows %}{{ c }} {{ a }} {{ c }}{% endfor %}",
            {"rows": [("x", "y", "z"), [1, 2, 3]]},
        ),
    ],
)
def test_texts_variables_choices_and_rows_are_put_together(source: str, variables: dict[str, object]) -> None:
    plain, jinja = both(source, **variables)
    assert plain == jinja


@pytest.mark.parametrize(
    "source",
    [
        "{{ x|upper }}",
        "{{ rows[0] }}",
        "{% for row in rows %}{{ row }}{% endfor %}",
        "{% for a, b in rows %}{{ x }}{{ a }}{{ b }}{% endfor %}",
        "{% for a, b in rows %}{{ a }}{% endfor %}",
        "{% for a, b in rows %}{{ loop.index }}{{ a }}{{ b }}{% endfor %}",
        "{% for a, b in rows if a %}{{ a }}{{ b }}{% endfor %}",
        "{% for a, b in rows %}{{ a }}{{ b }}{% else %}none{% endfor %}",
        "{% if x == 'x' %}{{ x }}{% endif %}",
        "{% if x %}{{ x|upper }}{% endif %}",
        "{% if x %}a{% elif rows %}b{% endif %}",
    ],
)
def test_what_is_more_than_that_is_left_to_jinja(source: str) -> None:
    assert both(source, x="x", rows=[("a", "b"), ("c", "d")])[0] is None


def test_a_row_that_is_none_and_a_variable_that_is_missing_are_left_to_jinja_which_says_so() -> None:
    rows = plain_template(JINJA.parse("{% for a, b in rows %}{{ a }}{{ b }}{% endfor %}{{ x }}"))
    assert rows is not None
    assert rows.fill({"rows": [("a", "b")]}) is None
    assert rows.fill({"rows": [("a", "b", "c")], "x": ""}) is None
    assert rows.fill({"rows": 3, "x": ""}) is None


def test_a_template_is_filled_anew_as_its_variables_are_empty_or_not() -> None:
    source = "{% if x %}{{ x }}: {% for a, b in rows %}{{ b }}{{ a }}{{ b }}. {% endfor %}{% else %}{{ y }}{% endif %}!"
    plain = plain_template(JINJA.parse(source))
    assert plain is not None
    for x in ("", "x", 0, "another", ""):
        for rows in ([], [("a", "b")], [("a", 1), (None, "é")]):
            given_ = {"x": x, "y": "none", "rows": rows}
            assert joined(plain.fill(given_)) == JINJA.from_string(source).render(given_)


def test_what_was_said_is_one_object_in_all_texts() -> None:
    said = Said("Ann", "~~~~\nIt is short.\n~~~~")
    given_ = {"talk": [said], "dropped": 0, "title": "T", "persona": "P", "instruction": "I"}
    assert any(piece is said.text for piece in FRAME.pieces(**given_))
