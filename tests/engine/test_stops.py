"""Stop rules: what each makes of ballots, and when a debate ends by one."""

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import EntryPoint
from typing import Any

import pytest
from engine_cases import ANN, BEN, CAT, COHERENCE, FLUENCY, OBJECTION, card, hold, scoring
from hypothesis import given
from hypothesis import strategies as st

from agentdebate import plugins
from agentdebate.agents.seat import Card
from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.debates.record import Record
from agentdebate.errors import StrategyError, UsageError
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.group_talk import GroupTalk
from agentdebate.strategies.load import strategy
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.strategies.stops import (
    GROUP,
    Round,
    StopContext,
    convergence,
    majority,
    stable,
    stop_rule,
    unanimous,
)
from agentdebate.strategies.summarizer_talk import SimultaneousTalkWithSummarizer
from agentdebate.talk.messages import CastBallot, Verdict
from agentdebate.talk.purposes import SPEAK
from agentdebate.testing import replying

NAMES = ("ann", "ben", "cat", "dot", "eve")


SINGLE = StopContext((FLUENCY, COHERENCE))


KINDS = (OneByOne, SimultaneousTalk, SimultaneousTalkWithSummarizer)


def cast(agent: str, score: float | Mapping[str, float], round_: int = 1) -> CastBallot:
    """A ballot on fluency, or on what is named: "overall.answer_1"."""
    scores = score if isinstance(score, Mapping) else {"fluency": score}
    ratings = tuple(
        Rating(aspect=name.partition(".")[0], candidate=name.partition(".")[2] or None, score=one)
        for name, one in scores.items()
    )
    return CastBallot(agent=agent, round=round_, message=1, model="m", ballot=Ballot(ratings=ratings))


def row(*scores: float | Mapping[str, float] | None) -> Round:
    """A round in which ann, ben, ... gave these scores."""
    return [None if score is None else cast(name, score) for name, score in zip(NAMES, scores, strict=False)]


@pytest.mark.parametrize(
    ("ballots", "options", "ends"),
    [
        (row(4, 4, 4), {}, True),
        (row(4, 4, 3), {}, False),
        (row(4, 4, 3), {"within": 1.0}, True),
        (row(4.0, 3.9, 3.7), {"within": 0.3}, True),
        (row(5, 4, 3), {"within": 1.0}, False),
        (row(4, 4, None), {}, False),
        (row(None, None), {}, False),
        (row(4), {}, False),
        (row({"fluency": 4, "coherence": 2}, {"fluency": 4, "coherence": 3}), {}, False),
        (row({"fluency": 4, "coherence": 2}, {"coherence": 2, "fluency": 4}), {}, True),
    ],
)
def test_unanimous_ends_where_all_ballots_are_alike(
    ballots: Round, options: dict[str, float], ends: bool
) -> None:
    assert unanimous([ballots], SINGLE, **options) == ("unanimity" if ends else None)


@pytest.mark.parametrize(
    ("ballots", "share", "ends"),
    [
        (row(4, 4, 3), 0.5, True),
        (row(4, 3), 0.5, False),
        (row(4, 4, 3, 2), 0.5, False),
        (row(4, 4, 4, 2), 0.75, True),
        (row(4, 4, 3), 0.75, False),
        (row(4, 4, 3), 2 / 3, True),
        (row(4, 4, None), 0.5, True),
        (row(4, 4, None), 0.75, False),
        (row(4, 4, None, None), 0.5, False),
        (row(4), 0.5, False),
        (row(4, 4), 1.0, True),
    ],
)
def test_a_majority_is_more_than_half_of_all_and_at_least_the_share(
    ballots: Round, share: float, ends: bool
) -> None:
    assert majority([ballots], SINGLE, share=share) == ("majority" if ends else None)


@pytest.mark.parametrize(
    ("rounds", "options", "ends"),
    [
        ([row(4, 2)], {}, False),
        ([row(4, 2), row(4, 2)], {}, True),
        ([row(4, 2), row(2, 4)], {}, False),
        ([row(1, 1), row(4, 2), row(4, 2)], {}, True),
        ([row(4, 2), row(4, 2), row(4, 3)], {}, False),
        ([row(4, 2), row(4.4, 1.6)], {"within": 0.5}, True),
        ([row(4, None), row(4, None)], {}, False),
        ([row(4, None), row(4, 2)], {}, False),
        ([row(4), row(4)], {}, True),
    ],
)
def test_stable_ends_where_nobody_changed_between_two_rounds(
    rounds: list[Round], options: dict[str, float], ends: bool
) -> None:
    assert stable(rounds, SINGLE, **options) == ("stability" if ends else None)


