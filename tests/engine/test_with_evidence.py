"""Evidence in front of any debate: everyone hears it, whoever sits down and whenever."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from engine_cases import ANN, BEN, ITEM, NO_ISSUE, PAIR, TASKS, Played, hold, overall, said, scoring
from evidence_cases import NOTED, register
from pydantic import ValidationError

from agentdebate.debates.ready import ready
from agentdebate.debates.record import Record
from agentdebate.errors import DataError, EvaluatorFailed, StrategyError, UsageError
from agentdebate.evaluators import registry
from agentdebate.models.base import ModelRequest
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import strategy
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.position_swap import SwappedPositions
from agentdebate.strategies.recruitment import Recruited
from agentdebate.strategies.repetition import Repeated
from agentdebate.strategies.solo import Solo
from agentdebate.strategies.with_evidence import WithEvidence
from agentdebate.talk.messages import Evidence, Verdict
from agentdebate.talk.purposes import SCORE
from agentdebate.tasks import Item
from agentdebate.testing import Words, replying

LINE = "- length: 6, on a range from 0 to 10; compared with the note; higher is better"
SOLO = Solo(cast={"scorer": (ANN,)})
PANEL = OneByOne(rounds=1, cast={"debaters": (ANN, BEN)})


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def informed(around: Strategy | str, *evaluators: str, **options: Any) -> WithEvidence:
    inner = strategy(around) if isinstance(around, str) else around
    return WithEvidence(around=inner, evaluators=evaluators or ("length",), **options)


async def judge(
    chosen: Strategy, words: Words | Mapping[str, Words], item: Item = NOTED, **options: Any
) -> Record:
    return await hold(chosen, replying(words), item=item, **options)


def verdict_of(record: Record) -> Verdict:
    assert record.verdict is not None, record.failure
    return record.verdict


def heard(record: Record, line: str = LINE) -> dict[str, bool]:
    """Whether each agent was shown a line whenever it spoke."""
    found: dict[str, bool] = {}
    for call in record.calls:
        content = "\n".join(message.content for message in call.request.messages)
        found[call.agent] = found.get(call.agent, True) and any(
            one.startswith(line) for one in content.splitlines()
        )
    return found


async def test_everyone_in_a_debate_hears_the_evidence() -> None:
    record = await judge(informed("debate"), {"scorer": scoring(3), "critic": NO_ISSUE})
    assert heard(record) == {"scorer": True, "critic": True}
    (evidence,) = said(record, "evidence")
    assert isinstance(evidence, Evidence)
    assert (evidence.to, evidence.sender) == (("commander", "scorer", "critic"), "floor")
    assert [
        (one.evaluator, one.score, one.low, one.high, one.premise, one.version) for one in evidence.findings
    ] == [("length", 6, 0, 10, "note", "length 1")]
    assert verdict_of(record).score == 3


async def test_everyone_in_a_group_talk_hears_it_in_the_same_words() -> None:
    record = await judge(informed(PANEL), {"ann": scoring(3), "ben": scoring(4)})
    assert heard(record) == {"ann": True, "ben": True}
    (evidence,) = said(record, "evidence")
    assert isinstance(evidence, Evidence)
    assert all(evidence.text in call.request.messages[-1].content for call in record.calls)


ROSTER = "1. Sailor: Reads the sea.\n2. Baker: Reads the bread."


@pytest.mark.parametrize("outside", [True, False])
async def test_recruits_hear_it_too_wherever_they_are_recruited(outside: bool) -> None:
    panel = OneByOne(rounds=1, cast={"debaters": "recruit"})
    recruiting: Callable[[Strategy], Strategy] = lambda inner: Recruited(  # noqa: E731 - a wrapper as a value
        around=inner, k=2, cluster=False, cast={"recruiter": (ANN,)}
    )
    chosen = informed(recruiting(panel)) if outside else recruiting(informed(panel))
    record = await judge(chosen, {"recruiter": ROSTER, "sailor": scoring(3), "baker": scoring(4)})
    assert verdict_of(record).score == 3.5
    assert heard(record) == {"recruiter": outside, "sailor": True, "baker": True}


async def test_who_sits_down_anew_hears_it_once() -> None:
    record = await judge(informed(Repeated(around=SOLO, samples=3)), scoring(3))
    assert heard(record) == {"scorer": True, "scorer#2": True, "scorer#3": True}
    assert len(said(record, "evidence")) == 1
    for call in record.calls:
        assert call.request.messages[-1].content.count(LINE) == 1
        assert len(set(call.shown)) == len(call.shown)


async def test_inside_repeated_samples_every_sitting_hears_its_own_evidence_once() -> None:
    record = await judge(Repeated(around=informed(SOLO), samples=3), scoring(3))
    assert heard(record) == {"scorer": True, "scorer#2": True, "scorer#3": True}
    assert [message.to for message in said(record, "evidence")] == [("scorer",), ("scorer#2",), ("scorer#3",)]
    for call in record.calls:
        assert call.request.messages[-1].content.count(LINE) == 1
    assert len({call.request.messages for call in record.calls}) == 1, "or samples would not be of the same"


async def test_a_further_sitting_knows_what_was_public_before_its_wrapper_began_and_nothing_else() -> None:
    """Evidence between two wrappers is for all sittings of the inner one, and measured anew by the outer one's."""
    inner = informed(Repeated(around=SOLO, samples=2))
    record = await judge(Repeated(around=inner, samples=2), scoring(3))
    assert list(heard(record)) == ["scorer", "scorer#2", "scorer#3", "scorer#4"]
    evidence = [message.seq for message in said(record, "evidence")]
    assert len(evidence) == 2
    assert [[seq for seq in evidence if seq in call.shown] for call in record.calls] == [
        evidence[:1],
        evidence[:1],
        evidence[1:],
        evidence[1:],
    ]


