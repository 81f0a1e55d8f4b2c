"""Any strategy over any agents: memories are what was told and said, the transcript alone rebuilds them, it ends."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.lowlevel
from engine_cases import CONTRADICTION, NO_ISSUE, OBJECTION, TASKS, UNREADABLE, Played, debate_of, scoring
from hypothesis import event, given, settings
from hypothesis import strategies as st

import agentdebate as ad
from agentdebate.agents.debate import Debate
from agentdebate.agents.seat import Seat
from agentdebate.debates.hold import hold as held_on
from agentdebate.errors import ServerFailed
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Brief, Message, Reply, Ruling, Score
from agentdebate.talk.purposes import CRITICISE, REVISE, RULE, SCORE, SPEAK, SUMMARISE, Purpose
from agentdebate.testing import transcript_memories

NAMES = ("ann", "ben", "cat")
PURPOSES: tuple[Purpose[Any], ...] = (SPEAK, SCORE, CRITICISE, REVISE, SUMMARISE, RULE)
GUARD = 60.0
"""Seconds until a debate that does not end fails its test."""


@dataclass(frozen=True)
class Action:
    """One step of a strategy. `hearing` picks among what has been said so far, `floor` among the floors."""

    do: str
    floor: int
    agents: tuple[int, ...]
    purpose: Purpose[Any]
    hearing: tuple[int, ...]
    dropped: tuple[int, ...]


@dataclass(frozen=True)
class Manner:
    """How an agent takes one request: after so many turns of the loop, it answers, mumbles or raises."""

    wait: int
    how: str


ACTIONS = st.builds(
    Action,
    do=st.sampled_from(
        [
            "ask", "ask_all", "try_ask", "try_ask", "try_ask_all", "tell", "tell", "forget", "replace", "replace",
            "round", "anew",
        ]
    ),
    floor=st.integers(0, 3),
    agents=st.permutations(range(len(NAMES))).flatmap(
        lambda order: st.integers(1, len(NAMES)).map(lambda count: tuple(order[:count]))
    ),
    purpose=st.sampled_from(PURPOSES),
    hearing=st.lists(st.integers(0, 30), max_size=4).map(tuple),
    dropped=st.lists(st.integers(0, 30), max_size=5).map(tuple),
)  # fmt: skip
MANNERS = st.builds(
    Manner, wait=st.integers(0, 6), how=st.sampled_from(["answer"] * 14 + ["mumble"] * 5 + ["break", "fail"])
)

REPLIES = {
    "speak": ["I think so.", "No."],
    "score": [scoring(4), scoring(1)],
    "revise": [scoring(3), scoring(2)],
    "rule": [scoring(5)],
    "criticise": [NO_ISSUE, OBJECTION, CONTRADICTION],
    "summarise": ["They differ."],
}
MUMBLED = {
    "score": UNREADABLE,
    "revise": "",
    "rule": scoring(9),
    "criticise": "",
    "speak": " ",
    "summarise": "",
}


class Company:
    """The agents' model: each takes its requests in the manners drawn for it, round and round."""

    def __init__(self, manners: Sequence[Sequence[Manner]]) -> None:
        self.manners = dict(zip(NAMES, manners, strict=True))
        self.asked = dict.fromkeys(NAMES, 0)
        self.model = ad.Function("company", self.reply)

    async def reply(self, request: ad.ModelRequest) -> str:
        assert request.context
        agent, purpose = request.context.agent.partition("#")[0], request.context.purpose
        number = self.asked[agent]
        self.asked[agent] += 1
        manner = self.manners[agent][number % len(self.manners[agent])]
        for _ in range(manner.wait):
            await anyio.lowlevel.checkpoint()
        if manner.how == "break":
            raise ValueError("broken")
        if manner.how == "fail":
            raise ServerFailed("down", status=500)
        return (
            MUMBLED[purpose] if manner.how == "mumble" else REPLIES[purpose][number % len(REPLIES[purpose])]
        )


