"""Scales, grades, aspects and tasks."""

import math
from typing import Any

import pytest
from engine_cases import FLUENCY, TASK
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agentdebate.errors import UsageError
from agentdebate.tasks import Aspect, Scale, Task
from agentdebate.wrong_values import WrongValue


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("1-5", Scale(low=1, high=5)),
        (" 0-1 ", Scale(low=0, high=1)),
        ("1to5", Scale(low=1, high=5)),
        ("0.5-2.5", Scale(low=0.5, high=2.5)),
        ("1-5 any", Scale(low=1, high=5, step=None)),
    ],
)
def test_a_scale_is_read_from_its_ends(text: str, scale: Scale) -> None:
    assert Scale.parse(text) == scale


@pytest.mark.parametrize(
    "fields",
    [
        {"low": 2, "high": 1},
        {"low": 1, "high": 5, "step": 0},
        {"low": 1, "high": math.inf},
        {"low": math.nan, "high": 5},
    ],
)
def test_a_scale_is_a_finite_range(fields: dict[str, float]) -> None:
    with pytest.raises(WrongValue, match="Scale"):
        Scale(**fields)


@given(st.integers(-50, 50), st.integers(1, 40), st.sampled_from([1.0, 0.5, 0.25, 0.1]))
def test_every_value_of_a_scale_is_on_it(low: int, span: int, step: float) -> None:
    scale = Scale(low=low, high=low + span, step=step)
    assert scale.values is not None
    assert all(value in scale for value in scale.values)
    assert scale.values[0] == low
    assert scale.values[-1] == pytest.approx(low + span)
    assert len(scale.values) == round(span / step) + 1


@pytest.mark.parametrize("given", [3, [3], [None, "fluency"]])
def test_aspects_that_are_not_names_are_refused_in_words(given: Any) -> None:
    with pytest.raises(UsageError, match="aspects take names"):
        TASK.choose(given)


@pytest.mark.parametrize(
    "wrong",
    [
        {"judged": "other"},
        {"aspects": ()},
        {"aspects": (FLUENCY, FLUENCY)},
        {"fields": ()},
        {"mood": "cross"},
    ],
)
def test_a_task_that_cannot_be_judged_by_is_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(WrongValue, match="Task"):
        Task(**{**TASK.model_dump(), **wrong})


@pytest.mark.parametrize("name", ["", "Fluency", "1st", "two words", "fluency!"])
def test_an_aspects_name_is_an_identifier(name: str) -> None:
    with pytest.raises(WrongValue, match="'name': it is a name of small letters"):
        Aspect(name=name, scale=Scale(low=1, high=5), criterion="x")


class TestGrades:
    """Scales whose scores have letters or words for names."""

    def test_grades_are_a_number_each_or_names_from_the_lowest(self) -> None:
        five = Scale.model_validate({"grades": ["E", "D", "C", "B", "A"]})
        assert five == Scale.graded({"A": 5, "B": 4, "C": 3, "D": 2, "E": 1})
        assert (five.low, five.high, five.step, str(five), five.ends) == (1, 5, 1, "E to A", "1 to 5")
        assert five.wanted == "grade from E to A: E, D, C, B or A"
        assert (five.grade(4), five.grade(4.5)) == ("B", None)

    def test_such_a_scale_holds_the_grades_numbers_alone(self) -> None:
        scale = Scale.model_validate({"grades": {"A": 4, "A-": 3.7, "B": 3}})
        assert scale.values == (3, 3.7, 4)
        assert 3.7 in scale
        assert 3.3 not in scale

    def test_an_aspect_has_them_in_place_of_its_scale_or_beside_it(self) -> None:
        alone = Aspect.model_validate({"name": "a", "criterion": "-", "grades": ["C", "B", "A"]})
        beside = {"name": "a", "criterion": "-", "scale": "1-3", "grades": {"A": 3, "B": 2, "C": 1}}
        assert alone == Aspect.model_validate(beside)
        assert alone.scale.grades == (("C", 1), ("B", 2), ("A", 3))

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"low": 1, "high": 5, "grades": {"A": 4, "B": 1}}, "the grades go from 1 to 4"),
            ({"grades": {"A": 4, "a": 1}}, "names of their own: a, A"),
            ({"grades": {"5": 5, "B": 1}}, "a grade is a letter or a word"),
            ({"grades": {"A": "much"}}, "grades are {A = 5, B = 4}"),
            ({"grades": 5}, "grades are {A = 5, B = 4}"),
            ({"grades": ["A"]}, "runs from low to high"),
        ],
    )
    def test_what_is_wrong_with_grades_is_said(self, fields: dict[str, Any], message: str) -> None:
        with pytest.raises(ValidationError, match=message):
            Scale.model_validate(fields)
