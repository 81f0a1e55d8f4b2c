"""A call of the library leaves what the command leaves."""

import anyio.to_thread
import pytest
from typed import numbered, write

import agentdebate as ad
from agentdebate.cli.app import run as command

RUN = ("data.jsonl", "--task", "summarization", "--aspects", "coherence", "--human", "coherence=expert")


@pytest.fixture(autouse=True)
def _data() -> None:
    """Summaries that people scored for coherence."""
    write([{**row, "expert": 1 + 2 * place} for place, row in enumerate(numbered(3))])


async def test_a_data_source_leaves_the_record_that_the_command_leaves() -> None:
    source = ad.DataSource("data.jsonl", "summarization", human={"coherence": "expert"})
    async with ad.evaluate(source, "debate", aspects="coherence", store="agentdebate.db") as run:
        assert len([record async for record in run]) == 3
    assert await anyio.to_thread.run_sync(command, ["run", "debate", *RUN]) == 0
    mine, theirs = (one.head.configuration for one in ad.open_store("agentdebate.db").runs())
    assert {name: mine.get(name) for name in theirs} == {**theirs, "command": None}
