"""What the debates of a run cost together, as pages divide and round it."""

from collections.abc import Callable
from functools import partial

import pytest
import sqlalchemy as sa

from agentdebate.store.debate_list import DebateList
from agentdebate.store.engine import open_database
from agentdebate.store.entry import enter_run
from agentdebate.store.schema import DEBATES

HEAD = {"id": "r", "created": 1.0, "strategy": "solo", "task": "summarization", "model": "m"}


def test_sums_are_plain_numbers_however_large(new_store: Callable[[str], str]) -> None:
    """A server adds up large whole numbers into a decimal, by which no float can be divided."""
    database = open_database(new_store("runs"), create=True)
    try:
        number = database.change(partial(enter_run, row={**HEAD, "configuration": "{}"}))

        def fill(connection: sa.Connection) -> None:
            for place in range(3):
                row = {"run": number, "id": f"d{place}", "talk": place, "item": "i", "outcome": "verdict"}
                cost = {"calls": 2, "tokens": 2_000_000, "money": 0.5, "seconds": 1.5, "row": "{}"}
                connection.execute(DEBATES.insert(), {**row, **cost})

        database.change(fill)
        sums = DebateList(database, "r").sums()
    finally:
        database.close()
    assert (sums["calls"], sums["tokens"], sums["priced"]) == (6, 6_000_000, 3)
    assert f"{(sums['tokens'] or 0) / 1e6:.1f}" == "6.0"
    assert (sums["money"], sums["seconds"]) == pytest.approx((1.5, 4.5))
