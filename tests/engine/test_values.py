"""Tasks, scales, items and options that are made in code: what they are read from, and what is said of those that cannot be."""

import math
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any

import pytest
from engine_cases import ANSWERS, DEPTH, FLUENCY, OVERALL, PAIR_TASK, PLACE, TASK, Played, compared, hold
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from agentdebate import plugins
from agentdebate.agents.seat import Card
from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.lineup import Line, ballot_lines, lineup
from agentdebate.ballots.sheet import read_sheet
from agentdebate.errors import StrategyError, UsageError, UserError
from agentdebate.options import names, read_options
from agentdebate.strategies.floor import Floor
from agentdebate.tasks import Aspect, Item, Scale, Task
from agentdebate.testing import replying

# Scales and grades.


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


@given(st.integers(-50, 50), st.integers(1, 40), st.sampled_from([1.0, 0.5, 0.25, 0.1]))
def test_every_value_of_a_scale_is_on_it(low: int, span: int, step: float) -> None:
    scale = Scale(low=low, high=low + span, step=step)
    assert scale.values is not None
    assert all(value in scale for value in scale.values)
    assert scale.values[0] == low
    assert scale.values[-1] == pytest.approx(low + span)
    assert len(scale.values) == round(span / step) + 1


def test_grades_are_a_number_each_or_names_from_the_lowest() -> None:
    five = Scale.model_validate({"grades": ["E", "D", "C", "B", "A"]})
    assert five == Scale.graded({"A": 5, "B": 4, "C": 3, "D": 2, "E": 1})
    assert (five.low, five.high, five.step, str(five), five.ends) == (1, 5, 1, "E to A", "1 to 5")
    assert five.wanted == "grade from E to A: E, D, C, B or A"
    assert (five.grade(4), five.grade(4.5)) == ("B", None)
    uneven = Scale.model_validate({"grades": {"A": 4, "A-": 3.7, "B": 3}})
    assert (uneven.values, 3.7 in uneven, 3.3 in uneven) == ((3, 3.7, 4), True, False)


def test_an_aspect_has_grades_in_place_of_its_scale_or_beside_it() -> None:
    alone = Aspect.model_validate({"name": "a", "criterion": "-", "grades": ["C", "B", "A"]})
    beside = {"name": "a", "criterion": "-", "scale": "1-3", "grades": {"A": 3, "B": 2, "C": 1}}
    assert alone == Aspect.model_validate(beside)
    assert alone.scale.grades == (("C", 1), ("B", 2), ("A", 3))


# What is wrong with them.


def item(**fields: Any) -> Item:
    return Item(**{"fields": {"text": "x"}, **fields})


def card(**fields: Any) -> Card:
    return Card(**{"name": "ann", "title": "Ann", "persona": "You are Ann.", **fields})


def scale(**fields: Any) -> Scale:
    return Scale(**fields)


def aspect(**fields: Any) -> Aspect:
    return Aspect(**{"name": "fluency", "scale": Scale(low=1, high=5), "criterion": "x", **fields})


def task(**fields: Any) -> Task:
    return Task(**{**TASK.model_dump(), **fields})


def chosen(given: Any) -> Sequence[Aspect]:
    return TASK.choose(given)


def comparison(**fields: Any) -> Task:
    given = {
        "fields": ("a", "b"),
        "optional": ("o",),
        "judged": "",
        "candidates": ("a", "b"),
        "aspects": (aspect(),),
    }
    return task(**{**given, **fields})


