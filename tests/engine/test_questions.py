"""What an agent is asked for is put together once for all debates, and anew where anything that it is made of differs."""

from collections.abc import Mapping
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.agents.request import RequestWriter
from agentdebate.models.base import ModelRequest
from agentdebate.project.project import Project

ITEMS = [
    ad.Item(task="summarization", id=str(at), fields={"source": "A bridge closes.", "summary": summary})
    for at, summary in enumerate(("A bridge closes.", "A bridge was built.", "Kelby."))
]
ANSWER = '{"reason": "It is short.", "coherence": 4}'
BOTH = '{"reason": "It is short.", "coherence": 4, "relevance": 3}'


async def held(*wanted: tuple[ad.Item, str]) -> list[ModelRequest]:
    """The requests of debates that are held one after another by the same agents."""
    requests: list[ModelRequest] = []

    def answer(request: ModelRequest) -> str:
        requests.append(request)
        return BOTH if request.context and len(request.context.aspects) > 1 else ANSWER

    model = ad.Function("f", answer, structured=True)
    async with ad.ready(ad.strategy("solo"), model=model, project=Project()) as debate:
        for item, aspects in wanted:
            assert (await debate.hold(item, aspects.split())).failure is None
    return requests


async def test_debates_that_follow_others_ask_what_they_ask_alone() -> None:
    wanted = [
        (ITEMS[0], "coherence"),
        (ITEMS[1], "coherence"),
        (ITEMS[2], "coherence relevance"),
        (ITEMS[0], "coherence"),
    ]
    together = await held(*wanted)
    alone = [request for one in wanted for request in await held(one)]
    assert together == alone
    assert [one.key() for one in together] == [one.key() for one in alone]


async def test_what_replies_are_held_to_is_the_same_object_in_debates_on_the_same_aspects() -> None:
    first, second = await held((ITEMS[0], "coherence"), (ITEMS[1], "coherence"))
    assert first.schema is second.schema is not None


def read_back(completion: ad.Completion, spec: ad.ReplySpec) -> Mapping[str, object]:
    """What was said, behind the text that it is about."""
    return {"text": f"{spec.text} {completion.text}"}


def one_of_its_words(spec: ad.ReplySpec) -> dict[str, object]:
    return {"enum": spec.text.split()}


KIND = ad.ReplyKind(ad.Statement, read_back, schema=one_of_its_words, name="word", fits=True)


class Quoting(ad.Strategy):
    """Somebody quotes a word, and scores."""

    cast: Mapping[str, ad.Cards] = {"scorer": ("scorer",)}

    async def debate(self, floor: ad.Floor) -> ad.Verdict:
        await floor.ask(floor.one("scorer"), ad.Purpose("speak", ad.Statement, KIND))
        score = await floor.ask(floor.one("scorer"), ad.SCORE)
        return floor.verdict(score, settled=True, ended="one opinion")


async def test_a_kind_of_reply_that_a_strategy_brings_is_held_to_the_text_of_its_own_debate() -> None:
    held_to: list[object] = []

    def answer(request: ModelRequest) -> str:
        if request.context and request.context.reply == "word":
            assert request.schema is not None
            held_to.append(request.schema["enum"])
            return "It is."
        return ANSWER

    said: list[str] = []
    async with ad.ready(
        Quoting(), model=ad.Function("f", answer, structured=True), project=Project()
    ) as debate:
        for item in ITEMS:
            record = await debate.hold(item, "coherence")
            said += [one.text for one in record.transcript if isinstance(one, ad.Statement)]
    texts = [item.fields["summary"] for item in ITEMS]
    assert held_to == [text.split() for text in texts]
    assert said == [f"{text} It is." for text in texts]


async def test_what_is_kept_for_the_debates_that_follow_does_not_grow_with_them() -> None:
    """A strategy may write a template for each item."""
    kept: list[int] = []

    class Naming(ad.Strategy):
        cast: Mapping[str, ad.Cards] = {"scorer": ("scorer",)}

        async def debate(self, floor: ad.Floor) -> ad.Verdict:
            scorer = floor.one("scorer")
            asked = ad.Purpose("score", ad.Score, prompt=f"Score item {floor.item.id}.")
            score = await floor.ask(scorer, asked)
            return floor.verdict(score, settled=True, ended="one opinion")

    many = [ad.Item(task="summarization", id=str(at), fields=ITEMS[0].fields) for at in range(150)]
    writers = RequestWriter.question

    def counting(self: RequestWriter, *given: Any, **more: Any) -> Any:
        question = writers(self, *given, **more)
        kept.append(len(self._chair.questions))
        return question

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RequestWriter, "question", counting)
        async with ad.ready(Naming(), model=ad.Function("f", lambda _: ANSWER), project=Project()) as debate:
            for item in many:
                assert (await debate.hold(item, "coherence")).failure is None
    assert len(kept) >= len(many)
    assert max(kept) <= 64
