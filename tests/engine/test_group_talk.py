"""ChatEval's communication strategies beside the paper's Algorithms 1 to 3: who is asked for what, and who knows what."""

from itertools import takewhile
from typing import Any, Literal

import pytest
from engine_cases import ANN, BEN, CAT, ITEM, PAIR, card, hold, overall, scoring
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.agents.card import Card
from agentdebate.debates.record import Record
from agentdebate.models.base import Call, ModelRequest
from agentdebate.strategies.group_talk import GroupTalk
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.position_swap import SwappedPositions
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.strategies.summarizer_talk import SimultaneousTalkWithSummarizer
from agentdebate.talk.messages import Ask, Brief, Reply, Score, Summary
from agentdebate.tasks import Item
from agentdebate.testing import Words, replying, run_jumping, transcript_memories

Said = tuple[str, int]
"""Who said it in which round."""
Step = tuple[str, int, str, tuple[Said, ...]]
"""Who is asked in which round for what, and everything that it has heard and said by then."""

CAST = {"debaters": (ANN, BEN, CAT)}
MINUTES = {**CAST, "summarizer": (card("minutes"),)}
WORDS = {"speak": "I think so.", "vote": scoring(4), "summarise": "They agree."}


def who_said(record: Record) -> dict[int, Said]:
    return {m.seq: (m.sender, m.round) for m in record.transcript if isinstance(m, Reply)}


def steps(record: Record) -> list[Step]:
    """The debate as it went, from the transcript alone."""
    said = who_said(record)
    found: list[Step] = []
    for message in record.transcript:
        if isinstance(message, Ask):
            known = transcript_memories(record.transcript[: message.seq])[message.to[0]]
            history = tuple(said[number] for number in known if number in said)
            found.append((message.to[0], message.round, message.purpose, history))
    return found


def histories(record: Record) -> dict[str, tuple[Said, ...]]:
    """What everyone has heard and said at the end."""
    said = who_said(record)
    return {
        name: tuple(said[number] for number in known if number in said)
        for name, known in transcript_memories(record.transcript).items()
    }


async def test_one_by_one_everyone_hears_what_was_said_before() -> None:
    record = await hold(OneByOne(cast=CAST), replying(WORDS))
    a1, b1, c1, a2, b2 = ("ann", 1), ("ben", 1), ("cat", 1), ("ann", 2), ("ben", 2)
    assert steps(record) == [
        ("ann", 1, "speak", ()),
        ("ben", 1, "speak", (a1,)),
        ("cat", 1, "speak", (a1, b1)),
        ("ann", 2, "vote", (a1, b1, c1)),
        ("ben", 2, "vote", (a1, b1, c1, a2)),
        ("cat", 2, "vote", (a1, b1, c1, a2, b2)),
    ]


async def test_one_by_one_to_the_letter_only_later_speakers_hear() -> None:
    """Algorithm 1, lines 4 to 8: the first debater hears nobody, the last one everybody."""
    record = await hold(OneByOne(cast=CAST, audience="later"), replying(WORDS))
    a1, b1, c1, a2, b2 = ("ann", 1), ("ben", 1), ("cat", 1), ("ann", 2), ("ben", 2)
    assert steps(record) == [
        ("ann", 1, "speak", ()),
        ("ben", 1, "speak", (a1,)),
        ("cat", 1, "speak", (a1, b1)),
        ("ann", 2, "vote", (a1,)),
        ("ben", 2, "vote", (a1, b1, a2)),
        ("cat", 2, "vote", (a1, b1, c1, a2, b2)),
    ]
    assert histories(record)["ann"] == (a1, a2)


