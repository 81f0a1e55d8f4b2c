"""What the tests of the engine share: a small task, agents made in code, and debates held from a function."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import agentdebate as ad
from agentdebate.agents.debate import Debate
from agentdebate.agents.subject import Subject
from agentdebate.debates.ready import ReadyStrategy, ready
from agentdebate.errors import ServerFailed
from agentdebate.models.base import Model, ModelRequest
from agentdebate.strategies.base import Cards, Strategy
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.group_talk import GroupTalk
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.strategies.summarizer_talk import SimultaneousTalkWithSummarizer
from agentdebate.talk.messages import Message, Verdict
from agentdebate.talk.purposes import SCORE
from agentdebate.testing import Words

FLUENCY = ad.Aspect(
    name="fluency", scale=ad.Scale(low=1, high=5), criterion="Does it read well?", steps=("Read it.",)
)
COHERENCE = ad.Aspect(name="coherence", scale=ad.Scale(low=1, high=5), criterion="Does it hang together?")
TASK = ad.Task(
    name="text",
    fields=("text",),
    optional=("note",),
    judged="text",
    aspects=(FLUENCY, COHERENCE),
    brief="You judge a text.",
)
ITEM = ad.Item(task="text", id="item-1", fields={"text": "The cat sat on the mat."})

OVERALL = ad.Aspect(name="overall", scale=ad.Scale(low=1, high=10), criterion="How good is it?")
DEPTH = ad.Aspect(name="depth", scale=ad.Scale(low=1, high=5), criterion="How deep does it go?")
PLACE = ad.Aspect(name="place", scale=ad.Scale(low=1, high=8), criterion="Which is the best?", rank=True)
ANSWERS = tuple(f"answer_{number}" for number in range(1, 9))
PAIR_TASK = ad.Task(
    name="pair",
    fields=("question", *ANSWERS[:2]),
    optional=ANSWERS[2:],
    candidates=ANSWERS,
    aspects=(OVERALL, DEPTH, PLACE),
    usual=("overall",),
    brief="You compare answers.",
)
TASKS = {"text": TASK, "pair": PAIR_TASK}


def compared(*texts: str) -> ad.Item:
    """An item of so many answers."""
    return ad.Item(
        task="pair", id="pair-1", fields={"question": "Why?", **dict(zip(ANSWERS, texts, strict=False))}
    )


PAIR = compared("Because of the rain.", "I do not know.")


def overall(*scores: float) -> str:
    """A reply that scores the answers in the order in which they are shown."""
    lines = [f"Answer {letter}: {score:g}" for letter, score in zip("ABCDEFGH", scores, strict=False)]
    return "\n".join(["It is clear to me.", "", *lines])


NO_ISSUE = "NO ISSUE"
OBJECTION = "The second clause has no verb, and the score passes over that."
CONTRADICTION = "NO ISSUE. Still, the score is too high and should be 2."
UNREADABLE = "I have read it with pleasure."


def scoring(score: float, why: str = "It reads well.") -> str:
    """A reply that scores fluency."""
    return f"{why}\n\nFluency: {score:g}"


def card(name: str, **more: Any) -> ad.Card:
    """An agent card made in code."""
    return ad.Card(name=name, title=name.capitalize(), persona=f"Your name is {name}.", **more)


ANN, BEN, CAT = card("ann"), card("ben"), card("cat")
ROLES = {"debaters": (ANN, BEN, CAT)}
GROUP_TALKS: tuple[type[GroupTalk], ...] = (OneByOne, SimultaneousTalk, SimultaneousTalkWithSummarizer)


def group_talk(kind: type[GroupTalk] = OneByOne, **options: Any) -> GroupTalk:
    """Four rounds of talk among ann, ben and cat, with a summarizer where the kind has one."""
    cast = {**ROLES, "summarizer": (card("minutes"),)} if "summarizer" in kind().cast else ROLES
    return kind.model_validate({"cast": cast, "rounds": 4, **options})


class Played(Strategy):
    """Holds the debate that a function holds. The default cast has one role, debaters: ann, ben and cat."""

    play: Callable[[Floor], Awaitable[Any]]
    cast: Mapping[str, Cards] = ROLES

    async def debate(self, floor: Floor) -> Verdict:
        verdict: Verdict = await self.play(floor)
        return verdict


async def hold(
    strategy: Strategy | str | Callable[[Floor], Awaitable[Any]],
    model: Model,
    *,
    item: ad.Item = ITEM,
    aspects: Sequence[str] | str | None = "fluency",
    listeners: Sequence[Callable[[Message], None]] = (),
    **options: Any,
) -> ad.Record:
    """Hold one debate over the item."""
    chosen = strategy if isinstance(strategy, Strategy | str) else Played(play=strategy)
    async with ready(chosen, model=model, tasks=TASKS, **options) as debate:
        return await debate.hold(item, aspects, listeners=listeners)


def debate_of(made: ReadyStrategy, item: ad.Item = ITEM, aspects: str = "fluency") -> Debate:
    """A debate over the item, for those who look at what is left of it."""
    task = TASKS[item.task or ""]
    subject = Subject(task, item, task.choose(aspects), made.prompts)
    return Debate("one", subject, made.cast, made.settings, made.common)


async def end(floor: Floor) -> Verdict:
    """Ask the first debater for a score and close the debate with it."""
    score = await floor.ask(floor.cast("debaters")[0], SCORE)
    return floor.verdict(score, settled=True, ended="agreement")


def said(record: ad.Record, kind: str) -> list[Message]:
    """The messages of one kind."""
    return [message for message in record.transcript if message.kind == kind]


def verdict_of(record: ad.Record) -> Verdict:
    assert record.verdict is not None, record.failure
    return record.verdict


def breaking(_: ModelRequest) -> str:
    raise ServerFailed("the endpoint is down", status=500)


LOSSES: dict[str, Words] = {"UnreadableReply": UNREADABLE, "ServerFailed": breaking}
"""Words by which an agent is lost, by the error that says so."""