@pytest.mark.parametrize(
    ("rounds", "options", "ends"),
    [
        ([row(4, 2), row(2, 4)], {}, False),
        ([row(4, 2), row(2, 4)], {"times": 1}, True),
        ([row(4, 2), row(2, 4), row(4, 2)], {}, True),
        ([row(5, 2), row(2, 4), row(4, 2)], {}, False),
        ([row(4, 2, 3, 3), row(4, 2, 3, 4)], {"times": 1}, False),
        ([row(4, 2, 3, 3), row(4, 2, 3, 4)], {"times": 1, "distance": 0.3}, True),
        ([row(4, None), row(4, None), row(4, None)], {}, False),
        ([row({"fluency": 4, "coherence": 2}), row({"fluency": 4, "coherence": 3})], {"times": 1}, False),
    ],
)
def test_convergence_compares_how_scores_are_spread_and_not_who_gave_them(
    rounds: list[Round], options: dict[str, Any], ends: bool
) -> None:
    """Of four scores one that moves is a distance of a quarter."""
    assert convergence(rounds, SINGLE, **options) == ("convergence" if ends else None)


SCORES = st.one_of(st.none(), st.integers(1, 3))


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(SCORES, min_size=n, max_size=n), min_size=1)))
def test_rules_neither_care_who_is_who_nor_change_what_they_see(table: list[list[int | None]]) -> None:
    """Nor does any of them take what is missing for agreement."""
    rounds = [row(*scores) for scores in table]
    turned = [list(reversed(one)) for one in rounds]
    kept = [list(one) for one in rounds]
    for rule in (unanimous, majority, stable, convergence):
        why = rule(rounds, SINGLE)
        assert why == rule(turned, SINGLE) == rule(rounds, SINGLE)
        if rule is not majority and None in table[-1]:
            assert why is None
    assert rounds == kept
    if unanimous(rounds, SINGLE):
        assert majority(rounds, SINGLE)
    if len(rounds) > 2 and stable(rounds, SINGLE) and stable(rounds[:-1], SINGLE):
        assert convergence(rounds, SINGLE)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("stabel", "there is no stop rule 'stabel'. Did you mean 'stable'?"),
        (3, 'a stop rule is a name, or a table {rule = "NAME"} with its options'),
        ({"share": 1}, 'a stop rule is a name, or a table {rule = "NAME"} with its options'),
        (
            {"rule": "majority", "shre": 1},
            "the stop rule 'majority' has no option 'shre'. Did you mean 'share'?",
        ),
        (
            {"rule": "majority", "share": 2},
            "the stop rule 'majority', option 'share': it is at most 1, not 2",
        ),
    ],
)
def test_a_rule_that_cannot_be_is_refused_with_what_would_do(said: object, problem: str) -> None:
    with pytest.raises(UsageError) as refused:
        stop_rule(said)
    assert str(refused.value) == problem


def test_a_wrong_rule_is_an_error_of_the_option() -> None:
    with pytest.raises(UsageError, match=r"option 'stop': there is no stop rule 'stabel'"):
        strategy("chateval", stop="stabel")


def scores_of(*scores: Sequence[float]) -> Callable[[ModelRequest], str]:
    """Words of agents that give these scores: a row a round, and the last row in every later one."""
    places = {name: place for place, name in enumerate(NAMES)}

    def reply(request: ModelRequest) -> str:
        context = request.context
        assert context is not None
        if context.purpose not in {"vote", "score", "revise"}:
            return {"summarise": "They differ."}.get(context.purpose, OBJECTION)
        row = scores[min(context.round, len(scores)) - 1]
        return scoring(row[places.get(context.agent, 0)])

    return reply


def moving(*scores: Sequence[float]) -> Function:
    """A model that gives these scores."""
    return Function("moving", scores_of(*scores))