async def test_simultaneous_talk_is_on_one_history_and_then_all_hear_all() -> None:
    """In one order, each its own words among them: Algorithm 2 has one buffer for all, so all prompts begin alike."""
    record = await hold(SimultaneousTalk(cast=CAST), replying(WORDS))
    a1, b1, c1 = ("ann", 1), ("ben", 1), ("cat", 1)
    assert steps(record) == [
        ("ann", 1, "speak", ()),
        ("ben", 1, "speak", ()),
        ("cat", 1, "speak", ()),
        ("ann", 2, "vote", (a1, b1, c1)),
        ("ben", 2, "vote", (a1, b1, c1)),
        ("cat", 2, "vote", (a1, b1, c1)),
    ]
    assert {frozenset(history) for history in histories(record).values()} == {
        frozenset((name, turn) for name in ("ann", "ben", "cat") for turn in (1, 2))
    }


async def test_only_summaries_are_in_the_histories_where_there_is_a_summarizer() -> None:
    """Algorithm 3, line 7: not even the debaters' own words are in them."""
    record = await hold(SimultaneousTalkWithSummarizer(cast=MINUTES, rounds=3), replying(WORDS))
    a1, b1, c1, s1 = ("ann", 1), ("ben", 1), ("cat", 1), ("summarizer", 1)
    a2, b2, c2, s2 = ("ann", 2), ("ben", 2), ("cat", 2), ("summarizer", 2)
    assert steps(record) == [
        ("ann", 1, "speak", ()),
        ("ben", 1, "speak", ()),
        ("cat", 1, "speak", ()),
        ("summarizer", 1, "summarise", (a1, b1, c1)),
        ("ann", 2, "speak", (s1,)),
        ("ben", 2, "speak", (s1,)),
        ("cat", 2, "speak", (s1,)),
        ("summarizer", 2, "summarise", (a1, b1, c1, s1, a2, b2, c2)),
        ("ann", 3, "vote", (s1, s2)),
        ("ben", 3, "vote", (s1, s2)),
        ("cat", 3, "vote", (s1, s2)),
    ]
    assert "left out" not in turns(record)["ann"], "a summary stands in the place of what it sums up"


async def test_the_talk_can_be_kept_beside_its_summary() -> None:
    record = await hold(SimultaneousTalkWithSummarizer(cast=MINUTES, keep_talk=True), replying(WORDS))
    a1, b1, c1, s1 = ("ann", 1), ("ben", 1), ("cat", 1), ("summarizer", 1)
    assert steps(record)[3:] == [
        ("summarizer", 1, "summarise", (a1, b1, c1)),
        ("ann", 2, "vote", (a1, b1, c1, s1)),
        ("ben", 2, "vote", (a1, b1, c1, s1)),
        ("cat", 2, "vote", (a1, b1, c1, s1)),
    ]


async def test_nothing_is_summed_up_where_nobody_speaks_after_it() -> None:
    record = await hold(SimultaneousTalkWithSummarizer(cast=MINUTES, rounds=1), replying(WORDS))
    assert [call.agent for call in record.calls] == ["ann", "ben", "cat"]
    assert not [m for m in record.transcript if isinstance(m, Summary)]


NAMES = ("ann", "ben", "cat", "dot", "eve")


def by_the_book(
    kind: type[GroupTalk], names: tuple[str, ...], rounds: int, audience: str
) -> dict[str, list[Said]]:
    """The algorithms as the paper prints them, over lists. What an agent says itself it always knows."""
    known: dict[str, list[Said]] = {name: [] for name in names}
    for turn in range(1, rounds + 1):
        buffer: list[Said] = []
        for place, name in enumerate(names):
            said = (name, turn)
            buffer.append(said)
            known[name].append(said)
            if kind is OneByOne:
                for other in names if audience == "everyone" else names[place:]:
                    known[other] += [said] if said not in known[other] else []
        if kind is SimultaneousTalk:
            for name in names:
                known[name] = [said for said in known[name] if said not in buffer] + buffer
    return known


