"""What the commands print is what one call of the library gives."""

import json

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


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    capsys.readouterr()
    assert command(words) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_agree_gives_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["run", "debate", *RUN]) == 0
    table = ad.agree("last", statistic="spearman", level=["pooled"], missing="wrong")
    words = ("agree", "last", "--statistic", "spearman", "--level", "pooled", "--missing", "wrong")
    assert printed(capsys, *words, "--json") == json.loads(json.dumps(table.to_dict()))
    assert command(words) == 0
    assert capsys.readouterr().out == str(table)


def test_an_error_names_the_argument_in_python_and_the_option_on_the_command_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(ad.UserError, match=r"name a file with store=\.\.\.,"):
        ad.agree("last", store="nowhere.db")
    assert command(["agree", "last", "--store", "nowhere.db"]) == 2
    assert "name a file with --store," in capsys.readouterr().err


async def test_a_data_source_leaves_the_record_that_the_command_leaves() -> None:
    source = ad.DataSource("data.jsonl", "summarization", human={"coherence": "expert"})
    async with ad.evaluate(source, "debate", aspects="coherence", store="agentdebate.db") as run:
        assert len([record async for record in run]) == 3
    assert await anyio.to_thread.run_sync(command, ["run", "debate", *RUN]) == 0
    mine, theirs = (one.head.configuration for one in ad.open_store("agentdebate.db").runs())
    assert {name: mine.get(name) for name in theirs} == {**theirs, "command": None}