EVIDENCED = PAIR.model_copy(update={"evidence": {"bleurt.answer_1": 0.5, "bleurt.answer_2": 0.25}})


async def test_inside_swapped_positions_evidence_names_the_texts_by_their_new_places() -> None:
    chosen = SwappedPositions(around=informed(SOLO, "length:premise=question"))
    record = await judge(chosen, overall(8, 5), EVIDENCED, aspects="overall")
    first, second = (call.request.messages[-1].content.splitlines() for call in record.calls)
    assert {"- bleurt of Answer A: 0.5", "- bleurt of Answer B: 0.25"} <= set(first)
    assert {"- bleurt of Answer A: 0.25", "- bleurt of Answer B: 0.5"} <= set(second)
    line = "- length of Answer A: 4, on a range from 0 to 10; compared with the question; higher is better"
    assert any(one.startswith(line) for one in first)
    candidates = [
        [one.candidate for one in message.findings]
        for message in said(record, "evidence")
        if isinstance(message, Evidence)
    ]
    assert candidates[0] == ["answer_1", "answer_2", "answer_1", "answer_2"]
    assert candidates[1][:2] == ["answer_2", "answer_1"], "measured in the order in which they are shown"


@pytest.mark.parametrize("repeated", [False, True])
async def test_inside_swapped_positions_nobody_hears_the_evidence_of_another_order(repeated: bool) -> None:
    inner: Strategy = informed(SOLO, "length:premise=question")
    chosen = SwappedPositions(around=Repeated(around=inner, samples=2) if repeated else inner)
    record = await judge(chosen, overall(8, 5), EVIDENCED, aspects="overall")
    assert len(record.calls) == len(said(record, "evidence")) == (4 if repeated else 2)
    for call in record.calls:
        assert call.request.context is not None
        first = call.request.context.candidates[0].field
        lines = [line for line in call.request.messages[-1].content.splitlines() if "- bleurt" in line]
        scores = ("0.5", "0.25") if first == "answer_1" else ("0.25", "0.5")
        assert sorted(lines) == [
            f"- bleurt of Answer {label}: {score}" for label, score in zip("AB", scores, strict=True)
        ], "each once, and by the places of this sitting"


async def test_around_swapped_positions_it_is_refused_before_a_call_is_paid_for() -> None:
    chosen = informed(SwappedPositions(around=SOLO), "length:premise=question")
    record = await judge(chosen, overall(8, 5), EVIDENCED, aspects="overall")
    assert isinstance(record.error, StrategyError)
    assert str(record.error).endswith("put the evidence inside it")
    assert record.calls == ()
    inside = SwappedPositions(around=informed(SOLO, "length:premise=question"))
    assert verdict_of(await judge(inside, overall(8, 5), EVIDENCED, aspects="overall")).winner is None


