"""Seats: who sits where, under which name, in shares of how many, and what fills a place for recruits."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from engine_cases import ANN
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.agents.seat import VACANT, Card, Cast, Seat, SeatPlan
from agentdebate.ballots.roster import Role
from agentdebate.errors import UsageError
from agentdebate.models.base import Model
from agentdebate.models.function import Function
from agentdebate.project.project import Project


def recruit(type_: str, description: str = "Reads.") -> Card:
    return Card.of_recruit(Role(type=type_, description=description))


def opened(name: str | Model | None) -> Model:
    assert not isinstance(name, Model), "these cards name their models"
    return Function(name or "everybody's", lambda _: "")


def seated(
    seats: Mapping[str, Sequence[SeatPlan]], model: Callable[[str | Model | None], Model] = opened
) -> Cast:
    return Cast(seats, Project(), model)


def sit(*cards: str | Card, **more: Any) -> tuple[SeatPlan, ...]:
    return tuple(SeatPlan(card=card, **more) for card in cards)


def names(seats: Sequence[Seat]) -> list[str]:
    return [seat.name for seat in seats]


def titles(seats: Sequence[Seat]) -> list[str]:
    return [seat.title for seat in seats]


# Cards of recruits.


@pytest.mark.parametrize(
    ("type_", "name"),
    [
        ("Amateur astronomer", "amateur-astronomer"),
        ("  Nurse / medic (retired)!", "nurse-medic-retired"),
        ("Reader #2", "reader-2"),
        ("{{ 7*7 }}", "7-7"),
        ("Café owner", "caf-owner"),
        ("读者", "recruit"),
        ("???", "recruit"),
        ("Recruit", "recruit"),
    ],
)
def test_a_recruit_has_a_name_of_plain_letters_and_its_type_for_a_title(type_: str, name: str) -> None:
    card = recruit(type_, "{{ 7*7 }}")
    assert (card.name, card.title, card.persona, card.recruited) == (name, type_, "{{ 7*7 }}", True)


def test_nobody_has_the_floors_name() -> None:
    cast = seated({"debaters": sit(VACANT)})
    seats = cast.fill([recruit("Floor"), recruit("floor"), recruit("Floor 2")])
    assert names(seats) == ["floor-2", "floor-3", "floor-2-2"]
    assert titles(seats) == ["Floor", "floor", "Floor 2"]
    assert names(seated({"floor": sit(ANN)}).seats) == ["floor-2"]


@given(
    st.lists(
        st.sampled_from(["Nurse", "nurse", "Nurse 2", "Nurse (2)", "Floor", "recruiter", "读者", "作家"])
    )
)
def test_everyone_has_a_name_and_a_title_of_their_own(types: list[str]) -> None:
    cast = seated({"recruiter": sit("recruiter"), "debaters": sit("reviewer", VACANT)})
    seats = (*cast.seats, *cast.fill([recruit(type_) for type_ in types]))
    assert len(seats) == len(types) + 2
    assert len({*names(seats), "floor"}) == len(seats) + 1
    assert len(set(titles(seats))) == len(seats)


def test_a_model_that_does_not_exist_shows_before_the_first_call_also_where_nobody_sits_yet() -> None:
    def refusing(name: str | Model | None) -> Model:
        if name == "nobody's":
            raise UsageError("there is no such model")
        return opened(name)

    with pytest.raises(UsageError, match="no such model"):
        seated({"debaters": sit(VACANT, model="nobody's")}, refusing)
