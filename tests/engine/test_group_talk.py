"""ChatEval's communication strategies beside the paper's Algorithms 1 to 3, and what agents remember: history rules and floors."""

import re
from collections.abc import Sequence
from itertools import pairwise, permutations
from typing import Any, Literal

import pytest
from engine_cases import GROUP_TALKS, PAIR, card, group_talk, hold, overall, scoring
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import register

from agentdebate.errors import StrategyError, UsageError
from agentdebate.models.base import ModelRequest
from agentdebate.strategies.group_talk import GroupTalk
from agentdebate.strategies.histories import (
    GROUP,
    HistoryContext,
    Remembered,
    history_rule,
    summary,
    window,
)  # fmt: skip
from agentdebate.strategies.load import strategy
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.position_swap import SwappedPositions
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.talk.envelope import message_in, message_line
from agentdebate.talk.messages import FLOOR, Ask, Brief, Message, Reply, Statement
from agentdebate.talk.purposes import SPEAK
from agentdebate.testing import replying, run_jumping, transcript_memories

WORDS = {"speak": "I think so.", "vote": scoring(4), "score": scoring(3), "summarise": "They agree."}
NAMES = ("ann", "ben", "cat", "dot", "eve")

Said = tuple[str, int]
"""Who said it in which round."""


GRAPHS: Sequence[Any] = ["full", "ring", "star", "none", {"groups": [[1, 2]]}, {"edges": [[2, 1]]}]


def arrows(graph: Any, names: tuple[str, ...]) -> set[tuple[str, str]]:
    """Everyone's own words, and the arrows of a hearing graph from speaker to hearer."""
    one_way = {
        "full": list(permutations(names, 2)),
        "ring": list(pairwise((*names, names[0]))),
        "star": [(names[0], name) for name in names],
        "none": [],
    }
    if isinstance(graph, str):
        return {(name, name) for name in names}.union(*({arrow, arrow[::-1]} for arrow in one_way[graph]))
    return {(name, name) for name in names} | {
        (names[1], names[0]),
        *[(names[0], names[1])] * ("groups" in graph),
    }


def by_the_book(
    kind: type[GroupTalk], names: tuple[str, ...], rounds: int, audience: str, graph: Any
) -> dict[str, list[Said]]:
    """The algorithms as the paper prints them, over lists, with those heard whom the graph lets hear."""
    hears = arrows(graph, names)
    known: dict[str, list[Said]] = {name: [] for name in names}
    for turn in range(1, rounds + 1):
        buffer: list[Said] = []
        for place, name in enumerate(names):
            said = (name, turn)
            buffer.append(said)
            known[name].append(said)
            if kind is OneByOne:
                for other in names if audience == "everyone" else names[place:]:
                    known[other] += [said] if said not in known[other] and (name, other) in hears else []
        if kind is SimultaneousTalk:
            for name in names:
                before = [said for said in known[name] if said not in buffer]
                known[name] = before + [said for said in buffer if (said[0], name) in hears]
    return known


@given(
    st.sampled_from([OneByOne, SimultaneousTalk]),
    st.integers(2, 5),
    st.integers(1, 4),
    st.sampled_from(["everyone", "later"]),
    st.sampled_from(GRAPHS),
)
@settings(max_examples=60)
def test_any_number_of_debaters_over_any_number_of_turns(
    kind: type[GroupTalk], count: int, rounds: int, audience: Literal["everyone", "later"], graph: Any
) -> None:
    cast = {"debaters": tuple(card(name) for name in NAMES[:count])}
    options = {"audience": audience} if kind is OneByOne else {}
    chosen = kind.model_validate({"cast": cast, "rounds": rounds, "hearing": graph, **options})
    record = run_jumping(hold(chosen, replying(WORDS)))
    said = {m.seq: (m.sender, m.round) for m in record.transcript if isinstance(m, Reply)}
    memories = transcript_memories(record.transcript)
    known = {name: [said[number] for number in heard if number in said] for name, heard in memories.items()}
    assert known == by_the_book(kind, NAMES[:count], rounds, audience, graph)
    assert len(record.calls) == count * rounds
    asks = [m for m in record.transcript if isinstance(m, Ask)]
    assert {m.purpose for m in asks if m.round == rounds} == {"vote"}
    assert {m.purpose for m in asks if m.round < rounds} <= {"speak"}