class Play:
    """Holds a debate of the actions drawn, and notes on its own account what each agent should know."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self.actions = actions
        self.said: list[Message] = []
        self.floors: list[Floor] = []
        self.known: dict[str, list[int]] = {}
        self.lost: set[str] = set()

    async def __call__(self, floor: Floor) -> Any:
        self.sits_down(floor)
        for action in self.actions:
            await self.take(self.floors[action.floor % len(self.floors)], action)
        deciding = [m for m in self.said if isinstance(m, Score | Ruling)]
        return floor.verdict(deciding[-1], settled=True, ended="agreement") if deciding else None

    def sits_down(self, floor: Floor) -> None:
        """Everybody on a new floor knows its brief and nothing else."""
        self.floors.append(floor)
        self.known.update({agent.name: [] for agent in floor.cast("debaters")})

    async def take(self, floor: Floor, action: Action) -> None:
        cast = floor.cast("debaters")
        agents = [cast[number] for number in action.agents]
        hearing = [self.said[number % len(self.said)] for number in action.hearing] if self.said else []
        if action.do == "round":
            next(floor.rounds(1))
        elif action.do == "anew":
            self.sits_down(await floor.anew())
        elif action.do == "tell":
            await floor.tell(hearing, to=agents)
            for agent in agents:
                self.is_told(agent.name, hearing if agent.name not in self.lost else [])
        elif action.do in {"forget", "replace"}:
            await self.drops(floor, action, agents, hearing)
        elif action.do.startswith("try"):
            await self.tries(floor, action, agents, hearing)
        else:
            replies = await self.asks(floor, action, agents, hearing)
            self.said += sorted(replies, key=lambda reply: reply.seq)
            for reply in replies:
                self.learns(reply.sender, [*hearing, reply])

    async def asks(
        self, floor: Floor, action: Action, agents: list[Seat], hearing: list[Message]
    ) -> list[Reply]:
        if action.do == "ask":
            replies = [await floor.ask(agents[0], action.purpose, hearing=hearing)]
        else:
            replies = await floor.ask_all(agents, action.purpose, hearing=hearing)
            assert len(replies) == len(agents)
        assert [reply.sender for reply in replies] == [agent.name for agent in agents[: len(replies)]]
        return replies

    async def tries(self, floor: Floor, action: Action, agents: list[Seat], hearing: list[Message]) -> None:
        """Whoever cannot answer has heard all the same; whoever was lost before is not even asked."""
        asked = agents if action.do == "try_ask_all" else agents[:1]
        if action.do == "try_ask_all":
            replies = await floor.try_ask_all(asked, action.purpose, hearing=hearing)
        else:
            replies = [await floor.try_ask(asked[0], action.purpose, hearing=hearing)]
        for agent, reply in zip(asked, replies, strict=True):
            if agent.name in self.lost:
                assert reply is None
                continue
            self.learns(agent.name, [*hearing, *([reply] if reply else [])])
            if reply is None:
                self.lost.add(agent.name)
        self.said += sorted((reply for reply in replies if reply), key=lambda reply: reply.seq)

    async def drops(self, floor: Floor, action: Action, agents: list[Seat], by: list[Message]) -> None:
        """Whoever was lost forgets nothing any more."""
        gone = [self.said[number % len(self.said)] for number in action.dropped] if self.said else []
        if action.do == "replace":
            await floor.replace(gone, by=by, of=agents)
        else:
            await floor.forget(gone, of=agents)
        for agent in agents:
            if agent.name not in self.lost:
                self.loses(agent.name, gone, by if action.do == "replace" else [])

    def loses(self, agent: str, gone: Sequence[Message], by: Sequence[Message]) -> None:
        """Put what takes the place of others, and is not known yet, where the first of them stood."""
        instead = list(dict.fromkeys(one.seq for one in by))
        dropped = {one.seq for one in gone} - set(instead)
        known = self.known[agent]
        places = [place for place, number in enumerate(known) if number in dropped]
        place = places[0] if places else len(known)
        new = [number for number in instead if number not in known]
        self.known[agent] = [
            number for number in [*known[:place], *new, *known[place:]] if number not in dropped
        ]

    def is_told(self, agent: str, messages: Sequence[Message]) -> None:
        """Have what was heard or said last come back in the order of the others that it is told with."""
        numbers = {message.seq for message in messages} if len(messages) > 1 else set()
        while self.known[agent] and self.known[agent][-1] in numbers:
            self.known[agent].pop()
        self.learns(agent, messages)

    def learns(self, agent: str, messages: Sequence[Message]) -> None:
        for message in messages:
            if message.seq not in self.known[agent]:
                self.known[agent].append(message.seq)


@given(
    st.lists(ACTIONS, min_size=1, max_size=9),
    st.lists(st.lists(MANNERS, min_size=1, max_size=8), min_size=3, max_size=3),
)
@settings(max_examples=150)
def test_any_strategy_over_any_agents(actions: list[Action], manners: list[list[Manner]]) -> None:
    asyncio.run(held(Play(actions), Company(manners)))


async def held(play: Play, company: Company) -> None:
    before = asyncio.all_tasks()
    async with ad.ready(Played(play=play), model=company.model, tasks=TASKS) as debate:
        sitting = debate_of(debate)
        record = await asyncio.wait_for(held_on(debate.strategy, sitting), GUARD)
    memories = {actor.name: actor.memory.numbers for actor in sitting.actors.values()}
    check_the_end(record, sitting, before)
    check_memories(record, memories, play)
    check_calls(record)
    event(record.failure.error if record.failure else "verdict")


def check_the_end(record: ad.Record, sitting: Debate, before: set[asyncio.Task[Any]]) -> None:
    """A verdict or a typed failure, and nothing left behind."""
    assert (record.verdict is None) != (record.failure is None)
    assert record.transcript[-1] in (record.verdict, record.failure)
    assert record.failure is None or record.failure.error in {
        "AgentFailed", "ServerFailed", "StrategyError", "UnreadableReply",
    }  # fmt: skip
    assert asyncio.all_tasks() == before


def check_memories(record: ad.Record, memories: dict[str, tuple[int, ...]], play: Play) -> None:
    rebuilt = transcript_memories(record.transcript)
    if record.verdict is not None:
        briefs = [message for message in record.transcript if isinstance(message, Brief)]
        assert memories == {name: (brief.seq, *play.known[name]) for brief in briefs for name in brief.to}
        assert memories == rebuilt
        assert {lost.agent for floor in play.floors for lost in floor.lost} == play.lost
        assert {lost.agent for lost in record.verdict.lost} == {n for n in play.lost if "#" not in n}
    else:  # an agent may have been stopped before it read the last of what was sent to it
        for name, known in memories.items():
            assert rebuilt.get(name, ())[: len(known)] == known


def check_calls(record: ad.Record) -> None:
    """Each was shown what its agent knew; each was paid for by the agent that was asked."""
    for call in record.calls:
        assert transcript_memories(record.transcript[: call.ask])[call.agent] == call.shown
        assert record.transcript[call.ask - 1].to == (call.agent,)
    assert record.usage.calls == len(record.calls)


def test_what_reaches_an_agent_while_it_answers_comes_after_its_reply() -> None:
    """Asked twice at once and told in between, an agent takes one delivery after the other; the transcript shows it."""

    async def play(floor: Floor) -> Any:
        ann, ben, _ = floor.cast("debaters")
        first = await floor.ask(ben)
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: floor.ask(ann, SCORE))
            await anyio.lowlevel.checkpoint()
            await anyio.lowlevel.checkpoint()
            await floor.tell(first, to=ann)
            group.start_soon(lambda: floor.ask(ann, SCORE))
        score = await floor.ask(ann, SCORE)
        return floor.verdict(score, settled=True, ended="agreement")

    async def main() -> tuple[ad.Record, dict[str, tuple[int, ...]]]:
        company = Company([[Manner(6, "answer")]] * 3)
        async with ad.ready(Played(play=play), model=company.model, tasks=TASKS) as debate:
            sitting = debate_of(debate)
            record = await held_on(debate.strategy, sitting)
        return record, {actor.name: actor.memory.numbers for actor in sitting.actors.values()}

    record, memories = asyncio.run(main())
    assert record.verdict, record.failure
    assert [m.kind for m in record.transcript[3:8]] == ["ask", "tell", "ask", "score", "score"]
    assert memories["ann"] == (1, 7, 3, 8, 10)
    assert memories == transcript_memories(record.transcript)
    check_shown = [call.shown for call in record.calls if call.agent == "ann"]
    assert check_shown == [(1,), (1, 7, 3), (1, 7, 3, 8)]
