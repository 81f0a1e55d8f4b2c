"""Completions recorded and given again."""

import pytest

from agentdebate.errors import ModelError
from agentdebate.models.base import ChatMessage, Completion, Model, ModelRequest, Sampling
from agentdebate.models.replay import Recording, Replay
from agentdebate.models.scripted import Scripted


def ask(text: str, **sampling: float) -> ModelRequest:
    return ModelRequest((ChatMessage("user", text),), Sampling.model_validate(sampling))


async def test_what_was_recorded_is_given_again_in_any_order_of_requests() -> None:
    recording = Recording(Scripted(["one", "two", "three"]))
    first = [await recording.complete(ask(text)) for text in ("a", "b", "a")]
    replay = Replay(recording.recorded)
    assert [await replay.complete(ask(text)) for text in ("a", "a", "b")] == [first[0], first[2], first[1]]
    assert replay.remaining == 0


async def test_a_request_that_differs_has_no_recording() -> None:
    replay = Replay([(ask("a", temperature=0).key(), Completion(text="x", model="m"))])
    with pytest.raises(ModelError, match=r"no recording of request .*record it again"):
        await replay.complete(ask("a", temperature=1))
    assert replay.remaining == 1


async def test_a_request_made_more_often_than_recorded_says_so() -> None:
    replay = Replay([(ask("a").key(), Completion(text="x", model="m"))])
    await replay.complete(ask("a"))
    with pytest.raises(ModelError, match="recorded 1 times and is made once more"):
        await replay.complete(ask("a"))


async def test_a_failure_is_not_recorded() -> None:
    recording = Recording(Scripted([ModelError("no"), "fine"]))
    with pytest.raises(ModelError):
        await recording.complete(ask("a"))
    await recording.complete(ask("a"))
    assert [completion.text for _, completion in recording.recorded] == ["fine"]


async def test_both_are_models() -> None:
    inner = Scripted([], name="inner", structured=True)
    recording, replay = Recording(inner), Replay([], name="again")
    assert isinstance(recording, Model)
    assert isinstance(replay, Model)
    assert (recording.name, recording.structured) == ("inner", True)
    assert (replay.name, replay.structured, repr(replay)) == (
        "again",
        False,
        "<Replay again: 0 recordings left>",
    )
    await recording.aclose()
    await replay.aclose()