NO_NAME = "Aspect(...), 'name': it is a name of small letters, digits and _"
GRADES = "grades are {A = 5, B = 4}"


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda: item(human=5), "Item(...), 'human': it is a table of names and values, not 5"),
        (lambda: item(human={"fluency": "good"}), "Item(...), 'human.fluency': it is a number, not 'good'"),
        (lambda: item(fields={"text": 5}), "Item(...), 'fields.text': it is text, not 5"),
        (lambda: item(sytem="x"), "Item(...) has no 'sytem'. Did you mean 'system'?"),
        (lambda: item(human={"x": float("nan")}), "Item(...), 'human.x': it is a finite number, not nan"),
        (lambda: card(persona=3), "Card(...), 'persona': it is text, not 3"),
        (lambda: card(rol="x"), "Card(...) has no 'rol'. Known: about, "),
        (lambda: card(title="x" * 300), "Card(...), 'title': it has too many characters: at most 200"),
        (lambda: scale(low=5, high=1), "Scale(...): a scale runs from low to high, not from 5 to 1"),
        (lambda: scale(low=1, high=5, step=0), "Scale(...)"),
        (lambda: scale(low=1, high=math.inf), "Scale(...)"),
        (lambda: scale(low=math.nan, high=5), "Scale(...)"),
        (lambda: scale(low=1, high=5, grades={"A": 4, "B": 1}), "the grades go from 1 to 4"),
        (lambda: scale(grades={"A": 4, "a": 1}), "names of their own: a, A"),
        (lambda: scale(grades={"5": 5, "B": 1}), "a grade is a letter or a word"),
        (lambda: scale(grades={"A": "much"}), GRADES),
        (lambda: scale(grades=5), GRADES),
        (lambda: scale(grades=["A"]), "runs from low to high"),
        (lambda: aspect(scale="1-x"), "Aspect(...), 'scale': '1-x' is not a scale; write it like 1-5"),
        *((lambda name=name: aspect(name=name), NO_NAME) for name in ("", "Fluency", "1st", "two words", "fluency!")),
        (lambda: task(aspects=5), "Task(...), 'aspects': it is a list, not 5"),
        (lambda: task(brief=None), "Task(...), 'brief': it is text, not None"),
        (lambda: task(judged="other"), "Task(...)"),
        (lambda: task(aspects=()), "Task(...)"),
        (lambda: task(aspects=(FLUENCY, FLUENCY)), "Task(...)"),
        (lambda: task(fields=()), "Task(...)"),
        (lambda: task(mood="cross"), "Task(...)"),
        (lambda: comparison(candidates=("a", "b", "c")), "candidates names 'c'"),
        (lambda: comparison(candidates=("a",)), "at least two of the candidates"),
        (lambda: comparison(candidates=("a", "o")), "at least two of the candidates"),
        (lambda: comparison(judged="a"), "either a field that is judged, or candidates"),
        (lambda: comparison(candidates=()), "either a field that is judged, or candidates"),
        (lambda: chosen(3), "aspects take names"),
        (lambda: chosen([None, "fluency"]), "aspects take names"),
        (lambda: PAIR_TASK.check(compared("one", "  ")), "'answer_2': "),
        (lambda: lineup(many(27), Item(fields=dict.fromkeys(many(27).candidates, "x"))), "27 candidates; 26 can be"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_told_with_its_class_its_field_and_what_it_may_be(
    made: Callable[[], Any], says: str
) -> None:
    with pytest.raises(UserError) as raised:
        made()
    assert says in str(raised.value)


def many(count: int) -> Task:
    return PAIR_TASK.model_copy(update={"candidates": tuple(f"answer_{n}" for n in range(count))})


async def test_what_code_of_a_strategy_makes_of_one_reply_fails_that_debate_alone() -> None:
    async def play(_floor: Floor) -> None:
        Scale(low=5, high=1)

    record = await hold(Played(play=play), replying("Fluency: 3"))
    assert record.failure is not None
    assert record.failure.error == "WrongValue"


def test_what_a_package_makes_wrongly_is_the_packages_error() -> None:
    with pytest.raises(StrategyError, match=r"the reader raised WrongValue: Scale\(\.\.\.\)"):
        plugins.call("the reader", Scale, low=5, high=1)


# Texts that are compared: which number on a ballot belongs to which.

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


@given(sheets(), st.randoms(use_true_random=False))
def test_every_number_is_filed_under_the_text_that_it_is_of(
    sheet: tuple[tuple[Line, ...], dict[tuple[str, str | None], float]], chance: object
) -> None:
    """Whatever order the texts stand in, and in whatever order the lines are filled in."""
    lines, values = sheet
    filled = [f"{line.aspect.title}: {values[line.rated, line.candidate]:g}" for line in lines]
    chance.shuffle(filled)  # type: ignore[attr-defined]  # it is a random.Random
    reply = "They differ in what they leave out.\n\n" + "\n".join(filled)
    ballot = read_sheet(reply, lines, structured=False)
    assert isinstance(ballot, Ballot), ballot
    assert {(rating.aspect, rating.candidate): rating.score for rating in ballot.ratings} == values


# Options by name: each mistake says whose option it is, which one, and what would do.


class Several(BaseModel):
    model_config = ConfigDict(extra="forbid")

    share: float = Field(default=0.5, gt=0)
    form: str = Field(default="plain", alias="schema", pattern="^[a-z]+$")
    key: str = Field(default="", repr=False, max_length=3)


def test_text_is_read_as_what_the_option_is() -> None:
    assert read_options(Several, {"share": "0.25", "schema": "json"}, of="x").share == 0.25
    assert names(Several) == {"share", "schema", "key"}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"shar": 1}, "the x has no option 'shar'. Did you mean 'share'?"),
        ({"form": "json"}, "the x has no option 'form'. Known: also, key, schema, share."),
        ({"alsoo": 1}, "the x has no option 'alsoo'. Did you mean 'also'?"),
        ({"share": 0}, "the x, option 'share': it is more than 0, not 0"),
        ({"schema": "JSON"}, "the x, option 'schema': it is text of the form ^[a-z]+$, not 'JSON'"),
        ({"key": "sk-secret"}, "the x, option 'key': it has too many characters: at most 3"),
    ],
)
def test_a_mistake_names_whose_option_it_is_and_shows_no_secret(given: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_options(Several, given, of="the x", beside=["also"])
    assert str(caught.value) == says
    assert caught.value.option == next(iter(given))


@pytest.mark.parametrize(
    ("group", "name"),
    [("models", "offline"), ("evaluators", "rouge-l"), ("embedders", "tf-idf"), ("strategies", "solo")],
)
def test_what_is_registered_is_found_and_what_is_not_has_a_hint(group: str, name: str) -> None:
    assert plugins.find(f"agentdebate.{group}", name, "-") == entry_points(group=f"agentdebate.{group}")[name]
    with pytest.raises(UsageError, match=rf"^there is no such thing\. Did you mean '{name}'\?$"):
        plugins.find(f"agentdebate.{group}", f"{name}x", "there is no such thing")
