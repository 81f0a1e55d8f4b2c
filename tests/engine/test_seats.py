"""Seats: who sits where and under which name, what fills a place for recruits, and which of those that are alike is kept."""

import math
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.agents.seat import VACANT, Card, Cast, SeatPlan
from agentdebate.ballots.roster import Role
from agentdebate.codec import json_text
from agentdebate.errors import UsageError
from agentdebate.models.base import Model
from agentdebate.models.function import Function
from agentdebate.project.project import Project
from agentdebate.strategies.diversity import diverse
from agentdebate.talk.messages import Dropped


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


# Recruited roles that are alike.


Seated = tuple[Role, tuple[float, ...]]
"""A role with its vector."""


def role(type_: str, description: str = "reads") -> Role:
    return Role(type=type_, description=description)


def at(degrees: float, length: float = 1.0) -> tuple[float, float]:
    """A vector in a direction. Ten degrees apart is a cosine distance of 0.015, sixty is 0.5, ninety is 1."""
    return length * math.cos(math.radians(degrees)), length * math.sin(math.radians(degrees))


CHAIN = {str(degrees): at(degrees) for degrees in (0, 20, 40, 60, 80)}
STANDING = {"critic": at(0), "editor": at(24), "reviewer": at(10), "proof-reader": at(20), "cook": at(180)}


@pytest.mark.parametrize(
    ("seats", "more", "kept", "dropped"),
    [
        # One long vector does not draw the centre to itself, and numbers at the ends of the range keep their direction.
        ({"left": at(0, 1e300), "right": at(20, 1e-300), "middle": at(9, 1e-9)}, {}, ["middle"], {"left": "middle", "right": "middle"}),
        # DBSCAN joins what neighbours join, also where the ends are far apart.
        (CHAIN, {}, ["40"], dict.fromkeys(["0", "20", "60", "80"], "40")),
        # Recruits like a standing role are dropped for the nearest one, and the standing ones stay.
        (STANDING, {"standing": 2}, ["cook"], {"reviewer": "critic", "proof-reader": "editor"}),
        # The vectors of texts without words are zeros; nothing is known to be like them.
        ({"?": (0, 0), "!": (0, 0), "a": at(0), "b": at(5)}, {}, ["?", "!", "a"], {"b": "a"}),
        ({"?": (0, 0), "!": (0, 0)}, {}, ["?", "!"], {}),
        # A cosine distance.
        ({"a": at(0), "b": at(60)}, {"eps": 0.49}, ["a", "b"], {}),
        ({"a": at(0), "b": at(60)}, {"eps": 0.51}, ["a"], {"b": "a"}),
        # Both are as near to their centre: the text decides, and not the last bits of the vectors.
        *(({"b": at(turn), "a": at(turn + 11)}, {}, ["a"], {"b": "a"}) for turn in range(0, 360, 7)),
    ],
)  # fmt: skip
def test_of_roles_that_are_alike_the_one_in_the_middle_is_kept(
    seats: Mapping[str, tuple[float, ...]], more: dict[str, Any], kept: list[str], dropped: dict[str, str]
) -> None:
    vectors = list(seats.values())
    stay, go = diverse([role(name) for name in seats], vectors, **{"standing": 0, "eps": 0.1, **more})
    assert [one.type for one in stay] == kept
    assert {one.role.type: one.instead for one in go} == dropped


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"vectors": [at(0)]}, "do not fit"),
        ({"vectors": [at(0), (1.0,)]}, "do not fit"),
        ({"vectors": [at(0), (math.nan, 1.0)]}, "not finite"),
    ],
)
def test_arguments_that_do_not_fit_are_usage_errors(arguments: dict[str, object], says: str) -> None:
    given_: dict[str, object] = {"vectors": [at(0), at(1)], **arguments}
    with pytest.raises(UsageError, match=says):
        diverse([role("a"), role("b")], **given_)  # type: ignore[arg-type]  # that is the point


directions = st.one_of(
    st.sampled_from([0.0, 10.0, 20.0, 180.0]).map(at),  # so that there are ties and duplicates
    st.floats(0, 360).map(at),
    st.just((0.0, 0.0)),
)
seated = st.tuples(st.builds(role, st.sampled_from("abcde"), st.sampled_from("xy")), directions)
epsilons = st.sampled_from([0.01, 0.02, 0.1, 0.6, 1.2])


def split(
    standing: list[Seated], recruits: list[Seated], **options: float
) -> tuple[list[Role], list[Dropped]]:
    seats = standing + recruits
    return diverse(
        [one for one, _ in seats], [vector for _, vector in seats], standing=len(standing), **options
    )


@settings(max_examples=60)
@given(
    st.lists(seated, max_size=3),
    st.lists(seated, max_size=8).flatmap(lambda roles: st.tuples(st.just(roles), st.permutations(roles))),
    epsilons,
)
def test_every_recruit_is_kept_or_dropped_for_one_that_is_seated_in_whatever_order_they_come(
    standing: list[Seated], orders: tuple[list[Seated], list[Seated]], eps: float
) -> None:
    recruits, permuted = orders
    kept, dropped = split(standing, recruits, eps=eps)
    others, gone = split(standing[::-1], permuted, eps=eps)
    assert sorted(map(json_text, kept)) == sorted(map(json_text, others))
    assert sorted(map(json_text, dropped)) == sorted(map(json_text, gone))
    all_of_them = [*kept, *(one.role for one in dropped)]
    assert sorted(map(json_text, all_of_them)) == sorted(json_text(one) for one, _ in recruits)
    assert {one.instead for one in dropped} <= {one.type for one in [*kept, *(one for one, _ in standing)]}
    assert all(0 <= one.distance <= 2 for one in dropped)


@settings(max_examples=30)
@given(st.integers(2, 9), st.floats(0, 360), epsilons)
def test_duplicates_collapse_to_one(copies: int, degrees: float, eps: float) -> None:
    kept, dropped = diverse([role("a")] * copies, [at(degrees)] * copies, eps=eps)
    assert kept == [role("a")]
    assert dropped == [Dropped(role=role("a"), instead="a", distance=0.0)] * (copies - 1)
