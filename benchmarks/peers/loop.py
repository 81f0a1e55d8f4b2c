"""DEBATE as a good engineer would write it by hand: one loop, one client, no framework."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

from benchmarks.peers.texts import BRIEF, CRITIC, GIVE_ISSUE, GIVE_SCORE, ROUNDS, SCORER

Chat = Callable[[list[dict[str, str]]], Awaitable[str]]
"""Messages in, the text of the reply out."""


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


async def hold_all(chat: Chat, debates: int, at_once: int) -> None:
    """So many debates, so many at a time."""

    async def one() -> None:
        assert await debate(chat) == 4

    await in_turns(one, debates, at_once)


async def in_turns(one: Callable[[], Awaitable[None]], debates: int, at_once: int) -> None:
    """Hold a debate so many times, so many at a time."""
    left = iter(range(debates))

    async def work() -> None:
        for _ in left:
            await one()

    await asyncio.gather(*(work() for _ in range(min(at_once, debates))))


def payload(messages: list[dict[str, str]]) -> dict[str, Any]:
    """Return what is sent."""
    return {"model": "any", "messages": messages, "temperature": 0, "top_p": 1}


def text_of(reply: Any) -> str:
    """Return what came back."""
    text: str = reply["choices"][0]["message"]["content"]
    return text
