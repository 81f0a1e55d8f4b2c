"""Which recruited roles are kept: of those that are alike, one."""

import math
import sys
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.roster import Role
from agentdebate.codec import json_text
from agentdebate.errors import MissingExtra, UsageError
from agentdebate.strategies.diversity import diverse
from agentdebate.talk.messages import Dropped

Seated = tuple[Role, tuple[float, ...]]
"""A role with its vector."""


def role(type_: str, description: str = "reads") -> Role:
    return Role(type=type_, description=description)


def at(degrees: float, length: float = 1.0) -> tuple[float, float]:
    """A vector in a direction. Ten degrees apart is a cosine distance of 0.015, sixty is 0.5, ninety is 1."""
    return length * math.cos(math.radians(degrees)), length * math.sin(math.radians(degrees))


def chosen(
    seats: Mapping[str, tuple[float, ...]], standing: int = 0, eps: float = 0.1
) -> tuple[list[str], dict[str, str]]:
    """The types that are kept, and those that are dropped with the type that speaks for each."""
    kept, dropped = diverse([role(name) for name in seats], list(seats.values()), standing=standing, eps=eps)
    return [one.type for one in kept], {one.role.type: one.instead for one in dropped}


def test_a_vectors_length_decides_nothing() -> None:
    """One long vector does not draw the centre to itself, and numbers at the ends of the range keep their direction."""
    seats = {"left": at(0, 1e300), "right": at(20, 1e-300), "middle": at(9, 1e-9)}
    assert chosen(seats) == (["middle"], {"left": "middle", "right": "middle"})


def test_a_cluster_may_be_a_chain() -> None:
    """DBSCAN joins what neighbours join, also where the ends are far apart."""
    seats = {str(degrees): at(degrees) for degrees in (0, 20, 40, 60, 80)}
    assert chosen(seats) == (["40"], dict.fromkeys(["0", "20", "60", "80"], "40"))


def test_two_that_are_alike_tie_and_the_text_decides() -> None:
    """Both are as near to their centre; the vectors' last bits must not choose."""
    for degrees in range(0, 360, 7):
        assert chosen({"b": at(degrees), "a": at(degrees + 11)}) == (["a"], {"b": "a"})


def test_recruits_like_a_standing_role_are_dropped_for_the_nearest_one() -> None:
    """However near the centre they are; and the standing ones stay, also where they are like each other."""
    seats = {"critic": at(0), "editor": at(24), "reviewer": at(10), "proof-reader": at(20), "cook": at(180)}
    assert chosen(seats, standing=2) == (["cook"], {"reviewer": "critic", "proof-reader": "editor"})


def test_roles_without_a_direction_are_kept() -> None:
    """The vectors of texts without words are zeros; nothing is known to be like them."""
    assert chosen({"?": (0, 0), "!": (0, 0), "a": at(0), "b": at(5)}) == (["?", "!", "a"], {"b": "a"})
    assert chosen({"?": (0, 0), "!": (0, 0)}) == (["?", "!"], {})


def test_eps_is_a_cosine_distance() -> None:
    seats = {"a": at(0), "b": at(60)}
    assert chosen(seats, eps=0.49) == (["a", "b"], {})
    assert chosen(seats, eps=0.51) == (["a"], {"b": "a"})


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


def test_without_scikit_learn_the_error_says_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.cluster", None)
    with pytest.raises(MissingExtra, match=r"agentdebate\[drpe\]"):
        diverse([role("a"), role("b")], [at(0), at(1)])


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


def key(one: Role | Dropped) -> str:
    return json_text(one)


@settings(max_examples=60)
@given(
    st.lists(seated, max_size=3),
    st.lists(seated, max_size=8).flatmap(lambda roles: st.tuples(st.just(roles), st.permutations(roles))),
    epsilons,
)
def test_the_order_of_the_recruits_decides_nothing(
    standing: list[Seated], orders: tuple[list[Seated], list[Seated]], eps: float
) -> None:
    given_, permuted = orders
    kept, dropped = split(standing, given_, eps=eps)
    others, gone = split(standing[::-1], permuted, eps=eps)
    assert sorted(map(key, kept)) == sorted(map(key, others))
    assert sorted(map(key, dropped)) == sorted(map(key, gone))


@settings(max_examples=60)
@given(st.lists(seated, max_size=3), st.lists(seated, max_size=8), epsilons)
def test_every_recruit_is_kept_or_dropped_for_one_that_is_seated(
    standing: list[Seated], recruits: list[Seated], eps: float
) -> None:
    kept, dropped = split(standing, recruits, eps=eps)
    gone = [one.role for one in dropped]
    assert sorted(map(key, kept + gone)) == sorted(key(one) for one, _ in recruits)
    seated_types = {one.type for one in kept} | {one.type for one, _ in standing}
    assert {one.instead for one in dropped} <= seated_types
    assert all(0 <= one.distance <= 2 for one in dropped)


@settings(max_examples=30)
@given(st.integers(2, 9), st.floats(0, 360), epsilons)
def test_duplicates_collapse_to_one(copies: int, degrees: float, eps: float) -> None:
    kept, dropped = diverse([role("a")] * copies, [at(degrees)] * copies, eps=eps)
    assert kept == [role("a")]
    assert dropped == [Dropped(role=role("a"), instead="a", distance=0.0)] * (copies - 1)
