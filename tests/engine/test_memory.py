"""What a debate holds in memory, and what it leaves behind: its record, and nothing beside it."""

import gc
import weakref
from collections.abc import Iterator

import pytest

import agentdebate as ad
from agentdebate.project.project import Project
from agentdebate.talk.messages import Message


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
