"""An endpoint that is down stops a run once, however many debates there are."""

import asyncio
from functools import partial

import pytest
from typed import typed

import agentdebate as ad
from agentdebate.errors import ConnectionFailed, EndpointDown
from agentdebate.models import composition
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.limits.limit import Limited
from agentdebate.models.retry import Retrying
from agentdebate.testing import run_jumping

NOWHERE = "http://127.0.0.1:9/v1"


def gone(_: ModelRequest) -> Completion:
    raise ConnectionFailed("gone")


def items(number: int) -> list[ad.Item]:
    fields = {"source": "The bridge closes in March.", "summary": "The bridge closes."}
    return [ad.Item(id=str(one), task="summarization", fields=fields) for one in range(number)]


@pytest.mark.parametrize("concurrency", [1, 3, 64])
def test_a_run_stops_after_ten_seconds_and_no_debate_counts_as_failed(concurrency: int) -> None:
    async def main() -> None:
        model = Retrying(Limited(ad.Function("gone", gone)), clock=asyncio.get_running_loop().time)
        records = []
        with pytest.raises(EndpointDown, match="has not answered for too long"):
            async with ad.evaluate(items(300), "debate", model=model, concurrency=concurrency) as run:
                records = [record async for record in run]
        assert records == []
        assert asyncio.get_running_loop().time() == pytest.approx(10, abs=3)

    run_jumping(main())


def test_score_says_once_that_the_server_is_down(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composition, "Limited", partial(Limited, unheard=1.0))
    monkeypatch.setattr(composition, "Retrying", partial(Retrying, first_wait=0.5, jitter=0.0))
    fields = ("-f", "source=The bridge closes.", "-f", "summary=It closes.")
    words = (
        "score",
        "solo",
        "--task",
        "summarization",
        *fields,
        "--model",
        "openai/m",
        "--base-url",
        NOWHERE,
    )
    came = typed(capsys, *words)
    assert came.code == 1
    assert came.out.startswith("item: coherence")
    assert "consistency" not in came.out
    assert came.err.count("has not answered for too long") == 1
