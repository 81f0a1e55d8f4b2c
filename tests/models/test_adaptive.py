"""How the limit on calls in flight grows and is cut."""

import pytest

from agentdebate.models.limits.gate import Adaptive


def a_round(adaptive: Adaptive) -> None:
    """As many answers as calls may run at its beginning; others take their places, and those that are added."""
    episode = adaptive.episode
    for _ in range(int(adaptive.limit)):
        adaptive.succeeded(episode, int(adaptive.limit))


def test_it_starts_below_its_most() -> None:
    assert Adaptive(100, start=10).limit == 10
    assert Adaptive(5, start=10).limit == 5


def test_it_doubles_in_a_round_up_to_its_most() -> None:
    adaptive = Adaptive(100, start=2)
    seen = []
    for _ in range(7):
        a_round(adaptive)
        seen.append(adaptive.limit)
    assert seen == [4, 8, 16, 32, 64, 100, 100]


def test_it_does_not_grow_where_it_is_not_used_up() -> None:
    adaptive = Adaptive(100, start=10)
    for _ in range(50):
        adaptive.succeeded(0, 9)
    assert adaptive.limit == 10


def test_after_a_cut_it_grows_by_a_fixed_step_a_round() -> None:
    adaptive = Adaptive(640, start=100)
    adaptive.overloaded(0)
    assert adaptive.limit == pytest.approx(70)
    a_round(adaptive)
    assert adaptive.limit == pytest.approx(80, abs=1)
    a_round(adaptive)
    assert adaptive.limit == pytest.approx(90, abs=2)


def test_errors_of_calls_from_before_a_cut_do_not_cut_again() -> None:
    adaptive = Adaptive(100, start=100)
    assert [adaptive.overloaded(0) for _ in range(50)] == [True] + [False] * 49
    assert adaptive.limit == pytest.approx(70)
    assert adaptive.overloaded(adaptive.episode)
    assert adaptive.limit == pytest.approx(49)


def test_successes_of_calls_from_before_a_cut_do_not_undo_it() -> None:
    adaptive = Adaptive(100, start=50)
    adaptive.overloaded(0)
    for running in range(50, 0, -1):
        adaptive.succeeded(0, running)
    assert adaptive.limit == pytest.approx(35)


def test_one_call_is_always_possible() -> None:
    adaptive = Adaptive(100, start=3)
    for _ in range(20):
        adaptive.overloaded(adaptive.episode)
    assert adaptive.limit == 1
    for _ in range(500):
        a_round(adaptive)
    assert adaptive.limit == 100


def test_it_shows_its_state() -> None:
    assert repr(Adaptive(100, start=3)) == "<Adaptive 3.0 of 100>"
