"""The public test doubles."""

import pytest
from engine_cases import Played, end, hold, scoring

from agentdebate.errors import ModelError
from agentdebate.models.base import ChatMessage, Model, ModelRequest
from agentdebate.testing import replying

PLAIN = ModelRequest((ChatMessage("user", "Hi"),))


async def test_it_always_says_the_same_or_what_a_function_makes_of_the_request() -> None:
    model = replying("yes")
    assert isinstance(model, Model)
    assert [(await model.complete(PLAIN)).text for _ in range(3)] == ["yes"] * 3
    echo = replying(lambda request: request.messages[-1].content, name="echo")
    completion = await echo.complete(PLAIN)
    assert (completion.text, completion.model) == ("Hi", "echo")


async def test_an_agents_words_go_before_those_for_a_purpose() -> None:
    record = await hold(Played(play=end), replying({"score": scoring(2), "ann": scoring(4)}))
    assert record.scores == {"fluency": 4.0}


async def test_an_agent_without_words_fails() -> None:
    record = await hold(Played(play=end), replying({"rule": "x"}))
    assert isinstance(record.error, ModelError)
    assert str(record.error) == "replying: there are no words for 'ann' (score); there are for: rule"
    with pytest.raises(ModelError, match="no words for a request without a context"):
        await replying({"rule": "x"}).complete(PLAIN)
