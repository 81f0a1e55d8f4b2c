"""What agents remember: what a floor drops and replaces, history rules, and memories that the transcript can rebuild."""

from collections.abc import Sequence
from importlib.metadata import EntryPoint
from typing import Any

import pytest
from engine_cases import ANN, BEN, CAT, Played, card, hold, scoring
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate import plugins
from agentdebate.agents.seat import Card
from agentdebate.debates.record import Record
from agentdebate.errors import StrategyError, UsageError
from agentdebate.models.tokens import TokenCount, using
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.group_talk import GroupTalk
from agentdebate.strategies.histories import (
    GROUP,
    HistoryContext,
    Remembered,
    counted,
    history_rule,
    summary,
    window,
)
from agentdebate.strategies.load import strategy
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.strategies.summarizer_talk import SimultaneousTalkWithSummarizer
from agentdebate.talk.envelope import message_in, message_line
from agentdebate.talk.messages import FLOOR, Ask, Message, Reply, Statement
from agentdebate.talk.purposes import SPEAK
from agentdebate.testing import replying, run_jumping, transcript_memories

WORDS = {"speak": "I think so.", "vote": scoring(4), "score": scoring(3), "summarise": "They agree."}
KINDS = (OneByOne, SimultaneousTalk, SimultaneousTalkWithSummarizer)
NOW = HistoryContext("ann", 4)


def statement(number: int) -> Statement:
    return Statement(sender="ann", to=(FLOOR,), answers=1, text=f"{number}", seq=number)


async def test_nobody_forgets_the_brief_or_learns_what_was_never_said() -> None:
    told: list[Message] = []

    async def brief(floor: Floor) -> None:
        await floor.forget(told[0], of=floor.cast("debaters"))

    async def unsaid(floor: Floor) -> None:
        await floor.replace([], by=statement(99), of=floor.cast("debaters"))

    for play, problem in ((brief, "nobody forgets the brief"), (unsaid, "message 99 was never said")):
        record = await hold(Played(play=play), replying(WORDS), listeners=[told.append])
        assert isinstance(record.error, StrategyError)
        assert problem in str(record.error)


async def test_names_and_texts_are_no_agents_and_no_messages() -> None:
    async def ask(floor: Floor) -> None:
        await floor.ask("ann", SPEAK)  # type: ignore[call-overload]  # which is what is tried

    async def tell_to(floor: Floor) -> None:
        await floor.tell(floor.public, to="ann")  # type: ignore[arg-type]  # which is what is tried

    async def tell(floor: Floor) -> None:
        await floor.tell("hello", to=floor.cast("debaters"))  # type: ignore[arg-type]  # which is what is tried

    for play, problem in (
        (ask, "'ann' is not an agent at the table: floor.one(ROLE)"),
        (tell_to, "'ann' is not an agent at the table"),
        (tell, "'hello' is not a message that was said here"),
    ):
        record = await hold(Played(play=play), replying(WORDS))
        assert isinstance(record.error, StrategyError)
        assert problem in str(record.error)


def spoken(*rows: tuple[str, int] | tuple[str, int, str]) -> list[Remembered]:
    return [
        Remembered(number, row[0], row[1], row[2] if len(row) > 2 else "statement", "x" * 40)
        for number, row in enumerate(rows, 1)
    ]


TALK = spoken(("ann", 1), ("ben", 1), ("ann", 2), ("ben", 2), ("ann", 3), ("ben", 3), ("cat", 3), ("ben", 4))


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({}, [5, 6, 7, 8]),
        ({"rounds": 2}, [3, 4, 5, 6, 7, 8]),
        ({"rounds": 9}, [1, 2, 3, 4, 5, 6, 7, 8]),
        ({"messages": 3}, [6, 7, 8]),
        ({"messages": 99}, [1, 2, 3, 4, 5, 6, 7, 8]),
        ({"rounds": 1, "messages": 2}, [7, 8]),
        ({"rounds": 1, "messages": 6}, [5, 6, 7, 8]),
    ],
)
def test_a_window_keeps_what_was_said_last(options: dict[str, int], kept: list[int]) -> None:
    assert [one.number for one in window(TALK, NOW, **options)] == kept


def test_summary_keeps_summaries_and_what_was_said_after_the_last() -> None:
    talk = spoken(("ann", 1), ("minutes", 1, "summary"), ("ann", 2), ("minutes", 2, "summary"), ("ben", 3))
    assert [one.number for one in summary(talk, NOW)] == [2, 4, 5]
    assert summary(TALK, NOW) == TALK


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("windw", "there is no history rule 'windw'. Did you mean 'window'?"),
        (0, "the history rule 'tokens', option 'limit': it is at least 1, not 0"),
        ("tokens", "the history rule 'tokens', option 'limit': it is missing"),
        (
            {"rule": "window", "round": 1},
            "the history rule 'window' has no option 'round'. Did you mean 'rounds'?",
        ),
        ({"rounds": 1}, 'a history rule is a name, or a table {rule = "NAME"} with its options'),
        (True, 'a history rule is a name, or a table {rule = "NAME"} with its options'),
    ],
)
def test_a_rule_that_cannot_be_is_refused_with_what_would_do(given: object, problem: str) -> None:
    with pytest.raises(UsageError) as refused:
        history_rule(given)
    assert str(refused.value).startswith(problem)


