"""A cascade: cheap stages first, a stage's verdict stands where it is sure enough, and where none is the cascade abstains.

After "Trust or Escalate" (Jung et al. 2024, arXiv 2407.18370, Section 2), where each judge has a threshold of its own, and abstention is the
last resort: what no stage is sure of is for people. Any strategy can be a stage, and debate is mostly the last (DOWN, arXiv 2504.05047).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, SerializeAsAny, model_validator

from agentdebate.ballots.ballot import Ballot, Source
from agentdebate.errors import AgentFailed, StrategyError, TooFewBallots, TurnTimeout, nearest
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.verdicts import best
from agentdebate.strategies.wrapper import Composite
from agentdebate.talk.messages import StageEnd, Verdict, stands
from agentdebate.tasks import Aspect, Task

if TYPE_CHECKING:
    from agentdebate.strategies.floor import Floor  # which brings along what holds debates

StageSource = Literal[Source, "votes", "both orders"]
"""Source of a stage's confidence: its agents' own, where they have the option `confidence`; the share of its votes that go to the
verdict; or whether both orders of the texts came to the same."""
OWN: frozenset[str] = frozenset(get_args(Source))
"""Sources that are an option of the stage's strategy."""
STAGES = "stages"
"""The option that says what is inside."""

_NEAR = 0.5 + 1e-9
"""Points by which a score may be off the verdict's and still be a vote for it: half a point, as wherever scores are right or wrong."""


class Stage(BaseModel):
    """A stage of a cascade: a strategy, and where the confidence of its verdicts comes from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    strategy: SerializeAsAny[Strategy]
    confidence: StageSource


class Cascade(Composite):
    """Holds one stage after the other until one is sure enough of its verdict; where none is, the cascade abstains.

    A stage hears nothing of those before it. One that fails lets the item go on; where none stands then, the debate fails if the one
    that failed has a threshold, so that it might have stood, or if all failed. Without thresholds no verdict stands: all stages are
    held, and `calibrate` finds the thresholds from people's labels of these debates.
    """

    stages: Annotated[tuple[Stage, ...], Field(min_length=1)]
    """The stages, the cheapest first: tables of strategy and confidence."""
    thresholds: Mapping[str, Annotated[FiniteFloat, Field(ge=0, le=1)]] = {}
    """The least confidence with which a stage's verdict stands, by the stage's name; one that is unknown counts as 0, and 0 lets every
    verdict stand. A stage without one lets none, and is held for `calibrate` alone."""

    sits_again: ClassVar[bool] = True

    @model_validator(mode="after")
    def _names_its_stages(self) -> Self:
        names = [stage.strategy.title for stage in self.stages]
        if len(self.parts) < len(names):
            raise ValueError(f"stages {', '.join(names)}: one that is to stand twice takes two files")
        for name in self.thresholds:
            if name not in self.parts:
                raise ValueError(
                    f"thresholds has no stage {name!r}. {nearest(name, names)} thresholds={{}} sets those of a strategy's file aside"
                )
        return self

    @property
    def parts(self) -> Mapping[str, Strategy]:
        """The strategies of the stages."""
        return {stage.strategy.title: stage.strategy for stage in self.stages}

    async def debate(self, floor: "Floor") -> Verdict:
        """Hold the stages until one of them stands."""
        failed = dict[str, Exception]()
        verdicts: list[Verdict] = []
        for (name, one), stage in zip(self.parts.items(), self.stages, strict=True):
            own = floor.stage(name, one.asked(floor.aspects))
            said = StageEnd(stage=name, source=stage.confidence, threshold=self.thresholds.get(name))
            try:
                verdict = await one.debate(own)
            except (AgentFailed, TooFewBallots, TurnTimeout) as error:
                failed[name] = error
                await floor.announce(replace(said, problem=str(error)))
                continue
            verdicts.append(verdict)
            said = await floor.announce(
                _ended(said, verdict, confidence_of(verdict, stage.confidence, own.aspects))
            )
            if said.stands and not floor.rehearsal:
                return _whole(replace(verdict, ended=f"{name}: {verdict.ended}"), verdicts)
        if failed and (not verdicts or failed.keys() & self.thresholds.keys()):
            raise failed.popitem()[1]
        return _whole(floor.abstained("no stage was sure enough of its verdict"), verdicts)

    def salvage(self, floor: "Floor") -> Verdict:
        """Abstain: what its limits cut off had no stage that was sure."""
        return floor.abstained("the debate's limits ended it before a stage was sure")

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Raise StrategyError where a stage cannot debate the aspects, or would judge others, or on other scales."""
        for name, one in self.parts.items():
            asked = one.asked(aspects)
            one.check(task, asked)
            theirs, ours = (
                [(each.name, task.candidates or each.scale) for each in some] for some in (asked, aspects)
            )
            if theirs != ours:
                raise StrategyError(
                    f"{self.title}: the stage {name!r} judges other aspects, or on other scales, than are asked for"
                )


def confidence_of(verdict: Verdict, source: StageSource, aspects: Sequence[Aspect]) -> float | None:
    """Confidence of a verdict from 0 to 1; None where it cannot be told, as of one vote.

    Of several agents' own it is the mean, in which one who says otherwise than the verdict counts as 0.
    """
    if source == "both orders":
        return None if verdict.agreed is None else float(verdict.agreed)
    ballots = tuple({cast.agent: cast.ballot for cast in verdict.ballots}.values())
    if source == "votes":
        return fmean(_is_for(ballot, verdict, aspects) for ballot in ballots) if len(ballots) > 1 else None
    sure = [
        one.confidence.value * _is_for(one, verdict, aspects)
        for one in ballots
        if one.confidence and one.confidence.source == source
    ]
    return fmean(sure) if sure else None


def _is_for(ballot: Ballot, verdict: Verdict, aspects: Sequence[Aspect]) -> bool:
    """Tell whether a ballot comes to the same as the verdict: the same winners, or scores within half a point."""
    if verdict.winners:
        return {*best(ballot.ratings, aspects)} == {*verdict.winners}
    scores = ballot.scores
    return all(abs(scores.get(name, score) - score) <= _NEAR for name, score in verdict.scores.items())


def _ended(said: StageEnd, verdict: Verdict, sure: float | None) -> StageEnd:
    """The end of a stage with its verdict, which stands where it is sure enough."""
    if verdict.abstained:
        return replace(said, problem=f"abstained: {verdict.abstained}")
    told = replace(said, ratings=verdict.ratings, winners=verdict.winners, confidence=sure)
    return replace(told, stands=stands(sure, said.threshold))


def _whole(verdict: Verdict, stages: Sequence[Verdict]) -> Verdict:
    """The verdict with the ballots, models and losses of all stages that were held."""
    return replace(
        verdict,
        ballots=tuple(cast for one in stages for cast in one.ballots),
        models=tuple(dict.fromkeys(model for one in stages for model in one.models)),
        lost=tuple(lost for one in stages for lost in one.lost),
        rounds=sum(one.rounds for one in stages),
    )
