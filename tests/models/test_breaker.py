"""When an endpoint counts as down, and when as back."""

import logging
from math import inf

import pytest

from agentdebate.models.limits.pause import Breaker


def shut(failures: int = 3, **options: float) -> Breaker:
    """A breaker that has just paused its endpoint, at 10."""
    breaker = Breaker("slow", failures=failures, **options)
    for _ in range(failures):
        breaker.failed(0, 10.0)
    return breaker


def test_it_lets_calls_through_until_there_are_too_many_failures_in_a_row() -> None:
    breaker = Breaker("slow", failures=3)
    breaker.failed(0, 1.0)
    breaker.failed(0, 2.0)
    breaker.succeeded(3.0)
    breaker.failed(0, 4.0)
    breaker.failed(0, 5.0)
    assert not breaker.paused
    assert breaker.opens(6.0) == 6.0
    breaker.failed(0, 7.0)
    assert breaker.paused
    assert breaker.opens(7.0) == 8.0


def test_one_probe_at_a_time() -> None:
    breaker = shut()
    assert breaker.opens(11.0) == 11.0
    era = breaker.start()
    assert breaker.probes(era)
    assert breaker.opens(11.0) == inf
    breaker.left(era)
    assert breaker.opens(11.0) == 11.0


def test_each_failed_probe_doubles_the_pause_up_to_a_minute() -> None:
    breaker, now, pauses = shut(), 11.0, []
    for _ in range(8):
        breaker.failed(breaker.start(), now)
        pauses.append(breaker.opens(now) - now)
        now = breaker.opens(now)
    assert pauses == [2, 4, 8, 16, 32, 60, 60, 60]


def test_after_a_success_pauses_begin_small_again() -> None:
    breaker = shut()
    breaker.failed(breaker.start(), 11.0)
    breaker.start()
    breaker.succeeded(13.0)
    assert not breaker.paused
    assert breaker.opens(13.0) == 13.0
    for _ in range(3):
        breaker.failed(breaker.start(), 20.0)
    assert breaker.opens(20.0) == 21.0


def test_what_began_before_a_pause_and_fails_later_says_nothing() -> None:
    breaker = shut()
    for _ in range(9):
        breaker.failed(0, 10.5)
    assert breaker.opens(10.5) == 11.0
    breaker.start()
    breaker.succeeded(12.0)
    for _ in range(9):
        breaker.failed(0, 13.0)
        breaker.failed(1, 13.0)
    assert not breaker.paused


def test_an_old_probe_does_not_speak_for_a_new_pause() -> None:
    breaker = shut()
    old = breaker.start()
    breaker.succeeded(12.0)  # a reply to a call from before
    for _ in range(3):
        breaker.failed(breaker.start(), 13.0)
    new = breaker.start()
    breaker.left(old)
    breaker.failed(old, 15.0)
    assert breaker.opens(15.0) == inf
    assert breaker.probes(new)
    assert not breaker.probes(old)


def test_it_gives_up_by_the_first_failure_in_the_row() -> None:
    breaker = Breaker("slow", failures=2, give_up=100)
    breaker.failed(0, 1.0)
    breaker.succeeded(2.0)
    breaker.failed(0, 5.0)
    assert breaker.gives_up == inf
    breaker.failed(0, 50.0)
    assert breaker.gives_up == 105.0
    breaker.succeeded(60.0)
    assert breaker.gives_up == inf


def test_it_says_so_once_and_once_again_when_it_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    breaker = shut()
    breaker.failed(breaker.start(), 11.0)
    breaker.failed(0, 11.0)
    breaker.start()
    breaker.succeeded(14.0)
    breaker.succeeded(15.0)
    assert [(record.levelno, getattr(record, "kind", "")) for record in caplog.records] == [
        (logging.WARNING, "endpoint paused"),
        (logging.WARNING, "endpoint resumed"),
    ]
    assert "slow failed 3 times in a row" in caplog.messages[0]
    assert "slow answers again after 4 s" in caplog.messages[1]


def test_it_shows_its_state() -> None:
    assert repr(shut()) == "<Breaker paused, 3 failures in a row>"
