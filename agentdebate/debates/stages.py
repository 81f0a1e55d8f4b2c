"""What each stage of a debate with evaluators took: the evaluators, and every agent (Fusion-Eval, Section 3.3.2)."""

from collections.abc import Sequence
from typing import TypedDict

from agentdebate.models.base import Call
from agentdebate.talk.messages import Evidence, Message, of_kind
from agentdebate.usage import total

EVALUATORS = "evaluators"


class Stage(TypedDict):
    """The seconds that a stage took, its model calls, and their tokens."""

    seconds: float
    calls: int
    tokens: int


def stages(transcript: Sequence[Message], calls: Sequence[Call]) -> dict[str, Stage]:
    """The stages of a debate by name, in order; none for a debate without evaluators.

    An evaluator's time is how long it computed, an agent's how long its model took to answer. Neither includes waiting for a
    turn.
    """
    found = of_kind(transcript, Evidence)
    if not found:
        return {}
    measured = Stage(seconds=sum(evidence.seconds for evidence in found), calls=0, tokens=0)
    agents = list(dict.fromkeys(_seat(call.agent) for call in calls))
    return {EVALUATORS: measured, **{agent: _of_agent(agent, calls) for agent in agents}}


def _of_agent(agent: str, calls: Sequence[Call]) -> Stage:
    own = [call.completion for call in calls if _seat(call.agent) == agent]
    usage = total(completion.usage for completion in own)
    seconds = sum(completion.latency for completion in own)
    return Stage(seconds=seconds, calls=usage.calls, tokens=usage.tokens)


def _seat(agent: str) -> str:
    """An address without the number of its sitting."""
    return agent.partition("#")[0]
