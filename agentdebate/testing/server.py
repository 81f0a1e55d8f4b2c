"""A model server for tests, which replies in no time or slowly, and fails as endpoints do, on purpose.

It speaks chat completions, Anthropic's Messages and Google's generateContent.

`python -m agentdebate.testing.server --help` says how to start it as a process of its own.
"""

import asyncio
import json
import re
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from agentdebate.errors import UsageError
from agentdebate.extras import optional
from agentdebate.testing.answers import error, limited, spoiled, whole
from agentdebate.testing.arguments import read_arguments
from agentdebate.testing.chance import share
from agentdebate.testing.chat import Asked, BadRequest
from agentdebate.testing.faults import WHOLE, Chosen, Faults
from agentdebate.testing.generate_content import GENERATE_CONTENT
from agentdebate.testing.latency import Latency, latency
from agentdebate.testing.ledger import Ledger
from agentdebate.testing.limits import Limits
from agentdebate.testing.messages import MESSAGES
from agentdebate.testing.prompt_cache import Found, PromptCache
from agentdebate.testing.replies import Replier, Replies
from agentdebate.testing.speech import CHAT, Speech
from agentdebate.testing.wire import Wire, send

if TYPE_CHECKING:
    from aiohttp import web
else:
    web = optional("aiohttp.web", "fast")

HUGE = 40 * 1024 * 1024
"""Bytes of a huge answer, by default."""
_GRACE = 0.05
"""Seconds that answers under way are given when the server is closed."""
_BACKLOG = 2048
_MODEL = "fault-server"
_GENERATE = re.compile(r"/v1(?:beta)?/models/([\w.:-]+):generateContent")
_GONE = (ConnectionError, web.RequestPayloadError)
"""What is raised where the client has left."""


