"""What the commands print is what one call of the library gives."""

import asyncio
import json
from pathlib import Path

import pytest
from scored_summaries import scored_items, write_scored

import agentdebate as ad
from agentdebate.cli.app import run as command

SUMMARIES = {
    "s1": ("Kelby's bridge closes for eleven weeks, since two bearings are corroded.", 5),
    "s2": ("the bridge the bridge is torn down", 1),
    "s3": ("A bridge closes. Two bearings. Corrosion was found, eleven weeks.", 3),
}
RUN = ("data.jsonl", "--task", "summarization", "--aspects", "coherence", "--human", "coherence=expert")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with data, which is the current one."""
    monkeypatch.chdir(tmp_path)
    write_scored(tmp_path, SUMMARIES)
    return tmp_path


def items() -> list[ad.Item]:
    return scored_items(SUMMARIES)


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
    with pytest.raises(ad.UserError, match=r"name it with store=\.\.\.,"):
        ad.agree("last", store="nowhere.db")
    assert command(["agree", "last", "--store", "nowhere.db"]) == 2
    assert "name it with --store," in capsys.readouterr().err
    with pytest.raises(ad.UserError, match=r"^missing=\.\.\. is left-out"):
        ad.agree("last", missing="worst")
    assert command(["agree", "last", "--missing", "worst"]) == 2
    assert "--missing is left-out" in capsys.readouterr().err


def test_dynamics_gives_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["run", "chateval-simultaneous", *RUN, "--set", "ballots=every"]) == 0
    found = ad.dynamics("last", within=0.25)
    assert printed(capsys, "dynamics", "--within", "0.25", "--json") == json.loads(
        json.dumps(found.to_dict())
    )
    assert {row["table"] for row in found.rows()} >= {"movement", "convergence"}
    assert "Moves" in str(found)
    assert len(repr(found)) < 200


def test_aggregate_gives_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        command(["run", "avg", *RUN, "--set", 'evaluators=["rouge-l", "chrf"]', "--also", "reference=source"])
        == 0
    )
    found = ad.aggregate("last", range={"chrf": "0-50"})
    assert printed(capsys, "aggregate", "last", "--range", "chrf=0-50", "--json") == json.loads(
        json.dumps(found.to_dict())
    )
    capsys.readouterr()
    assert found.to_dict()["evaluators"]
    assert command(["aggregate", "last", "--range", "chrf=0-50"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == found.rows()


def test_a_sweep_has_the_figures_of_the_command_and_goes_on_where_it_was(
    capsys: pytest.CaptureFixture[str],
) -> None:
    called = asyncio.run(
        ad.sweep(
            items(), "debate", vary={"rounds": [1, 2]}, aspects="coherence", store="here.db", bootstrap=None
        )
    )
    told = printed(capsys, "sweep", "debate", *RUN, "--vary", "rounds=1,2", "--resamples", "0", "--json")
    figures = ("cell", "kind", "debates", "failures", "calls", "mean")
    rows = told["rows"]
    assert isinstance(rows, list)
    assert [[row[name] for name in figures] for row in called.rows()] == [
        [row[name] for name in figures] for row in rows
    ]
    again = asyncio.run(
        ad.sweep(
            items(), "debate", vary={"rounds": [1, 2]}, aspects="coherence", store="here.db", bootstrap=None
        )
    )
    assert [row["run"] for row in again.rows()] == [row["run"] for row in called.rows()]
