"""Whole conversations, recorded as a model sees them: every request of a debate, with its parameters."""

import json
from collections.abc import Sequence
from typing import Any

from agentdebate.debates.ready import ready
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.offline.model import OfflineJudge
from agentdebate.strategies.load import strategy
from agentdebate.tasks import Item
from agentdebate.testing.chance import Draws
from agentdebate.testing.schemas import fitting

SOURCE = (
    "The bridge at Kelby closes for eleven weeks from 3 March. Engineers found corrosion in two bearings."
)
SHORT, OTHER = "The bridge closes for eleven weeks.", "A bridge was built."
REFERENCE = "Kelby's bridge closes in March."
SUMMARY = Item(task="summarization", fields={"source": SOURCE, "summary": SHORT, "reference": REFERENCE})
NEWS = Item(
    task="summarization-pair",
    fields={"source": SOURCE, "summary_1": SHORT, "summary_2": OTHER, "reference": REFERENCE},
)
OBJECTION = "The score is too high: the summary leaves out the corrosion."


async def conversation(
    name: str, item: Item, aspects: str | Sequence[str], *, structured: bool = False, **options: Any
) -> list[ModelRequest]:
    """The requests of one debate: the offline judge answers, or the schema is filled in; a critic always objects."""
    offline, requests = OfflineJudge(), list[ModelRequest]()

    async def answer(request: ModelRequest) -> Completion:
        requests.append(request)
        assert request.context is not None
        if request.context.purpose == "criticise":
            return Completion(text=OBJECTION, model="m")
        if request.schema is not None:
            text = json.dumps(fitting(request.schema, Draws(len(requests))))
            others = (text,) * (request.sampling.n - 1)
            return Completion(text=text, others=others, model="m", structured=True)
        plain = request.sampling.model_copy(update={"logprobs": None})
        return await offline.complete(
            ModelRequest(request.messages, plain, None, request.context, request.sample)
        )

    model = Function("recording", answer, structured=structured)
    async with ready(strategy(name, **options), model=model) as debate:
        record = await debate.hold(item, aspects)
    assert requests or record.verdict is not None, record.failure
    return requests
