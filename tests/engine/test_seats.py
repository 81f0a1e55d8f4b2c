"""Seats: who sits where, under which name, in shares of how many, and what fills a place for recruits."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.agents.seat import VACANT, Card, Cast, SeatPlan
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


def sit(*cards: str | Card, **more: Any) -> tuple[SeatPlan, ...]:
    return tuple(SeatPlan(card=card, **more) for card in cards)


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


@given(
    st.lists(
        st.sampled_from(["Nurse", "nurse", "Nurse 2", "Nurse (2)", "Floor", "recruiter", "读者", "作家"])
    )
)
def test_everyone_has_a_name_and_a_title_of_their_own(types: list[str]) -> None:
    cast = Cast({"recruiter": sit("recruiter"), "debaters": sit("reviewer", VACANT)}, Project(), opened)
    seats = (*cast.seats, *cast.fill([recruit(type_) for type_ in types]))
    names = {seat.name for seat in seats}
    assert len(seats) == len(types) + 2 == len(names) == len({seat.title for seat in seats})
    assert "floor" not in names


def test_a_model_that_does_not_exist_shows_before_the_first_call_also_where_nobody_sits_yet() -> None:
    def refusing(name: str | Model | None) -> Model:
        if name == "nobody's":
            raise UsageError("there is no such model")
        return opened(name)

    with pytest.raises(UsageError, match="no such model"):
        Cast({"debaters": sit(VACANT, model="nobody's")}, Project(), refusing)