@given(
    st.sampled_from([OneByOne, SimultaneousTalk]),
    st.integers(2, 5),
    st.integers(1, 4),
    st.sampled_from(["everyone", "later"]),
)
@settings(max_examples=25)
def test_any_number_of_debaters_over_any_number_of_turns(
    kind: type[GroupTalk], count: int, rounds: int, audience: Literal["everyone", "later"]
) -> None:
    cast = {"debaters": tuple(card(name) for name in NAMES[:count])}
    options = {"audience": audience} if kind is OneByOne else {}
    chosen = kind.model_validate({"cast": cast, "rounds": rounds, **options})
    record = run_jumping(hold(chosen, replying(WORDS)))
    expected = by_the_book(kind, NAMES[:count], rounds, audience)
    assert histories(record) == {name: tuple(said) for name, said in expected.items()}
    assert len(record.calls) == count * rounds
    asks = [m for m in record.transcript if isinstance(m, Ask)]
    assert {m.purpose for m in asks if m.round == rounds} == {"vote"}
    assert {m.purpose for m in asks if m.round < rounds} <= {"speak"}


KINDS = (OneByOne, SimultaneousTalk, SimultaneousTalkWithSummarizer)


@pytest.mark.parametrize("kind", KINDS)
async def test_ballots_can_be_asked_for_in_every_round_and_the_last_ones_count(kind: type[GroupTalk]) -> None:
    def vote(request: ModelRequest) -> str:
        assert request.context
        return scoring(request.context.round)

    cast = MINUTES if kind is SimultaneousTalkWithSummarizer else CAST
    chosen = kind.model_validate({"cast": cast, "rounds": 3, "ballots": "every"})
    record = await hold(chosen, replying({**WORDS, "vote": vote}))
    assert record.verdict is not None
    assert (record.verdict.score, record.verdict.merge, record.verdict.rounds) == (3.0, "average", 3)
    assert [(c.agent, c.round) for c in record.verdict.ballots] == [
        (name, turn) for turn in (1, 2, 3) for name in ("ann", "ben", "cat")
    ]
    assert {ask[2] for ask in steps(record) if ask[0] != "summarizer"} == {"vote"}


@pytest.mark.parametrize("kind", KINDS)
async def test_ballots_are_asked_for_in_the_last_round_only(kind: type[GroupTalk]) -> None:
    cast = MINUTES if kind is SimultaneousTalkWithSummarizer else CAST
    record = await hold(kind.model_validate({"cast": cast, "rounds": 3}), replying(WORDS))
    assert record.verdict is not None
    assert [cast.round for cast in record.verdict.ballots] == [3, 3, 3]
    assert [m.round for m in record.transcript if isinstance(m, Score)] == [3, 3, 3]
    talk = [call for call in record.calls if call.round < 3]
    assert not [call for call in talk if "Fluency: <" in call.request.messages[-1].content]


def turns(record: Record) -> dict[str, str]:
    """What each agent was shown last, behind the brief."""
    return {call.agent: call.request.messages[-1].content for call in record.calls}


async def test_debaters_are_called_by_their_cards() -> None:
    shown = turns(await hold(OneByOne(cast=CAST), replying(WORDS)))
    assert "".join(f"{who}:\n~~~~\nI think so.\n~~~~\n\n" for who in ("Ann", "Ben", "Cat")) in shown["ben"]
    assert "Your role: Ben." in shown["ben"]


FORTY = "0123456789012345678901234567890123456789"
"""Ten tokens by the estimate."""


@pytest.fixture
def _estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)


def last_of(record: Record, agent: str) -> Call:
    return [call for call in record.calls if call.agent == agent][-1]


@pytest.mark.parametrize(
    ("history", "kept"), [("all", 8), (None, 8), (80, 8), (79, 7), (30, 3), (29, 2), (10, 1), (9, 1), (1, 1)]
)
@pytest.mark.usefixtures("_estimated")
async def test_what_was_said_first_goes_first_where_the_history_is_capped(history: Any, kept: int) -> None:
    """The last message is kept in any case."""
    chosen = OneByOne(cast=CAST, rounds=3, history=history)
    record = await hold(chosen, replying({**WORDS, "speak": FORTY, "vote": f"{FORTY[:26]}\nFluency: 4"}))
    call = last_of(record, "cat")
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


