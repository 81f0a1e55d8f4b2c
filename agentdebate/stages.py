"""What each stage of a debate with evaluators took: the evaluators, and every agent (Fusion-Eval, Section 3.3.2)."""

from collections.abc import Sequence
from typing import TypedDict

from agentdebate.messages import Ask, Evidence, Message, Reply
from agentdebate.models.base import Call
from agentdebate.usage import total

EVALUATORS = "evaluators"


class Stage(TypedDict):
    """The time that a stage took by the clock on the wall, its model calls, and their tokens."""

    seconds: float
    calls: int
    tokens: int


def stages(transcript: Sequence[Message], calls: Sequence[Call]) -> dict[str, Stage]:
    """The stages of a debate by name, in order; none for a debate without evaluators.

    An agent's time is from the question to its reply, so that waiting for the model is part of it.
    """
    found = [message for message in transcript if isinstance(message, Evidence)]
    if not found:
        return {}
    measured = Stage(seconds=sum(evidence.seconds for evidence in found), calls=0, tokens=0)
    agents = list(dict.fromkeys(_seat(call.agent) for call in calls))
    return {EVALUATORS: measured, **{agent: _of_agent(agent, transcript, calls) for agent in agents}}


def _of_agent(agent: str, transcript: Sequence[Message], calls: Sequence[Call]) -> Stage:
    usage = total(call.completion.usage for call in calls if _seat(call.agent) == agent)
    asked = {message.seq: message.time for message in transcript if isinstance(message, Ask)}
    seconds = sum(
        message.time - asked[message.answers]
        for message in transcript
        if isinstance(message, Reply) and _seat(message.sender) == agent and message.answers in asked
    )
    return Stage(seconds=seconds, calls=usage.calls, tokens=usage.tokens)


def _seat(agent: str) -> str:
    """An address without the number of its sitting."""
    return agent.partition("#")[0]
