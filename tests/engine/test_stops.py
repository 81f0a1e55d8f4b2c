"""Stop rules: what each makes of ballots, and when a debate ends by one."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from engine_cases import COHERENCE, FLUENCY, GROUP_TALKS, OBJECTION, group_talk, hold, scoring
from hypothesis import given
from hypothesis import strategies as st
from packages import register

import agentdebate as ad
from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.errors import StrategyError, UsageError
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.group_talk import GroupTalk
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.stops import (
    GROUP,
    Round,
    StopContext,
    convergence,
    majority,
    stable,
    steady_lead,
    stop_rule,
    unanimous,
)  # fmt: skip
from agentdebate.talk.messages import CastBallot, Verdict
from agentdebate.talk.purposes import SPEAK
from agentdebate.testing import replying

NAMES = ("ann", "ben", "cat", "dot")
SINGLE = StopContext((FLUENCY, COHERENCE))
ENDS = {
    unanimous: "unanimity",
    majority: "majority",
    stable: "stability",
    convergence: "convergence",
    steady_lead: "steady lead",
}


def cast(agent: str, score: float | Mapping[str, float]) -> CastBallot:
    """A ballot on fluency, or on the aspects that are named."""
    scores = score if isinstance(score, Mapping) else {"fluency": score}
    ratings = tuple(
        Rating(aspect=name.partition(".")[0], candidate=name.partition(".")[2] or None, score=one)
        for name, one in scores.items()
    )
    return CastBallot(agent=agent, round=1, message=1, model="m", ballot=Ballot(ratings=ratings))


def row(*scores: float | Mapping[str, float] | None) -> Round:
    """A round in which ann, ben, ... gave these scores."""
    return [None if score is None else cast(name, score) for name, score in zip(NAMES, scores, strict=False)]


def lead(points: float, second: float = 3) -> Mapping[str, float]:
    """A ballot on two texts of which the first is so many points ahead."""
    return {"fluency.a": second + points, "fluency.b": second}


BOTH = {"fluency": 4, "coherence": 2}
OTHER = {"fluency": 4, "coherence": 3}
RULES: Mapping[Callable[..., str | None], Sequence[tuple[Sequence[Round], Mapping[str, float], bool]]] = {
    unanimous: [
        ([row(4, 4, 4)], {}, True),
        ([row(4, 4, 3)], {}, False),
        ([row(4, 4, 3)], {"within": 1.0}, True),
        ([row(4.0, 3.9, 3.7)], {"within": 0.3}, True),
        ([row(5, 4, 3)], {"within": 1.0}, False),
        ([row(4, 4, None)], {}, False),
        ([row(None, None)], {}, False),
        ([row(4)], {}, False),
        ([row(BOTH, OTHER)], {}, False),
        ([row(BOTH, {"coherence": 2, "fluency": 4})], {}, True),
    ],
    # More than half of all, and at least the share.
    majority: [
        ([row(4, 4, 3)], {}, True),
        ([row(4, 3)], {}, False),
        ([row(4, 4, 3, 2)], {}, False),
        ([row(4, 4, 4, 2)], {"share": 0.75}, True),
        ([row(4, 4, 3)], {"share": 0.75}, False),
        ([row(4, 4, 3)], {"share": 2 / 3}, True),
        ([row(4, 4, None)], {}, True),
        ([row(4, 4, None)], {"share": 0.75}, False),
        ([row(4, 4, None, None)], {}, False),
        ([row(4)], {}, False),
        ([row(4, 4)], {"share": 1.0}, True),
    ],
    # Nobody changed between two rounds.
    stable: [
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
    # The lead of one text over the other, whoever is ahead.
    steady_lead: [
        ([row(lead(2))], {}, False),
        ([row(lead(2)), row(lead(3))], {}, True),
        ([row(lead(2)), row(lead(4))], {}, False),
        ([row(lead(2)), row(lead(4))], {"within": 2.0}, True),
        ([row(lead(1)), row(lead(-1))], {}, False),
        ([row(lead(1, 5)), row(lead(1, 2))], {"within": 0.0}, True),
        ([row(lead(2), None), row(lead(2), None)], {}, False),
        ([row(4), row(4)], {}, False),
    ],
    # How scores are spread, and not who gave them. Of four scores one that moves is a distance of a quarter.
    convergence: [
        ([row(4, 2), row(2, 4)], {}, False),
        ([row(4, 2), row(2, 4)], {"times": 1}, True),
        ([row(4, 2), row(2, 4), row(4, 2)], {}, True),
        ([row(5, 2), row(2, 4), row(4, 2)], {}, False),
        ([row(4, 2, 3, 3), row(4, 2, 3, 4)], {"times": 1}, False),
        ([row(4, 2, 3, 3), row(4, 2, 3, 4)], {"times": 1, "distance": 0.3}, True),
        ([row(4, None), row(4, None), row(4, None)], {}, False),
        ([row(BOTH), row(OTHER)], {"times": 1}, False),
    ],
}  # fmt: skip


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_rule_ends_a_debate_where_its_ballots_are_as_it_says(rule: Callable[..., str | None]) -> None:
    for rounds, options, ends in RULES[rule]:
        found = rule(rounds, SINGLE, **options)
        assert found == (ENDS[rule] if ends else None), (rounds, options)


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


def moving(*scores: Sequence[float]) -> ad.Function:
    """A model that gives these scores: a row a round, and the last row in every later one."""

    def reply(request: ad.ModelRequest) -> str:
        context = request.context
        assert context is not None
        if context.purpose not in {"vote", "score", "revise"}:
            return {"summarise": "They differ."}.get(context.purpose, OBJECTION)
        return scoring(scores[min(context.round, len(scores)) - 1][NAMES.index(context.agent)])

    return ad.Function("moving", reply)


def ending(record: ad.Record) -> tuple[int, str, bool]:
    assert record.verdict is not None, record.failure
    return record.verdict.rounds, record.verdict.ended, record.verdict.settled


@pytest.mark.parametrize("kind", GROUP_TALKS)
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
    record = await hold(group_talk(kind, rounds=5, stop=stop), moving((1, 3, 5), (3, 3, 4), (4, 4, 4)))
    assert ending(record) == expected
    assert record.verdict is not None
    assert record.verdict.score == pytest.approx(10 / 3 if expected[0] == 2 else 4)


@pytest.mark.parametrize(
    ("name", "stop", "says"),
    [
        ("debate", "unanimous", 'here one agent gives all scores: stop = "stable"'),
        ("debate", {"rule": "majority", "share": 1}, 'here one agent gives all scores: stop = "stable"'),
        ("chateval", "stabel", "option 'stop': there is no stop rule 'stabel'"),
    ],
)
def test_one_scorer_cannot_agree_with_itself_and_a_wrong_rule_is_an_error_of_the_option(
    name: str, stop: Any, says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        ad.strategy(name, stop=stop)


class Forgetful(GroupTalk):
    """Passes its stop rule to nobody."""

    async def debate(self, floor: Floor) -> Verdict:
        for _ in floor.rounds(self.rounds):
            said = await floor.try_ask_all(floor.cast("debaters"), self.wanted(floor))
        return self.close(floor, said)


async def test_a_talk_that_does_not_pass_its_stop_rule_on_is_told_so() -> None:
    record = await hold(group_talk(Forgetful, rounds=5, stop="stable"), moving((1, 3, 5)))
    assert isinstance(record.error, StrategyError)
    assert str(record.error) == (
        "Forgetful holds its rounds without its option stop: write floor.rounds(self.rounds, stop=self.stopping)"
    )
    assert ending(await hold(group_talk(Forgetful), moving((1, 3, 5)))) == (4, "round limit", False)


async def test_rounds_without_ballots_cannot_have_a_stop_rule() -> None:
    async def play(floor: Floor) -> Verdict:
        for _ in floor.rounds(2, stop=stop_rule("stable")):
            await floor.ask(floor.cast("debaters")[0], SPEAK)
        raise AssertionError("the first round ended")

    record = await hold(play, replying({"speak": "So it is."}))
    assert isinstance(record.error, StrategyError)
    assert "none was cast in round 1: ask for ballots in every round" in str(record.error)


def careless(rounds: Sequence[Round], context: StopContext) -> bool:
    return True


async def test_a_rule_that_says_neither_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, GROUP, __name__, "careless", "NAMES")
    record = await hold(group_talk(OneByOne, stop="careless"), moving((1, 2, 3)))
    assert isinstance(record.error, StrategyError)
    assert str(record.error).startswith("the stop rule 'careless' returned True: return None to go on")
    with pytest.raises(UsageError, match="'NAMES' is registered and is not a function"):
        stop_rule("NAMES")
