"""Seats: who sits where, under which name, in shares of how many, and what fills a place for recruits."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

import pytest
from engine_cases import ANN, BEN, CAT
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.agents.card import VACANT, Card, load_card
from agentdebate.agents.seat import Cast, Seat, SeatPlan
from agentdebate.ballots.roster import Role
from agentdebate.errors import ContentError, StrategyError, UsageError
from agentdebate.models.base import Model, Sampling
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


def test_no_card_of_ones_own_can_be_called_by_the_place_for_recruits() -> None:
    with pytest.raises(StrategyError, match="'recruit' stands for recruits, which this role cannot have"):
        load_card(Project(), VACANT)


# Seats.


def test_a_seat_that_waits_for_recruits_becomes_a_seat_for_each_of_them() -> None:
    seat = SeatPlan(card=VACANT, model="one", sampling=Sampling(temperature=0), title="Referee", history=9)
    filled = seat.filled([ANN, BEN])
    assert filled == (seat.model_copy(update={"card": ANN}), seat.model_copy(update={"card": BEN}))
    assert seat.filled() == ()


def test_recruits_are_played_in_the_place_that_is_kept_for_them() -> None:
    (filled,) = SeatPlan(card="ensemble", plays=("reviewer", VACANT, CAT)).filled([ANN, BEN])
    assert filled.plays == ("reviewer", ANN, BEN, CAT)


@given(st.integers(1, 120), st.integers(1, 60), st.integers(0, 5))
def test_shares_are_few_even_and_in_order(crowd: int, at_once: int, recruits: int) -> None:
    plays = tuple(f"reader-{n}" for n in range(crowd))
    joined = [recruit(f"Type {n}") for n in range(recruits)]
    shares = [
        seat.plays
        for seat in SeatPlan(card="ensemble", plays=(*plays, VACANT), at_once=at_once).filled(joined)
    ]
    sizes = [len(share) for share in shares]
    assert [card for share in shares for card in share] == [*plays, *joined]
    assert len(shares) == ceil((crowd + recruits) / at_once)
    assert max(sizes) - min(sizes) <= 1
    assert 1 <= min(sizes) <= max(sizes) <= at_once


# Seats.


def test_who_is_alone_in_a_role_has_its_name_and_several_have_their_cards() -> None:
    seats = seated({"scorer": sit(ANN), "debaters": sit(ANN, BEN, ANN)}).seats
    assert names(seats) == ["scorer", "ann", "ben", "ann-2"]
    assert titles(seats) == ["Ann", "Ann (2)", "Ben", "Ann (3)"]
    assert [seat.role for seat in seats] == ["scorer", "debaters", "debaters", "debaters"]


def test_those_who_share_a_card_in_a_role_are_called_by_its_names_as_far_as_these_go() -> None:
    named = ANN.model_copy(update={"names": ("Alice", "Bob")})
    assert titles(seated({"debaters": sit(named, named, named)}).seats) == ["Alice", "Bob", "Ann"]
    assert titles(seated({"debaters": sit(named, BEN)}).seats) == ["Ann", "Ben"]
    assert titles(seated({"debaters": sit(named, named, title="Judge")}).seats) == ["Judge", "Judge (2)"]


def test_nobody_has_the_floors_name() -> None:
    cast = seated({"debaters": sit(VACANT)})
    seats = cast.fill([recruit("Floor"), recruit("floor"), recruit("Floor 2")])
    assert names(seats) == ["floor-2", "floor-3", "floor-2-2"]
    assert titles(seats) == ["Floor", "floor", "Floor 2"]
    with pytest.raises(StrategyError, match="no role can be called 'floor'"):
        seated({"floor": sit(ANN)})


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


# What waits, and what stands.


def test_a_role_waits_as_a_whole_and_its_standing_cards_are_known() -> None:
    seats = {
        "recruiter": sit("recruiter"),
        "debaters": sit("reviewer", VACANT, ANN),
        "players": (SeatPlan(card="ensemble", plays=("style-critic", VACANT)),),
    }
    cast = seated(seats)
    assert names(cast.seats) == ["recruiter"]
    assert set(cast.vacant) == {"debaters", "players"}
    assert [card.name for card in cast.standing] == ["reviewer", "ann", "style-critic"]
    assert [card.name for card in cast.cards] == [
        "recruiter",
        "reviewer",
        "ann",
        "ensemble",
        "style-critic",
    ]
    assert names(cast.fill([BEN])) == ["reviewer", "ben", "ann", "players"]


@pytest.mark.parametrize(
    "seat",
    [
        SeatPlan(card="nobody"),
        SeatPlan(card="ensemble", plays=("nobody",)),
        SeatPlan(card="ensemble", plays=("nobody", VACANT)),
        SeatPlan(card="nobody", plays=("reviewer", VACANT)),
    ],
)
def test_a_card_that_does_not_exist_shows_before_the_first_call(seat: SeatPlan) -> None:
    with pytest.raises(ContentError, match="no agent 'nobody'"):
        seated({"players": (seat,)})


def test_a_model_that_does_not_exist_shows_before_the_first_call_also_where_nobody_sits_yet() -> None:
    def refusing(name: str | Model | None) -> Model:
        if name == "nobody's":
            raise UsageError("there is no such model")
        return opened(name)

    with pytest.raises(UsageError, match="no such model"):
        seated({"debaters": sit(VACANT, model="nobody's")}, refusing)
