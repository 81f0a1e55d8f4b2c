"""The same debate in AutoGen AgentChat: a round-robin team of scorer and critic a debate, one client for all."""

import logging

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import MaxMessageTermination, TextMentionTermination
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_core.models import ModelFamily
from autogen_ext.models.openai import OpenAIChatCompletionClient

from benchmarks.peers.loop import in_turns, read
from benchmarks.peers.texts import BRIEF, CALLS, CRITIC, GIVE_ISSUE, GIVE_SCORE, SCORER

ABLE = dict.fromkeys(("vision", "function_calling", "json_output", "structured_output"), False)


async def hold(url: str, debates: int, at_once: int) -> None:
    """So many debates, so many at a time."""
    logging.getLogger("autogen_core").setLevel(logging.ERROR)
    info = {**ABLE, "family": ModelFamily.UNKNOWN}
    client = OpenAIChatCompletionClient(
        model="any", base_url=url, api_key="none", model_info=info, temperature=0, top_p=1
    )

    async def one() -> None:
        scorer = AssistantAgent("scorer", client, system_message=f"{SCORER}\n\n{GIVE_SCORE}")
        critic = AssistantAgent("critic", client, system_message=f"{CRITIC}\n\n{GIVE_ISSUE}")
        ends = TextMentionTermination("NO ISSUE", sources=["critic"]) | MaxMessageTermination(1 + CALLS)
        team = RoundRobinGroupChat([scorer, critic], termination_condition=ends)
        said = (await team.run(task=BRIEF)).messages
        assert read(said[-1].to_model_text()) == 4

    await in_turns(one, debates, at_once)
    await client.close()
