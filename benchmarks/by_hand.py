"""DEBATE as a good engineer would write it by hand: one loop, one client, no framework. And ways to carry its calls.

Prompts are of the same length as ours over the same item, and the loop is the same: the critic objects four times.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

import aiohttp
import httpx
import httpx_aiohttp

from agentdebate.models.base import ChatMessage, ModelRequest, Sampling
from agentdebate.models.dialects.chat_completions import open_openai

ROUNDS = 4
CALLS = 2 * ROUNDS + 1
ARTICLE = "The council of Kelby voted on Tuesday to repair the swing bridge over the harbour. " * 20
SUMMARY = "The bridge will be repaired, says Kelby."
BRIEF = f"""You will judge one summary written for a news article. {"Read the article and the summary with care. " * 20}

Article:
{ARTICLE}

Summary:
{SUMMARY}

Coherence (1-5): whether the sentences of the summary belong together and make one account of the topic."""
SCORER = "You are the Scorer. Think before you score, and weigh what is said against it. " * 4
CRITIC = "You are the Critic, a devil's advocate. Attack the score with what is in the texts. " * 4
GIVE_SCORE = (
    "Score the summary on coherence, reasons first. End with a line of this form: Coherence: [1 to 5]"
)
GIVE_ISSUE = "Say what is wrong with the score. If there is nothing, write NO ISSUE."

Chat = Callable[[list[dict[str, str]]], Awaitable[str]]
"""Messages in, the text of the reply out."""
Opened = AbstractAsyncContextManager[Chat]


async def debate(chat: Chat) -> int:
    """One debate by Algorithm 1 of DEBATE: the score that stands."""
    said: list[str] = []

    async def ask(persona: str, task: str) -> str:
        heard = "\n\n".join(said)
        turn = f"What was said so far:\n\n{heard}\n\n{persona}\n\n{task}"
        text = await chat([{"role": "system", "content": BRIEF}, {"role": "user", "content": turn}])
        said.append(text)
        return text

    score = read(await ask(SCORER, GIVE_SCORE))
    for _ in range(ROUNDS):
        if "NO ISSUE" in await ask(CRITIC, GIVE_ISSUE):
            break
        score = read(await ask(SCORER, GIVE_SCORE))
    return score


def read(text: str) -> int:
    """The score in a reply."""
    found = re.search(r"Coherence: ([1-5])", text)
    assert found, text
    return int(found[1])


async def hold(chat: Chat, debates: int, at_once: int) -> None:
    """So many debates, so many at a time."""
    left = iter(range(debates))

    async def work() -> None:
        for _ in left:
            assert await debate(chat) == 4

    await asyncio.gather(*(work() for _ in range(at_once)))


def payload(messages: list[dict[str, str]]) -> dict[str, Any]:
    """What is sent."""
    return {"model": "any", "messages": messages, "temperature": 0, "top_p": 1}


def text_of(reply: Any) -> str:
    """What came back."""
    text: str = reply["choices"][0]["message"]["content"]
    return text


@asynccontextmanager
async def by_aiohttp(url: str, at_once: int) -> AsyncIterator[Chat]:
    """Aiohttp and nothing else."""
    limits, patience = aiohttp.TCPConnector(limit=at_once), aiohttp.ClientTimeout(sock_read=60)
    async with aiohttp.ClientSession(connector=limits, timeout=patience) as session:

        async def chat(messages: list[dict[str, str]]) -> str:
            async with session.post(f"{url}/chat/completions", json=payload(messages)) as response:
                response.raise_for_status()
                return text_of(await response.json())

        yield chat


@asynccontextmanager
async def _by_httpx(url: str, transport: httpx.AsyncBaseTransport) -> AsyncIterator[Chat]:
    async with httpx.AsyncClient(
        transport=transport, timeout=httpx.Timeout(60, pool=None), trust_env=False
    ) as client:

        async def chat(messages: list[dict[str, str]]) -> str:
            response = await client.post(f"{url}/chat/completions", json=payload(messages))
            response.raise_for_status()
            return text_of(response.json())

        yield chat


def by_httpx_over_aiohttp(url: str, at_once: int) -> Opened:
    """httpx, with aiohttp to carry its requests."""

    def session() -> aiohttp.ClientSession:
        return aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=at_once))

    return _by_httpx(url, httpx_aiohttp.AiohttpTransport(client=session))


def by_httpx_pool(url: str, at_once: int) -> Opened:
    """Httpx as it comes."""
    return _by_httpx(url, httpx.AsyncHTTPTransport(limits=httpx.Limits(max_connections=at_once)))


class Stack(httpx.AsyncBaseTransport):
    """A stack of transports of one connection each: a request takes the one on top, or makes one."""

    def __init__(self) -> None:
        self._idle: list[httpx.AsyncHTTPTransport] = []
        self._all: list[httpx.AsyncHTTPTransport] = []
        self._context = httpx.create_ssl_context()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, and read its answer to the end, so that its connection is free again."""
        if self._idle:
            transport = self._idle.pop()
        else:
            transport = httpx.AsyncHTTPTransport(verify=self._context, limits=httpx.Limits(max_connections=1))
            self._all.append(transport)
        response = await transport.handle_async_request(request)
        await response.aread()
        await response.aclose()
        self._idle.append(transport)
        return response

    async def aclose(self) -> None:
        """Close all connections."""
        for transport in self._all:
            await transport.aclose()


def by_httpx_stack(url: str, at_once: int) -> Opened:  # noqa: ARG001 - one signature
    """Httpx over a stack of one-connection transports."""
    return _by_httpx(url, Stack())


@asynccontextmanager
async def by_our_client(url: str, at_once: int, client: str = "httpx") -> AsyncIterator[Chat]:
    """The client of this package alone, without what stands around it."""
    model = open_openai("any", base_url=url, connections=at_once, client=client)
    sampling = Sampling(temperature=0, top_p=1)

    async def chat(messages: list[dict[str, str]]) -> str:
        said = tuple(ChatMessage("user" if m["role"] == "user" else "system", m["content"]) for m in messages)
        return (await model.complete(ModelRequest(said, sampling))).text

    yield chat
    await model.aclose()


def by_autogen(url: str, at_once: int) -> Opened:
    """AutoGen's runtime and client, where it is installed."""
    from benchmarks import by_autogen as autogen

    return autogen.by_autogen(url, at_once)


WAYS: Mapping[str, Callable[[str, int], Opened]] = {
    "aiohttp": by_aiohttp,
    "httpx over aiohttp": by_httpx_over_aiohttp,
    "httpx, stack": by_httpx_stack,
    "httpx, pool": by_httpx_pool,
    "our client": by_our_client,
    "our client, aiohttp": partial(by_our_client, client="aiohttp"),
    "AutoGen": by_autogen,
}
"""What can carry the calls of the loop."""
