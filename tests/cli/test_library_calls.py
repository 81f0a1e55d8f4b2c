"""What the commands print is what one call of the library gives."""

import json

import pytest
from typed import numbered, write

import agentdebate as ad
from agentdebate.cli.app import run as command

Capsys = pytest.CaptureFixture[str]
RUN = ("data.jsonl", "--task", "summarization", "--aspects", "coherence", "--human", "coherence=expert")


@pytest.fixture(autouse=True)
def _data() -> None:
    """Summaries that people scored for coherence."""
    write([{**row, "expert": 1 + 2 * place} for place, row in enumerate(numbered(3))])


def printed(capsys: Capsys, *words: str) -> dict[str, object]:
    capsys.readouterr()
    assert command(words) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_agree_gives_what_the_command_prints(capsys: Capsys) -> None:
    assert command(["run", "debate", *RUN]) == 0
    table = ad.agree("last", statistic="spearman", level=["pooled"], missing="wrong")
    words = ("agree", "last", "--statistic", "spearman", "--level", "pooled", "--missing", "wrong")
    assert printed(capsys, *words, "--json") == json.loads(json.dumps(table.to_dict()))
    assert command(words) == 0
    assert capsys.readouterr().out == str(table)


def test_an_error_names_the_argument_in_python_and_the_option_on_the_command_line(
    capsys: Capsys,
) -> None:
    with pytest.raises(ad.UserError, match=r"name a file with store=\.\.\.,"):
        ad.agree("last", store="nowhere.db")
    assert command(["agree", "last", "--store", "nowhere.db"]) == 2
    assert "name a file with --store," in capsys.readouterr().err
