"""Every strategy once on one short item with a real model: it ends in a verdict, or in a failure of a kind that is known."""

from collections.abc import Mapping

import anyio
import pytest
import pytest_asyncio

from agentdebate import errors
from agentdebate.debates.record import Record
from agentdebate.errors import AgentDebateError
from agentdebate.models.base import Model
from agentdebate.project.project import Project
from agentdebate.strategies.load import strategy
from benchmarks.local import AT_ONCE, FORMS, Held, account, hold, items, short, tasks_of

pytestmark = [pytest.mark.local, pytest.mark.asyncio(loop_scope="session")]

NAMES = tuple(sorted(Project().names("strategies")))
ENDS = frozenset(
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, AgentDebateError)
)
LENGTH = {"schema": 128, "text": 48}
"""Tokens a reply may have: so few, that all debates together take some minutes."""
PATIENCE = {"schema": 2, "text": 1}
"""Replies to a question."""

WRITING = frozenset({"chateval-recruited", "drpe", "drpe-swapped", "geval"})
"""Strategies that want readers of whom no two are alike, or steps that differ, which a schema cannot say."""

CASCADE = {
    "stages": [
        {"strategy": "solo-repeated", "confidence": "votes"},
        {"strategy": "solo", "confidence": "asked"},
    ],
    "thresholds": {"solo": 0},
}
"""A cascade fails where its last stage does, and the critic of its debate repeats itself: that is told of `debate` already."""

Records = Mapping[tuple[str, Held], Record]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def records(local_model: Model) -> Records:
    """The debates of all strategies, several at once: their calls take turns on the server's slots."""
    found: dict[tuple[str, Held], Record] = {}
    at_once = anyio.CapacityLimiter(AT_ONCE)

    async def keep(name: str, form: Held) -> None:
        async with at_once:
            project = Project()
            item = items(tasks_of(name, project)[0])[0]
            chosen = strategy(name, project=project, **CASCADE) if name == "cascade" else short(name, project)
            found[name, form] = await hold(
                chosen, item, form, local_model, length=LENGTH[form], patience=PATIENCE[form]
            )

    async with anyio.create_task_group() as group:
        for name in NAMES:
            for form in FORMS:
                group.start_soon(keep, name, form)
    return found


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
async def test_a_strategy_ends_in_a_verdict_or_a_failure_of_a_known_kind(
    name: str, form: Held, records: Records
) -> None:
    record = records[name, form]
    if record.verdict is None:
        assert record.failure is not None
        assert record.failure.error in ENDS, record.failure.reason


async def test_what_is_held_to_a_schema_is_read_unless_it_was_cut(records: Records) -> None:
    accounts = {name: account(record) for (name, form), record in records.items() if form == "schema"}
    unread = {name: one for name, one in accounts.items() if one.looped + one.unread and name not in WRITING}
    # Sums in another order give other words: elsewhere another reply is cut, or unread, and 14 to 17 of 28 debates end in a
    # verdict. A schema that cannot be read fails wherever it is used, which is in more than two strategies.
    assert len(unread) <= 2, unread
    assert sum(one.verdicts for one in accounts.values()) > len(accounts) / 4