@pytest.mark.parametrize(
    ("graph", "says"),
    [
        ("rings", "'full', 'ring', 'star' or 'none'"),
        ({"edges": [[1, 4]]}, "hearing names the debater 4, and there are 3"),
        ({"edge": [[1, 2]]}, "a hearing graph has no option 'edge'. Did you mean 'edges'\\?$"),
        ({"edges": [[0, 1]]}, "it is at least 1, not 0.$"),
        ({}, "nobody hears another"),
        ({"edges": [[1, 1]]}, "nobody hears another"),
    ],
)
def test_a_hearing_graph_that_cannot_be_is_refused_with_what_would_do(graph: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        strategy("society", hearing=graph)
    with pytest.raises(UsageError, match="all debaters hear the summary"):
        strategy("chateval-summarizer", hearing="ring")


def sent(names: Sequence[str], blind: str) -> list[ModelRequest]:
    """The requests of a talk in which these agents say the same in each order of names, by what they say."""
    words = {name: f"I am number {at}.\n\nFluency: {at}" for at, name in enumerate(names, 1)}
    cast = {"debaters": tuple(card(name) for name in ("ann", "ben", "cat"))}
    talk = SimultaneousTalk.model_validate({"cast": cast, "ballots": "every", "blind": blind})
    record = run_jumping(hold(talk, replying(words)))
    return [call.request for call in record.calls if call.round == 2]


@pytest.mark.parametrize(
    ("blind", "heads"),
    [
        ("none", ["Ann:", "Ben:", "Cat:"]),
        ("others", ["Ann:", "Message 2:", "Message 3:"]),
        ("all", ["Message 1:", "Message 2:", "Message 3:"]),
    ],
)
def test_names_are_hidden_as_far_as_the_talk_is_blind(blind: str, heads: list[str]) -> None:
    """From other models than language models too. Blind to all, what is shown does not depend on who said it."""
    first = sent(("ann", "ben", "cat"), blind)
    own = first[0].messages[-1].content.partition("Your role: ")[0]
    assert re.findall(r"^(?!What)\w[^\n]*:$", own, re.MULTILINE) == heads
    senders = [one.sender for one in first[0].context.heard] if first[0].context else []
    assert [f"{sender.capitalize()}:" for sender in senders] == heads
    others = sent(("cat", "ann", "ben"), blind)
    assert (first[0].talk == others[0].talk) == (blind == "all")


FORTY = "0123456789012345678901234567890123456789"
"""Ten tokens by the estimate."""


@pytest.mark.parametrize(
    ("history", "kept"), [("all", 8), (None, 8), (80, 8), (79, 7), (30, 3), (29, 2), (10, 1), (9, 1), (1, 1)]
)
async def test_what_was_said_first_goes_first_where_the_history_is_capped(
    history: Any, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last message is kept in any case."""
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    words = {**WORDS, "speak": FORTY, "vote": f"{FORTY[:26]}\nFluency: 4"}
    record = await hold(group_talk(rounds=3, history=history), replying(words))
    call = [call for call in record.calls if call.agent == "cat"][-1]
    known = transcript_memories(record.transcript[: call.ask])["cat"]
    everything = [m.seq for m in record.transcript[: call.ask] if isinstance(m, Brief | Reply)]
    assert len(everything) == 1 + 8
    assert call.shown == known == (everything[0], *everything[1:][-kept:])
    turn, dropped = call.request.messages[-1].content, 8 - kept
    assert turn.count(":\n~~~~\n0123") == kept
    assert call.request.context is not None
    assert len(call.request.context.heard) == kept
    noun = "message is" if dropped == 1 else "messages are"
    assert (f"({dropped} earlier {noun} left out here.)" in turn) == (dropped > 0)
    assert ("left out" in turn) == (dropped > 0)


async def test_without_fences_texts_and_talk_stand_bare_and_the_strategy_says_so() -> None:
    """The ablation, inside another strategy too: the same prompts, without lines of tildes and the word about them."""
    around = group_talk(name="talk", rounds=2, fences=False)
    model = replying({**WORDS, "vote": overall(8, 6)})
    record = await hold(SwappedPositions(name="both", around=around), model, item=PAIR, aspects=("overall",))
    assert record.verdict is not None, record.failure
    assert record.strategy == "both-without-fences"
    shown = ["\n".join(one.content for one in call.request.messages) for call in record.calls]
    assert not [text for text in shown if "~~~" in text or "tildes" in text]
    assert any("Ann:\nI think so.\n\nBen:\nI think so." in text for text in shown)


# History rules.

NOW = HistoryContext("ann", 4)


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


NO_RULE = 'a history rule is a name, or a table {rule = "NAME"} with its options'


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("windw", "there is no history rule 'windw'. Did you mean 'window'?"),
        (0, "the history rule 'tokens', option 'limit': it is at least 1, not 0"),
        ("tokens", "the history rule 'tokens', option 'limit': it is missing"),
        ({"rule": "window", "round": 1}, "the history rule 'window' has no option 'round'. Did you mean 'rounds'?"),
        ({"rounds": 1}, NO_RULE),
        (True, NO_RULE),
    ],
)  # fmt: skip
def test_a_rule_that_cannot_be_is_refused_with_what_would_do(given: object, problem: str) -> None:
    with pytest.raises(UsageError) as refused:
        history_rule(given)
    assert str(refused.value).startswith(problem)


def test_a_wrong_rule_is_an_error_of_the_option() -> None:
    with pytest.raises(UsageError, match=r"option 'history': there is no history rule 'lates'"):
        strategy("chateval", history="lates")
    with pytest.raises(UsageError, match='history = "summary" keeps summaries, and no agent sums up in this'):
        strategy("chateval", history="summary")
    assert strategy("chateval-summarizer", history="summary", keep_talk=True).history == "summary"  # type: ignore[attr-defined]


RULES = st.one_of(
    st.sampled_from(["all", "latest", "window"]),
    st.integers(1, 60),
    st.builds(lambda n: {"rule": "window", "messages": n}, st.integers(1, 6)),
    st.builds(lambda n: {"rule": "window", "rounds": n}, st.integers(1, 3)),
)


@given(st.sampled_from(GROUP_TALKS), RULES, st.integers(1, 4), st.booleans())
@settings(max_examples=40)
def test_memories_are_rebuilt_from_the_transcript_whatever_the_rule(
    kind: type[GroupTalk], rule: Any, rounds: int, every: bool
) -> None:
    """What was shown at each call is what the transcript says the agent knew, written down and read again."""
    options = {"history": rule, "rounds": rounds, "ballots": "every" if every else "last"}
    record = run_jumping(hold(group_talk(kind, **options), replying(WORDS)))
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


def forgetful(talk: Sequence[Remembered], context: HistoryContext) -> list[str]:
    return ["all of it"]


async def test_a_rule_that_returns_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, GROUP, __name__, "forgetful")
    record = await hold(group_talk(history="forgetful"), replying(WORDS))
    assert isinstance(record.error, StrategyError)
    assert str(record.error).startswith("the history rule 'forgetful' returned ['all of it']: return those")


# What a floor tells and has forgotten.


NEVER_SAID = Statement(sender="ann", to=(FLOOR,), answers=1, text="x", seq=99)


@pytest.mark.parametrize(
    ("play", "problem"),
    [
        (lambda floor, told: floor.forget(told, of=floor.cast("debaters")), "nobody forgets the brief"),
        (lambda floor, _: floor.replace([], by=NEVER_SAID, of=floor.cast("debaters")), "message 99 was never said"),
        (lambda floor, _: floor.ask("ann", SPEAK), "'ann' is not an agent at the table: floor.one(ROLE)"),
        (lambda floor, told: floor.tell(told, to="ann"), "'ann' is not an agent at the table"),
        (lambda floor, _: floor.tell("hello", to=floor.cast("debaters")), "'hello' is not a message that was said here"),
    ],
)  # fmt: skip
async def test_nobody_forgets_the_brief_and_names_and_texts_are_no_agents_and_no_messages(
    play: Any, problem: str
) -> None:
    told: list[Message] = []
    record = await hold(lambda floor: play(floor, told[0]), replying(WORDS), listeners=[told.append])
    assert isinstance(record.error, StrategyError)
    assert problem in str(record.error)
