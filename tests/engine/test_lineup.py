"""Texts that are compared: what they are called where they stand, and which number on a ballot belongs to which."""

from collections.abc import Sequence

import pytest
from engine_cases import ANSWERS, DEPTH, OVERALL, PAIR_TASK, PLACE, compared
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.lineup import Line, ballot_lines, lineup
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.sheet import read_sheet
from agentdebate.errors import DataError
from agentdebate.tasks import Aspect, Item, Task

PAIR = compared("one", "two")


def test_more_candidates_than_letters_are_a_data_error() -> None:
    names = tuple(f"answer_{number}" for number in range(27))
    task = PAIR_TASK.model_copy(update={"candidates": names})
    with pytest.raises(DataError, match="27 candidates; 26 can be compared"):
        lineup(task, Item(fields=dict.fromkeys(names, "x")))
    assert lineup(task, Item(fields=dict.fromkeys(names[1:], "x")))[-1].label == "Answer Z"


ASPECTS = st.lists(st.sampled_from([OVERALL, DEPTH, PLACE]), min_size=1, max_size=3, unique=True)


@st.composite
def sheets(draw: st.DrawFn) -> tuple[tuple[Line, ...], dict[tuple[str, str | None], float]]:
    """The lines of a ballot on 2 to 8 texts in any order, and a score for each."""
    item = compared(*"abcdefgh"[: draw(st.integers(2, 8))])
    fields = [name for name in ANSWERS if name in item.fields]
    lines = ballot_lines(draw(ASPECTS), lineup(PAIR_TASK, item, draw(st.permutations(fields))))
    values = {
        (line.rated, line.candidate): float(draw(st.integers(1, int(line.aspect.scale.high))))
        for line in lines
    }
    return lines, values


def read(
    text: str, lines: Sequence[Line], *, structured: bool = False
) -> dict[tuple[str, str | None], float]:
    ballot = read_sheet(text, lines, structured=structured)
    assert isinstance(ballot, Ballot), ballot
    return {(rating.aspect, rating.candidate): rating.score for rating in ballot.ratings}


@given(sheets(), st.randoms(use_true_random=False))
def test_every_number_is_filed_under_the_text_that_it_is_of(
    sheet: tuple[tuple[Line, ...], dict[tuple[str, str | None], float]], chance: object
) -> None:
    """Whatever order the texts stand in, and in whatever order the lines are filled in."""
    lines, values = sheet
    filled = [f"{line.aspect.title}: {values[line.rated, line.candidate]:g}" for line in lines]
    chance.shuffle(filled)  # type: ignore[attr-defined]  # it is a random.Random
    assert read("They differ in what they leave out.\n\n" + "\n".join(filled), lines) == values


@pytest.mark.parametrize(
    "text",
    [
        "Answer A: 8",
        "Answer A: 8\nAnswer C: 6",
        "Answer A: 8\nAnswer B: 11",
        "Answer A: 8\nAnswer B: 6\nAnswer A: 7",
        "Answer A is the better one.",
        "8 and 6",
    ],
)
def test_a_sheet_that_is_not_filled_in_is_a_problem_and_no_guess(text: str) -> None:
    assert isinstance(read_sheet(text, ballot_lines((OVERALL,), lineup(PAIR_TASK, PAIR))), Problem)


def aspect(**more: object) -> Aspect:
    return Aspect.model_validate({"name": "overall", "scale": "1-10", "criterion": "x", **more})


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"candidates": ("a", "b", "c")}, "candidates names 'c'"),
        ({"candidates": ("a",)}, "at least two of the candidates"),
        ({"candidates": ("a", "o")}, "at least two of the candidates"),
        ({"judged": "a"}, "either a field that is judged, or candidates"),
        ({"candidates": ()}, "either a field that is judged, or candidates"),
    ],
)
def test_a_task_judges_one_text_or_compares_several(changes: dict[str, object], says: str) -> None:
    data: dict[str, object] = {
        "name": "t", "fields": ("a", "b"), "optional": ("o",), "candidates": ("a", "b"), "aspects": (aspect(),), "brief": "x",
    }  # fmt: skip
    assert Task.model_validate(data).candidates == ("a", "b")
    with pytest.raises(ValidationError, match=says):
        Task.model_validate({**data, **changes})


def test_an_empty_candidate_is_a_data_error_that_names_its_field() -> None:
    with pytest.raises(DataError, match=r"^'answer_2': ") as raised:
        PAIR_TASK.check(compared("one", "  "))
    assert raised.value.field == "answer_2"
