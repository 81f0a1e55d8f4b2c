"""A run in a notebook: the line below its cell, a judge that is called within the running loop, and tables as HTML."""

import sys
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import agentdebate as ad

ITEMS = [
    ad.Item(id=f"i{n}", task="summarization", fields={"source": "It rains.", "summary": f"Rain {n}."})
    for n in range(3)
]


class Shown:
    """What a cell shows, as IPython's display hands it out."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def display(self, data: dict[str, str], *, raw: bool, display_id: bool) -> "Shown":
        assert raw
        assert display_id
        self.update(data, raw=True)
        return self

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.lines.append(data["text/plain"])


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Shown:
    shown = Shown()
    ipython: Any = ModuleType("IPython")
    ipython.get_ipython = lambda: SimpleNamespace(kernel=object())
    ipython.display = SimpleNamespace(display=shown.display)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    return shown


async def test_progress_is_one_line_below_the_cell_that_says_the_end(
    cell: Shown, capsys: pytest.CaptureFixture[str]
) -> None:
    async with ad.evaluate(ITEMS, "solo", aspects="fluency", progress=True) as run:
        assert cell.lines == [cell.lines[0]]
        assert cell.lines[0].startswith("0/3 debates")
        async for _ in run:
            pass
    assert cell.lines[-1].startswith("3/3 debates, 0 failed")
    assert capsys.readouterr().err == "", "nothing is written below the line"


async def test_a_terminal_of_ipython_has_no_line_of_a_notebook(
    cell: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["IPython"], "get_ipython", SimpleNamespace)
    async with ad.evaluate(ITEMS, "solo", aspects="fluency", progress=True) as run:
        async for _ in run:
            pass
    assert cell.lines == []


CELLS = (
    (
        "import asyncio\nimport agentdebate as ad\nassert asyncio.get_running_loop().is_running()\n"
        f"items = [ad.Item.model_validate(one) for one in {[one.model_dump() for one in ITEMS]!r}]"
    ),
    """async with ad.evaluate(items, "solo", aspects="fluency", store="runs.db", progress=True) as run:
    records = [record async for record in run]""",
    """with ad.Judge("solo", task="summarization", aspects="fluency") as judge:
    verdict = judge(source="It rains.", summary="Rain.")
    awaited = await judge.ask(source="It rains.", summary="Rain.")
    mapped = [record.item.id for record in judge.map(items)]
verdict""",
    'ad.open_store("runs.db").run().records()',
)


@pytest.mark.skipif(
    not (find_spec("nbclient") and find_spec("ipykernel")), reason="needs Jupyter's nbclient and ipykernel"
)
def test_a_real_notebook_runs_it() -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    _, line, verdict, table = (cell.outputs[-1].data if cell.outputs else {} for cell in book.cells)
    assert line["text/plain"].startswith("3/3 debates, 0 failed")
    assert "verdict: " in verdict["text/html"]
    assert table["text/html"].count("<tr>") == 1 + len(ITEMS)
