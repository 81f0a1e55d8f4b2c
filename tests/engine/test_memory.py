"""What a debate holds in memory, and what it leaves behind: its record, and nothing beside it."""

import gc
import weakref
from collections.abc import Iterator

import pytest

import agentdebate as ad
from agentdebate.project.project import Project
from agentdebate.talk.messages import Message
from agentdebate.telemetry import Span


class Watching:
    """A listener, which everything that holds the debate's bus keeps alive."""

    def __init__(self) -> None:
        self.heard = 0

    def __call__(self, message: Message) -> None:
        self.heard += 1


@pytest.fixture
def _no_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_no_collection")
@pytest.mark.parametrize("strategy", ["debate", "chateval-one-by-one", "solo"])
async def test_what_a_debate_held_is_free_when_it_ends(strategy: str) -> None:
    """By the count of references: no collection of cycles is waited for, which in a long run come seldom."""
    item = ad.Item(task="summarization", fields={"source": "A bridge closes.", "summary": "A bridge closes."})
    async with ad.ready(strategy, project=Project()) as debate:
        watching = Watching()
        there = weakref.ref(watching)
        record = await debate.hold(item, "coherence", listeners=[watching])
        assert record.verdict is not None, "a failure holds its traceback"
        assert watching.heard == len(record.transcript) > 0
        del watching
        assert there() is None


def spans_of_turns() -> list[Span]:
    return [one for one in gc.get_objects() if type(one) is Span and repr(one) == "<Span 'turn'>"]


async def test_an_agent_that_waits_for_its_next_turn_holds_nothing_of_the_last_one() -> None:
    item = ad.Item(task="summarization", fields={"source": "A bridge closes.", "summary": "A bridge closes."})
    turns: list[int] = []
    of_others = spans_of_turns()  # in this process, which may have held other debates

    def answer(request: ad.ModelRequest) -> str:
        turns.append(len(spans_of_turns()) - len(of_others))
        assert request.context is not None
        return "Too high." if request.context.agent == "critic" else "Coherence: 4"

    async with ad.ready(
        ad.strategy("debate", rounds=2), model=ad.Function("f", answer), project=Project()
    ) as debate:
        record = await debate.hold(item, "coherence")
    assert record.failure is None
    assert turns == [1] * 5, "of the agent that is asked"
