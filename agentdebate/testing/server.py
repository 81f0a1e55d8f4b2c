"""A model server for tests, which replies in no time or slowly, and fails as endpoints do, on purpose.

`python -m agentdebate.testing.server '{"faults": {"503": 0.1}}'` starts it as a process of its own.
"""

import asyncio
import json
import re
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

from agentdebate.errors import UsageError
from agentdebate.extras import optional
from agentdebate.testing.answers import error, spoiled, whole
from agentdebate.testing.chance import share
from agentdebate.testing.chat import CHAT, Asked, BadRequest, Speech
from agentdebate.testing.faults import WHOLE, Chosen, Faults
from agentdebate.testing.replies import Replier, Replies
from agentdebate.testing.wire import deliver, send

if TYPE_CHECKING:
    from aiohttp import web
else:
    web = optional("aiohttp.web", "fast")

_GRACE = 0.05
"""Seconds that answers under way are given when the server is closed."""
_BACKLOG = 2048
_MODEL = "fault-server"
_GONE = (ConnectionError, web.RequestPayloadError)
"""Errors that are raised where the client has left."""


class FaultServer:
    """A server on this machine that speaks chat completions, for as long as its block runs.

        async with FaultServer(faults={"429": 0.1, "reset-before": 0.05}, seed=1) as server:
            model = agentdebate.model("openai/any", base_url=server.base_url)

    `replies` are "hashed" (each request gets a reply that fits its form and follows from its digest: equal requests get
    equal replies), a list that is gone through in order, or a function of the request's JSON. `faults` are shares of tries by
    name, or what the tries of every request meet in turn (agentdebate.testing.faults has the names). `latency` is in
    seconds, or the two ends between which answers take them. The `seed` decides, with the request and the number of its try,
    on fault and latency. `retry_after` is what a 429 asks for, in seconds. Raises UsageError for options that mean nothing.
    """

    speeches: ClassVar[Mapping[str, Speech]] = {r"/v1/chat/completions()": CHAT}
    """The paths that are answered, and what is spoken there; a group holds the model where the path names it."""

    def __init__(
        self,
        *,
        replies: Replies = "hashed",
        faults: Chosen = (),
        latency: float | Sequence[float] = 0.0,
        seed: int = 0,
        retry_after: float = 1.0,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self.requests = 0
        """Completions that were asked for."""
        self.answered = Counter[str]()
        """Number of whole completions for each request, by its digest (agentdebate.testing.chance.digest)."""
        self.faults = Counter[str]()
        """Number of tries that met each fault."""
        self.in_flight = 0
        """Requests that are being answered."""
        self.most_in_flight = 0
        """The most of them that there were at once."""
        self.prompt_tokens = 0
        """Prompt tokens of all answered calls."""
        self.completion_tokens = 0
        """Completion tokens of all answered calls."""
        self._tries = Counter[str]()
        self._replier, self._choice = Replier(replies), Faults(faults, seed=seed)
        self._latency = _ends(latency)
        self._seed, self._retry_after, self._host, self._port = seed, retry_after, host, port
        self._runner: web.ServerRunner | None = None
        self._closing = asyncio.Event()

    def __repr__(self) -> str:
        return f"<FaultServer at {self.root}>" if self._runner else "<FaultServer, not running>"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def start(self) -> None:
        """Begin to listen. Raises OSError where the port is taken."""
        self._closing.clear()
        server = web.Server(self._serve, access_log=None, handler_cancellation=True)
        runner = web.ServerRunner(server, shutdown_timeout=_GRACE)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host, self._port, backlog=_BACKLOG).start()
        except OSError:
            await runner.cleanup()
            raise
        self._runner = runner

    async def aclose(self) -> None:
        """Stop, in the middle of answers where there are any under way. Safe to call twice."""
        runner, self._runner = self._runner, None
        self._closing.set()
        if runner is not None:
            await runner.cleanup()

    @property
    def root(self) -> str:
        """Address at which it listens: http://127.0.0.1:PORT. Raises UsageError where it does not."""
        if self._runner is None:
            raise UsageError("the server is not running: use it within 'async with FaultServer() as server'")
        host, port = self._runner.addresses[0][:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    @property
    def base_url(self) -> str:
        """The address for clients, with "/v1"."""
        return f"{self.root}/v1"

    def reply(self, asked: Asked) -> dict[str, Any]:
        """The whole reply to a request, as a chat completion. Raises BadRequest."""
        return self._replier.reply(asked)

    def count(self, asked: Asked, usage: Mapping[str, Any]) -> None:
        """Count a whole completion."""
        self.answered[asked.digest] += 1
        self.prompt_tokens += usage.get("prompt_tokens", 0)
        self.completion_tokens += usage.get("completion_tokens", 0)

    def begins(self, asked: Asked) -> None:
        """Note that a reply without a fault is about to be sent."""

    async def _serve(self, request: web.BaseRequest) -> web.StreamResponse:
        route = self._route(request.method, request.path)
        try:
            if route is not None:
                return await route(request)
            told = f"there is no {request.method} {request.path} here"
            return await send(request, error(404, told, kind="invalid_request_error"))
        except _GONE:
            return web.Response()

    def _route(
        self, method: str, path: str
    ) -> Callable[[web.BaseRequest], Awaitable[web.StreamResponse]] | None:
        """The way in which a request is answered; None where it leads nowhere."""
        if method == "GET":
            return {"/v1/models": self._models, "/ledger": self._ledger}.get(path)
        for pattern, speech in self.speeches.items() if method == "POST" else ():
            if found := re.fullmatch(pattern, path):
                return partial(self._answer, speech, found[1])
        return None

    async def _models(self, request: web.BaseRequest) -> web.StreamResponse:
        listed = {"id": _MODEL, "object": "model", "created": 0, "owned_by": "agentdebate"}
        return await send(request, whole({"object": "list", "data": [listed]}))

    async def _ledger(self, request: web.BaseRequest) -> web.StreamResponse:
        counts = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        return await send(request, whole(counts))

    async def _answer(self, speech: Speech, model: str, request: web.BaseRequest) -> web.StreamResponse:
        with self._handling():
            try:
                asked = speech.read(await request.content.read(), request.headers, model)
                reply = self.reply(asked)
            except BadRequest as wrong:
                refused = error(400, str(wrong), kind="invalid_request_error", speech=speech)
                return await send(request, refused)
            attempt = self._tries[asked.digest]
            self._tries[asked.digest] += 1
            fault = self._choice.choose(asked.digest, attempt)
            answer = spoiled(fault, reply, asked, self._retry_after, speech)
            named = speech.call(f"req-{asked.digest[:16]}-{attempt}")
            await asyncio.sleep(self._wait(asked, attempt))
            if fault is None:
                self.begins(asked)
            else:
                self.faults[fault] += 1
            answer = replace(answer, headers={**answer.headers, **named})
            response = await deliver(request, answer, fault, self._closing)
            if fault is None or fault in WHOLE:
                self.count(asked, answer.usage)
            return response

    @contextmanager
    def _handling(self) -> Iterator[None]:
        """Count a request for as long as it is being answered."""
        self.requests += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            yield
        finally:
            self.in_flight -= 1

    def _wait(self, asked: Asked, attempt: int) -> float:
        """Seconds that an answer takes."""
        low, high = self._latency
        return low + (high - low) * share("latency", self._seed, asked.digest, attempt)


def _ends(latency: float | Sequence[float]) -> tuple[float, float]:
    """The least and the most seconds that an answer takes. Raises UsageError."""
    ends = (latency, latency) if isinstance(latency, int | float) else tuple(latency)
    if len(ends) != 2 or not all(isinstance(one, int | float) for one in ends) or not 0 <= ends[0] <= ends[1]:  # noqa: PLR2004 - two ends
        raise UsageError(f"latency={latency!r}: give seconds, 0 or more, or two of them, the fewer first")
    return ends[0], ends[1]


async def serve(server: FaultServer) -> None:
    """Run a server until the process is told to stop (SIGINT, SIGTERM), and print where it is as a line of JSON."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for one in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # on Windows, where the process just ends
            loop.add_signal_handler(one, told.set)
    async with server:
        where = {"base_url": server.base_url, "ledger": f"{server.root}/ledger"}
        sys.stdout.write(json.dumps(where) + "\n")
        sys.stdout.flush()
        await told.wait()


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: FaultServer's options as JSON in, a running server; exit code 0 when it is stopped and 2 for a wrong option."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        options = json.loads(given[0]) if given else {}
        server = FaultServer(**options)
    except (ValueError, TypeError, UsageError) as wrong:
        sys.stderr.write(f"give the options of FaultServer as JSON, such as '{{\"seed\": 1}}': {wrong}\n")
        return 2
    asyncio.run(serve(server))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
