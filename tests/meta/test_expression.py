"""The language of choice=...: what is read, what it is written as, and which place an error names."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentdebate.errors import UsageError
from agentdebate.meta.expression import Expression, Term, parse_choice, parse_people

NAMES = st.text(st.characters(exclude_characters='"'), min_size=1, max_size=12)


@st.composite
def terms(draw: st.DrawFn) -> Term:
    fields = tuple(draw(st.lists(NAMES, min_size=1, max_size=3)))
    several = len(fields) > 1 or draw(st.booleans())
    return Term(fields, "majority" if several else "", draw(st.booleans()))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("label=pick", Expression(Term(("label",)), (Term(("pick",)),))),
        (" label = a.b.*.c ", Expression(Term(("label",)), (Term(("a.b.*.c",)),))),
        ("label=d1+flip(d2)", Expression(Term(("label",)), (Term(("d1",)), Term(("d2",), flipped=True)))),
        ("l=flip( majority(a, b) )", Expression(Term(("l",)), (Term(("a", "b"), "majority", flipped=True),))),
        ("each(votes)=pick", Expression(Term(("votes",), "each"), (Term(("pick",)),))),
        ("label=a+d,b+c", Expression(Term(("label",)), sums=(("a", "d"), ("b", "c")))),
        ('label="a+b",c', Expression(Term(("label",)), sums=(("a+b",), ("c",)))),
        ("=d1+flip(d2)", Expression(None, (Term(("d1",)), Term(("d2",), flipped=True)))),
        ("label=score (1-5)", Expression(Term(("label",)), (Term(("score (1-5)",)),))),
        ("label=flip", Expression(Term(("label",)), (Term(("flip",)),))),
    ],
)
def test_an_expression_says_where_choices_are(text: str, found: Expression) -> None:
    assert parse_choice(text) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("label", "people's choice and the judge's have = between them, at its end"),
        ("label=", "the name of a field is missing, at its end"),
        ("label=flip(d2", r"a \) is missing, at its end"),
        ("label=a+,b", r"the name of a field is missing, at ',b' \(character 9\)"),
        ("label=flip(flip(a))", r"not around another flip\(\)"),
        ("label=each(a)", r"each\(\) is not for a judge's side.*at 'each\(a\)' \(character 7\)"),
        ("flip(a)=b", r"flip\(\) is not for people's side"),
        ("mean(a)=b", r"mean\(\) is not for people's side"),
        ("label=a,flip(b)", r"flip\(b\) is a choice, and with commas there are scores"),
        ('label="a" b', r"the expression should end here, at 'b' \(character 11\)"),
    ],
)
def test_an_error_names_the_place_in_the_expression(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_choice(text)


@given(NAMES, st.lists(terms(), min_size=1, max_size=3))
def test_what_is_written_is_read_as_the_same(people: str, judge: list[Term]) -> None:
    human = Term((people,))
    found = parse_choice(f"{human}={'+'.join(map(str, judge))}")
    assert found == Expression(human, tuple(judge))


@given(st.text('abflipmajority()+=," .*', max_size=40))
@example("flip(" * 500)
def test_any_text_is_read_or_refused_with_an_error_of_ours(text: str) -> None:
    try:
        found = parse_choice(text)
    except UsageError:
        return
    assert bool(found.terms) is not bool(found.sums)


def test_people_may_be_several() -> None:
    assert parse_people("majority(a,b)", "human=...") == Term(("a", "b"), "majority")
    assert parse_people("scores.*.value", "human=...") == Term(("scores.*.value",))
    with pytest.raises(UsageError, match=r"human=... 'flip\(a\)': flip\(\) is not for people's side"):
        parse_people("flip(a)", "human=...")
