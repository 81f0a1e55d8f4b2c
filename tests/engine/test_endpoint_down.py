"""An endpoint that is down stops a run once, however many debates there are."""

import asyncio
from functools import partial

import pytest

import agentdebate as ad
from agentdebate.errors import ConnectionFailed, EndpointDown
from agentdebate.models import composition
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.limits.limit import Limited
from agentdebate.models.retry import Retrying
from agentdebate.testing import run_jumping


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
        with pytest.raises(
            EndpointDown, match=r"every call has failed for \d+ s; .* The latest failure: gone$"
        ):
            async with ad.evaluate(items(300), "debate", model=model, concurrency=concurrency) as run:
                records = [record async for record in run]
        assert records == []
        assert asyncio.get_running_loop().time() == pytest.approx(10, abs=3)

    run_jumping(main())


@pytest.mark.parametrize(
    ("scheme", "answer", "says"),
    [
        ("http", b"SSH-2.0-OpenSSH_9.2p1\r\n\r\n", r"illegal status line.*; check that .*"),
        ("http", b"HTTP/1.1 200 OK\r\nCon", "Server disconnected.*; check that .*"),
        ("https", b"SSH-2.0-OpenSSH_9.2p1\r\n\r\n", r"no TLS there \(.*"),
    ],
)
async def test_the_error_ends_with_why_the_latest_call_failed(
    scheme: str, answer: bytes, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second call in a row finds the endpoint given up."""
    monkeypatch.setattr(composition, "Limited", partial(Limited, failures=1, unheard=0.01))
    monkeypatch.setattr(composition, "Retrying", partial(Retrying, first_wait=0.0, jitter=0.0))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65_536)
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        place = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        ends = (
            rf"^openai/m at {place}: every call has .*\. The latest failure: cannot talk to {place}: {says}$"
        )
        model = ad.model("openai/m", base_url=f"{scheme}://{place}/v1")
        with pytest.raises(EndpointDown, match=ends):
            async with ad.evaluate(items(2), "solo", model=model, concurrency=1) as run:
                assert not [record async for record in run]
