"""Leases by a clock that stands still until a test moves it: takings, renewals, takeovers, and the token that guards writing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

import pytest
import sqlalchemy as sa

from agentdebate.errors import LeaseLost
from agentdebate.store._runs import enter_run
from agentdebate.store.accounts import Accounts, Want
from agentdebate.store.crew import (
    LEASES,
    Leases,
    Roll,
    Tally,
    close_queue,
    crew_of,
    database_clock,
    lease_entry,
    open_queue,
    tell_to_stop,
)
from agentdebate.store.database import Database
from agentdebate.store.debate_writer import enter
from agentdebate.store.engine import open_database

RUN = "a-run"
HEAD = {"created": 1.0, "strategy": "solo", "task": "summarization", "model": "m", "configuration": "{}"}

NewStore = Callable[[str], str]
Result = TypeVar("Result")


@dataclass
class Queue:
    """A run with debates that anybody may take, in a store whose clock is moved by hand."""

    database: Database
    number: int = 0
    now: float = 1000.0
    made: list[Leases] = field(default_factory=list)

    def clock(self, _: sa.Connection) -> "sa.ColumnElement[float]":
        return sa.literal(self.now, sa.Double())

    def do(self, work: Callable[[sa.Connection], Result]) -> Result:
        return self.database.change(work)

    def worker(self, name: str, seconds: float = 60.0) -> Leases:
        return Leases(self.number, name, seconds=seconds, clock=self.clock)

    def take(self, leases: Leases, most: int) -> list[str]:
        taken = self.do(lambda connection: leases.take(connection, most))
        leases.hold(taken)
        return [one.debate for one in taken]

    def refused(self, leases: Leases, *debates: str, ending: bool = False) -> set[str]:
        found = self.do(
            lambda connection: leases.guard(connection, debates, ending=debates if ending else ())
        )
        assert all(isinstance(error, LeaseLost) for error in found.values())
        return set(found)

    def end(self, leases: Leases, *debates: str) -> set[str]:
        """Have debates ended; those whose end was refused come back."""
        return self.refused(leases, *debates, ending=True)


@pytest.fixture
def queue(new_store: NewStore) -> Iterator[Queue]:
    """Six debates, d0 to d5."""
    database = open_database(new_store("runs"), create=True)
    made = Queue(database)

    def fill(connection: sa.Connection) -> int:
        number = enter_run(connection, {"id": RUN, **HEAD})
        open_queue(connection, number, {})
        entries = [
            lease_entry(f"d{place}", place=place, item=f"i{place}", item_number=place + 1, aspects=["a"])
            for place in range(6)
        ]
        enter(connection, number, entries)
        close_queue(connection, number)
        return number

    made.number = made.do(fill)
    try:
        yield made
    finally:
        database.close()


def test_debates_are_taken_in_their_order_and_by_one_worker_each(queue: Queue) -> None:
    one, other = queue.worker("one"), queue.worker("other")
    assert queue.take(one, 2) == ["d0", "d1"]
    assert queue.take(other, 3) == ["d2", "d3", "d4"]
    assert queue.take(one, 9) == ["d5"]
    assert queue.take(other, 9) == []


def test_what_is_taken_says_what_the_debate_is_about(queue: Queue) -> None:
    (taken,) = queue.do(lambda connection: queue.worker("one").take(connection, 1))
    assert (taken.item, taken.item_number, taken.aspects, taken.place, taken.again) == (
        "i0",
        1,
        ("a",),
        0,
        False,
    )


def test_a_lease_that_is_not_renewed_is_taken_over_when_it_has_run_out_and_not_before(queue: Queue) -> None:
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 6)
    queue.now += 59.9
    assert queue.take(other, 6) == []
    queue.now += 0.1
    again = queue.do(lambda connection: other.take(connection, 6))
    assert [(taken.debate, taken.again) for taken in again] == [(f"d{place}", True) for place in range(6)]


def test_a_debate_whose_worker_died_is_taken_after_those_that_were_taken_less_often(queue: Queue) -> None:
    """So workers that die one after the other have not all asked for the same calls."""
    taken = list[list[str]]()
    for name in ("one", "two", "three", "four"):
        taken.append(queue.take(queue.worker(name), 2))
        queue.now += 61
    assert taken == [["d0", "d1"], ["d2", "d3"], ["d4", "d5"], ["d0", "d1"]]
    assert queue.take(queue.worker("five"), 6) == ["d2", "d3", "d4", "d5", "d0", "d1"]


def test_a_debate_that_was_given_back_is_taken_as_early_as_before(queue: Queue) -> None:
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 2)
    queue.do(one.give_back)
    assert queue.take(other, 3) == ["d0", "d1", "d2"]


def test_a_place_fits_its_column_however_often_a_debate_is_taken(queue: Queue) -> None:
    for _ in range(600):
        assert queue.do(lambda connection: queue.worker("one").take(connection, 6))
        queue.now += 61
    assert set(queue.take(queue.worker("one"), 6)) == {f"d{place}" for place in range(6)}


def test_a_lease_that_is_renewed_stays_with_its_worker(queue: Queue) -> None:
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 6)
    for _ in range(5):
        queue.now += 45
        assert queue.do(one.renew) == frozenset()
        assert queue.take(other, 6) == []


def test_a_worker_learns_at_the_renewal_what_it_has_lost(queue: Queue) -> None:
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 6)
    queue.now += 61
    assert queue.take(other, 1) == ["d0"]
    lost = queue.do(one.renew)
    assert lost == {f"d{place}" for place in range(6)}
    one.forget(lost)
    assert queue.take(one, 1) == ["d1"]
    assert queue.do(one.renew) == frozenset()


def test_a_debate_that_is_held_here_is_not_taken_here_again_though_the_database_forgot_who_holds_it(
    queue: Queue,
) -> None:
    """A server that crashes forgets takings, and two holdings in one process would write the same rows."""
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 2)
    queue.do(queue.worker("one").give_back)  # as it was before the taking
    assert queue.take(one, 2) == ["d2", "d3"]
    assert queue.take(other, 2) == ["d0", "d1"]
    assert queue.refused(one, "d0", "d2") == {"d0"}


def test_a_taking_that_was_not_entered_leaves_no_debate_held(queue: Queue) -> None:
    one = queue.worker("one")
    queue.do(lambda connection: one.take(connection, 6))  # and the connection broke before it said so
    assert one.tokens == {}
    assert queue.do(one.renew) == frozenset()
    queue.now += 61
    assert queue.take(one, 2) == ["d0", "d1"]


def test_what_is_taken_while_a_renewal_ends_is_not_taken_for_lost(queue: Queue) -> None:
    """The store's thread takes before the event loop hears of the renewal."""
    one = queue.worker("one")
    queue.take(one, 1)
    lost = queue.do(one.renew)
    queue.take(one, 1)
    assert (lost, set(one.tokens)) == (frozenset(), {"d0", "d1"})


