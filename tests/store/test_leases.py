"""Leases by a clock that stands still until a test moves it: takings, reports, takeovers, and the token that guards writing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import pytest
import sqlalchemy as sa

from agentdebate.errors import LeaseLost
from agentdebate.store import crew
from agentdebate.store.crew import Leases, Tally, Told, crew_of, database_clock, tell_to_stop
from agentdebate.store.database import Database
from agentdebate.store.debate_writer import enter
from agentdebate.store.engine import open_database
from agentdebate.store.schema import LEASES, enter_run

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

    def clock(self, _: sa.Connection) -> "sa.ColumnElement[float]":
        return sa.literal(self.now, sa.Double())

    def do(self, work: Callable[[sa.Connection], Result]) -> Result:
        return self.database.change(work)

    def worker(self, name: str, seconds: float = 60.0) -> Leases:
        """A worker that takes part in the run."""
        made = Leases(self.number, name, seconds=seconds)
        self.do(made.join)
        return made

    def report(self, leases: Leases, **spent: int) -> Told:
        """Have a worker say that it is there, and hear what it is told."""
        return self.do(lambda connection: leases.report(connection, Tally(**spent)))

    def leave(self, leases: Leases) -> None:
        self.do(lambda connection: leases.leave(connection, Tally(), "left"))

    def take(self, leases: Leases, most: int) -> list[str]:
        taken = self.do(lambda connection: leases.take(connection, most))
        leases.hold(taken)
        return [one.debate for one in taken]

    def refused(self, leases: Leases, *debates: str, ending: bool = False) -> set[str]:
        over = debates if ending else ()
        found = self.do(lambda connection: leases.guard(connection, debates, ending=over))
        assert all(isinstance(error, LeaseLost) for error in found.values())
        return set(found)

    def end(self, leases: Leases, *debates: str) -> set[str]:
        """Have debates ended; those whose end was refused come back."""
        return self.refused(leases, *debates, ending=True)


@pytest.fixture
def queue(new_store: NewStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[Queue]:
    """Six debates, d0 to d5."""
    database = open_database(new_store("runs"), create=True)
    made = Queue(database)
    monkeypatch.setattr(crew, "database_clock", made.clock)

    def fill(connection: sa.Connection) -> int:
        number = enter_run(connection, {"id": RUN, **HEAD})
        crew.open_queue(connection, number, {})
        entries = [
            crew.lease_entry(f"d{place}", place=place, item=f"i{place}", item_number=place + 1, aspects=["a"])
            for place in range(6)
        ]
        enter(connection, number, entries)
        crew.close_queue(connection, number)
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


def test_what_a_worker_held_is_taken_over_when_its_leases_have_run_out_and_not_before(queue: Queue) -> None:
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 6)
    queue.now += 59.9
    queue.report(other)
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


def test_a_worker_hears_what_others_took_while_it_was_not_heard_of(queue: Queue) -> None:
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 6)
    for seconds in (59, 60, 1):
        queue.now += seconds
        assert queue.report(one).lost == frozenset()
    queue.now += 60
    queue.report(other)
    assert queue.take(other, 2) == ["d0", "d1"]
    assert queue.report(one).lost == {"d0", "d1"}


def test_leases_on_a_file_do_not_hang_on_the_time_of_day(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock jumps by an hour, forwards and backwards: nothing is taken away, and what a dead worker held comes free in time."""
    if queue.database.dialect != "sqlite":
        pytest.skip("a server has a clock of its own")
    day, since_start = 1e9, 500.0
    monkeypatch.setattr(crew, "database_clock", database_clock)
    monkeypatch.setattr("time.monotonic", lambda: since_start)
    monkeypatch.setattr("time.time", lambda: day)
    one, other, third = (Leases(queue.number, name) for name in ("one", "other", "third"))
    queue.do(one.join)
    queue.do(other.join)
    assert len(queue.take(one, 6)) == 6
    for day in (1e9 + 3600, 1e9 - 3600):  # noqa: B007 - it is what time.time gives
        assert queue.take(other, 6) == []
        assert queue.refused(one, "d0") == set()
    since_start += 61
    queue.report(other)
    assert len(queue.take(other, 6)) == 6
    since_start = 3.0  # the machine was restarted
    found = queue.do(lambda connection: crew_of(connection, RUN))
    assert found is not None
    assert not found.working
    queue.do(third.join)
    assert len(queue.take(third, 6)) == 6


