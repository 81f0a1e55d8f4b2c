"""A run in a notebook: the line below its cell, a judge that is called within the running loop, and tables as HTML."""

from importlib.util import find_spec

import pytest

import agentdebate as ad

ITEMS = [
    ad.Item(id=f"i{n}", task="summarization", fields={"source": "It rains.", "summary": f"Rain {n}."})
    for n in range(3)
]


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
