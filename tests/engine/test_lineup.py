"""Texts that are compared: what they are called where they stand, and which number on a ballot belongs to which."""

import json
from collections.abc import Sequence
from string import ascii_uppercase

import pytest
from engine_cases import ANSWERS, DEPTH, FLUENCY, ITEM, OVERALL, PAIR_TASK, PLACE, TASK, compared
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.lineup import Line, ballot_lines, lineup
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.sheet import ballot_schema, fill_in, read_sheet
from agentdebate.errors import DataError, UsageError
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import Prompts, load_task
from agentdebate.tasks import Aspect, Item, Scale, Task

PAIR = compared("one", "two")
THREE = compared("one", "two", "three")


def labels(task: Task, item: Item, order: Sequence[str] | None = None) -> dict[str, str]:
    return {candidate.label: candidate.field for candidate in lineup(task, item, order)}


def test_candidates_are_called_by_the_place_they_stand_in_and_not_by_their_field() -> None:
    """Or the name would give away which text is which."""
    assert labels(PAIR_TASK, PAIR) == {"Answer A": "answer_1", "Answer B": "answer_2"}
    turned = labels(PAIR_TASK, THREE, ("answer_3", "answer_1", "answer_2"))
    assert turned == {"Answer A": "answer_3", "Answer B": "answer_1", "Answer C": "answer_2"}


def test_only_the_candidates_that_an_item_has_are_compared() -> None:
    item = compared("one", "two")
    item.fields["answer_5"] = "five"
    assert labels(PAIR_TASK, item) == {"Answer A": "answer_1", "Answer B": "answer_2", "Answer C": "answer_5"}


def test_a_single_text_has_no_candidates() -> None:
    assert lineup(TASK, ITEM) == ()
    assert lineup(TASK, ITEM, ()) == ()


@pytest.mark.parametrize("name", ["left", "model_output", "x2_reply_10", "7"])
def test_any_field_can_hold_a_candidate(name: str) -> None:
    task = PAIR_TASK.model_copy(update={"candidates": (name, "other")})
    (first, _) = lineup(task, Item(fields={name: "x", "other": "y"}))
    noun = {"left": "Left", "model_output": "Model output", "x2_reply_10": "X2 reply", "7": "7"}[name]
    assert (first.field, first.label) == (name, f"{noun} A")


@pytest.mark.parametrize(
    "order",
    [
        (),
        ("answer_1",),
        ("answer_1", "answer_1"),
        ("answer_1", "answer_3"),
        ("answer_2", "answer_1", "answer_1"),
    ],
)
def test_an_order_names_every_candidate_once(order: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="every candidate once: answer_1, answer_2"):
        lineup(PAIR_TASK, PAIR, order)


def test_more_candidates_than_letters_are_a_data_error() -> None:
    names = tuple(f"answer_{number}" for number in range(27))
    task = PAIR_TASK.model_copy(update={"candidates": names})
    with pytest.raises(DataError, match="27 candidates; 26 can be compared"):
        lineup(task, Item(fields=dict.fromkeys(names, "x")))
    assert lineup(task, Item(fields=dict.fromkeys(names[1:], "x")))[-1].label == "Answer Z"


def test_a_ballot_on_a_single_text_has_a_line_for_each_aspect() -> None:
    assert ballot_lines((FLUENCY,), ()) == (Line(FLUENCY, "fluency"),)


def test_a_ballot_on_several_texts_has_a_line_for_each_text() -> None:
    lines = ballot_lines((OVERALL,), lineup(PAIR_TASK, PAIR, ("answer_2", "answer_1")))
    assert [(line.aspect.name, line.aspect.title, line.rated, line.candidate) for line in lines] == [
        ("answer_a", "Answer A", "overall", "answer_2"),
        ("answer_b", "Answer B", "overall", "answer_1"),
    ]
    assert {line.aspect.scale for line in lines} == {OVERALL.scale}


