"""Completions that are given again: to whom they were given, in their order, and no others."""

from agentdebate.models.base import ChatMessage, Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.models.resumed import Earlier, Resumed

REQUEST = ModelRequest((ChatMessage("user", "How good is it?"),))
OTHER = ModelRequest((ChatMessage("user", "How bad is it?"),))


def answered(text: str) -> Completion:
    return Completion(text=text, model="m")


def earlier(*calls: tuple[str, ModelRequest, str], common: Earlier | None = None) -> Earlier:
    return Earlier(((agent, request.key(), answered(text)) for agent, request, text in calls), common)


class Asked:
    """A model that says that it was asked, and how often."""

    def __init__(self, name: str = "m") -> None:
        self.times = 0
        self.model = Function(name, self._reply, structured=True)

    def _reply(self, request: ModelRequest) -> str:
        self.times += 1
        return f"{self.model.name} anew {self.times}"


async def said(model: Resumed, request: ModelRequest = REQUEST) -> str:
    return (await model.complete(request)).text


async def test_equal_requests_get_their_answers_in_the_order_of_the_calls() -> None:
    model = Resumed(Asked().model, "ann", earlier(("ann", REQUEST, "one"), ("ann", REQUEST, "two")))
    assert [await said(model) for _ in range(3)] == ["one", "two", "m anew 1"]


async def test_what_serves_every_debate_is_given_once_and_after_the_debates_own() -> None:
    common = earlier(("planner", REQUEST, "shared"))
    mine, yours = earlier(("planner", REQUEST, "mine"), common=common), earlier(common=common)
    first, second = Resumed(Asked().model, "planner", mine), Resumed(Asked().model, "planner", yours)
    assert [await said(first), await said(second), await said(first)] == ["mine", "shared", "m anew 1"]


async def test_what_was_given_is_known_by_agent_and_request_once_for_each_answer() -> None:
    """An equal answer of the model is another one, which has to be written down."""
    common = earlier(("ann", OTHER, "shared"))
    had = earlier(("ann", REQUEST, "four"), common=common)
    model = Resumed(Function("m", lambda _: answered("four")), "ann", had)
    asked = []
    for request in (REQUEST, REQUEST, OTHER, OTHER):
        await model.complete(request)
        asked.append(had.gave("ann", request.key()))
    assert asked == [True, False, True, False]
    assert not had.gave("ben", REQUEST.key())
