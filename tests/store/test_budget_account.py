"""What several workers draw of a budget: blocks that leave enough for the others, and nothing that a dead worker keeps."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import pytest
import sqlalchemy as sa

from agentdebate.store._runs import enter_run
from agentdebate.store.accounts import Accounts
from agentdebate.store.crew import Leases, Tally, open_queue
from agentdebate.store.database import Database
from agentdebate.store.engine import open_database

HEAD = {"created": 1.0, "strategy": "solo", "task": "summarization", "model": "m", "configuration": "{}"}
TOKENS = "budget tokens"
LEASE = 60.0

Result = TypeVar("Result")


@dataclass
class Crew:
    """Workers of a run, and a clock that is moved by hand."""

    database: Database
    number: int = 0
    now: float = 1000.0

    def clock(self, _: sa.Connection) -> "sa.ColumnElement[float]":
        return sa.literal(self.now, sa.Double())

    def do(self, work: Callable[[sa.Connection], Result]) -> Result:
        return self.database.change(work)

    def worker(self, name: str, allowed: int = 16_000) -> "Drawer":
        leases = Leases(self.number, name, seconds=LEASE, clock=self.clock)
        self.do(leases.join)
        return Drawer(self, leases, Accounts(leases, {TOKENS: allowed}))


@dataclass
class Drawer:
    """A worker's way to the account."""

    crew: Crew
    leases: Leases
    account: Accounts

    def report(self) -> None:
        """Say that the worker is there; one that was taken for gone lets go of what it had drawn."""
        if self.crew.do(lambda one: self.leases.report(one, Tally())).lapsed:
            self.crew.do(self.account.forfeit)

    def draw(self, least: int, *, bounded: bool = False) -> int | None:
        drawn = self.crew.do(lambda one: self.account.draw(one, {TOKENS: least}, bounded=bounded))
        return None if drawn is None else drawn[TOKENS]

    def spend(self, amount: int) -> None:
        self.crew.do(lambda one: self.account.spend(one, {TOKENS: amount}))

    def give_back(self, spent: int) -> int:
        return self.crew.do(lambda one: self.account.give_back(one, {TOKENS: spent}))[TOKENS]

    @property
    def drawn(self) -> int:
        return self.crew.do(self.account.drawn)[TOKENS]


@pytest.fixture
def crew(new_store: Callable[[str], str]) -> Iterator[Crew]:
    database = open_database(new_store("runs"), create=True)
    made = Crew(database)

    def begin(connection: sa.Connection) -> int:
        number = enter_run(connection, {"id": "a-run", **HEAD})
        open_queue(connection, number, {})
        return number

    made.number = made.do(begin)
    try:
        yield made
    finally:
        database.close()


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_block_is_at_most_one_part_in_four_times_the_workers_of_what_is_left(
    crew: Crew, workers: int
) -> None:
    drawers = [crew.worker(f"w{number}") for number in range(workers)]
    left, drawn = 16_000, [0] * workers
    for turn in range(20):
        here = turn % workers
        all_in_all = drawers[here].draw(1)
        assert all_in_all is not None
        block = all_in_all - drawn[here]
        assert block == max(left // (4 * workers), 1)
        left, drawn[here] = left - block, all_in_all


def test_what_a_dead_worker_has_not_spent_is_free_with_its_leases(crew: Crew) -> None:
    dead, other = crew.worker("dead"), crew.worker("other")
    assert dead.draw(10_000) == 10_000
    dead.spend(3_000)
    crew.now += LEASE - 1
    other.report()
    assert other.draw(6_001) is None
    crew.now += 1
    assert other.draw(13_001) is None
    assert other.draw(13_000) == 13_000


def test_a_worker_that_wakes_learns_that_what_it_had_drawn_is_gone(crew: Crew) -> None:
    asleep, other = crew.worker("asleep"), crew.worker("other")
    asleep.draw(10_000)
    asleep.spend(3_000)
    crew.now += LEASE
    other.report()
    other.draw(1)
    asleep.report()
    assert asleep.drawn == 3_000
    assert asleep.draw(1) is not None


def test_what_a_worker_gives_back_others_can_draw_and_it_hears_what_is_left_in_the_end(crew: Crew) -> None:
    one, other = crew.worker("one"), crew.worker("other")
    one.draw(8_000)
    other.draw(8_000)
    other.spend(5_000)
    assert other.draw(1) is None
    assert one.give_back(2_000) == 16_000 - 2_000 - 5_000
    assert one.drawn == 2_000
    assert other.draw(6_000) == 14_000


def test_whoever_begins_alone_sets_the_account_to_what_was_spent(crew: Crew) -> None:
    dead = crew.worker("dead")
    dead.draw(10_000)
    crew.now += LEASE
    other = crew.worker("other")
    crew.do(lambda one: other.account.open(one, {TOKENS: 4_000}))
    assert other.draw(12_001) is None
    assert other.draw(12_000) == 12_000