def test_several_aspects_of_several_texts_are_told_apart() -> None:
    lines = ballot_lines((OVERALL, DEPTH), lineup(PAIR_TASK, PAIR))
    assert [(line.aspect.name, line.aspect.title) for line in lines] == [
        ("overall_of_answer_a", "Overall of Answer A"),
        ("overall_of_answer_b", "Overall of Answer B"),
        ("depth_of_answer_a", "Depth of Answer A"),
        ("depth_of_answer_b", "Depth of Answer B"),
    ]
    assert [line.aspect.scale.high for line in lines] == [10, 10, 5, 5]


@pytest.mark.parametrize("count", [2, 3, 8])
def test_a_place_is_one_among_the_candidates(count: int) -> None:
    item = compared(*"abcdefgh"[:count])
    lines = ballot_lines((PLACE,), lineup(PAIR_TASK, item))
    assert {line.aspect.scale for line in lines} == {Scale(low=1, high=count)}
    text = "\n".join(f"{line.aspect.title}: {count + 1}" for line in lines)
    assert isinstance(read_sheet(text, lines), Problem)


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


@given(sheets())
def test_the_json_form_says_the_same(
    sheet: tuple[tuple[Line, ...], dict[tuple[str, str | None], float]],
) -> None:
    lines, values = sheet
    numbers = {line.aspect.name: values[line.rated, line.candidate] for line in lines}
    text = json.dumps({"reason": "So.", **numbers})
    assert read(text, lines, structured=True) == read(text, lines) == values
    schema = ballot_schema([line.aspect for line in lines])
    assert set(schema["properties"]) == {"reason", *numbers}


@given(sheets())
@settings(max_examples=50)
def test_a_ballot_that_is_filled_in_reads_as_the_same_ballot(
    sheet: tuple[tuple[Line, ...], dict[tuple[str, str | None], float]],
) -> None:
    lines, values = sheet
    ballot = read_sheet(
        "\n".join(f"{n.aspect.title}: {values[n.rated, n.candidate]:g}" for n in lines), lines
    )
    assert isinstance(ballot, Ballot)
    assert read("\n".join(fill_in(ballot, lines)), lines) == values


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


def test_the_brief_shows_the_texts_in_their_order_under_their_letters() -> None:
    prompts, order = Prompts(Project()), ("answer_2", "answer_3", "answer_1")
    brief = prompts.brief(PAIR_TASK, THREE, (OVERALL,), lineup(PAIR_TASK, THREE, order))
    shown = [
        brief.index(f"Answer {letter}:\n~~~~\n{text}")
        for letter, text in zip("ABC", ("two", "three", "one"), strict=True)
    ]
    assert shown == sorted(shown)
    assert brief.index("Question:\n~~~~\nWhy?") < shown[0]
    assert "answer_" not in brief
    assert "Answer 1" not in brief
    assert "The order in which they stand means nothing." in brief


@pytest.mark.parametrize("name", ["comparison", "summarization-pair", "dialogue-pair"])
def test_the_built_in_tasks_compare_as_many_texts_as_they_name(name: str) -> None:
    task = load_task(name, project=Project())
    item = Item(fields={field: f"text of {field}" for field in (*task.fields, *task.optional)})
    found = labels(task, item)
    assert list(found.values()) == list(task.candidates)
    assert [label[-1] for label in found] == list(ascii_uppercase[: len(task.candidates)])
    assert [aspect.name for aspect in task.choose(None)] == ["overall"]


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


def test_the_usual_aspects_are_judged_where_none_is_named() -> None:
    assert PAIR_TASK.choose(None) == (OVERALL,)
    assert PAIR_TASK.choose(("depth", "place")) == (DEPTH, PLACE)
    assert TASK.choose(None) == TASK.aspects


def test_an_empty_candidate_is_a_data_error_that_names_its_field() -> None:
    with pytest.raises(DataError, match=r"^'answer_2': ") as raised:
        PAIR_TASK.check(compared("one", "  "))
    assert raised.value.field == "answer_2"
