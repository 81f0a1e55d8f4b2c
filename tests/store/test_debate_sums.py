"""What the debates of a run cost together, as pages divide and round it, and in which order a filter leaves them."""

from collections.abc import Callable
from functools import partial

import pytest
import sqlalchemy as sa

from agentdebate.store import debate_list
from agentdebate.store.debate_filter import DebateFilter
from agentdebate.store.debate_list import DebateList
from agentdebate.store.debate_order import DebateOrder
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


@pytest.mark.parametrize("few", [1, 100], ids=["sorted by the database", "sorted here"])
@pytest.mark.parametrize("descending", [False, True])
def test_what_a_filter_leaves_comes_by_id_and_by_the_page(
    new_store: Callable[[str], str], few: int, descending: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debate_list, "_FEW", few)
    database = open_database(new_store("runs"), create=True)
    names = ["b/x", "a/x", "é/x", "Z/x", "a-b/x"]
    try:
        number = database.change(partial(enter_run, row={**HEAD, "configuration": "{}"}))

        def fill(connection: sa.Connection) -> None:
            for place, name in enumerate([*names, "c/x"]):
                outcome = "verdict" if name == "c/x" else "failure"
                row = {"run": number, "id": name, "talk": place, "item": name[:-2], "outcome": outcome}
                told = f'{{"id": "{name[:-2]}", "debate": "{name}"}}'
                connection.execute(DEBATES.insert(), {**row, "row": told})

        database.change(fill)
        debates, order = DebateList(database, "r"), DebateOrder(descending=descending)
        failed = DebateFilter(outcome="failure")
        found = [list(debates._ids(failed, order, start, 2)) for start in (0, 2, 4, 6)]
        whole = list(debates._ids(failed, order, 0, 50))
        bytewise = database.dialect == "sqlite"
    finally:
        database.close()
    assert [len(part) for part in found] == [2, 2, 1, 0]
    assert [name for part in found for name in part] == whole
    assert sorted(whole) == sorted(names)
    assert not bytewise or whole == sorted(names, reverse=descending)
