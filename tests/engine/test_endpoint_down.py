"""An endpoint that is down stops a run once, however many debates there are."""

import asyncio
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from socket import MSG_PEEK
from socketserver import StreamRequestHandler, ThreadingTCPServer

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


def test_of_three_endpoints_the_one_that_is_down_ends_the_run_and_is_named() -> None:
    """The others have answered all that they were asked, and no debate counts as failed."""
    asked: Counter[str] = Counter()

    def answered(request: ModelRequest) -> str:
        asked["there"] += 1
        return "Fine."

    async def main() -> None:
        models = {name: ad.Function(name, answered) for name in ("general-public", "reviewer")}
        time = asyncio.get_running_loop().time
        down = Retrying(Limited(ad.Function("third", gone)), clock=time)
        panel = ad.strategy(
            "chateval-one-by-one",
            cast={"debaters": ["general-public", "reviewer", "news-author"]},
            models={**models, "news-author": down},
        )
        records = []
        with pytest.raises(EndpointDown, match="third: every call has failed"):
            async with ad.evaluate(items(30), panel, model=down, concurrency=4, aspects="fluency") as run:
                records = [record async for record in run]
        assert (records, asked["there"] > 0, run.progress.failed) == ([], True, 0)

    run_jumping(main())


BODY = b'{"error": {"message": "overloaded, and very-secret-0123456789 too"}}'
LENGTH = b"content-length: %d\r\n" % len(BODY)
CAUSES = {
    "not HTTP": (
        b"SSH-2.0-OpenSSH_9.2p1\r\n\r\n",
        r"cannot talk to PLACE: illegal status line.*; check that .*",
    ),
    "closed within the headers": (
        b"HTTP/1.1 200 OK\r\nCon",
        "cannot talk to PLACE: Server disconnected.*; check that .*",
    ),
    "an error with a text": (
        b"HTTP/1.1 503 Busy\r\n" + LENGTH + b"\r\n" + BODY,
        r"HTTP 503: overloaded, and \[key\] too",
    ),
    "an error with a long text": (
        b"HTTP/1.1 500 Oh\r\ncontent-length: 100000\r\n\r\n" + b"x" * 100_000,
        "HTTP 500: x{100,300}\N{HORIZONTAL ELLIPSIS}",
    ),
}
"""What a server answers, and how the message ends then."""


@contextmanager
def answering(data: bytes) -> Iterator[str]:
    """A server that answers so and closes the connection, for as long as the block runs; gives its place."""

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            if self.request.recv(1, MSG_PEEK) == b"P":  # else it is the beginning of TLS
                length = 0
                while (line := self.rfile.readline().lower()).strip():
                    length = int(line[15:]) if line.startswith(b"content-length:") else length
                self.rfile.read(length)
            self.wfile.write(data)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def stopped_by(address: str) -> str:
    """What is said of an endpoint that a run has given up."""

    async def main() -> None:
        model = ad.model("openai/m", base_url=address)
        async with ad.evaluate(items(2), "solo", model=model, concurrency=1) as run:
            assert not [record async for record in run]

    with pytest.raises(EndpointDown) as caught:
        asyncio.run(main())
    return str(caught.value)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second call in a row finds the endpoint given up."""
    monkeypatch.setattr(composition, "Limited", partial(Limited, failures=1, unheard=0.01))
    monkeypatch.setattr(composition, "Retrying", partial(Retrying, first_wait=0.0, jitter=0.0))


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("cause", CAUSES)
def test_the_error_ends_with_why_the_latest_call_failed(cause: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "very-secret-0123456789")
    data, ending = CAUSES[cause]
    with answering(data) as place:
        said = stopped_by(f"http://{place}/v1")
    begins = rf"openai/m at {place}: every call has failed for \d+ s; fix the cause, then go on\. The latest failure: "
    assert re.fullmatch(begins + ending.replace("PLACE", place), said), said


@pytest.mark.usefixtures("impatient")
def test_the_error_says_that_the_endpoint_speaks_no_tls() -> None:
    with answering(CAUSES["not HTTP"][0]) as place:
        said = stopped_by(f"https://{place}/v1")
    assert f"The latest failure: cannot talk to {place}: no TLS there (" in said