async def test_whatever_the_strategy_inside_refuses_is_refused() -> None:
    record = await judge(informed(SwappedPositions(around=SOLO)), scoring(3))
    assert isinstance(record.error, StrategyError)
    assert "judges a single one" in str(record.error)


async def test_scores_that_came_with_the_item_need_no_evaluators() -> None:
    item = ITEM.model_copy(update={"evidence": {"bleurt": 0.123456, "nli": None}})
    record = await judge(WithEvidence(around=SOLO), scoring(3), item)
    lines = record.calls[0].request.messages[-1].content.splitlines()
    assert {"- bleurt: 0.1235", "- nli: no score"} <= set(lines)
    (evidence,) = said(record, "evidence")
    assert isinstance(evidence, Evidence)
    assert [(one.evaluator, one.score, one.low) for one in evidence.findings] == [
        ("bleurt", 0.123456, None),
        ("nli", None, None),
    ]


async def test_a_range_without_an_end_is_not_shown_as_one() -> None:
    record = await judge(informed(SOLO, "endless"), scoring(3))
    turn = record.calls[0].request.messages[-1].content
    assert "\n- endless: -2; compared with the note; higher is better" in turn


async def test_an_item_that_lacks_what_an_evaluator_compares_with_is_a_failure_that_names_it() -> None:
    record = await judge(informed(SOLO), scoring(3), ITEM)
    assert isinstance(record.error, DataError)
    assert record.failure is not None
    assert "item-1" in record.failure.reason
    assert record.calls == ()


async def test_an_evaluator_that_gives_no_number_is_a_failure_and_no_score() -> None:
    record = await judge(informed(SOLO, "flat:given=nan"), scoring(3))
    assert isinstance(record.error, EvaluatorFailed)
    assert record.calls == ()


async def test_an_evaluator_that_does_not_exist_is_the_callers_mistake() -> None:
    with pytest.raises(UsageError, match=r"no evaluator 'lenght'\. Did you mean 'length'"):
        await judge(informed(SOLO, "lenght"), scoring(3))


async def test_nothing_is_measured_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Any] = []
    real = registry.evaluator

    def opened(spec: str, **options: Any) -> Any:
        made.append(real(spec, **options))
        return made[-1]

    monkeypatch.setattr(registry, "evaluator", opened)
    async with ready(informed(SOLO), model=replying(scoring(3)), tasks=TASKS) as debate:
        for item in (NOTED, NOTED, NOTED.model_copy(update={"id": "item-2"})):
            assert (await debate.hold(item, "fluency")).verdict
    assert sum(len(one.scored) for one in made) == 1


async def test_a_strategy_of_ones_own_is_informed_as_well() -> None:
    async def play(floor: Any) -> Verdict:
        score = await floor.ask(floor.cast("debaters")[1], SCORE)
        verdict: Verdict = floor.verdict(score, settled=True, ended="agreement")
        return verdict

    assert heard(await judge(informed(Played(play=play)), scoring(3))) == {"ben": True}


def test_the_file_goes_around_the_papers_debate() -> None:
    chosen = strategy("debate-with-evidence")
    assert isinstance(chosen, WithEvidence)
    assert chosen.around.model_dump() == strategy("debate").model_dump()
    assert chosen.evaluators == ("rouge-1", "rouge-2", "rouge-l", "bleu", "chrf")


def test_there_has_to_be_something_inside() -> None:
    with pytest.raises(ValidationError):
        WithEvidence()  # type: ignore[call-arg]  # that is the mistake


def everywhere(request: ModelRequest) -> str:
    """Talks, and scores where a score is wanted."""
    assert request.context is not None
    return overall(8, 5) if request.context.reply == "score" else "I see."


async def test_the_papers_chateval_is_informed_in_both_orders() -> None:
    chateval = strategy("chateval")
    assert isinstance(chateval, SwappedPositions)
    chosen = chateval.model_copy(update={"around": informed(chateval.around, "length:premise=question")})
    record = await judge(chosen, everywhere, EVIDENCED, aspects="overall")
    line = "- length of Answer A: 4, on a range from 0 to 10; compared with the question; higher is better"
    assert set(heard(record, line).values()) == {True}
    assert {call.agent.endswith("#2") for call in record.calls} == {True, False}
