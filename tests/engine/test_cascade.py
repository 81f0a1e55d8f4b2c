"""Cascades: which stage decides, how sure it has to be, and debates on which no stage is sure enough."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from engine_cases import (
    ANN,
    BEN,
    CAT,
    COHERENCE,
    FLUENCY,
    NO_ISSUE,
    PAIR,
    TASK,
    UNREADABLE,
    card,
    hold,
    overall,
    said,
    scoring,
    verdict_of,
)
from pydantic import ValidationError

from agentdebate.agents.debate_settings import DebateLimits
from agentdebate.ballots.ballot import Ballot, Confidence, Rating
from agentdebate.debates.outcome import ABSTAINED
from agentdebate.debates.ready import ready
from agentdebate.debates.record import Record
from agentdebate.errors import StrategyError, UsageError, UserError
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.project.project import Project
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.cascade import Cascade, Stage, StageSource, confidence_of
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from agentdebate.strategies.load import strategy
from agentdebate.strategies.position_swap import SwappedPositions
from agentdebate.strategies.repetition import Repeated
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.strategies.solo import Solo
from agentdebate.talk.messages import CastBallot, StageEnd, Verdict
from agentdebate.tasks import Aspect
from agentdebate.testing import Words, replying
from agentdebate.usage import Usage

JUDGE = card("judge")
ONE = Solo(name="one", cast={"scorer": (JUDGE,)}, confidence="asked")
PANEL = SimultaneousTalk(name="panel", cast={"debaters": (ANN, BEN, CAT)}, rounds=1)
DEBATE = DevilsAdvocate(name="talk", confidence="asked", rounds=1)


def of(*stages: tuple[Strategy, StageSource, float | None]) -> Cascade:
    """A cascade of these stages, each with its threshold."""
    return Cascade(
        name="three",
        stages=tuple(Stage(strategy=one, confidence=how) for one, how, _ in stages),
        thresholds={one.title: least for one, _, least in stages if least is not None},
    )


def cascade(*thresholds: float | None) -> Cascade:
    """One judge, a panel, a debate, with these thresholds."""
    kinds: tuple[tuple[Strategy, StageSource], ...] = ((ONE, "asked"), (PANEL, "votes"), (DEBATE, "asked"))
    return of(*((*kind, least) for kind, least in zip(kinds, thresholds, strict=False)))


def sure(score: float, percent: int) -> str:
    return f"{scoring(score)}\nConfidence: {percent}%"


SAID: Mapping[str, Words] = {
    "one.scorer": sure(2, 60),
    "panel.ann": scoring(3),
    "panel.ben": scoring(3),
    "panel.cat": scoring(4),
    "talk.scorer": sure(4, 90),
    "talk.critic": NO_ISSUE,
}


async def judged(chosen: Strategy, **instead: Words) -> Record:
    words = {name.replace("_", "."): one for name, one in instead.items()}
    return await hold(chosen, replying({**SAID, **words}))


def stages(record: Record) -> list[tuple[str, float | None, bool]]:
    ends = [one for one in said(record, "stage") if isinstance(one, StageEnd)]
    return [(one.stage, one.confidence and round(one.confidence, 2), one.stands) for one in ends]


@pytest.mark.parametrize(
    ("thresholds", "held", "score", "calls"),
    [
        ((0.6, 0.5, 0.5), [("one", 0.6, True)], 2, 1),
        ((0.61, 0.7, 0.5), [("one", 0.6, False), ("panel", 0.67, False), ("talk", 0.9, True)], 4, 6),
        ((None, 0.66), [("one", 0.6, False), ("panel", 0.67, True)], 10 / 3, 4),
        ((0,), [("one", 0.6, True)], 2, 1),
    ],
)
async def test_the_first_stage_that_is_sure_enough_decides_and_no_later_one_is_held(
    thresholds: tuple[float | None, ...], held: list[Any], score: float, calls: int
) -> None:
    record = await judged(cascade(*thresholds))
    assert (stages(record), len(record.calls)) == (held, calls)
    assert verdict_of(record).score == pytest.approx(score)
    assert verdict_of(record).ended.startswith(f"{held[-1][0]}: ")


@pytest.mark.parametrize("thresholds", [(None, None, None), (0.7, 0.9, 0.95)])
async def test_a_cascade_in_which_no_stage_is_sure_enough_abstains_and_says_what_it_took(
    thresholds: tuple[float | None, ...],
) -> None:
    record = await judged(cascade(*thresholds))
    verdict = verdict_of(record)
    assert (record.outcome, verdict.ratings, verdict.ended) == (ABSTAINED, (), "abstained")
    assert verdict.abstained == "no stage was sure enough of its verdict"
    assert (len(record.calls), len(verdict.ballots), verdict.models) == (6, 5, ("replying",))
    assert record.row()["outcome"] == "abstained"


@pytest.mark.parametrize(
    ("thresholds", "talk", "outcome"),
    [
        ((0.5, 0.99, 0.5), sure(4, 90), "verdict"),
        ((0.5, 0.99, 0.95), sure(4, 90), "failure"),
        ((None, 0.99, 0.95), sure(4, 90), "abstained"),
        ((None, None, None), sure(4, 90), "abstained"),
        ((None, None, None), UNREADABLE, "abstained"),
    ],
)
async def test_a_stage_that_fails_lets_the_item_go_on_and_fails_the_debate_where_it_alone_might_have_stood(
    thresholds: tuple[float | None, ...], talk: str, outcome: str
) -> None:
    record = await judged(cascade(*thresholds), one_scorer=UNREADABLE, talk_scorer=talk)
    first = said(record, "stage")[0]
    assert isinstance(first, StageEnd)
    assert (first.ratings, first.confidence, "no score" in first.problem) == ((), None, True), first.problem
    assert record.outcome.name == outcome


async def test_a_debate_fails_in_which_every_stage_failed() -> None:
    assert (await judged(of((ONE, "asked", None)), one_scorer=UNREADABLE)).outcome.name == "failure"


@pytest.mark.parametrize(("least", "stand"), [(0.01, False), (0, True)])
async def test_a_confidence_that_is_not_told_counts_as_0(least: float, stand: bool) -> None:
    silent = Solo(name="one", cast={"scorer": (JUDGE,)})
    record = await judged(of((silent, "asked", least)), one_scorer=scoring(3))
    assert stages(record) == [("one", None, stand)]


async def test_a_stage_is_asked_as_it_is_alone_and_hears_nothing_of_the_stages_before() -> None:
    """So that a cache answers both, and a calibration of the one holds for the other."""
    alone = await hold(PANEL, replying({"ann": scoring(3), "ben": scoring(3), "cat": scoring(4)}))
    inside = [call for call in (await judged(cascade(None, 0.1))).calls if call.agent.startswith("panel.")]
    assert [one.request.messages for one in inside] == [one.request.messages for one in alone.calls]
    assert [one.request.sample for one in inside] == [0, 0, 0]


async def test_a_cascade_goes_into_other_wrappers_and_its_stages_sit_again_with_them() -> None:
    two = of((ONE, "asked", 0.5), (PANEL, "votes", None))
    record = await hold(
        Repeated(around=two, samples=2), replying({"one.scorer": sure(2, 90), "one.scorer#2": sure(4, 90)})
    )
    assert (verdict_of(record).score, [call.request.sample for call in record.calls]) == (3, [0, 1])


async def test_both_orders_that_agree_are_sure_and_others_are_not() -> None:
    swapped = SwappedPositions(name="both", around=Solo(cast={"scorer": (JUDGE,)}))
    two = of((swapped, "both orders", 1))
    outcomes = [
        (
            await hold(
                two,
                replying({"both.scorer": overall(8, 2), "both.scorer#2": second}),
                item=PAIR,
                aspects="overall",
            )
        ).outcome.name
        for second in (overall(2, 8), overall(8, 2))
    ]
    assert outcomes == ["verdict", "abstained"]


async def test_what_its_limits_cut_off_is_an_abstention() -> None:
    def dear(_: ModelRequest) -> Completion:
        return Completion(
            text=sure(3, 10), model="dear", usage=Usage(calls=1, prompt_tokens=100, completion_tokens=100)
        )

    limits = DebateLimits(tokens=300)
    record = await hold(cascade(None, None, None), Function("dear", dear), debate_limits=limits)
    assert (record.outcome, len(record.calls)) == (ABSTAINED, 1)
    assert (verdict_of(record).abstained, bool(verdict_of(record).curtailed)) == (
        "the debate's limits ended it before a stage was sure", True,
    )  # fmt: skip


def project(tmp_path: Path, *stages: str, more: str = "") -> Project:
    """A project with a cascade of these stages, as its file has them."""
    (tmp_path / "strategies").mkdir()
    text = f'name = "mine"\nabout = "x"\nuses = "cascade"\n{more}\n'
    tables = "".join(f"[[options.stages]]\n{one}\n" for one in stages)
    (tmp_path / "strategies" / "mine.toml").write_text(text + tables)
    return Project(tmp_path)


SOLO, PAIRED = 'strategy = "solo"\nconfidence = "asked"', 'strategy = "chateval"\nconfidence = "both orders"'


def test_a_file_names_stages_and_a_source_that_is_the_stages_own_option_is_set_there(tmp_path: Path) -> None:
    made = strategy(
        "mine",
        project=project(
            tmp_path, SOLO, PAIRED, more='[models]\nsolo = "cheap/x"\n"chateval.debaters" = "dear/x"'
        ),
    )
    assert isinstance(made, Cascade)
    first, second = made.stages
    assert (getattr(first.strategy, "confidence", ""), second.confidence) == ("asked", "both orders")
    seats = {role: [seat.model for seat in some] for role, some in made.seats().items()}
    assert seats == {"solo.scorer": ["cheap/x"], "chateval.debaters": ["dear/x", "dear/x"]}


@pytest.mark.parametrize(
    ("stages", "problem"),
    [
        (('strategy = "mine"\nconfidence = "asked"',), "mine around mine"),
        ((SOLO, SOLO), "takes two files"),
        (('strategy = "sollo"\nconfidence = "asked"',), "solo"),
        (('strategy = "geval"\nconfidence = "asked"',), "no option 'confidence'"),
        (('strategy = "solo"\nconfidence = "mood"',), "stages.0.confidence"),
    ],
)
def test_a_stage_that_cannot_be_is_refused_before_a_debate(
    tmp_path: Path, stages: tuple[str, ...], problem: str
) -> None:
    with pytest.raises(UserError, match=problem):
        strategy("mine", project=project(tmp_path, *stages))


@pytest.mark.parametrize("wrong", [{"won": 0.5}, {"one": 2}, {"one": "high"}])
def test_a_threshold_of_no_stage_or_that_is_no_share_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="thresholds"):
        Cascade.model_validate({**dict(cascade(0)), "thresholds": wrong})


class Wider(Solo):
    def asked(self, aspects: tuple[Aspect, ...]) -> tuple[Aspect, ...]:
        return (*aspects, COHERENCE)


def test_a_stage_that_judges_other_aspects_is_refused() -> None:
    with pytest.raises(UsageError, match="option 'stages': it is a list, not 5"):
        strategy("cascade", stages=5, thresholds={})
    with pytest.raises(StrategyError, match="the stage 'wide' judges other aspects"):
        of((ONE, "asked", 0), (Wider(name="wide"), "asked", 0)).check(TASK, (FLUENCY,))


SURE = Confidence(value=0.8, source="asked")


@pytest.mark.parametrize(
    ("scores", "source", "told"),
    [
        ((3, 3.5, 4), "votes", 2 / 3),
        ((3,), "votes", None),
        ((3, 5), "asked", 0.4),
        ((3,), "repeats", None),
        ((3,), "both orders", None),
    ],
)
def test_a_confidence_is_the_share_of_the_ballots_for_the_verdict_each_as_sure_as_its_agent(
    scores: tuple[float, ...], source: StageSource, told: float | None
) -> None:
    ballots = tuple(
        CastBallot(
            agent=str(place), round=1, message=1, model="m",
            ballot=Ballot(ratings=(Rating(aspect="fluency", score=one),), confidence=SURE),
        )
        for place, one in enumerate(scores)
    )  # fmt: skip
    verdict = Verdict(
        ratings=(Rating(aspect="fluency", score=3),),
        settled=True,
        ended="",
        rounds=1,
        merge="",
        ballots=ballots,
    )
    assert confidence_of(verdict, source, (FLUENCY,)) == (told if told is None else pytest.approx(told))


@pytest.mark.parametrize("key", ["solo", "scorer", "solo.scorer"])
async def test_a_stages_model_that_a_file_names_is_asked_only_where_the_user_says_so(
    tmp_path: Path, key: str
) -> None:
    made = project(tmp_path, SOLO, more=f'[models]\n"{key}" = "openai/gpt-6-luna"')
    with pytest.raises(UserError, match=r"files name models: solo.scorer by openai/gpt-6-luna"):
        async with ready(strategy("mine", project=made), project=made):
            pass