def test_what_a_worker_has_let_go_of_is_not_renewed(queue: Queue) -> None:
    """Or a debate that it takes for lost would be held by nobody for ever."""
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 6)
    one.forget(["d0"])
    queue.now += 50
    assert queue.do(one.renew) == frozenset()
    queue.now += 20
    assert queue.take(other, 1) == ["d0"]


def test_the_guard_lets_the_holder_write_and_nobody_else(queue: Queue) -> None:
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 1)
    assert queue.refused(one, "d0") == set()
    assert queue.refused(other, "d0") == {"d0"}
    assert queue.refused(one, "d0", "d1") == {"d1"}


def test_a_worker_whose_lease_has_run_out_writes_nothing_although_nobody_has_taken_it_over(
    queue: Queue,
) -> None:
    one = queue.worker("one")
    queue.take(one, 1)
    queue.now += 60
    assert queue.refused(one, "d0") == {"d0"}


def test_a_worker_that_slept_writes_nothing_after_a_takeover_even_if_it_was_given_back(queue: Queue) -> None:
    slept, other = queue.worker("slept"), queue.worker("other")
    queue.take(slept, 1)
    queue.now += 61
    queue.take(other, 1)
    assert queue.refused(slept, "d0") == {"d0"}
    queue.do(other.give_back)
    assert queue.refused(slept, "d0") == {"d0"}


