"""`agentdebate.export`: the command's files in one call, and the table of what is in them."""

import json
from itertools import product
from pathlib import Path

import pytest
from typed import typed

import agentdebate as ad
from agentdebate.report.export import What

Capsys = pytest.CaptureFixture[str]
FIELDS = {"source": "The cat sat.", "summary": "A cat sat."}


@pytest.fixture
async def run() -> ad.store.Run:
    """A stored run of two items."""
    items = [ad.Item(task="summarization", id=f"i{n}", fields=FIELDS) for n in range(2)]
    async with ad.evaluate(items, "debate", aspects="coherence", store="agentdebate.db") as evaluation:
        assert len([record async for record in evaluation]) == 2
    return ad.open_store("agentdebate.db").run()


FLAT: tuple[What, ...] = ("verdicts", "ballots", "costs")
NESTED: tuple[What, ...] = ("messages", "calls")


def test_it_writes_what_the_command_writes(run: ad.store.Run, capsys: Capsys) -> None:
    for what, form in (*product((*FLAT, *NESTED), ["jsonl"]), *product(FLAT, ["csv"])):
        table = ad.export(run, f"out.{form}", what=what)
        text = Path(f"out.{form}").read_text(encoding="utf-8")
        assert text == typed(capsys, "export", "--what", what, "--format", form).out
        assert len(list(table.rows())) == text.count("\n") - (form == "csv")


@pytest.mark.usefixtures("run")
def test_a_run_is_named_in_a_store_and_without_a_file_there_is_the_table_alone() -> None:
    table = ad.export("last", store="agentdebate.db")
    assert [row["item"] for row in table.rows()] == ["i0", "i1"]
    assert {path.name.partition("-")[0] for path in Path().iterdir()} == {"agentdebate.db"}


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"what": "verdict"}, "what cannot be 'verdict'. Did you mean 'verdicts'"),
        ({"format": "xml"}, "format cannot be 'xml'"),
        ({"what": "calls", "format": "csv"}, "calls are nested and go into JSONL"),
        ({"raw": True}, "raw is for the format csv"),
        ({"output": "no/such/folder.jsonl"}, "cannot be written"),
    ],
)
def test_what_cannot_be_written_so_is_an_error(given: dict[str, object], says: str) -> None:
    with pytest.raises(ad.UserError, match=says):
        ad.export("last", **given)  # type: ignore[arg-type]  # that is the point


async def test_show_and_export_say_what_a_run_cost(run: ad.store.Run, capsys: Capsys) -> None:
    shown = typed(capsys, "show").out
    assert "Costs" in shown
    assert [line.split()[:3] for line in shown.splitlines()[-3:]] == [
        ["critic", "offline", str(run.costs()[0].usage.calls)],
        ["scorer", "offline", str(run.costs()[1].usage.calls)],
        ["all", str(run.costs().total.usage.calls), "0"],
    ]
    (told,) = typed(capsys, "show", "--json").json
    assert told["costs"]["by_agent"] == [one.row() for one in run.costs()]
    assert told["costs"]["total"]["calls"] == run.costs().total.usage.calls
    rows = [json.loads(line) for line in typed(capsys, "export", "--what", "costs").out.splitlines()]
    assert rows == told["costs"]["by_agent"]