def test_a_debate_that_is_held_here_is_not_taken_here_again_though_the_database_forgot_who_holds_it(
    queue: Queue,
) -> None:
    """A server that crashes forgets takings, and two holdings in one process would write the same rows."""
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 2)
    queue.do(lambda connection: connection.execute(LEASES.update().values(worker=None, taken=0)))
    assert queue.take(one, 2) == ["d2", "d3"]
    assert queue.take(other, 2) == ["d0", "d1"]
    assert queue.refused(one, "d0", "d2") == {"d0"}


def test_a_worker_takes_again_what_it_does_not_know_that_it_has_taken(queue: Queue) -> None:
    """The connection broke before the taking was known to be entered, or the debate was let go of."""
    one, other = queue.worker("one"), queue.worker("other")
    queue.do(lambda connection: one.take(connection, 6))
    assert one.tokens == {}
    assert queue.take(other, 6) == []
    assert len(queue.take(one, 6)) == 6
    one.forget(["d3"])
    assert queue.take(one, 6) == ["d3"]


def test_a_worker_that_slept_writes_what_nobody_has_taken_over_and_nothing_else(queue: Queue) -> None:
    slept, other = queue.worker("slept"), queue.worker("other")
    queue.take(slept, 6)
    queue.now += 61
    queue.report(other)
    assert queue.take(other, 1) == ["d0"]
    assert queue.refused(slept, "d0", "d1") == {"d0"}
    queue.leave(other)
    assert queue.refused(slept, "d0") == {"d0"}


def test_only_who_holds_a_debate_takes_it_from_the_queue_as_ended(queue: Queue) -> None:
    one, other = queue.worker("one"), queue.worker("other")
    queue.take(one, 3)
    queue.take(other, 3)
    assert queue.end(one, "d0", "d3") == {"d3"}, "another one has it"
    one.forget(["d1"])
    assert queue.end(one, "d1") == {"d1"}, "it was let go of"
    queue.now += 61
    assert sorted(queue.take(queue.worker("third"), 9)) == ["d1", "d2", "d3", "d4", "d5"]


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


# From here on: who works on a run.


def test_a_run_is_queued_then_running_then_stopped(queue: Queue) -> None:
    def state() -> str:
        found = queue.do(lambda connection: crew_of(connection, RUN))
        assert found is not None
        return found.state

    assert state() == "queued"
    one, other = (Leases(queue.number, name) for name in ("one", "other"))
    assert queue.do(one.join) is True
    assert queue.do(other.join) is False
    assert state() == "running"
    queue.leave(one)
    assert state() == "running"
    queue.now += 61  # the other was killed
    assert state() == "stopped"


def test_those_who_are_told_to_stop_are_those_who_are_there(queue: Queue) -> None:
    one = queue.worker("one")
    assert queue.do(lambda connection: tell_to_stop(connection, RUN)) == 1
    later = queue.worker("later")
    assert queue.report(one).stop
    assert not queue.report(later).stop


def test_a_worker_hears_what_all_others_have_spent_those_that_were_killed_included(queue: Queue) -> None:
    one, other, third = (queue.worker(name) for name in ("one", "other", "third"))
    queue.report(one, tokens=5, units=10**15)
    queue.now += 100
    queue.report(other, tokens=7, units=1)
    told = queue.report(third, tokens=100)
    assert (told.tokens, told.units) == (12, 10**15 + 1)
