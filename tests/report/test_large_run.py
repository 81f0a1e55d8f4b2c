"""A run with more debates than are read one by one: its tables are added up by the database."""

import re

import pytest

import agentdebate as ad
from agentdebate.cli.app import run as command
from agentdebate.report.run_tables import page as page_module
from agentdebate.testing import replying

FIELDS = {"source": "The bridge closes in March.", "summary": "A bridge closes."}


@pytest.fixture(autouse=True)
async def _held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "WHOLE", 2)
    items = [
        ad.Item(id=f"i{n}", task="summarization", fields=FIELDS, human={"coherence": 1.0 + n})
        for n in range(4)
    ]
    replies = replying(lambda request: "Mute." if request.context.item.id == "i3" else "Coherence: 4")
    async with ad.evaluate(items, "solo", model=replies, aspects="coherence", store="runs.db") as run:
        assert len([record async for record in run]) == 4


def test_scores_failures_and_costs_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["show", "--store", "runs.db"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"coherence +3 +4\.000 +4(\.0)? +4(\.0)? +2\.500 +4\n", out)
    assert "UnreadableReply" in out
    assert "only scores and costs are added up" in out
    assert "Costs" in out
    assert "were read by the form" not in out


def test_json_still_has_every_debate(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["show", "--store", "runs.db", "--json"]) == 0
    assert capsys.readouterr().out.count('"debate"') == 4
