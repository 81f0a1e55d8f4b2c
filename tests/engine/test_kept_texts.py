"""Texts that are the same in every debate are filled once; what differs is filled anew."""

from agentdebate.project.project import Project
from agentdebate.prompts.prompts import Prompts, Template


def template(source: str) -> Template:
    return Prompts(Project()).compile("prompts/turns", "here", source)


def test_what_is_filled_with_words_and_numbers_is_kept_by_them() -> None:
    one = template("{{ title }} in {{ round }}")
    first = one.render(title="Ann", round=1)
    assert one.render(title="Ann", round=1) is first
    assert [one.render(title="Ann", round=2), one.render(title="Ben", round=1)] == ["Ann in 2", "Ben in 1"]


def test_a_truth_value_is_not_taken_for_the_number_that_equals_it() -> None:
    one = template("{{ given }}")
    assert [one.render(given=1), one.render(given=True)] == ["1", "True"]


def test_what_is_filled_with_more_than_words_is_filled_anew() -> None:
    one, given = template("{{ given.coarse }}"), {"coarse": 1}
    assert one.render(given=given) == "1"
    given["coarse"] = 2
    assert one.render(given=given) == "2"


def test_few_texts_are_kept_however_many_there_are() -> None:
    one = template("{{ title }}")
    for number in range(1000):
        assert one.render(title=f"Reader {number}") == f"Reader {number}"
    assert len(one._kept) <= 64
