"""Every strategy once on one short item with a real model: it ends in a verdict, or in a failure of a kind that is known."""

from collections import Counter
from collections.abc import Mapping

import anyio
import pytest
import pytest_asyncio

from agentdebate import errors
from agentdebate.agents.debate_settings import DebateSettings, Form
from agentdebate.debates.debate import ready
from agentdebate.debates.record import Record
from agentdebate.errors import AgentDebateError, StrategyError
from agentdebate.models.base import Sampling
from agentdebate.models.local import LocalModel
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import Prompts
from agentdebate.strategies.load import strategy
from agentdebate.tasks import Item

pytestmark = [pytest.mark.local, pytest.mark.asyncio(loop_scope="session")]

SOURCE = "The council voted on Tuesday to repair the swing bridge. Work begins in March."
FIELDS: Mapping[str, Mapping[str, str]] = {
    "summarization": {
        "source": SOURCE,
        "summary": "The bridge is repaired.",
        "reference": "Repairs begin in March.",
    },
    "comparison": {
        "question": "When does the work begin?",
        "answer_1": "In March.",
        "answer_2": "In May.",
        "reference": "March.",
    },
}
LENGTH = {"schema": 160, "text": 80}
"""Tokens a reply may have; the longest form that is held to a schema has to fit."""
ENDS = frozenset(
    {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, AgentDebateError)
    }
)
NAMES = tuple(sorted(Project().names("strategies")))
AT_ONCE = 6
FORMS: tuple[Form, ...] = ("schema", "text")


async def hold(name: str, form: Form, model: LocalModel) -> Record:
    """One debate on one aspect, at a temperature of 0; a panel has two agents, and no debate more than two rounds."""
    project = Project()
    chosen = strategy(name, project=project)
    task = Prompts(project).task("summarization")
    try:
        chosen.check(task, task.aspects[:1])
    except StrategyError:
        task = Prompts(project).task("comparison")
    changes = {"rounds": 1} if "rounds" in type(chosen).model_fields else {}
    chosen = strategy(name, project=project, **changes)
    sampling = Sampling(max_tokens=LENGTH[form], temperature=0, seed=1)
    settings = DebateSettings(form=form, patience=2, sampling=sampling, deadline=300)
    async with ready(chosen, model=model, project=project, settings=settings) as debate:
        return await debate.hold(
            Item(id="bridge", task=task.name, fields=dict(FIELDS[task.name])), task.aspects[0].name
        )


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def records(local_model: LocalModel) -> Mapping[tuple[str, Form], Record]:
    """The debates of all strategies, several at once: as the server's slots are free, their calls take turns."""
    found: dict[tuple[str, Form], Record] = {}

    async def keep(name: str, form: Form) -> None:
        async with at_once:
            found[name, form] = await hold(name, form, local_model)

    at_once = anyio.CapacityLimiter(AT_ONCE)
    async with anyio.create_task_group() as group:
        for name in NAMES:
            for form in FORMS:
                group.start_soon(keep, name, form)
    return found


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
async def test_a_strategy_ends_in_a_verdict_or_a_failure_of_a_known_kind(
    name: str, form: Form, records: Mapping[tuple[str, Form], Record]
) -> None:
    record = records[name, form]
    if record.verdict is None:
        assert record.failure is not None
        assert record.failure.error in ENDS, record.failure.reason


async def test_most_debates_that_are_held_to_schemas_end_in_a_verdict(
    records: Mapping[tuple[str, Form], Record],
) -> None:
    ended = Counter(record.verdict is not None for (_, form), record in records.items() if form == "schema")
    assert ended[True] > ended[False], ended
