"""The request of a turn is a ModelRequest, whose context is made when somebody looks at it."""

import copy
import pickle
from dataclasses import replace
from operator import attrgetter

import pytest

import agentdebate as ad
from agentdebate.models.base import ChatMessage, Context, ModelRequest, Sampling, TurnRequest
from agentdebate.project.project import Project
from agentdebate.tasks import Aspect, Item, Scale, Task

MESSAGES = (ChatMessage("system", "brief"), ChatMessage("user", "Judge."))
SAMPLING = Sampling(temperature=0.5)
FLUENCY = Aspect(name="fluency", scale=Scale(low=1, high=5), criterion="Does it read well?")
TASK = Task(name="text", fields=("text",), judged="text", aspects=(FLUENCY,), brief="You judge.")
ITEM = Item(task="text", fields={"text": "x"})
CONTEXT = Context(TASK, ITEM, (FLUENCY,), "score", "score", "ann", "scorer", 1, ())
PLAIN = ModelRequest(MESSAGES, SAMPLING, {"type": "object"}, CONTEXT, 2, ("said",))


class Making:
    """Makes the context, and counts how often."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> Context:
        self.made += 1
        return replace(CONTEXT)


@pytest.fixture
def making() -> Making:
    return Making()


@pytest.fixture
def request_(making: Making) -> TurnRequest:
    return TurnRequest.of(
        MESSAGES, SAMPLING, {"type": "object"}, context=making, sample=2, talk=("another talk",)
    )


def test_the_context_is_made_when_it_is_looked_at_and_once(request_: TurnRequest, making: Making) -> None:
    assert request_.key() == PLAIN.key()
    assert making.made == 0
    assert request_.context == CONTEXT
    assert request_.context is request_.context
    assert making.made == 1


def test_it_equals_the_request_with_the_same_fields_whatever_the_talk(request_: TurnRequest) -> None:
    assert request_ == PLAIN
    plain = PLAIN
    assert plain == request_
    assert request_ != replace(PLAIN, sample=3)
    assert replace(PLAIN, context=None) != request_
    assert request_ != "a request"
    assert repr(request_) == repr(replace(PLAIN, talk=("another talk",)))


def test_its_copies_have_the_context(request_: TurnRequest) -> None:
    assert copy.deepcopy(request_) == PLAIN
    other = replace(request_, sample=3)
    assert (other.context, other.sample) == (CONTEXT, 3)
    assert pickle.loads(pickle.dumps(request_)) == PLAIN


def test_it_has_what_a_request_has_and_nothing_else(request_: TurnRequest) -> None:
    with pytest.raises(AttributeError, match="a ModelRequest has no 'text'"):
        attrgetter("text")(request_)


@pytest.mark.parametrize("name", ["messages", "sample", "context"])
def test_it_cannot_be_changed(request_: TurnRequest, name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(request_, name, 3)


async def test_the_context_of_a_request_that_was_kept_is_that_of_its_turn() -> None:
    seen: list[str] = []

    def answer(request: ad.ModelRequest) -> str:
        seen.append(request.messages[-1].content)
        return "Coherence: 4" if "Scorer" in seen[-1].rpartition("Your role: ")[2] else "Too high."

    item = ad.Item(task="summarization", fields={"source": "A bridge closes.", "summary": "A bridge closes."})
    async with ad.ready(
        ad.strategy("debate", rounds=2), model=ad.Function("f", answer), project=Project()
    ) as debate:
        record = await debate.hold(item, "coherence")
    contexts = [call.request.context for call in record.calls]
    assert [(one.agent, one.round, one.purpose, len(one.heard)) for one in contexts if one] == [
        ("scorer", 0, "score", 1),
        ("critic", 1, "criticise", 1),
        ("scorer", 1, "revise", 3),
        ("critic", 2, "criticise", 3),
        ("scorer", 2, "revise", 5),
    ]
