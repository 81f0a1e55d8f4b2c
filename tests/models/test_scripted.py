"""Replies given in advance, and functions as models."""

import pytest

import agentdebate as ad
from agentdebate.errors import ModelError, UsageError
from agentdebate.models.base import ChatMessage, Completion, Context, Model, ModelRequest

ASPECT = ad.Aspect(name="fluency", scale=ad.Scale(low=1, high=5), criterion="Does it read well?")
TASK = ad.Task(name="text", fields=("text",), judged="text", aspects=(ASPECT,), brief="Judge it.")
PLAIN = ModelRequest((ChatMessage("user", "Hi"),))


def asked(
    agent: str = "critic", purpose: str = "score", schema: dict[str, object] | None = None
) -> ModelRequest:
    item = ad.Item(fields={"text": "x"})
    context = Context(TASK, item, TASK.aspects, purpose, "score", agent, "plain", 2, ())
    return ModelRequest(PLAIN.messages, schema=schema, context=context)


async def test_a_part_belongs_to_an_agent_or_to_a_purpose() -> None:
    model = ad.Scripted({"critic": ["from the critic"], "score": ["a score", "another"], "rule": []})
    assert (await model.complete(asked("critic", "score"))).text == "from the critic"
    assert (await model.complete(asked("writer", "score"))).text == "a score"


async def test_an_exhausted_script_names_who_asked() -> None:
    with pytest.raises(ModelError, match=r"nothing more for 'critic' \(score, round 2\)"):
        await ad.Scripted([]).complete(asked())
    with pytest.raises(ModelError, match="names no agent"):
        await ad.Scripted([]).complete(PLAIN)


@pytest.mark.parametrize("script", ["one", {"critic": "one"}])
def test_a_text_is_no_script(script: object) -> None:
    """It would be read letter by letter."""
    with pytest.raises(UsageError, match=r"\['one'\]"):
        ad.Scripted(script)  # type: ignore[arg-type]  # the mistake under test


async def test_a_plain_function_is_a_model() -> None:
    model = ad.Function("upper", lambda request: request.messages[0].content.upper())
    assert isinstance(model, Model)
    assert await model.complete(PLAIN) == Completion(text="HI", model="upper")
    assert (model.name, model.structured, repr(model)) == ("upper", False, "<Function upper>")
    await model.aclose()


async def test_a_function_that_gives_something_else_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="'odd' gives a str or a Completion, not int"):
        await ad.Function("odd", lambda _: 3).complete(PLAIN)  # type: ignore[arg-type,return-value]  # wrong
