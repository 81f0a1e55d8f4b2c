"""Whole conversations, recorded as a model sees them: every request of a debate, with its parameters."""

import json
from collections.abc import Sequence
from typing import Any

import agentdebate as ad
from agentdebate.offline.model import OfflineJudge
from agentdebate.testing.chance import Draws
from agentdebate.testing.schemas import fitting

SOURCE = (
    "The bridge at Kelby closes for eleven weeks from 3 March. Engineers found corrosion in two bearings."
)
SHORT, OTHER = "The bridge closes for eleven weeks.", "A bridge was built."
REFERENCE = "Kelby's bridge closes in March."
SUMMARY = ad.Item(task="summarization", fields={"source": SOURCE, "summary": SHORT, "reference": REFERENCE})
NEWS = ad.Item(
    task="summarization-pair",
    fields={"source": SOURCE, "summary_1": SHORT, "summary_2": OTHER, "reference": REFERENCE},
)
OBJECTION = "The score is too high: the summary leaves out the corrosion."


async def conversation(
    name: str, item: ad.Item, aspects: str | Sequence[str], *, structured: bool = False, **options: Any
) -> list[ad.ModelRequest]:
    """The requests of one debate: the offline judge answers, or the schema is filled in; a critic always objects."""
    offline, requests = OfflineJudge(), list[ad.ModelRequest]()

    async def answer(request: ad.ModelRequest) -> ad.Completion:
        requests.append(request)
        assert request.context is not None
        if request.context.purpose == "criticise":
            return ad.Completion(text=OBJECTION, model="m")
        if request.schema is not None:
            text = json.dumps(fitting(request.schema, Draws(len(requests))))
            others = (text,) * (request.sampling.n - 1)
            return ad.Completion(text=text, others=others, model="m", structured=True)
        plain = request.sampling.model_copy(update={"logprobs": None})
        return await offline.complete(
            ad.ModelRequest(request.messages, plain, None, request.context, request.sample)
        )

    model = ad.Function("recording", answer, structured=structured)
    async with ad.ready(ad.strategy(name, **options), model=model) as debate:
        record = await debate.hold(item, aspects)
    assert requests or record.verdict is not None, record.failure
    return requests