def test_a_taking_has_another_token_than_the_last_one_of_the_same_worker(queue: Queue) -> None:
    """Or what was put in the first would be entered as part of the second."""
    before = queue.worker("one")
    queue.take(before, 6)
    queue.now += 61
    after = queue.worker("one")
    queue.take(after, 1)
    assert queue.refused(before, "d0") == {"d0"}
    assert queue.refused(after, "d0") == set()


def test_debates_that_are_given_back_are_free_at_once(queue: Queue) -> None:
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 4)
    queue.do(lambda connection: one.give_back(connection, ["d1"]))
    assert queue.take(other, 9) == ["d1", "d4", "d5"]
    queue.do(one.give_back)
    assert (queue.take(other, 9), one.tokens) == (["d0", "d2", "d3"], {})


def test_a_debate_that_has_ended_is_left_by_nobody_to_anybody(queue: Queue) -> None:
    one = queue.worker("one")
    queue.take(one, 6)
    assert queue.end(one, "d0", "d1", "d2", "d3", "d4") == set()
    assert queue.do(one.left)
    assert queue.refused(one, "d0", "d5") == {"d0"}
    assert queue.end(one, "d5") == set()
    assert not queue.do(one.left)


def test_only_who_holds_a_debate_takes_it_from_the_queue_as_ended(queue: Queue) -> None:
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 2)
    queue.take(other, 2)
    queue.now += 59
    queue.do(one.renew)
    queue.now += 2
    assert queue.end(one, "d0", "d2") == {"d2"}, "another one has it"
    assert queue.end(other, "d3") == {"d3"}, "its lease has run out"
    one.forget(["d1"])
    assert queue.end(one, "d1") == {"d1"}, "it was let go of"
    queue.now += 60
    assert sorted(queue.take(queue.worker("third"), 9)) == ["d1", "d2", "d3", "d4", "d5"]


def test_what_ends_a_debate_stays_in_the_queue_where_its_end_is_not_entered(queue: Queue) -> None:
    one = queue.worker("one")
    queue.take(one, 1)

    def broken(connection: sa.Connection) -> None:
        assert not one.guard(connection, ["d0"], ending={"d0"})
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        queue.do(broken)
    assert queue.refused(one, "d0") == set()


def test_what_a_worker_refuses_to_wait_for_does_not_keep_another_from_taking(
    new_store: NewStore, queue: Queue
) -> None:
    """On a server rows that somebody has locked are passed by."""
    if queue.database.dialect == "sqlite":
        pytest.skip("a SQLite file is locked as a whole: one process takes after the other")
    one, other = queue.worker("one"), queue.worker("other")
    with queue.database.connect() as connection, connection.begin():
        assert [taken.debate for taken in one.take(connection, 2)] == ["d0", "d1"]
        assert queue.take(other, 2) == ["d2", "d3"]


def test_the_clock_is_the_databases(queue: Queue) -> None:
    (now,) = queue.do(lambda connection: connection.execute(sa.select(database_clock(connection))).one())
    leases = Leases(queue.number, "one", seconds=60)
    queue.take(leases, 1)
    until = queue.do(
        lambda connection: connection.execute(
            sa.select(LEASES.c.until).where(LEASES.c.debate == "d0")
        ).scalar_one()
    )
    assert 60 <= until - now < 90


# From here on: who works on a run.


def roll(queue: Queue, name: str) -> Roll:
    return Roll(queue.number, name, seconds=60, clock=queue.clock)


def test_a_run_is_queued_then_running_then_stopped(queue: Queue) -> None:
    def state() -> str:
        crew = queue.do(lambda connection: crew_of(connection, RUN, clock=queue.clock))
        assert crew is not None
        return crew.state

    assert state() == "queued"
    one = roll(queue, "one")
    assert queue.do(one.join) is True
    assert queue.do(roll(queue, "other").join) is False
    assert state() == "running"
    queue.do(lambda connection: one.leave(connection, Tally(), "left"))
    assert state() == "running"
    queue.now += 61  # the other was killed
    assert state() == "stopped"


def test_a_run_that_was_stopped_and_goes_on_is_running(queue: Queue) -> None:
    before, after = roll(queue, "before"), roll(queue, "after")
    queue.do(before.join)
    queue.do(lambda connection: tell_to_stop(connection, RUN, drain=False, clock=queue.clock))
    queue.do(lambda connection: before.leave(connection, Tally(), "stopped"))
    queue.now += 1
    queue.do(after.join)
    crew = queue.do(lambda connection: crew_of(connection, RUN, clock=queue.clock))
    assert crew is not None
    assert crew.state == "running"