def test_a_wrong_rule_is_an_error_of_the_option() -> None:
    with pytest.raises(UsageError, match=r"option 'history': there is no history rule 'lates'"):
        strategy("chateval", history="lates")
    with pytest.raises(
        UsageError, match='history = "summary" keeps summaries, and no agent sums up in this talk'
    ):
        strategy("chateval", history="summary")
    assert strategy("chateval-summarizer", history="summary", keep_talk=True).history == "summary"  # type: ignore[attr-defined]


def talk(kind: type[GroupTalk], **options: Any) -> GroupTalk:
    roles: dict[str, tuple[Card, ...]] = {"debaters": (ANN, BEN, CAT)}
    if kind is SimultaneousTalkWithSummarizer:
        roles["summarizer"] = (card("minutes"),)
    return kind.model_validate({"cast": roles, "rounds": 4, **options})


def shown(record: Record, agent: str) -> list[list[tuple[str, int]]]:
    """Who said what an agent was shown, and in which round, call by call."""
    who = {m.seq: (m.sender, m.round) for m in record.transcript if isinstance(m, Reply)}
    return [
        [who[number] for number in call.shown if number in who]
        for call in record.calls
        if call.agent == agent
    ]


RULES = st.one_of(
    st.sampled_from(["all", "latest", "window"]),
    st.integers(1, 60),
    st.builds(lambda n: {"rule": "window", "messages": n}, st.integers(1, 6)),
    st.builds(lambda n: {"rule": "window", "rounds": n}, st.integers(1, 3)),
)


@given(st.sampled_from(KINDS), RULES, st.integers(1, 4), st.booleans())
@settings(max_examples=40)
def test_memories_are_rebuilt_from_the_transcript_whatever_the_rule(
    kind: type[GroupTalk], rule: Any, rounds: int, every: bool
) -> None:
    """What was shown at each call is what the transcript says the agent knew, written down and read again."""
    options = {"history": rule, "rounds": rounds, "ballots": "every" if every else "last"}
    record = run_jumping(hold(talk(kind, **options), replying(WORDS)))
    assert record.verdict, record.failure
    again: tuple[Message, ...] = tuple(message_in(message_line(one)) for one in record.transcript)
    assert again == record.transcript
    for call in record.calls:
        assert transcript_memories(again[: call.ask])[call.agent] == call.shown
    applied = history_rule(rule)
    for ask in (m for m in again if isinstance(m, Ask) and m.to[0] != "summarizer"):
        known = transcript_memories(again[: ask.seq])[ask.to[0]]
        heard = tuple(
            Remembered(m.seq, m.sender, m.round, m.kind, m.text)
            for m in again
            if m.seq in known and isinstance(m, Reply)
        )
        if applied is not None:
            context = HistoryContext(ask.to[0], ask.round)
            assert {one.number for one in applied(heard, context)} == {one.number for one in heard}


def others(talk: Sequence[Remembered], context: HistoryContext, *, most: int = 2) -> Sequence[Remembered]:
    """A rule of somebody's own: an agent forgets its own words, and all but the last of the others'."""
    return [one for one in talk if one.speaker != context.agent][-most:]


def forgetful(talk: Sequence[Remembered], context: HistoryContext) -> list[str]:
    return ["all of it"]


@pytest.fixture
def _own_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    real = plugins.registered
    own = {name: EntryPoint(name, f"{__name__}:{name}", GROUP) for name in ("others", "forgetful")}
    monkeypatch.setattr(
        plugins, "registered", lambda group: {**real(group), **(own if group == GROUP else {})}
    )


@pytest.mark.usefixtures("_own_rules")
async def test_a_rule_that_returns_something_else_is_refused() -> None:
    record = await hold(talk(OneByOne, history="forgetful"), replying(WORDS))
    assert isinstance(record.error, StrategyError)
    assert str(record.error).startswith("the history rule 'forgetful' returned ['all of it']: return those")


class Letters:
    """A vocabulary in which each letter is a token."""

    async def learn(self, texts: frozenset[str]) -> None: ...

    def count(self, text: str) -> TokenCount:
        return TokenCount(len(text), "exact", "letters")


async def test_tokens_are_counted_by_the_vocabulary_of_the_agents_model_and_the_transcript_says_so() -> None:
    forty = Remembered(1, "ann", 1, "statement", "x" * 40, "tiny")
    with using({"tiny": Letters()}):
        assert (forty.tokens, forty.counted) == (40, "exact, letters")
        assert counted("tokens", [forty]) == "exact, letters"
    assert forty.tokens == 10
    assert counted("tokens", [forty]).startswith("estimate")
    assert counted("latest", [forty]) == ""
