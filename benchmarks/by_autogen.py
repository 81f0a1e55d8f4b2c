"""The same loop with AutoGen: its runtime carries every turn to an agent, whose client is its own. Needs autogen-ext[openai]."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from autogen_core import (  # type: ignore[import-not-found]  # installed for this alone
    AgentId,
    MessageContext,
    RoutedAgent,
    SingleThreadedAgentRuntime,
    message_handler,
)
from autogen_core.models import SystemMessage, UserMessage  # type: ignore[import-not-found]  # installed for this alone
from autogen_ext.models.openai import OpenAIChatCompletionClient  # type: ignore[import-not-found]  # installed for this alone

from benchmarks.by_hand import CRITIC, Chat


@dataclass
class Turn:
    """What an agent is shown."""

    brief: str
    turn: str


@dataclass
class Said:
    """What it says."""

    text: str


class Speaker(RoutedAgent):  # type: ignore[misc]  # AutoGen is not at hand where types are checked
    """Asks the client, and answers."""

    def __init__(self, client: OpenAIChatCompletionClient) -> None:
        super().__init__("A debater.")
        self._client = client

    @message_handler  # type: ignore[untyped-decorator]  # AutoGen is not at hand where types are checked
    async def speak(self, message: Turn, ctx: MessageContext) -> Said:  # noqa: ARG002 - AutoGen's signature
        """Answer a turn."""
        shown = [SystemMessage(content=message.brief), UserMessage(content=message.turn, source="floor")]
        return Said(str((await self._client.create(shown)).content))


@asynccontextmanager
async def by_autogen(url: str, at_once: int) -> AsyncIterator[Chat]:  # noqa: ARG001 - one signature
    """AutoGen's runtime, with a scorer and a critic for every debate that is held at once."""
    info: Any = {"vision": False, "function_calling": False, "json_output": False, "family": "unknown"}
    info |= {"structured_output": False}
    client = OpenAIChatCompletionClient(
        model="any", base_url=url, api_key="none", model_info=info, temperature=0
    )
    runtime = SingleThreadedAgentRuntime()
    for role in ("scorer", "critic"):
        await Speaker.register(runtime, role, lambda: Speaker(client))
    runtime.start()

    async def chat(messages: list[dict[str, str]]) -> str:
        task = asyncio.current_task()
        assert task is not None
        role = "critic" if CRITIC in messages[1]["content"] else "scorer"
        turn = Turn(messages[0]["content"], messages[1]["content"])
        said: Said = await runtime.send_message(turn, AgentId(role, task.get_name()))
        return said.text

    yield chat
    await runtime.stop()
    await client.close()