def test_a_worker_says_what_it_has_done(queue: Queue) -> None:
    one = roll(queue, "one")
    queue.do(one.join)
    queue.take(queue.worker("one"), 4)
    queue.now += 10
    queue.do(lambda connection: one.report(connection, Tally(debates=20, calls=80, tokens=1000, lost=3)))
    crew = queue.do(lambda connection: crew_of(connection, RUN, clock=queue.clock))
    assert crew is not None
    (worker,) = crew.workers
    assert (worker.rate, worker.calls, worker.held, crew.lost, crew.left) == (2.0, 80, 4, 3, 6)


def test_those_who_are_told_to_stop_are_those_who_are_there(queue: Queue) -> None:
    one, later = roll(queue, "one"), roll(queue, "later")
    queue.do(one.join)
    queue.now += 1
    assert queue.do(lambda connection: tell_to_stop(connection, RUN, drain=True, clock=queue.clock)) == 1
    queue.now += 1
    queue.do(later.join)
    told = queue.do(lambda connection: one.report(connection, Tally()))
    assert (told.stop, told.drain) == (True, True)
    assert not queue.do(lambda connection: later.report(connection, Tally())).stop


# From here on: what they share.


def test_a_limit_a_minute_holds_for_all_together(queue: Queue) -> None:
    one, other = (Accounts(queue.number, name, clock=queue.clock) for name in ("one", "other"))
    want = {"requests:m": Want(1, 70, 100)}
    assert queue.do(lambda connection: one.draw_of_minute(connection, want)) == ({"requests:m": 70}, 0)
    assert queue.do(lambda connection: other.draw_of_minute(connection, want)) == ({"requests:m": 30}, 0)
    granted, wait = queue.do(lambda connection: one.draw_of_minute(connection, want))
    assert (granted, wait) == ({}, 1.0)
    queue.do(lambda connection: other.correct(connection, {"requests:m": -10}))
    assert queue.do(lambda connection: one.draw_of_minute(connection, want)) == ({"requests:m": 10}, 0)
    queue.now += 60
    assert queue.do(lambda connection: one.draw_of_minute(connection, want)) == ({"requests:m": 70}, 0)


def test_a_limit_on_another_is_not_drawn_from_where_one_leaves_no_room(queue: Queue) -> None:
    one = Accounts(queue.number, "one", clock=queue.clock)
    both = {"requests:m": Want(1, 1, 100), "tokens:m": Want(600, 600, 1000)}
    assert queue.do(lambda connection: one.draw_of_minute(connection, both))[0] == {
        "requests:m": 1,
        "tokens:m": 600,
    }
    assert queue.do(lambda connection: one.draw_of_minute(connection, both))[0] == {}
    rest = {"requests:m": Want(1, 99, 100)}
    assert queue.do(lambda connection: one.draw_of_minute(connection, rest))[0] == {"requests:m": 99}


def test_a_pause_is_told_to_the_others_until_it_is_over(queue: Queue) -> None:
    one, other = (Accounts(queue.number, name, clock=queue.clock) for name in ("one", "other"))
    queue.do(lambda connection: one.pause(connection, {"m": 20.0}))
    assert queue.do(other.pauses) == {"m": 20.0}
    assert queue.do(one.pauses) == {}
    queue.now += 20
    assert queue.do(other.pauses) == {}


def test_one_debate_at_a_time_finds_out_what_all_need_as_long_as_its_lease_holds(queue: Queue) -> None:
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 1)
    queue.take(other, 1)
    mine, theirs = (Accounts(queue.number, name, clock=queue.clock) for name in ("one", "other"))

    def search(accounts: Accounts, debate: str, leases: Leases) -> bool:
        token = leases.tokens[debate]
        return queue.do(lambda connection: accounts.search(connection, "plan", debate, token))

    assert search(mine, "d0", one)
    assert not search(theirs, "d1", other)
    queue.do(lambda connection: mine.end_search(connection, "plan", "d0"))
    assert search(theirs, "d1", other)
    queue.now += 61
    queue.take(one, 6)
    assert search(mine, "d0", one)