class FaultServer:
    """A server on this machine that speaks chat completions, Messages and generateContent, for as long as its block runs.

        async with FaultServer(faults={"429": 0.1, "reset-before": 0.05}, seed=1) as server:
            model = agentdebate.model("openai/any", base_url=server.base_url)
            claude = agentdebate.model("anthropic/any", base_url=server.root)
            gemini = agentdebate.model("gemini/any", base_url=server.root)

    `replies` are "hashed" (each request gets a reply that fits its form and follows from its digest: equal requests get
    equal replies), a list that is gone through in order, or a function of the request's JSON. `faults` are shares of tries by
    name, or what the tries of every request meet in turn (agentdebate.testing.faults has the names). `latency` is in
    seconds, or a distribution of agentdebate.testing.latency, and `per_token` seconds more for every token of the
    reply, whose bytes arrive meanwhile. The `seed` decides, with the request and the number of its try, on fault and latency.

    `retry_after` is what a 429 asks for, `drip` the pause between the bytes of a drip, both in seconds; `huge` the bytes of a
    huge answer. With `requests_per_minute` or `tokens_per_minute` every answer has the x-ratelimit headers, and calls beyond
    the limit are answered with 429 and counted as the fault "limited". With a `prompt_cache`
    (agentdebate.testing.prompt_cache.PromptCache) replies say what was read from it and written into it. Raises UsageError for options that mean nothing.
    """

    def __init__(
        self,
        *,
        replies: Replies = "hashed",
        faults: Chosen = (),
        latency: float | Latency = 0.0,
        per_token: float = 0.0,
        seed: int = 0,
        honour_n: bool = True,
        retry_after: float = 1.0,
        drip: float = 0.05,
        huge: int = HUGE,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        prompt_cache: PromptCache | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self.ledger = Ledger()
        """What it saw and gave."""
        self._replier = Replier(replies, honour_n=honour_n)
        self._faults = Faults(faults, seed=seed)
        self._latency = _read_latency(latency)
        self._prompt_cache = prompt_cache
        self._limits = Limits(requests_per_minute, tokens_per_minute)
        self._seed, self._retry_after, self._host, self._port = seed, retry_after, host, port
        self._runner: web.ServerRunner | None = None
        self._closing = asyncio.Event()
        self._wire = Wire(self._closing, per_token, drip, huge)

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
        """Where it listens: http://127.0.0.1:PORT. Raises UsageError where it does not."""
        if self._runner is None:
            raise UsageError("the server is not running: use it within 'async with FaultServer() as server'")
        host, port = self._runner.addresses[0][:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    @property
    def base_url(self) -> str:
        """The address for clients, with "/v1"."""
        return f"{self.root}/v1"

    @property
    def requests(self) -> int:
        """Completions that were asked for."""
        return self.ledger.requests

    @property
    def answered(self) -> Counter[str]:
        """How many whole completions each request was given, by its digest (agentdebate.testing.chance.digest)."""
        return self.ledger.answered

    @property
    def faults(self) -> Counter[str]:
        """How many tries met each fault."""
        return self.ledger.faults

    @property
    def in_flight(self) -> int:
        """Requests that are being answered."""
        return self.ledger.in_flight

    @property
    def most_in_flight(self) -> int:
        """The most of them that there were at once."""
        return self.ledger.most_in_flight

    async def _serve(self, request: web.BaseRequest) -> web.StreamResponse:
        routes: dict[tuple[str, str], Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]] = {
            ("POST", "/v1/chat/completions"): partial(self._answer, CHAT, ""),
            ("POST", "/v1/messages"): partial(self._answer, MESSAGES, ""),
            ("GET", "/v1/models"): self._models,
            ("GET", "/ledger"): self._show_ledger,
        }
        route = routes.get((request.method, request.path))
        if route is None and (found := _GENERATE.fullmatch(request.path)) and request.method == "POST":
            route = partial(self._answer, GENERATE_CONTENT, found[1])
        try:
            if route is not None:
                return await route(request)
            known = any(path == request.path for _, path in routes)
            told = f"there is no {request.method} {request.path} here"
            return await send(request, error(405 if known else 404, told, kind="invalid_request_error"))
        except _GONE:
            return web.Response()

    async def _models(self, request: web.BaseRequest) -> web.StreamResponse:
        listed = {"id": _MODEL, "object": "model", "created": 0, "owned_by": "agentdebate"}
        return await send(request, whole({"object": "list", "data": [listed]}))

    async def _show_ledger(self, request: web.BaseRequest) -> web.StreamResponse:
        return await send(request, whole(self.ledger.as_dict()))

    async def _answer(self, speech: Speech, model: str, request: web.BaseRequest) -> web.StreamResponse:
        with self.ledger.handling():
            try:
                asked = speech.read(await request.content.read(), request.headers, model)
                reply = self._replier.reply(asked)
            except BadRequest as wrong:
                refused = error(400, str(wrong), kind="invalid_request_error", speech=speech)
                return await send(request, refused)
            excess = self._limits.admit((reply.get("usage") or {}).get("total_tokens", 0))
            if excess is not None:
                self.ledger.faults["limited"] += 1
                return await send(request, limited(*excess, speech).telling(speech.quota(self._limits)))
            cached = self._look_up(asked, reply, speech)
            attempt = self.ledger.attempt(asked.digest)
            fault = self._faults.choose(asked.digest, attempt)
            answer = spoiled(fault, reply, asked, self._retry_after, speech)
            told = {**speech.quota(self._limits), **speech.call(f"req-{asked.digest[:16]}-{attempt}")}
            await asyncio.sleep(self._latency(share("latency", self._seed, asked.digest, attempt)))
            if fault is not None:
                self.ledger.faults[fault] += 1
            elif cached is not None and self._prompt_cache is not None:
                self._prompt_cache.keep(cached)
            response = await self._wire.deliver(request, answer.telling(told), fault, speech.text_key)
            if fault is None or fault in WHOLE:
                self.ledger.answer(asked.digest, answer.usage)
            return response

    def _look_up(self, asked: Asked, reply: dict[str, Any], speech: Speech) -> Found | None:
        """What the cache has of a prompt, put into the reply; None where there is none, or the reply was written out in full."""
        if self._prompt_cache is None or reply.get("object") != "chat.completion":
            return None
        found = self._prompt_cache.find(asked, marks=speech.marks)
        reply["usage"] = {**reply["usage"], "prompt_tokens_details": found.details()}
        return found


def _read_latency(given: float | Latency) -> Latency:
    return given if callable(given) else latency(given)


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
    """The command: options in, a running server, exit code 0 when it is stopped and 2 for a wrong option."""
    try:
        server = FaultServer(**read_arguments(arguments))
    except UsageError as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2
    asyncio.run(serve(server))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
