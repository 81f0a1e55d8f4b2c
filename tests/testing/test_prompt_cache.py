"""The fault server's cache of prompts: what is kept, by the rules of each protocol."""

import json
from typing import Any

from dialects.dialect_server import DialectServer
from dialects.messages_speech import MESSAGES
from dialects.prompt_cache import PromptCache

from agentdebate.models.base import ChatMessage, ModelRequest, Sampling
from agentdebate.models.dialects.messages import open_anthropic
from agentdebate.models.dialects.presets import open_openai
from agentdebate.testing.chat import Asked

MARK = {"cache_control": {"type": "ephemeral"}}
VERSION = {"anthropic-version": "2026-10-21"}
BRIEF = "The bridge is closed. " * 200  # 1,100 tokens of four characters


def block(text: str, *, marked: bool = False) -> dict[str, Any]:
    return {"type": "text", "text": text, **(MARK if marked else {})}


def claude(*content: dict[str, Any], system: list[dict[str, Any]] | None = None, **more: Any) -> Asked:
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": list(content)}], **more}
    if system is not None:
        body["system"] = system
    return MESSAGES.read(json.dumps(body).encode(), VERSION, "")


def took(cache: PromptCache, asked: Asked) -> tuple[int, int]:
    """Count what was read and written, and have it kept."""
    found = cache.find(asked)
    cache.keep(found)
    return found.read, found.written


def test_what_is_marked_is_written_once_and_read_from_then_on() -> None:
    cache = PromptCache(1024)
    system = [block(BRIEF, marked=True)]
    assert took(cache, claude(block("One"), system=system)) == (0, 1100)
    assert took(cache, claude(block("Two"), system=system)) == (1100, 0)


def test_without_marks_whole_steps_of_128_tokens_are_kept_and_nothing_is_written() -> None:
    cache = PromptCache(1024)

    def chat(text: str, **more: Any) -> Asked:
        said = [{"role": "system", "content": BRIEF}, {"role": "user", "content": text}]
        return Asked.read(json.dumps({"model": "m", "messages": said, **more}).encode())

    assert took(cache, chat("One")) == (0, 0)
    assert took(cache, chat("Two")) == (1024, 0)
    assert took(cache, chat("Two", prompt_cache_key="other")) == (0, 0)


async def test_the_server_tells_what_its_cache_did_and_counts_it() -> None:
    request = ModelRequest((ChatMessage("system", BRIEF), ChatMessage("user", "Hello")), Sampling())
    async with DialectServer(prompt_cache=PromptCache(1024)) as server:
        model = open_anthropic("claude-sonnet-5", base_url=server.root)
        first, second = [(await model.complete(request)).usage for _ in range(2)]
        await model.aclose()
        assert (first.cached_tokens, first.cache_write_tokens) == (0, 1100)
        assert (second.cached_tokens, second.cache_write_tokens) == (1100, 0)
        assert first.prompt_tokens == second.prompt_tokens
        assert (server.cached_tokens, server.cache_write_tokens) == (1100, 1100)
        chat = open_openai("tiny", base_url=server.base_url, prompt_cache="on")
        told = [(await chat.complete(request)).usage.cached_tokens for _ in range(2)]
        await chat.aclose()
        assert told == [0, 1024]
        marking = open_openai("gpt-6-luna", base_url=server.base_url, prompt_cache="on")
        usages = [(await marking.complete(request)).usage for _ in range(2)]
        await marking.aclose()
        assert [(one.cached_tokens, one.cache_write_tokens) for one in usages] == [(0, 1100), (1100, 0)]
