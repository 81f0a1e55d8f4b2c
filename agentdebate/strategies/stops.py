"""Stop rules: whether a debate ends before its last round. Pure functions of the ballots so far, registered by name.

A rule is called after each round in which ballots were cast. It sees a row of ballots for each such round, oldest first,
with a place for everybody in the same order in every row, and says None to go on, or in a word why the debate ends. What
it says of ballots depends on nothing else, so that it can be applied to the ballots of a stored debate as well.

A missing ballot (None) is never agreement: what an agent would have said is not known.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from typing import Annotated, Any

from pydantic import Field

from agentdebate.ballots.ballot import Ballot
from agentdebate.errors import StrategyError
from agentdebate.options import OptionKind
from agentdebate.strategies.rule import RegisteredRule, readable, rule_name
from agentdebate.strategies.verdicts import best
from agentdebate.talk.messages import CastBallot, Lost
from agentdebate.tasks import Aspect

GROUP = "agentdebate.stops"
"""The entry-point group under which stop rules are registered, ours included."""

NEVER = "never"
"""The rule by which no debate ends early: its ballots need not be looked at."""

AGREEMENT = frozenset({"unanimous", "majority"})
"""Rules by which several have to agree: where one agent casts all ballots they end nothing."""

Round = Sequence[CastBallot | None]
"""The ballots of one round, one place for each agent; None where it cast none."""

_HAIR = 1e-9
"""Difference that rounding may make between equal numbers."""


@dataclass(frozen=True, slots=True)
class StopContext:
    """Facts that a stop rule may use besides ballots. No score that people gave is in it."""

    aspects: tuple[Aspect, ...]
    """Aspects that the ballots rate, with their scales."""


StopRule = Callable[[Sequence[Round], StopContext], str | None]
"""A rule whose options have their values: None to go on, or the reason why the debate ends."""


def stop_rule(said: object) -> StopRule | None:
    """The rule that a name says, or a table {rule = "NAME"} with options; None for "never". Raises UsageError."""
    if said == NEVER:  # nothing has to be looked up for each turn of the usual debate
        return None
    rule = RegisteredRule.read(GROUP, said, kind="stop rule")
    return None if rule.name == NEVER else partial(_reason, rule)


def _reason(rule: RegisteredRule, rounds: Sequence[Round], context: StopContext) -> str | None:
    """Call a registered rule. Raises StrategyError where its answer is none."""
    why: object = rule(rounds, context)
    if why is not None and not (isinstance(why, str) and why.strip()):
        raise StrategyError(
            f"the stop rule {rule.name!r} returned {why!r}: return None to go on, or say in a word why to end"
        )
    return why


Stop = Annotated[str | Mapping[str, Any], readable(stop_rule), OptionKind.TEXT]
"""A stop rule as an option of a strategy says it: "stable", {rule = "majority", share = 0.75}."""


def ballots_by_round(ballots: Sequence[CastBallot], lost: Sequence[Lost] = ()) -> tuple[Round, ...]:
    """The rounds that a stop rule sees: the ballots of one sitting so far, as its verdict has them.

    Everybody has a place who has cast a ballot or was lost. Who cast several in one round counts with the last.
    """
    agents = dict.fromkeys([*(cast.agent for cast in ballots), *(one.agent for one in lost)])
    rows: dict[int, dict[str, CastBallot]] = {}
    for cast in ballots:
        rows.setdefault(cast.round, {})[cast.agent] = cast
    return tuple(tuple(rows[number].get(agent) for agent in agents) for number in sorted(rows))


def never(rounds: Sequence[Round], context: StopContext) -> None:
    """All rounds are held."""


def unanimous(
    rounds: Sequence[Round],
    context: StopContext,
    *,
    within: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0,
) -> str | None:
    """Ends when all ballots of a round are alike: the same scores, or the same winner where texts are compared.

    There have to be at least two, and none may be missing. `within` is how many points scores may lie apart and still be
    alike.
    """
    stands = _stands(rounds[-1], context)
    several = len(stands) > 1  # an agent does not agree alone
    near = all(_near(one, other, within) for one, other in combinations(stands, 2))
    return "unanimity" if several and near else None


def majority(
    rounds: Sequence[Round],
    context: StopContext,
    *,
    share: Annotated[float, Field(ge=0, le=1)] = 0.5,
) -> str | None:
    """Ends when more than half of all ballots are alike, and at least this share of them.

    Those that are missing count among all. There have to be at least two ballots.
    """
    row = _stands(rounds[-1], context)
    votes = Counter(stand for stand in row if stand is not None)
    most = max(votes.values(), default=0)
    enough = 2 * most > len(row) and most >= share * len(row) - _HAIR
    return "majority" if enough and votes.total() > 1 else None


def stable(
    rounds: Sequence[Round],
    context: StopContext,
    *,
    within: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0,
) -> str | None:
    """Ends when no agent has changed its ballot since the round before, so that one more is not likely to change anything.

    No ballot may be missing in either. `within` is how many points a score may have moved.
    """
    if len(rounds) < 2:  # noqa: PLR2004 - this round, and the one before
        return None
    before, after = (_stands(row, context) for row in rounds[-2:])
    kept = all(_near(one, other, within) for one, other in zip(before, after, strict=True))
    return "stability" if kept else None


def steady_lead(
    rounds: Sequence[Round],
    _: StopContext,
    *,
    within: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1.0,
) -> str | None:
    """Ends when the texts lie as far apart as in the round before: no lead of one over another has moved by more than `within` points.

    A lead is the difference of two texts' sums of ratings, in the ballot of each agent. No ballot may be missing in either round, and where
    one text is judged nothing ends. After D3 (arXiv 2410.04663, Section 2.2), which ends when the score gap is stable.
    """
    if len(rounds) < 2:  # noqa: PLR2004 - this round, and the one before
        return None
    before, after = ([_leads(cast) for cast in row] for row in rounds[-2:])
    kept = all(_near(one, other, within) for one, other in zip(before, after, strict=True))
    return "steady lead" if kept else None


def convergence(
    rounds: Sequence[Round],
    _: StopContext,
    *,
    distance: Annotated[float, Field(gt=0, le=1)] = 0.05,
    times: Annotated[int, Field(ge=1)] = 2,
) -> str | None:
    """Ends when the scores of a round are spread as those of the round before, so many times in a row.

    The spread is compared by the Kolmogorov-Smirnov distance, which has to stay below `distance` for everything that is
    rated; who gave which score does not matter. No ballot may be missing. After arXiv 2510.12697, which compares
    distributions that it fits over a batch of items with known answers; here they are those of one debate's scores.
    """
    last = list(pairwise(rounds[-times - 1 :]))
    still = len(last) == times and all(_distance(before, after) < distance for before, after in last)
    return "convergence" if still else None


_Stand = tuple[tuple[str, float], ...]
"""Outcome of a ballot: the text that it puts first, or all that tie, where texts are compared, and elsewhere each score by its name."""


def _stands(row: Round, context: StopContext) -> list[_Stand | None]:
    return [None if cast is None else _stand(cast.ballot, context.aspects) for cast in row]


def _stand(ballot: Ballot, aspects: Sequence[Aspect]) -> _Stand:
    firsts = best(ballot.ratings, aspects)
    return tuple((name, 0.0) for name in firsts) if firsts else tuple(sorted(ballot.scores.items()))


def _leads(cast: CastBallot | None) -> _Stand | None:
    """The lead of each text over each other; None where there are no two."""
    totals = defaultdict[str, float](float)
    for rating in cast.ballot.ratings if cast else ():
        totals[rating.candidate or ""] += rating.score
    pairs = combinations(sorted(totals), 2)
    return tuple((f"{one} over {other}", totals[one] - totals[other]) for one, other in pairs) or None


def check_single_judge(said: object) -> None:
    """Raise ValueError for a stop rule that waits for agents that agree, where one agent casts all ballots."""
    rule = rule_name(said)
    if rule in AGREEMENT:
        raise ValueError(
            f'stop = "{rule}" waits for agents that agree, and here one agent gives all scores: stop = "stable" ends'
            " the debate when a revision leaves its score as it was"
        )


def _near(one: _Stand | None, other: _Stand | None, within: float) -> bool:
    """Tell whether two outcomes are alike; an unknown one is like none."""
    if one is None or other is None:
        return False
    scores, others = dict(one), dict(other)
    return scores.keys() == others.keys() and all(
        abs(score - others[name]) <= within + _HAIR for name, score in scores.items()
    )


def _distance(before: Round, after: Round) -> float:
    """Measure how far the scores of two rounds are apart in distribution, where they are farthest; 1 where one is missing."""
    earlier, later = ([cast.ballot.scores for cast in row if cast is not None] for row in (before, after))
    things = {frozenset(scores) for scores in (*earlier, *later)}
    if len(earlier) + len(later) < len(before) + len(after) or len(things) != 1:
        return 1.0
    return max(
        _kolmogorov_smirnov([scores[name] for scores in earlier], [scores[name] for scores in later])
        for name in things.pop()
    )


def _kolmogorov_smirnov(one: Sequence[float], other: Sequence[float]) -> float:
    """The greatest difference of the two shares of scores that are at most so high."""
    return max(
        abs(sum(x <= height for x in one) / len(one) - sum(x <= height for x in other) / len(other))
        for height in {*one, *other}
    )
