"""ChatEval's communication strategies beside the paper's Algorithms 1 to 3: who is asked for what, and who knows what."""

from typing import Any, Literal

import pytest
from engine_cases import ANN, BEN, CAT, PAIR, card, hold, overall, scoring
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.debates.record import Record
from agentdebate.models.base import Call
from agentdebate.strategies.group_talk import GroupTalk
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.position_swap import SwappedPositions
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.talk.messages import Ask, Brief, Reply
from agentdebate.testing import replying, run_jumping, transcript_memories

Said = tuple[str, int]
"""Who said it in which round."""


CAST = {"debaters": (ANN, BEN, CAT)}


WORDS = {"speak": "I think so.", "vote": scoring(4), "summarise": "They agree."}


def who_said(record: Record) -> dict[int, Said]:
    return {m.seq: (m.sender, m.round) for m in record.transcript if isinstance(m, Reply)}


def histories(record: Record) -> dict[str, tuple[Said, ...]]:
    """What everyone has heard and said at the end."""
    said = who_said(record)
    return {
        name: tuple(said[number] for number in known if number in said)
        for name, known in transcript_memories(record.transcript).items()
    }


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