def talk(kind: type[GroupTalk], **options: Any) -> GroupTalk:
    roles: dict[str, tuple[Card, ...]] = {"debaters": (ANN, BEN, CAT)}
    if kind is SimultaneousTalkWithSummarizer:
        roles["summarizer"] = (card("minutes"),)
    return kind.model_validate({"cast": roles, "rounds": 5, **options})


def ending(record: Record) -> tuple[int, str, bool]:
    assert record.verdict is not None, record.failure
    return record.verdict.rounds, record.verdict.ended, record.verdict.settled


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("stop", "expected"),
    [
        ("never", (5, "round limit", True)),
        ("unanimous", (3, "unanimity", True)),
        ({"rule": "unanimous", "within": 1}, (2, "unanimity", False)),
        ("majority", (2, "majority", False)),
        ({"rule": "majority", "share": 0.75}, (3, "majority", True)),
        ("stable", (4, "stability", True)),
        ("convergence", (5, "convergence", True)),
        ({"rule": "convergence", "times": 1}, (4, "convergence", True)),
    ],
)
async def test_a_talk_ends_when_its_stop_rule_says_so(
    kind: type[GroupTalk], stop: Any, expected: tuple[int, str, bool]
) -> None:
    record = await hold(talk(kind, stop=stop), moving((1, 3, 5), (3, 3, 4), (4, 4, 4)))
    assert ending(record) == expected
    assert record.verdict is not None
    assert record.verdict.score == pytest.approx(10 / 3 if expected[0] == 2 else 4)


@pytest.mark.parametrize("stop", ["unanimous", {"rule": "majority", "share": 1}])
def test_one_scorer_cannot_agree_with_itself(stop: Any) -> None:
    with pytest.raises(UsageError, match='here one agent gives all scores: stop = "stable"'):
        strategy("debate", stop=stop)


class Forgetful(GroupTalk):
    """Passes its stop rule to nobody."""

    async def debate(self, floor: Floor) -> Verdict:
        for _ in floor.rounds(self.rounds):
            said = await floor.try_ask_all(floor.cast("debaters"), self.wanted(floor))
        return self.close(floor, said)


async def test_a_talk_that_does_not_pass_its_stop_rule_on_is_told_so() -> None:
    record = await hold(talk(Forgetful, stop="stable"), moving((1, 3, 5)))
    assert isinstance(record.error, StrategyError)
    assert str(record.error) == (
        "Forgetful holds its rounds without its option stop: write floor.rounds(self.rounds, stop=self.stopping)"
    )
    assert ending(await hold(talk(Forgetful), moving((1, 3, 5)))) == (5, "round limit", False)


async def test_rounds_without_ballots_cannot_have_a_stop_rule() -> None:
    async def play(floor: Floor) -> Verdict:
        for _ in floor.rounds(2, stop=stop_rule("stable")):
            await floor.ask(floor.cast("debaters")[0], SPEAK)
        raise AssertionError("the first round ended")

    record = await hold(play, replying({"speak": "So it is."}))
    assert isinstance(record.error, StrategyError)
    assert "none was cast in round 1: ask for ballots in every round" in str(record.error)


def lead(
    rounds: Sequence[Round], context: StopContext, *, by: int = 2, above: float | None = None
) -> str | None:
    """A rule of somebody's own: ends where so many gave more than a score."""
    (aspect,) = context.aspects
    bar = (aspect.scale.low + aspect.scale.high) / 2 if above is None else above
    high = [one for one in rounds[-1] if one is not None and one.ballot.ratings[0].score > bar]
    return "lead" if len(high) >= by else None


def careless(rounds: Sequence[Round], context: StopContext) -> bool:
    return True


@pytest.fixture
def _own_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    real = plugins.registered
    own = {name: EntryPoint(name, f"{__name__}:{name}", GROUP) for name in ("lead", "careless", "NAMES")}
    monkeypatch.setattr(
        plugins, "registered", lambda group: {**real(group), **(own if group == GROUP else {})}
    )


@pytest.mark.usefixtures("_own_rules")
async def test_a_rule_that_says_neither_is_refused() -> None:
    record = await hold(talk(OneByOne, stop="careless"), moving((1, 2, 3)))
    assert isinstance(record.error, StrategyError)
    assert str(record.error).startswith("the stop rule 'careless' returned True: return None to go on")
    with pytest.raises(UsageError, match="'NAMES' is registered and is not a function"):
        stop_rule("NAMES")
