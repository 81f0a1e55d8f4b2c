"""A PostgreSQL store that was dumped and restored by PostgreSQL's own programs holds the same runs, and readers need few rights."""

import subprocess
from pathlib import Path

import pytest
from postgres_cluster import Cluster, programs

import agentdebate as ad
from agentdebate.errors import StoreError
from agentdebate.testing import replying

ITEM = ad.Item(id="kelby", task="summarization", fields={"source": "It closes.", "summary": "Closed."})
RIGHTS = (Path(__file__).parents[2] / "docs/how-to/stores.md").read_text(encoding="utf-8")

pytestmark = pytest.mark.postgres


async def judged(store: str) -> None:
    model = replying("It fits.\n\nFluency: 4")
    async with ad.evaluate([ITEM], "solo", model=model, aspects="fluency", store=store) as run:
        assert [record.outcome.name async for record in run] == ["verdict"]


def do(program: str, *words: str) -> None:
    folder = programs()
    assert folder is not None
    subprocess.run([folder / program, *words], check=True, timeout=60)


async def test_a_role_with_the_rights_that_the_page_gives_reads_runs_and_writes_none(
    cluster: Cluster,
) -> None:
    store = cluster.new_database()
    await judged(store)
    rights = RIGHTS.split("```sql\n")[1].split("```")[0]
    rights = rights.replace("DATABASE judging", f"DATABASE {store.rpartition('/')[2]}")
    do(
        "psql",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        f"--command={rights.replace('ROLE me', 'ROLE tests')}",
        store,
    )
    theirs = store.replace("tests@", "reader@")
    with ad.open_store(theirs) as opened:
        assert [record.scores for record in opened.run("last").records()] == [{"fluency": 4.0}]
    with pytest.raises(StoreError, match="permission denied"):
        await judged(theirs)