@pytest.mark.usefixtures("_estimated")
async def test_a_cap_on_the_history_is_for_the_debaters_and_not_for_the_summarizer() -> None:
    chosen = SimultaneousTalkWithSummarizer(cast=MINUTES, history=1, keep_talk=True)
    record = await hold(chosen, replying({**WORDS, "speak": FORTY}))
    assert turns(record)["summarizer"].count(FORTY) == 3
    assert "left out" not in turns(record)["summarizer"]
    assert "(3 earlier messages are left out here.)" in turns(record)["ann"]


def whole(request: ModelRequest) -> str:
    """A request as one text, as a prefix cache sees it."""
    return "\n\n".join(f"{message.role}: {message.content}" for message in request.messages)


def shared_prefix(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("item", [ITEM, PAIR])
async def test_consecutive_requests_share_everything_up_to_the_end_of_the_talk_both_heard(
    rounds: int, item: Item
) -> None:
    """Item and task first, then talk, then who you are and what to do now: no more could be shared."""

    def talk(request: ModelRequest) -> str:
        assert request.context
        return f"I am {request.context.agent}, in round {request.context.round}."

    words: dict[str, Words] = {"speak": talk, "vote": scoring(4) if item is ITEM else overall(8, 6)}
    chosen = OneByOne(cast=CAST, rounds=rounds)
    record = await hold(chosen, replying(words), item=item, aspects="fluency" if item is ITEM else "overall")
    assert record.verdict, record.failure
    brief = next(m for m in record.transcript if isinstance(m, Brief))
    texts = {m.seq: m.text for m in record.transcript if isinstance(m, Reply)}
    for one, next_one in zip(record.calls, record.calls[1:], strict=False):
        assert next_one.shown[: len(one.shown)] == one.shown, (
            "who speaks next has heard all that was heard before"
        )
        first, second = whole(one.request), whole(next_one.request)
        end = first.index(brief.text) + len(brief.text)
        for number in one.shown[1:]:
            end = first.index(texts[number], end) + len(texts[number])
        assert shared_prefix(first, second) >= end
        assert first[end:].removeprefix("\n\nuser: ").lstrip("~\n").startswith("Your role: "), (
            "nothing else is left"
        )


@pytest.mark.parametrize("kind", KINDS)
async def test_the_first_debaters_of_a_debate_share_the_whole_brief(kind: type[GroupTalk]) -> None:
    cast = MINUTES if kind is SimultaneousTalkWithSummarizer else CAST
    record = await hold(kind.model_validate({"cast": cast}), replying(WORDS))
    assert len({call.request.messages[0] for call in record.calls}) == 1


def test_one_card_can_sit_several_times() -> None:
    chosen = OneByOne(cast={"debaters": (ANN, ANN)})
    record = run_jumping(hold(chosen, replying(WORDS)))
    assert [step[0] for step in steps(record)] == ["ann", "ann-2", "ann", "ann-2"]
    assert isinstance(chosen.cast["debaters"][0], Card)


async def test_without_fences_texts_and_talk_stand_bare_and_the_strategy_says_so() -> None:
    """The ablation, inside another strategy too: the same prompts, without lines of tildes and the word about them."""
    around = OneByOne(name="talk", cast=CAST, rounds=2, fences=False)
    model = replying({**WORDS, "vote": overall(8, 6)})
    record = await hold(SwappedPositions(name="both", around=around), model, item=PAIR, aspects=("overall",))
    assert record.verdict is not None, record.failure
    assert record.strategy == "both-without-fences"
    shown = ["\n".join(one.content for one in call.request.messages) for call in record.calls]
    assert not [text for text in shown if "~~~" in text or "tildes" in text]
    assert any("Ann:\nI think so.\n\nBen:\nI think so." in text for text in shown)
