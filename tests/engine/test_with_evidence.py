"""Evidence in front of any debate: everyone hears it, whoever sits down and whenever."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from engine_cases import ANN, PAIR, TASKS, hold, overall, said, scoring, verdict_of
from evidence_cases import NOTED, register

from agentdebate.debates.ready import ready
from agentdebate.debates.record import Record
from agentdebate.errors import EvaluatorFailed, StrategyError
from agentdebate.evaluators import registry
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import strategy
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.position_swap import SwappedPositions
from agentdebate.strategies.recruitment import Recruited
from agentdebate.strategies.repetition import Repeated
from agentdebate.strategies.solo import Solo
from agentdebate.strategies.with_evidence import WithEvidence
from agentdebate.tasks import Item
from agentdebate.testing import Words, replying

LINE = "- length: 6, on a range from 0 to 10; compared with the note; higher is better"
SOLO = Solo(cast={"scorer": (ANN,)})


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


def heard(record: Record, line: str = LINE) -> dict[str, bool]:
    """Whether each agent was shown a line whenever it spoke."""
    found: dict[str, bool] = {}
    for call in record.calls:
        content = "\n".join(message.content for message in call.request.messages)
        found[call.agent] = found.get(call.agent, True) and any(
            one.startswith(line) for one in content.splitlines()
        )
    return found


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


EVIDENCED = PAIR.model_copy(update={"evidence": {"bleurt.answer_1": 0.5, "bleurt.answer_2": 0.25}})


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


async def test_an_evaluator_that_gives_no_number_is_a_failure_and_no_score() -> None:
    record = await judge(informed(SOLO, "flat:given=nan"), scoring(3))
    assert isinstance(record.error, EvaluatorFailed)
    assert record.calls == ()


async def test_nothing_is_measured_twice(monkeypatch: pytest.MonkeyPatch) -> None:
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
